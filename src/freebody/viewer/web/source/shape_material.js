// The material of all shapes. Its shader is short, because software that stands in for a graphics card compiles it at the
// start of each page.

import { DoubleSide, ShaderMaterial } from "three";

const VERTEX = `
  varying vec3 shownColour, worldNormal, fromCamera;
  void main() {
    vec4 place = vec4(position, 1.0);
    shownColour = vec3(1.0);
    #ifdef USE_INSTANCING
      place = instanceMatrix * place;
    #endif
    #ifdef USE_INSTANCING_COLOR
      shownColour *= instanceColor.rgb;
    #endif
    #ifdef USE_COLOR
      shownColour *= color;
    #endif
    #ifdef SMOOTH
      worldNormal = normal;
      #ifdef USE_INSTANCING
        mat3 turn = mat3(instanceMatrix);
        worldNormal = turn * (normal / vec3(dot(turn[0], turn[0]), dot(turn[1], turn[1]), dot(turn[2], turn[2])));
      #endif
      worldNormal = mat3(modelMatrix) * worldNormal;
    #endif
    place = modelMatrix * place;
    fromCamera = place.xyz - cameraPosition;
    gl_Position = projectionMatrix * viewMatrix * place;
  }`;

// Light from the sky (more from above), from the sun and from the camera. Of both sides of a surface the one that is seen is
// lit, however its triangles are wound.
const FRAGMENT = `
  varying vec3 shownColour, worldNormal, fromCamera;
  uniform float opacity;
  void main() {
    vec3 n = normalize(cross(dFdx(fromCamera), dFdy(fromCamera)));
    if (dot(n, fromCamera) > 0.0) n = -n;
    #ifdef SMOOTH
      if (dot(worldNormal, worldNormal) > 0.0) n = normalize(dot(worldNormal, n) < 0.0 ? -worldNormal : worldNormal);
    #endif
    float light = 0.46 + 0.09 * n.z + 0.36 * max(0.0, dot(n, vec3(-0.267, -0.535, 0.802))) - 0.17 * dot(n, normalize(fromCamera));
    gl_FragColor = vec4(shownColour * light, opacity);
    #include <colorspace_fragment>
  }`;

/** @param {import("three").BufferGeometry} geometry decides about normals and colours of vertices
 * @param options more parameters of the material; an opacity below 1 makes it translucent */
export function shapeMaterial(geometry, { opacity = 1, ...options } = {}) {
  return new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { opacity: { value: opacity } },
    defines: geometry.hasAttribute("normal") ? { SMOOTH: "" } : {},
    vertexColors: geometry.hasAttribute("color"),
    side: DoubleSide,
    transparent: opacity < 1,
    depthWrite: opacity === 1,
    ...options,
  });
}
