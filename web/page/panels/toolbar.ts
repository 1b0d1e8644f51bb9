// The bar above the picture: choice of model, clock, cameras.

import { h, plainName } from "../dom.ts";
import type { Session } from "../session.ts";
import { start } from "../sources.ts";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

export interface ToolbarActions {
  openGallery(): void;
  toggleTheme(): void;
  toggleHand(): boolean;
  saveImage(): void;
  toggleSide(side: "left" | "right"): void;
}

function icon(path: string): Node {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

const ICONS = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  step: "M3 2.5v11l7-5.5zM11 2.5h2v11h-2z",
  reset: "M8 2.5a5.5 5.5 0 1 0 5.5 5.5h-2A3.5 3.5 0 1 1 8 4.5V7l4-3.5L8 0z",
  hand: "M5 8V3.5a1 1 0 0 1 2 0V7 2.5a1 1 0 0 1 2 0V7 3.5a1 1 0 0 1 2 0V8 5.5a1 1 0 0 1 2 0V11a4.5 4.5 0 0 1-8.3 2.4L2.5 9.6c-.6-1 .8-1.8 1.5-1z",
  camera: "M2 4.5h3l1-2h4l1 2h3v8.5H2zM8 6a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  halves: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM8 2.5v11a5.5 5.5 0 0 1 0-11z",
  columns: "M1.5 2.5h3.5v11H1.5zM6.25 2.5h3.5v11h-3.5zM11 2.5h3.5v11H11z",
  left: "M1.5 2.5h13v11h-13zM3 4v8h3V4z",
  right: "M1.5 2.5h13v11h-13zM10 4v8h3V4z",
};

export class Toolbar {
  readonly element: HTMLElement;
  private readonly play = h("button", {
    id: "play",
    class: "primary",
    onclick: () => this.session.play(!this.session.playing),
  });
  private readonly title = h("span", { id: "title" }, "no model");
  private readonly speed = h("select", { id: "speed", title: "Speed" });
  private readonly key = h("select", { id: "key", title: "Keyframe", onchange: () => this.useKey() });
  private readonly camera = h("select", { id: "camera", title: "Camera", onchange: () => this.useCamera() });
  private readonly stepButton = h(
    "button",
    { id: "step", title: "One step (→)", onclick: () => this.step() },
    icon(ICONS.step),
  );
  private readonly compare = h(
    "button",
    { id: "compare", title: "Soft, hard and sticking contacts side by side (B)" },
    icon(ICONS.columns),
    h("span", { class: "wide" }, "Compare contacts"),
  );

  constructor(
    private readonly session: Session,
    actions: ToolbarActions,
  ) {
    for (const speed of SPEEDS) {
      this.speed.append(h("option", { value: speed, selected: speed === 1 }, `× ${speed}`));
    }
    this.speed.addEventListener("change", () => session.setSpeed(Number(this.speed.value)));
    this.compare.addEventListener("click", () => void session.compare(!session.comparing));
    const hand = h(
      "button",
      {
        id: "hand",
        title: "Pull bodies with the left button (Alt)",
        "aria-pressed": "false",
        onclick: () => hand.setAttribute("aria-pressed", String(actions.toggleHand())),
      },
      icon(ICONS.hand),
    );
    this.element = h(
      "header",
      { class: "toolbar" },
      h("button", { id: "left", title: "Model and text", onclick: () => actions.toggleSide("left") }, icon(ICONS.left)),
      h(
        "button",
        {
          id: "models",
          class: "models",
          title: "Open a model",
          disabled: session.program?.loads === false,
          onclick: actions.openGallery,
        },
        h("b", {}, "Condyle"),
        this.title,
        session.program?.loads === false ? null : "▾",
      ),
      h("span", { class: "space" }),
      this.play,
      this.stepButton,
      h(
        "button",
        { id: "reset", title: "Back to the start (Backspace)", onclick: () => this.reset() },
        icon(ICONS.reset),
      ),
      this.speed,
      this.key,
      session.program?.reloads
        ? h("button", { id: "reload", title: "Load the model again", onclick: () => session.call("reload") }, "Reload")
        : null,
      h("span", { class: "space" }),
      this.compare,
      this.camera,
      hand,
      h("button", { id: "image", title: "Save the picture", onclick: actions.saveImage }, icon(ICONS.camera)),
      h("button", { id: "theme", title: "Light or dark", onclick: actions.toggleTheme }, icon(ICONS.halves)),
      h("button", { id: "right", title: "Controls", onclick: () => actions.toggleSide("right") }, icon(ICONS.right)),
    );
    // give the keyboard back to the picture after a click
    this.element.addEventListener("click", () => (document.activeElement as HTMLElement | null)?.blur());
    session.changes.on(() => this.refresh());
    const clock = session.program?.managed !== false;
    this.play.hidden = this.stepButton.hidden = this.speed.hidden = !clock;
    this.key.hidden = this.camera.hidden = true; // until there is a model
    // other laws of contacts need the text of the model
    this.compare.hidden = session.program !== null || start().model !== undefined;
    session.models.on(() => this.fill());
    session.loads.on(() => this.name(session.main));
    this.refresh();
  }

  // Says which model is shown, or comes: the name of its file, the path where the mouse rests.
  name(path: string) {
    this.title.textContent = plainName(path);
    this.title.title = path;
    document.title = `${plainName(path)} - Condyle`;
  }

  step() {
    if (!this.session.program) {
      this.session.play(false);
    }
    this.session.call("step");
  }

  reset() {
    this.session.call("reset", this.key.selectedIndex - 1);
  }

  private refresh() {
    const { playing, comparing, speed } = this.session;
    this.speed.value = String(speed);
    this.play.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
    this.play.title = playing ? "Pause (Space)" : "Play (Space)";
    this.compare.setAttribute("aria-pressed", String(comparing));
  }

  private fill() {
    const m = this.session.model!;
    const options = (first: string, kind: string, count: number) =>
      [first, ...Array.from({ length: count }, (_, i) => m.name(kind, i))].map((name, i) =>
        h("option", { value: i - 1 }, name),
      );
    const keys = m.size("nkey"),
      cameras = m.size("ncam");
    const chosen = this.key.selectedIndex;
    this.key.replaceChildren(...options("start", "keyframe", keys));
    this.key.selectedIndex = chosen > 0 && chosen <= keys ? chosen : 0;
    this.key.hidden = keys === 0;
    this.camera.replaceChildren(...options("free camera", "camera", cameras));
    this.camera.hidden = cameras === 0;
    this.refresh();
  }

  private useKey() {
    this.reset();
    this.key.blur();
  }

  private useCamera() {
    this.session.call("useCamera", Number(this.camera.value));
    this.camera.blur();
  }
}
