// The tree of a model: bodies with their elements, then all other elements, each with its line in
// the text; and the values that the model's arrays have for the selected one.

import type { Attribute, Problem } from "../../worker/messages.ts";
import { h, short } from "../dom.ts";
import type { Model } from "../model.ts";
import type { Session } from "../session.ts";

// Kinds of elements that belong to bodies: kind, the array with their body, the size that counts
// them.
const CARRIED: [kind: string, bodies: string, size: string][] = [
  ["joint", "jnt_bodyid", "njnt"],
  ["geom", "geom_bodyid", "ngeom"],
  ["site", "site_bodyid", "nsite"],
  ["camera", "cam_bodyid", "ncam"],
  ["light", "light_bodyid", "nlight"],
];
const OTHERS: [title: string, kind: string, size: string][] = [
  ["Actuators", "actuator", "nactuator"],
  ["Sensors", "sensor", "nsensor"],
  ["Tendons", "tendon", "ntendon"],
  ["Equalities", "equality", "neq"],
  ["Contact pairs", "pair", "npair"],
  ["Excluded pairs", "exclude", "nexclude"],
  ["Flexes", "flex", "nflex"],
  ["Meshes", "mesh", "nmesh"],
  ["Skins", "skin", "nskin"],
  ["Height fields", "hfield", "nhfield"],
  ["Materials", "material", "nmat"],
  ["Textures", "texture", "ntex"],
  ["Keyframes", "keyframe", "nkey"],
];
const MOST_FOUND = 300; // rows of a search
const OPEN_BODIES = 60; // larger trees begin closed

export interface Chosen {
  kind: string;
  id: number;
}

export class Tree {
  readonly element: HTMLElement;
  onjump: (file: string, line: number) => void = () => {};
  onchoose: (chosen: Chosen) => void = () => {};
  private readonly list = h("div", { class: "tree", role: "tree" });
  private readonly inspector = h("div", { class: "inspector" });
  private readonly search = h("input", {
    type: "search",
    placeholder: "Find an element",
    id: "find",
    oninput: () => this.find(),
  });
  private children: number[][] = [];
  private carried = new Map<number, Chosen[]>();
  private chosen: Chosen | null = null;
  private notes = new Map<number, Problem[]>(); // what was changed, by body; 0: of the whole model
  private leading = new Set<number>(); // bodies around those

  constructor(private readonly session: Session) {
    this.element = h("div", { class: "pane tree-pane" }, this.search, this.list, this.inspector);
    session.models.on((m) => {
      this.notes.clear();
      this.leading.clear();
      this.fill(m);
    });
    session.loads.on(({ problems, model }) => {
      if (model && problems.length) {
        this.take(problems);
      }
    });
  }

  // Sorts what was found while the model was loaded by the bodies that it is about.
  private take(problems: Problem[]) {
    for (const problem of problems) {
      const body = Math.max(0, problem.body ?? 0);
      this.notes.set(body, [...(this.notes.get(body) ?? []), problem]);
      for (let at = body; at > 0 && !this.leading.has(at);) {
        this.leading.add(at);
        at = this.session.model?.at("body_parentid", at) ?? 0;
      }
    }
    this.find();
  }

  private fill(m: Model) {
    this.children = Array.from({ length: m.size("nbody") }, () => []);
    this.carried.clear();
    for (let i = 1; i < m.size("nbody"); i++) {
      this.children[m.at("body_parentid", i)]!.push(i);
    }
    for (const [kind, bodies, size] of CARRIED) {
      for (let i = 0; i < m.size(size); i++) {
        const body = m.at(bodies, i);
        (this.carried.get(body) ?? this.carried.set(body, []).get(body)!).push({ kind, id: i });
      }
    }
    this.find();
    if (this.chosen && this.chosen.id >= 0) {
      void this.inspect(this.chosen);
    }
  }

  private find() {
    const m = this.session.model;
    if (!m) {
      return;
    }
    const text = this.search.value.trim().toLowerCase();
    if (!text) {
      this.list.replaceChildren(
        this.body(m, 0, m.size("nbody") <= OPEN_BODIES || this.notes.size > 0),
        ...this.others(m),
      );
      return;
    }
    const found: Chosen[] = [];
    const kinds: [string, string][] = [
      ["body", "nbody"],
      ...CARRIED.map(([kind, , size]): [string, string] => [kind, size]),
      ...OTHERS.map(([, kind, size]): [string, string] => [kind, size]),
    ];
    for (const [kind, size] of kinds) {
      for (let i = 0; i < m.size(size) && found.length < MOST_FOUND; i++) {
        if (`${kind} ${m.name(kind, i)}`.toLowerCase().includes(text)) {
          found.push({ kind, id: i });
        }
      }
    }
    this.list.replaceChildren(
      ...(found.length
        ? found.map((it) => this.row(m, it))
        : [h("p", { class: "quiet" }, `No element is called “${text}”`)]),
    );
  }

