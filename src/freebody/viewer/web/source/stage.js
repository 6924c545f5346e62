// The 3D picture: renders on demand what the player shows.

import { Color, DirectionalLight, Group, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { motionBox } from "./extent.js";
import { Items } from "./items.js";
import { Poses } from "./poses.js";

const BACKGROUND = { light: 0xf4f6f8, dark: 0x15181c };

export class Stage {
  /** @param {HTMLElement} holder the element that the canvas fills */
  constructor(holder, scene, player, motion = null) {
    Object.assign(this, { holder, scene, player });
    this.frames = 0;
    this.firstFrame = new Promise((resolve) => (this.tellFirstFrame = resolve));
    this.poses = new Poses(scene);
    this.poses.setTime(player.t, player.current);
    if (motion) this.poses.setPoses(motion.poses, motion.series);
    this.box = motionBox(scene, this.poses);
    this.origin = this.box.getCenter(new Vector3()).toArray();
    this.world = new Scene();
    this.camera = new PerspectiveCamera(35, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    try {
      this.renderer = new WebGLRenderer({ antialias: true, alpha: false });
    } catch (error) {
      this.tellFirstFrame();
      queueMicrotask(() => player.emit("graphics", { state: "missing", message: "This browser has no WebGL, so the 3D view cannot be drawn." }));
      return;
    }
    this.build();
  }

  build() {
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.holder.append(this.renderer.domElement);
    this.moving = new Group();
    this.world.add(this.moving, new HemisphereLight(0xffffff, 0x8a8f98, 1.6));
    const sun = new DirectionalLight(0xffffff, 1.8);
    sun.position.set(-1, -2, 3);
    this.world.add(sun);
    this.items = new Items(this.scene, this.poses, this.moving);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener("change", () => this.requestFrame());
    this.listen();
    this.resize();
    this.fit();
  }

  listen() {
    const { player } = this;
    player.on("time clip", () => {
      this.poses.setTime(player.t, player.current);
      this.requestFrame();
    });
    player.on("layers", () => this.showLayers());
    player.on("selection", () => {
      this.items.highlight(player.selected, player.hovered);
      this.requestFrame();
    });
    player.on("options", () => this.requestFrame());
    this.showLayers();
    new ResizeObserver(() => this.resize()).observe(this.holder);
  }

  showLayers() {
    this.items.setLayers(this.player.layers);
    this.requestFrame();
  }

  /** Shows poses that were computed outside: 12 numbers a body, and the values of series by key. */
  setPoses(numbers, values) {
    this.poses.setPoses(numbers, values);
    this.player.emit("pose");
    this.requestFrame();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.requestFrame();
  }

  /** Moves the camera so that the whole motion is in sight. */
  fit() {
    const box = this.box.clone().translate(new Vector3(...this.origin).negate());
    const centre = box.getCenter(new Vector3());
    const radius = box.getSize(new Vector3()).length() / 2;
    const angle = (this.camera.fov * Math.PI) / 360;
    const distance = radius / Math.sin(Math.min(angle, Math.atan(Math.tan(angle) * this.camera.aspect)));
    this.camera.near = distance / 500;
    this.camera.far = distance * 50;
    this.camera.position.copy(centre).addScaledVector(new Vector3(-0.55, -1, 0.5).normalize(), distance);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.requestFrame();
  }

  requestFrame() {
    if (this.pending || !this.renderer) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.render();
    });
  }

  render() {
    this.world.background = new Color(BACKGROUND[this.player.options.theme]);
    this.items.update(this.origin);
    this.renderer.render(this.world, this.camera);
    this.frames += 1;
    this.tellFirstFrame();
  }

  /** The place of a point of a body on the canvas in CSS pixels. */
  project(body, point) {
    const place = this.poses.point(this.poses.index(body), point, [0, 0, 0]);
    const { x, y } = new Vector3(...place).sub(new Vector3(...this.origin)).project(this.camera);
    const { clientWidth: width, clientHeight: height } = this.holder;
    return [((x + 1) / 2) * width, ((1 - y) / 2) * height];
  }
}
