// What is drawn, and how: the flags, labels, frames and groups of mjvOption and mjvScene.

import { h, section } from "../dom.ts";
import type { Session } from "../session.ts";

interface Names {
  names: string[][]; // of visual and render flags, labels, frames; keys of visual and render flags
  shown: number[];
  rendered: number[];
  groups: number[][];
  label?: number;
  frame?: number;
}

// flags that the page draws, by mjtRndFlag
const RENDER_FLAGS = 7;
const GROUPS = ["Geoms", "Sites", "Joints", "Tendons", "Actuators", "Flexes", "Skins"];

export class ShowPanel {
  readonly element = section("Show", true);
  private readonly keys = new Map<string, HTMLInputElement>();
  private filled = false;
  private look: number | undefined;
  // functions that show flags which a program has switched
  private readonly followers: ((now: Names) => void)[] = [];

  constructor(private readonly session: Session) {
    session.models.on(() => void this.fill());
    session.frames.on(({ look }) => {
      if (this.filled && look !== this.look) {
        this.look = look;
        void session.ask<Names>("names").then((now) => this.followers.forEach((follow) => follow(now)));
      }
    });
  }

  // Switches the flag that has this key. Returns whether there is one.
  press(key: string): boolean {
    const input = this.keys.get(key.toUpperCase());
    input?.click();
    return input !== undefined;
  }

  private box(
    on: (now: Names) => number,
    now: Names,
    attributes: { id?: string; title?: string },
    change: (on: boolean) => void,
  ): HTMLInputElement {
    const input = h("input", {
      type: "checkbox",
      ...attributes,
      checked: on(now) !== 0,
      onchange: () => change(input.checked),
    });
    this.followers.push((later) => (input.checked = on(later) !== 0));
    return input;
  }

  private flag(name: string, key: string, input: HTMLInputElement): HTMLElement {
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
    const now = await this.session.ask<Names>("names");
    const { names, groups } = now;
    const [visual, render, labels, frames, visualKeys, renderKeys] = names as [
      string[],
      string[],
      string[],
      string[],
      string[],
      string[],
    ];
    const flags = visual.map((name, i) =>
      this.flag(
        name,
        visualKeys[i]!,
        this.box(
          (it) => it.shown[i]!,
          now,
          { id: `show-${i}` },
          (on) => this.session.call("show", i, +on),
        ),
      ),
    );
    const effects = render.slice(0, RENDER_FLAGS).map((name, i) =>
      this.flag(
        name,
        this.keys.has(renderKeys[i]!) ? "" : renderKeys[i]!,
        this.box(
          (it) => it.rendered[i]!,
          now,
          { id: `render-${i}` },
          (on) => this.session.call("render", i, +on),
        ),
      ),
    );
    const label = h("select", { id: "label" }, ...labels.map((name, i) => h("option", { value: i }, name)));
    const frame = h("select", { id: "frame" }, ...frames.map((name, i) => h("option", { value: i }, name)));
    const choose = () => this.session.call("setLabel", Number(label.value), Number(frame.value));
    label.addEventListener("change", choose);
    frame.addEventListener("change", choose);
    this.followers.push((later) => {
      label.value = String(later.label ?? label.value);
      frame.value = String(later.frame ?? frame.value);
    });
    const depth = h("input", {
      type: "range",
      min: 0,
      max: 12,
      value: 1,
      id: "depth",
      oninput: () => this.session.call("setDepth", Number(depth.value), 0),
    });
    this.element.lastElementChild!.replaceChildren(
      h("div", { class: "pair" }, h("label", {}, "Labels", label), h("label", {}, "Frames", frame)),
      h("div", { class: "flags" }, ...flags),
      h("h4", {}, "Effects"),
      h("div", { class: "flags" }, ...effects),
      h("label", { class: "row" }, "Depth of trees", depth),
      h("h4", {}, "Groups"),
      h(
        "table",
        { class: "groups" },
        ...GROUPS.map((name, kind) =>
          h(
            "tr",
            {},
            h("th", {}, name),
            ...groups[kind]!.map((_, i) =>
              h(
                "td",
                {},
                this.box(
                  (it) => it.groups[kind]![i]!,
                  now,
                  { title: `${name}, group ${i}` },
                  (on) => this.session.call("setGroup", kind, i, +on),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }
}
