// Energy and sensors over time.

import type { Frame } from "../../worker/messages.ts";
import { h, section, short } from "../dom.ts";
import type { Session } from "../session.ts";

const WINDOW = 8; // seconds that are seen
const MOST = 2000; // samples
const COLORS = ["#4f9cf0", "#f0883e", "#3fb97f", "#d65db1", "#c9a227", "#7d7df0", "#e05a5a", "#35b5c1"];
const CHANNELS = 6; // curves of one sensor

interface Curve {
  name: string;
  values: number[];
}

// One diagram: curves over the same times.
class Plot {
  readonly canvas = h("canvas", { class: "plot" });
  private readonly legend = h("div", { class: "legend" });
  readonly element: HTMLElement;
  private times: number[] = [];
  private readonly curves: Curve[];

  constructor(title: string, names: string[]) {
    this.curves = names.map((name) => ({ name, values: [] }));
    this.legend.append(
      ...names.map((name, i) => {
        const key = h("span", {}, name);
        key.style.setProperty("--color", COLORS[i % COLORS.length]!);
        return key;
      }),
    );
    this.element = h("figure", {}, h("figcaption", {}, title), this.canvas, this.legend);
  }

  add(time: number, values: number[]) {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && time < last) {
      this.times.length = 0;
      this.curves.forEach((curve) => (curve.values.length = 0));
    } else if (time === last) {
      return;
    }
    this.times.push(time);
    this.curves.forEach((curve, i) => curve.values.push(values[i] ?? 0));
    if (this.times.length > MOST) {
      const half = MOST / 2;
      this.times.splice(0, half);
      this.curves.forEach((curve) => curve.values.splice(0, half));
    }
  }

  draw() {
    const ratio = window.devicePixelRatio,
      width = this.canvas.clientWidth,
      height = this.canvas.clientHeight;
    if (width === 0) {
      return;
    }
    if (this.canvas.width !== Math.round(width * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const c = this.canvas.getContext("2d")!;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    const end = this.times[this.times.length - 1] ?? 0,
      start = end - WINDOW;
    const first = this.times.findIndex((t) => t >= start);
    let low = Infinity,
      high = -Infinity;
    for (const { values } of this.curves) {
      for (let i = Math.max(0, first); i < values.length; i++) {
        low = Math.min(low, values[i]!);
        high = Math.max(high, values[i]!);
      }
    }
    if (!(high >= low)) {
      return;
    }
    const pad = 0.08 * (high - low) || 0.5 * Math.abs(high) || 1;
    low -= pad;
    high += pad;
    const y = (v: number) => height - ((v - low) / (high - low)) * height;
    const style = getComputedStyle(this.canvas);
    c.strokeStyle = style.getPropertyValue("--line");
    c.fillStyle = style.getPropertyValue("--quiet");
    c.font = "10px system-ui, sans-serif";
    for (const part of [0.2, 0.5, 0.8]) {
      const value = low + part * (high - low);
      c.beginPath();
      c.moveTo(0, y(value));
      c.lineTo(width, y(value));
      c.stroke();
      c.fillText(short(value), 3, y(value) - 3);
    }
    this.curves.forEach(({ values }, k) => {
      c.strokeStyle = COLORS[k % COLORS.length]!;
      c.lineWidth = 1.5;
      c.beginPath();
      for (let i = Math.max(0, first); i < values.length; i++) {
        const x = ((this.times[i]! - start) / WINDOW) * width;
        c.lineTo(x, y(values[i]!));
      }
      c.stroke();
    });
  }
}

export class Plots {
  readonly element = section("Plots", true);
  private energy = new Plot("Energy, J", ["potential", "kinetic", "total"]);
  private sensors = new Map<number, Plot>();
  private readonly list = h("div", { class: "chips" });

  constructor(private readonly session: Session) {
    session.models.on(() => this.fill());
    session.frames.on((frame) => this.follow(frame));
    session.glances.on(() => {
      if (this.element.open) {
        this.energy.draw();
        this.sensors.forEach((plot) => plot.draw());
      }
    });
  }

  private fill() {
    const m = this.session.model!;
    this.energy = new Plot("Energy, J", ["potential", "kinetic", "total"]);
    this.sensors.clear();
    this.list.replaceChildren();
    for (let i = 0; i < Math.min(200, m.size("nsensor")); i++) {
      const chip = h(
        "button",
        { class: "chip", id: `sensor-${i}`, "aria-pressed": "false", onclick: () => this.toggle(i, chip) },
        m.name("sensor", i),
      );
      this.list.append(chip);
    }
    this.arrange();
    (this.list.firstElementChild as HTMLButtonElement | null)?.click();
  }

  private toggle(i: number, chip: HTMLButtonElement) {
    const m = this.session.model!;
    if (!this.sensors.delete(i)) {
      const dim = Math.min(CHANNELS, m.at("sensor_dim", i));
      const axes =
        dim === 3
          ? ["x", "y", "z"]
          : dim === 4
            ? ["w", "x", "y", "z"]
            : Array.from({ length: dim }, (_, k) => String(k));
      this.sensors.set(i, new Plot(m.name("sensor", i), dim === 1 ? [m.name("sensor", i)] : axes));
    }
    chip.setAttribute("aria-pressed", String(this.sensors.has(i)));
    this.arrange();
  }

  private arrange() {
    this.element.lastElementChild!.replaceChildren(
      this.energy.element,
      this.list,
      ...[...this.sensors.values()].map((it) => it.element),
    );
  }

  private follow(frame: Frame) {
    const [potential, kinetic] = frame.energy;
    this.energy.add(frame.time, [potential, kinetic, potential + kinetic]);
    for (const [i, plot] of this.sensors) {
      const at = this.session.model!.at("sensor_adr", i);
      plot.add(frame.time, Array.from(frame.sensors.subarray(at, at + CHANNELS)));
    }
  }
}
