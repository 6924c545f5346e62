// The bar below the picture: play, step, the slider of the time with its events, speed, loop, choice of the clip.

import { el, icon, label, setText } from "./dom.js";
import { ICONS } from "./icons.js";
import { decimalsOf, fixed, format } from "./numbers.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const MOST_MARKS = 120; // events that are closer than the slider's length over this share a mark
const STEPS = 100; // a step is the next recorded time, or this fraction of the motion

export class Bar {
  constructor(player) {
    this.player = player;
    this.playButton = iconButton("play", "Play (space)", () => player.toggle(), true);
    this.loopButton = iconButton("loop", "Loop (L)", () => player.setLoop(!player.loop));
    this.slider = el("input", {
      type: "range", class: "fb-range fb-time", min: 0, max: 1, step: "any", "aria-label": "Time",
      oninput: () => {
        player.pause();
        player.seek(player.start + this.slider.valueAsNumber * (player.end - player.start));
      },
    });
    this.marks = el("div", { class: "fb-marks" });
    this.tip = el("div", { class: "fb-tip", hidden: true });
    this.time = el("output", { class: "fb-clock", "aria-live": "off" });
    this.speed = el("select", { class: "fb-select", "aria-label": "Speed", title: "Speed (+ and −)", onchange: () => player.setSpeed(+this.speed.value) });
    this.clips = player.scene.clips.length > 1 && !player.scene.together ? this.clipChoice() : null;
    this.element = el(
      "div", { class: "fb-bar", role: "group", "aria-label": "Playback" },
      this.clips,
      el(
        "div", { class: "fb-buttons" },
        iconButton("back", "Step back (←)", () => this.step(-1), true), this.playButton,
        iconButton("forward", "Step forward (→)", () => this.step(1), true),
      ),
      el("div", { class: "fb-track" }, this.slider, this.marks, this.tip),
      this.time,
      el("div", { class: "fb-buttons" }, this.speed, this.loopButton),
    );
    player.on("time", () => this.showTime());
    player.on("state", () => this.showState());
    player.on("clip", () => this.showClip());
    this.showClip();
    this.showState();
  }

  clipChoice() {
    const { player } = this;
    const options = player.scene.clips.map((clip, k) => el("option", { value: k }, label(clip.name || `clip ${k + 1}`, 60)));
    return el("select", { class: "fb-select fb-clips", "aria-label": "Motion shown", title: "Motion shown ([ and ])", onchange: (event) => player.setClip(+event.target.value) }, ...options);
  }

  showClip() {
    const { player } = this, length = player.end - player.start;
    this.decimals = Math.min(6, decimalsOf((length || 1) / 500));
    this.slider.disabled = this.playButton.disabled = !(length > 0);
    if (this.clips) this.clips.value = String(player.clip);
    this.showMarks();
    this.showTime();
  }

  showTime() {
    const { player } = this, { start, end, t } = player;
    this.slider.value = String(end > start ? (t - start) / (end - start) : 0);
    this.slider.style.setProperty("--fb-done", `${end > start ? (100 * (t - start)) / (end - start) : 0}%`);
    const text = fixed(t, this.decimals);
    this.slider.setAttribute("aria-valuetext", `${text} s`);
    setText(this.time, `${text} / ${format(end, 4)} s`);
  }

  showState() {
    const { player } = this;
    if (this.shownPlaying !== player.playing) {
      this.shownPlaying = player.playing;
      setLabel(this.playButton, player.playing ? "Pause (space)" : "Play (space)");
      this.playButton.replaceChildren(icon(player.playing ? ICONS.pause : ICONS.play, { fill: true }));
    }
    this.loopButton.setAttribute("aria-pressed", String(player.loop));
    const speeds = [...new Set([...SPEEDS, player.speed])].sort((a, b) => a - b);
    if (this.speed.options.length !== speeds.length) this.speed.replaceChildren(...speeds.map((s) => el("option", { value: s }, `${format(s, 3)}×`)));
    this.speed.value = String(player.speed);
  }

  /** Marks of events on the slider; close ones share a mark. */
  showMarks() {
    const { player } = this, { start, end } = player, groups = new Map();
    const events = player.scene.together ? [] : player.current?.events ?? [];
    for (const [t, name] of events) {
      if (!(end > start) || t < start || t > end) continue;
      const bin = Math.floor(((t - start) / (end - start)) * MOST_MARKS);
      groups.set(bin, [...(groups.get(bin) ?? []), [t, name]]);
    }
    this.marks.replaceChildren(...[...groups.values()].map((events) => {
      const [t] = events[0], share = (t - start) / (end - start);
      const lines = events.slice(0, 6).map(([time, name]) => `${label(name, 60)} · ${fixed(time, this.decimals)} s`);
      if (events.length > 6) lines.push(`and ${events.length - 6} more`);
      const show = () => {
        this.tip.replaceChildren(...lines.map((line) => el("div", {}, line)));
        this.tip.hidden = false;
        this.tip.style.left = `clamp(5.5rem, ${100 * share}%, calc(100% - 5.5rem))`;
      };
      const hide = () => (this.tip.hidden = true);
      const mark = el("button", {
        class: "fb-mark", type: "button", tabindex: "-1", "aria-label": `Event ${lines.join(", ")}`, onpointerenter: show, onpointerleave: hide,
        onclick: () => {
          player.pause();
          player.seek(t);
        },
      });
      mark.style.setProperty("--fb-at", String(share));
      return mark;
    }));
  }

  /** One recorded time further, or a hundredth of the motion where the recorded times are closer. */
  step(direction, factor = 1) {
    const { player } = this, t = player.current?.t, least = ((player.end - player.start) / STEPS) * factor;
    if (!t?.length) return;
    player.pause();
    const wanted = player.t + direction * least, average = (player.end - player.start) / Math.max(1, t.length - 1);
    if (average < least || factor > 1) return player.seek(wanted);
    const next = direction > 0 ? t.find((time) => time > player.t) : t.findLast((time) => time < player.t);
    player.seek(next ?? wanted);
  }

  changeSpeed(direction) {
    const { player } = this;
    const next = direction > 0 ? SPEEDS.find((s) => s > player.speed * 1.001) : [...SPEEDS].reverse().find((s) => s < player.speed * 0.999);
    if (next) player.setSpeed(next);
  }

  changeClip(direction) {
    const count = this.player.scene.clips.length;
    if (this.clips) this.player.setClip((this.player.clip + direction + count) % count);
  }
}

export function iconButton(name, title, onclick, fill = false) {
  return el("button", { class: "fb-icon", type: "button", title, "aria-label": title, onclick }, icon(ICONS[name], { fill }));
}

function setLabel(button, text) {
  button.title = text;
  button.setAttribute("aria-label", text);
}