  private row(m: Model, it: Chosen): HTMLElement {
    const place = m.place(it.kind, it.id);
    const row = h(
      "div",
      {
        class: "row-item",
        "data-kind": it.kind,
        "data-id": it.id,
        onclick: (event) => {
          event.preventDefault();
          this.choose(it);
        },
      },
      h("i", { class: `kind ${it.kind}`, title: it.kind }, it.kind.slice(0, 1)),
      h("span", { class: "name" }, m.name(it.kind, it.id)),
      it.kind === "body" && this.notes.has(it.id)
        ? h("i", { class: "changed", title: this.words(it.id) }, String(this.notes.get(it.id)!.length))
        : null,
      place
        ? h(
            "a",
            {
              class: "line",
              href: "#",
              title: `${place.file}:${place.line}`,
              onclick: (event) => {
                event.preventDefault();
                event.stopPropagation();
                this.onjump(place.file, place.line);
              },
            },
            String(place.line),
          )
        : null,
    );
    if (this.chosen && this.chosen.kind === it.kind && this.chosen.id === it.id) {
      row.classList.add("chosen");
    }
    return row;
  }

  private words(body: number): string {
    return (this.notes.get(body) ?? []).map((it) => it.message).join("\n");
  }

  // What was changed at a body, with the line of each.
  private changes(body: number): HTMLElement[] {
    return (this.notes.get(body) ?? []).map((it) =>
      h(
        "div",
        { class: "row-item leaf note", title: it.message, onclick: () => this.onjump(it.file, it.line) },
        h("span", { class: "name" }, `${it.element ? `<${it.element}> ` : ""}${it.message}`),
        it.line ? h("a", { class: "line", href: "#", title: `${it.file}:${it.line}` }, String(it.line)) : null,
      ),
    );
  }

  // Content is made when it is opened: models may have thousands of bodies.
  private branch(head: HTMLElement, open: boolean, fill: () => HTMLElement[]): HTMLElement {
    const details = h("details", { open }, h("summary", {}, h("span", { class: "twist" }), head));
    let filled = false;
    const make = () => {
      if (details.open && !filled) {
        filled = true;
        details.append(...fill());
      }
    };
    // the row chooses, the triangle opens
    details.firstElementChild!.firstElementChild!.addEventListener("click", () => (details.open = !details.open));
    details.firstElementChild!.addEventListener("click", (event) => event.preventDefault());
    details.addEventListener("toggle", make);
    make();
    return details;
  }

  private body(m: Model, id: number, open: boolean): HTMLElement {
    const carried = this.carried.get(id) ?? [],
      children = this.children[id]!;
    const row = this.row(m, { kind: "body", id });
    if (carried.length + children.length === 0 && !this.notes.has(id)) {
      row.classList.add("leaf");
      return row;
    }
    return this.branch(row, open || this.leading.has(id), () => [
      ...this.changes(id),
      ...carried.map((it) => {
        const leaf = this.row(m, it);
        leaf.classList.add("leaf");
        return leaf;
      }),
      ...children.map((child) => this.body(m, child, open && id === 0)),
    ]);
  }

  private others(m: Model): HTMLElement[] {
    return OTHERS.filter(([, , size]) => m.size(size) > 0).map(([title, kind, size]) =>
      this.branch(
        h(
          "div",
          { class: "row-item group" },
          h("span", { class: "name" }, title),
          h("small", {}, String(m.size(size))),
        ),
        false,
        () =>
          Array.from({ length: m.size(size) }, (_, id) => {
            const leaf = this.row(m, { kind, id });
            leaf.classList.add("leaf");
            return leaf;
          }),
      ),
    );
  }

  // Shows what an element is. The page selects its body.
  choose(it: Chosen) {
    this.show(it);
    this.onchoose(it);
  }

  show(it: Chosen) {
    this.chosen = it;
    this.list.querySelectorAll(".chosen").forEach((row) => row.classList.remove("chosen"));
    const row = this.list.querySelector(`[data-kind="${it.kind}"][data-id="${it.id}"]`);
    row?.classList.add("chosen");
    row?.scrollIntoView({ block: "nearest" });
    void this.inspect(it);
  }

  private async inspect(it: Chosen) {
    const m = this.session.model!;
    const attributes = await this.session.ask<Attribute[]>("inspect", it.kind, it.id);
    const place = m.place(it.kind, it.id);
    this.inspector.replaceChildren(
      h(
        "h4",
        {},
        h("i", { class: `kind ${it.kind}` }, it.kind.slice(0, 1)),
        ` ${m.name(it.kind, it.id)} `,
        h("small", {}, place ? `${it.kind}, ${place.file.split("/").pop()}:${place.line}` : it.kind),
      ),
      h(
        "table",
        {},
        ...attributes.map(({ name, values, meaning }) =>
          h(
            "tr",
            { title: meaning },
            h("th", {}, name.replace(/^[a-z]+_/, "")),
            h("td", {}, values.map(short).join("  ")),
          ),
        ),
      ),
    );
  }
}
