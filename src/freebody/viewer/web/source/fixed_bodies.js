// Bodies that cannot move: floors, walls, bases of robots.

/** For each body whether it is welded to the ground and not flexible. Parents are before their children. */
export function fixedBodies(scene) {
  const flexible = new Set(scene.flexible.map(({ body }) => body)), fixed = [];
  scene.bodies.forEach(({ joint, parent }, body) => fixed.push(joint === "weld" && (parent < 0 || fixed[parent] === true) && !flexible.has(body)));
  return fixed;
}
