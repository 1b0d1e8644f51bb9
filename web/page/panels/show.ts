// What is drawn, and how: the flags, labels, frames and groups of mjvOption and mjvScene.

import { h, section } from "../dom.ts";
import type { Session } from "../session.ts";

interface Names {
  names: string[][]; // of visual and render flags, labels, frames; keys of visual and render flags
  shown: number[];
  rendered: number[];
  groups: number[][];
}

// flags that the page draws, by mjtRndFlag
const RENDER_FLAGS = 7, REFLECTION = 2;
const GROUPS = ["Geoms", "Sites", "Joints", "Tendons", "Actuators", "Flexes", "Skins"];

export class ShowPanel {
  readonly element = section("Show", true);
  private readonly keys = new Map<string, HTMLInputElement>();
  private filled = false;

  constructor(private readonly session: Session) {
    session.models.on(() => void this.fill());
  }

  // Switches the flag of a key. Returns whether there is one.
  press(key: string): boolean {
    const input = this.keys.get(key.toUpperCase());
    input?.click();
    return input !== undefined;
  }

  private flag(name: string, key: string, id: string, on: boolean, change: (on: boolean) => void): HTMLElement {
    const input = h("input", { type: "checkbox", id, checked: on, onchange: () => change(input.checked) });
    if (key && !this.keys.has(key)) {
      this.keys.set(key, input);
    }
    return h("label", { class: "flag", title: key ? `${name} (${key})` : name }, input, name);
  }

  private async fill() {
    if (this.filled) {
      return;
    }
    this.filled = true;
    const { names, shown, rendered, groups } = await this.session.ask<Names>("names");
    const [visual, render, labels, frames, visualKeys, renderKeys] = names as [string[], string[], string[], string[], string[], string[]];
    const flags = visual.map((name, i) =>
      this.flag(name, visualKeys[i]!, `show-${i}`, shown[i] !== 0, (on) => this.session.call("show", i, +on)));
    const effects = render.slice(0, RENDER_FLAGS).map((name, i) => i === REFLECTION ? null :
      this.flag(name, this.keys.has(renderKeys[i]!) ? "" : renderKeys[i]!, `render-${i}`, rendered[i] !== 0,
        (on) => this.session.call("render", i, +on)));
    const label = h("select", { id: "label" }, ...labels.map((name, i) => h("option", { value: i }, name)));
    const frame = h("select", { id: "frame" }, ...frames.map((name, i) => h("option", { value: i }, name)));
    const choose = () => this.session.call("setLabel", Number(label.value), Number(frame.value));
    label.addEventListener("change", choose);
    frame.addEventListener("change", choose);
    const depth = h("input", { type: "range", min: 0, max: 12, value: 1, id: "depth",
      oninput: () => this.session.call("setDepth", Number(depth.value), 0) });
    this.element.lastElementChild!.replaceChildren(
      h("div", { class: "pair" }, h("label", {}, "Labels", label), h("label", {}, "Frames", frame)),
      h("div", { class: "flags" }, ...flags),
      h("h4", {}, "Effects"), h("div", { class: "flags" }, ...effects),
      h("label", { class: "row" }, "Depth of trees", depth),
      h("h4", {}, "Groups"),
      h("table", { class: "groups" }, ...GROUPS.map((name, kind) => h("tr", {}, h("th", {}, name),
        ...groups[kind]!.map((on, i) => {
          const input = h("input", { type: "checkbox", checked: on !== 0, title: `${name}, group ${i}`,
            onchange: () => this.session.call("setGroup", kind, i, +input.checked) });
          return h("td", {}, input);
        })))));
  }
}
