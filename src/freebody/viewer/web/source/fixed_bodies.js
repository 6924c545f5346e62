// Bodies that cannot move: floors, walls, bases of robots.

/** Whether a body is welded to the ground and not flexible, or the ground itself (−1). */
export function isFixed(scene, body) {
  if (body < 0) return true;
  const { joint, parent } = scene.bodies[body];
  return joint === "weld" && isFixed(scene, parent) && !scene.flexible.some((item) => item.body === body);
}
