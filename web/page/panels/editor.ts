// The editor of the model's text. After a change the simulation continues with the new model.
// Problems are shown at their lines and below the text.

import type { Problem } from "../../worker/messages.ts";
import { h } from "../dom.ts";
import type { Session } from "../session.ts";

const PATIENCE = 350; // milliseconds without a key before the text is loaded
const LINE = 18; // pixels
const LARGEST_COLORED = 400000; // characters

function escape(text: string): string {
  return text.replace(/[&<>]/g, (c) => (c === "&" ? "&amp;" : c === "<" ? "&lt;" : "&gt;"));
}

// XML with each kind of token in a span.
function colored(text: string): string {
  if (text.length > LARGEST_COLORED) {
    return escape(text);
  }
  return text.replace(
    /(<!--[\s\S]*?(?:-->|$))|(<\/?)([\w:.-]+)|("[^"\n]*"|'[^'\n]*')|([\w:.-]+)(?=\s*=)|([&<>])|([^<>&"'\w]+|.)/g,
    (_, comment, open, tag, value, attribute, special, other) =>
      comment
        ? `<i class="comment">${escape(comment)}</i>`
        : tag
          ? `${escape(open)}<i class="tag">${tag}</i>`
          : value
            ? `<i class="value">${escape(value)}</i>`
            : attribute
              ? `<i class="attribute">${attribute}</i>`
              : escape(special ?? other ?? ""),
  );
}

export class Editor {
  readonly element: HTMLElement;
  onproblem: (count: number) => void = () => {};
  private readonly text = h("textarea", {
    id: "text",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    wrap: "off",
  });
  private readonly paint = h("pre", { class: "paint", "aria-hidden": "true" });
  private readonly gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
  private readonly marks = h("div", { class: "marks" });
  private readonly scroll: HTMLElement;
  private readonly file = h("select", { id: "file", onchange: () => this.open(this.file.value) });
  private readonly problems = h("div", { class: "problems", id: "problems" });
  private readonly state = h("span", { class: "state" });
  private shown = "";
  private timer = 0;
  private errors: Problem[] = [];
  private findings: Problem[] = [];
  private own = false; // the load under way was started by a change made here

  constructor(private readonly session: Session) {
    this.scroll = h(
      "div",
      { class: "scroll" },
      h("div", { class: "sheet" }, this.gutter, h("div", { class: "lines" }, this.marks, this.paint, this.text)),
    );
    this.element = h(
      "div",
      { class: "pane editor" },
      h(
        "div",
        { class: "bar" },
        this.file,
        this.state,
        h("button", { id: "save", title: "Save the text as a file", onclick: () => this.save() }, "Save"),
      ),
      this.scroll,
      this.problems,
    );
    this.text.addEventListener("input", () => this.changed());
    this.text.addEventListener("keydown", (event) => this.key(event));
    session.loads.on((loaded) => {
      this.errors = loaded.problems;
      if (loaded.model) {
        this.findings = [];
      }
      this.state.textContent = loaded.model
        ? `loaded in ${Math.round(loaded.milliseconds)} ms`
        : "shows the last model that loads";
      this.list();
      if (!this.own) {
        this.refill();
      }
      this.own = false;
    });
    session.lints.on((problems) => {
      this.findings = problems.filter((it) => it.check);
      this.list();
    });
  }

  private refill() {
    const names = this.session.files.map((it) => it.name).filter((name) => /\.(xml|mjcf|urdf|sdf)$/i.test(name));
    this.file.replaceChildren(...names.map((name) => h("option", { value: name }, name)));
    this.file.hidden = names.length < 2;
    this.open(names.includes(this.session.main) ? this.session.main : (names[0] ?? ""));
  }

  private open(name: string) {
    this.shown = name;
    this.file.value = name;
    this.text.value = this.session.text(name) ?? "";
    this.text.disabled = !name;
    // what a program made another file of changes nothing here
    this.text.readOnly = /\.(urdf|sdf)$/i.test(name) && name !== this.session.main;
    this.render();
    this.list();
  }

  private key(event: KeyboardEvent) {
    if (event.key === "Tab" && !event.shiftKey) {
      event.preventDefault();
      document.execCommand("insertText", false, "  ");
    }
    event.stopPropagation();
  }

  private changed() {
    this.render();
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.apply(), PATIENCE);
  }

  private async apply() {
    const bytes = new TextEncoder().encode(this.text.value);
    const files = this.session.files.map((it) => (it.name === this.shown ? { name: it.name, bytes } : it));
    this.own = true;
    await this.session.load(files, this.session.main, true);
  }

  private render() {
    const text = this.text.value;
    this.paint.innerHTML = colored(text) + "\n";
    const count = text.split("\n").length;
    this.gutter.textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n");
    this.text.style.height = `${count * LINE + 12}px`;
  }

  private place(problem: Problem): number {
    return problem.file === "" || problem.file === this.shown ? problem.line : 0;
  }

  private list() {
    const all = [...this.errors, ...this.findings];
    const seen = new Set<string>();
    const distinct = all.filter((it) => {
      const key = [it.file, it.line, it.column, it.message].join();
      return !seen.has(key) && seen.add(key);
    });
    this.onproblem(distinct.length);
    const lines = this.text.value.split("\n");
    const words = (it: Problem) => `${it.message}${it.hint ? ` (${it.hint})` : ""}`;
    this.marks.replaceChildren(
      ...distinct
        .filter((it) => this.place(it) > 0)
        .map((it) => {
          const mark = h(
            "div",
            { class: it.error ? "mark error" : "mark", title: words(it) },
            h("span", {}, words(it)),
          );
          mark.style.top = `${(this.place(it) - 1) * LINE + 6}px`;
          mark.style.setProperty("--end", `${lines[this.place(it) - 1]?.length ?? 0}ch`);
          return mark;
        }),
    );
    this.problems.replaceChildren(
      ...distinct.map((it) =>
        h(
          "button",
          { class: it.error ? "problem error" : "problem", onclick: () => this.jump(it.file, it.line) },
          h(
            "b",
            {},
            it.line ? `${it.file ? `${it.file.split("/").pop()}:` : ""}${it.line}` : it.error ? "error" : "note",
          ),
          h("span", {}, `${it.element ? `<${it.element}> ` : ""}${words(it)}`),
          it.check ? h("em", {}, it.check) : null,
        ),
      ),
    );
    this.problems.hidden = distinct.length === 0;
  }

  // Shows a line.
  jump(file: string, line: number) {
    if (file && file !== this.shown) {
      if (this.session.text(file) === null) {
        return;
      }
      this.open(file);
    }
    if (line <= 0) {
      return;
    }
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
    this.text.focus({ preventScroll: true });
    this.text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.scroll.scrollTop = Math.max(0, (line - 1) * LINE - this.scroll.clientHeight / 2);
    this.scroll.scrollLeft = 0;
  }

  private save() {
    const url = URL.createObjectURL(new Blob([this.text.value], { type: "text/xml" }));
    h("a", { href: url, download: this.shown.split("/").pop() }).click();
    URL.revokeObjectURL(url);
  }
}
