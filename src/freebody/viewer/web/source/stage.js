// The 3D picture: renders on demand what the player shows.

import { Group, Scene, Vector3, WebGLRenderer } from "three";
import { Arrows } from "./arrows.js";
import { CameraRig } from "./camera.js";
import { THEMES } from "./colours.js";
import { Corner } from "./corner.js";
import { addBodyPoints, bodyCorners, boxOfPoints, radiusOf } from "./extent.js";
import { FlexibleBodies } from "./flexible.js";
import { Framing } from "./framing.js";
import { Ground } from "./ground.js";
import { Items } from "./items.js";
import { Labels } from "./labels.js";
import { Links } from "./links.js";
import { bodyMarks } from "./marks.js";
import { Picking } from "./picking.js";
import { Polylines } from "./polylines.js";
import { Poses } from "./poses.js";
import { Trails } from "./trails.js";
import { uprightTurn } from "./upright.js";

const NO_WEBGL = "This browser has no WebGL, so the bodies cannot be drawn.";
const LOST = "The graphics of this page were lost. They come back by themselves, or when the page is loaded again.";

export class Stage {
  /** @param {HTMLElement} holder the element that the canvas fills
   * @param motion the poses at the start, for a scene whose coordinates the reader sets */
  constructor(holder, scene, player, motion = null) {
    Object.assign(this, { holder, scene, player });
    this.frames = 0;
    this.firstFrame = new Promise((resolve) => (this.tellFirstFrame = resolve));
    this.poses = new Poses(scene);
    this.poses.setTime(player.t, player.current);
    if (motion) this.poses.setPoses(motion.poses, motion.series);
    this.corners = bodyCorners(scene);
    this.framing = new Framing(scene, this.poses, this.corners);
    this.box = boxOfPoints([...this.framing.motion, ...this.framing.pointsNow(this.framing.fixed), ...this.framing.first]);
    // Numbers on the graphics card have single precision; they count from here.
    const near = boxOfPoints(this.framing.first);
    this.origin = [0, 1, 2].map((axis) => (near[axis] + near[axis + 3]) / 2);
    this.showsPath = false; // the camera was asked for the whole path
    this.turn = uprightTurn(scene.gravity);
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "high-performance" });
    if (context) this.build(canvas, context);
    else this.doWithout();
  }

  /** Without WebGL the poses still follow the player, for what else shows them. */
  doWithout() {
    this.player.on("time clip", () => this.poses.setTime(this.player.t, this.player.current));
    queueMicrotask(() => this.player.emit("graphics", { state: "missing", message: NO_WEBGL }));
    this.tellFirstFrame();
  }

  build(canvas, context) {
    const { scene, poses, player, holder } = this;
    canvas.style.cssText = "position:absolute;inset:0;display:block;touch-action:none";
    if (getComputedStyle(holder).position === "static") holder.style.position = "relative";
    holder.append(canvas);
    this.renderer = new WebGLRenderer({ canvas, context });
    this.rig = new CameraRig(canvas, () => this.requestFrame());
    this.camera = this.rig.camera;
    const seriesIndex = new Map(scene.series.map(({ key }, index) => [key, index]));
    this.items = new Items(scene, poses, seriesIndex, bodyMarks(scene, this.corners.map(radiusOf)));
    this.links = new Links(scene, poses, seriesIndex);
    this.lines = new Polylines(scene, poses, seriesIndex);
    this.arrows = new Arrows(scene, poses);
    this.flexible = new FlexibleBodies(scene, poses);
    this.trails = new Trails(scene, poses, player, [...this.origin]);
    this.ground = new Ground(boxOfPoints(this.inPicture(this.framing.path(), [0, 0, 0])), scene.size, this.turn);
    this.labels = new Labels(holder, scene, poses);
    this.corner = new Corner(holder, scene, this.turn);
    this.batches = [this.items, this.links, this.lines, this.arrows].flatMap(({ batches }) => batches);
    this.world = this.makeWorld();
    this.picking = new Picking(this);
    this.items.colour(-1, -1);
    this.showLayers();
    this.followed = player.follow;
    this.followedAt = this.followedPoint();
    this.resize();
    this.listen();
  }

  makeWorld() {
    const turned = new Group().add(this.trails.group);
    turned.quaternion.copy(this.turn);
    for (const { meshes } of this.batches) turned.add(...meshes);
    for (const object of this.flexible.objects) turned.add(object);
    return new Scene().add(turned, this.ground.mesh);
  }

  listen() {
    const { player, renderer } = this;
    player.on("time clip", () => {
      this.poses.setTime(player.t, player.current);
      this.moveAlong();
      this.posesChanged();
    });
    player.on("layers", () => this.showLayers());
    player.on("selection", () => {
      this.items.colour(player.selected, player.hovered);
      if (player.follow !== this.followed) this.startFollowing();
      this.posesChanged();
    });
    player.on("options", () => {
      this.poses.setFactor(player.options.magnify);
      this.posesChanged();
    });
    renderer.domElement.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      player.emit("graphics", { state: "lost", message: LOST });
    });
    renderer.domElement.addEventListener("webglcontextrestored", () => {
      player.emit("graphics", { state: "restored", message: "" });
      this.posesChanged();
    });
    new ResizeObserver(() => this.resize()).observe(this.holder);
  }

  showLayers() {
    const { layers } = this.player;
    for (const batch of this.batches) batch.visible = layers.has(batch.layer);
    this.flexible.setVisible(layers.has("bodies"));
    this.ground.mesh.visible = layers.has("grid");
    this.posesChanged();
  }

  /** Shows poses that were computed outside: 12 numbers a body (rotation matrix by rows, position), and the values of series
   * by their keys. */
  setPoses(numbers, values) {
    this.poses.setPoses(numbers, values);
    this.moveAlong();
    this.player.emit("pose");
    this.posesChanged();
  }

  // Following a body: the origin moves with it, and the camera with the origin.

  /** The place of the mass centre of the body that is followed, or null. */
  followedPoint() {
    const { follow } = this.player;
    if (follow < 0) return null;
    const point = this.poses.point(this.poses.index(follow), this.scene.bodies[follow].com, [0, 0, 0]);
    return point.every(Number.isFinite) ? point : null;
  }

  startFollowing() {
    this.followed = this.player.follow;
    this.followedAt = this.followedPoint();
    if (this.followed >= 0) this.showsPath = false;
    if (this.followedAt) this.lookAt(this.placeInPicture(this.followedAt));
  }

  moveAlong() {
    const point = this.followedPoint();
    if (!point || !this.renderer) return;
    if (!this.followedAt) return this.startFollowing();
    for (let axis = 0; axis < 3; axis++) this.origin[axis] += point[axis] - this.followedAt[axis];
    this.followedAt = point;
  }

  /** Turns the camera's attention to a point of the picture. */
  lookAt(point) {
    this.rig.touched = true;
    this.rig.centre(point);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    const ratio = Math.min(2, window.devicePixelRatio);
    const size = `${width} ${height} ${ratio}`;
    if (!width || !height || size === this.size) return;
    this.size = size;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
    this.rig.setSize(width, height);
    if (!this.rig.touched) this.rig.fit(this.inPicture(this.player.follow < 0 ? this.framing.first : this.framing.system()), "usual");
    if (this.frames) this.render(); // at once: a canvas of another size is empty
    else this.requestFrame();
  }

  /** Where a point of the ground is in the picture, whose numbers count from the origin. */
  placeInPicture([x, y, z], target = new Vector3()) {
    return target.set(x - this.origin[0], y - this.origin[1], z - this.origin[2]).applyQuaternion(this.turn);
  }

  /** The same for many points, counted from another origin. */
  inPicture(points, origin = this.origin) {
    const placed = new Float64Array(points.length), place = new Vector3();
    for (let k = 0; k < points.length; k += 3)
      place.set(points[k] - origin[0], points[k + 1] - origin[1], points[k + 2] - origin[2]).applyQuaternion(this.turn).toArray(placed, k);
    return placed;
  }

  /** Shows all bodies where they are now, or one of them, from the direction of the camera. */
  fit(body = -1) {
    this.showsPath = false;
    this.setView(null, body);
  }

  /** Shows the whole path of the motion from the direction of the camera, which follows no body any more. */
  fitPath() {
    this.showsPath = true;
    this.player.setFollow(-1);
    this.setView(null);
  }

  /** Shows all bodies, the whole path if it was asked for, or a body, from the "front", the "right", the "top" or the
   * "usual" direction; null: from that of the camera. */
  setView(view, body = -1) {
    if (!this.renderer) return;
    let points = this.showsPath ? this.framing.path() : this.framing.system();
    if (body >= 0) addBodyPoints(this.poses, this.corners, body, (points = []));
    this.rig.touched = true;
    this.rig.fit(this.inPicture(points), view);
    this.requestFrame();
  }

  posesChanged() {
    this.moved = true;
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
    const { player, camera, origin, ground } = this;
    const theme = THEMES[player.options.theme] ?? THEMES.light;
    this.update();
    this.world.background = theme.background;
    ground.update(new Vector3(...origin).applyQuaternion(this.turn), this.rig.controls.target, this.rig.distance, theme);
    const reach = Math.hypot(...[0, 1, 2].map((axis) => this.box[axis + 3] - this.box[axis])) + this.scene.size;
    this.rig.setDepth(this.placeInPicture([0, 1, 2].map((axis) => (this.box[axis] + this.box[axis + 3]) / 2)), 1.5 * reach + ground.radius);
    this.renderer.render(this.world, camera);
    this.labels.update((point, target) => this.placeInPicture(point, target).project(camera), this.holder.clientWidth, this.holder.clientHeight, player.layers.has("labels"), theme, player.selected, player.hovered);
    this.corner.update(camera, theme, ground.mesh.visible, ground.spacing);
    this.frames += 1;
    this.tellFirstFrame();
  }

  /** Moves everything to the poses, if they have changed. */
  update() {
    if (!this.moved) return;
    this.moved = false;
    const { origin, player } = this;
    this.items.update(origin);
    this.links.update(origin);
    this.lines.update(origin);
    this.arrows.update(origin, player.options.arrowScale);
    if (player.layers.has("bodies")) this.flexible.update(origin, player.options, player);
    this.trails.update(origin);
  }

  /** The place of a point of a body on the canvas in CSS pixels. */
  project(body, point) {
    const { x, y } = this.placeInPicture(this.poses.point(this.poses.index(body), point, [0, 0, 0])).project(this.camera);
    const { clientWidth: width, clientHeight: height } = this.holder;
    return [((x + 1) / 2) * width, ((1 - y) / 2) * height];
  }
}
