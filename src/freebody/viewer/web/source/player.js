// What is shown: the time, the clip, the selection, the layers. Stage and interface listen to its events.

/** @typedef {"time"|"state"|"layers"|"selection"|"clip"|"pose"|"options"|"graphics"} PlayerEvent
 * time: t changed; state: playing, speed, loop; layers: layers; selection: selected, hovered, follow; clip: clip;
 * pose: poses were set from outside; options: options; graphics: { state, message } when WebGL is missing, lost or back. */

export class Player {
  constructor(scene) {
    this.scene = scene;
    this.listeners = new Map();
    this.clip = 0;
    this.selected = -1; // index of a body; −1: none
    this.hovered = -1;
    this.follow = scene.bodies[scene.follow] ? scene.follow : -1;
    this.layers = new Set([...scene.shown, "grid"]);
    this.playing = false;
    this.t = this.start;
    this.speed = usualSpeed(this.end - this.start);
    this.loop = scene.clips.length > 0;
    this.options = {
      theme: "light", // "light" or "dark"
      trails: "tips", // in the layer "trails": "tips" (bodies without children), "selected" or "all"
      colouring: "plain", // of flexible bodies: "plain", "displacement" or "strain"
      magnify: scene.deformation, // factor of the deformations
      arrowScale: 1, // factor of the arrows' lengths
    };
  }

  /** Calls f(detail) at each of these events (names separated by spaces). */
  on(events, f) {
    for (const name of events.split(" ")) {
      if (!this.listeners.has(name)) this.listeners.set(name, new Set());
      this.listeners.get(name).add(f);
    }
  }

  emit(event, detail) {
    for (const f of this.listeners.get(event) ?? []) f(detail);
  }

  /** The clip that is shown, or undefined for a scene without clips. */
  get current() {
    return this.scene.clips[this.clip];
  }

  get start() {
    const { clips, together } = this.scene;
    if (together) return Math.min(...clips.map((clip) => clip.t[0]));
    return this.current ? this.current.t[0] : 0;
  }

  get end() {
    const { clips, together } = this.scene;
    if (together) return Math.max(...clips.map((clip) => clip.t[clip.t.length - 1]));
    return this.current ? this.current.t[this.current.t.length - 1] : 0;
  }

  seek(t) {
    const limited = Math.min(this.end, Math.max(this.start, t));
    if (limited === this.t) return;
    this.t = limited;
    this.emit("time");
  }

  play() {
    if (this.playing || this.end <= this.start) return;
    if (this.t >= this.end) this.seek(this.start);
    this.playing = true;
    this.emit("state");
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      // A page that was hidden for a while goes on where it was.
      this.advance((Math.min(250, Math.max(0, now - last)) / 1000) * this.speed);
      last = now;
      if (this.playing) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.emit("state");
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  advance(seconds) {
    const { start, end } = this;
    const t = this.t + seconds;
    if (t < end) this.seek(t);
    else if (this.loop) this.seek(start + ((t - start) % (end - start)));
    else {
      this.seek(end);
      this.pause();
    }
  }

  setSpeed(speed) {
    this.speed = speed;
    this.emit("state");
  }

  setLoop(loop) {
    this.loop = loop;
    this.emit("state");
  }

  /** Shows another clip at the same time of it, as far as it goes. */
  setClip(index) {
    if (index === this.clip || !this.scene.clips[index]) return;
    this.clip = index;
    this.t = Math.min(this.end, Math.max(this.start, this.t));
    this.emit("clip");
    this.emit("time");
  }

  select(body) {
    this.setBody("selected", body);
  }

  hover(body) {
    this.setBody("hovered", body);
  }

  /** The camera follows a body; −1: none. */
  setFollow(body) {
    this.setBody("follow", body);
  }

  setBody(name, body) {
    const index = this.scene.bodies[body] ? body : -1;
    if (index === this[name]) return;
    this[name] = index;
    this.emit("selection");
  }

  setLayer(name, on) {
    if (this.layers.has(name) === on) return;
    if (on) this.layers.add(name);
    else this.layers.delete(name);
    this.emit("layers");
  }

  toggleLayer(name) {
    this.setLayer(name, !this.layers.has(name));
  }

  setOption(name, value) {
    if (!(name in this.options)) throw new Error(`The player has no option "${name}".`);
    if (this.options[name] === value) return;
    this.options[name] = value;
    this.emit("options");
  }
}

/** 1, or the 1-2-5 number with which motions of less than a second or more than a minute take about ten seconds. */
function usualSpeed(duration) {
  if (!(duration > 0) || (duration >= 1 && duration <= 60)) return 1;
  const wanted = duration / 10;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  const step = wanted / decade;
  return (step < 1.5 ? 1 : step < 3.5 ? 2 : step < 7.5 ? 5 : 10) * decade;
}
