// Sliders for controls and for joints that have one coordinate.

import type { Frame } from "../../worker/messages.ts";
import { h, section, short } from "../dom.ts";
import type { Session } from "../session.ts";

const MOST = 400; // sliders of a panel
const SLIDE = 2,
  HINGE = 3; // mjtJoint
const FREE_RANGE: Record<number, number> = { [SLIDE]: 1, [HINGE]: Math.PI };

interface Slider {
  row: HTMLElement;
  input: HTMLInputElement;
  shown: HTMLOutputElement;
  at: number; // in ctrl or qpos
  held: boolean;
}

function makeSlider(
  name: string,
  low: number,
  high: number,
  at: number,
  id: string,
  change: (x: number) => void,
): Slider {
  const input = h("input", { type: "range", id, min: low, max: high, step: (high - low) / 1000 || "any", value: 0 });
  const shown = h("output", {}, "0");
  const slider: Slider = {
    row: h("label", { class: "slider", title: name }, h("span", {}, name), input, shown),
    input,
    shown,
    at,
    held: false,
  };
  input.addEventListener("pointerdown", () => (slider.held = true));
  input.addEventListener("pointerup", () => (slider.held = false));
  input.addEventListener("input", () => {
    shown.value = short(Number(input.value));
    change(Number(input.value));
  });
  return slider;
}

// A panel of sliders that follow the simulation.
class Panel {
  readonly element: HTMLDetailsElement;
  private sliders: Slider[] = [];

  constructor(title: string, open: boolean) {
    this.element = section(title, open);
  }

  fill(sliders: Slider[], ...more: (Node | null)[]) {
    this.sliders = sliders.slice(0, MOST);
    this.element.hidden = sliders.length === 0;
    const rest = sliders.length - this.sliders.length;
    this.element.lastElementChild!.replaceChildren(
      ...this.sliders.map((it) => it.row),
      ...(rest > 0 ? [h("p", { class: "quiet" }, `and ${rest} more`)] : []),
      ...more.filter((it): it is Node => it !== null),
    );
  }

  follow(values: Float64Array) {
    if (!this.element.open || this.element.hidden) {
      return;
    }
    for (const it of this.sliders) {
      const value = values[it.at] ?? 0;
      if (!it.held && Number(it.input.value) !== value) {
        it.input.value = String(value);
        it.shown.value = short(value);
      }
    }
  }
}

export class Sliders {
  readonly controls = new Panel("Controls", true);
  readonly joints = new Panel("Joints", false);

  constructor(private readonly session: Session) {
    session.models.on(() => this.fill());
    session.glances.on((frame: Frame) => {
      this.controls.follow(frame.ctrl);
      this.joints.follow(frame.qpos);
    });
  }

  private fill() {
    const m = this.session.model!;
    const controls: Slider[] = [];
    for (let actuator = 0; actuator < m.size("nactuator"); actuator++) {
      const first = m.at("actuator_ctrladr", actuator),
        number = m.at("actuator_ctrlnum", actuator);
      for (let i = first; i < first + number; i++) {
        const limited = m.at("actuator_ctrllimited", i) !== 0;
        const low = limited ? m.at("actuator_ctrlrange", 2 * i) : -1,
          high = limited ? m.at("actuator_ctrlrange", 2 * i + 1) : 1;
        const name = m.name("actuator", actuator) + (number > 1 ? ` ${i - first}` : "");
        controls.push(makeSlider(name, low, high, i, `control-${i}`, (x) => this.session.call("setControl", i, x)));
      }
    }
    const clear = h(
      "button",
      { id: "clear", onclick: () => controls.forEach((_, i) => this.session.call("setControl", i, 0)) },
      "All to zero",
    );
    this.controls.fill(controls, clear);

    const joints: Slider[] = [];
    for (let j = 0; j < m.size("njnt"); j++) {
      const type = m.at("jnt_type", j);
      if (type !== SLIDE && type !== HINGE) {
        continue;
      }
      const limited = m.at("jnt_limited", j) !== 0,
        reach = FREE_RANGE[type]!;
      const low = limited ? m.at("jnt_range", 2 * j) : -reach,
        high = limited ? m.at("jnt_range", 2 * j + 1) : reach;
      const at = m.at("jnt_qposadr", j);
      joints.push(
        makeSlider(m.name("joint", j), low, high, at, `joint-${j}`, (x) => this.session.call("setPosition", at, x)),
      );
    }
    this.joints.fill(joints);
  }
}
