// Which way is up in the picture: z, or the axis of the ground against gravity where gravity is along another one.

import { Matrix4, Quaternion, Vector3 } from "three";

/** The rotation from the ground's axes to those of the picture, whose third axis is up. */
export function uprightTurn(gravity) {
  const sizes = gravity.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  if (!(sizes[axis] > 0) || (axis === 2 && gravity[2] < 0)) return new Quaternion();
  const up = new Vector3().setComponent(axis, -Math.sign(gravity[axis]));
  const right = new Vector3().setComponent(axis === 0 ? 1 : 0, 1);
  const away = new Vector3().crossVectors(up, right);
  return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(right, away, up)).invert();
}
