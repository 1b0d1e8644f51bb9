// The page: its parts, and the events by which they inform each other.

import type { Frame } from "../worker/messages.ts";
import { h, plainName, recall, remember, short } from "./dom.ts";
import { Mouse } from "./mouse.ts";
import { OverlayView } from "./overlays.ts";
import { Progress } from "./progress.ts";
import { Editor } from "./panels/editor.ts";
import { Plots } from "./panels/plots.ts";
import { ShowPanel } from "./panels/show.ts";
import { Sliders } from "./panels/sliders.ts";
import { Toolbar } from "./panels/toolbar.ts";
import { Tree } from "./panels/tree.ts";
import { Stage } from "./scene/stage.ts";
import type { Session } from "./session.ts";
import { ask, candidates, meant, reason } from "./choice.ts";
import { chosen, dropped } from "./drop.ts";
import { type Bundle, gallery, given, served, start } from "./sources.ts";
import type { SourceFile } from "../worker/messages.ts";

const LAWS = ["Soft", "Hard", "Sticking"]; // cndtContact
const NOTICE_TIME = 6000; // milliseconds
const narrow = matchMedia("(max-width: 900px)"); // the sides lie over the picture: style.css

export class App {
  private readonly stageFrame = h("div", { class: "stage", tabindex: 0, id: "stage" });
  private readonly status = h("div", { class: "status", id: "status" });
  private readonly captions = h("div", { class: "captions" });
  private readonly notice = h("div", { class: "notice", id: "notice", role: "status", hidden: true });
  private readonly gallery = h("dialog", { class: "gallery", id: "gallery" });
  private readonly overlays = new OverlayView();
  private readonly progress = new Progress();
  private readonly stage: Stage;
  private readonly mouse: Mouse;
  private readonly toolbar: Toolbar;
  private readonly show: ShowPanel;
  private readonly tree: Tree;
  private readonly editor: Editor;
  private noticeTimer = 0;
  private frameTimes: number[] = [];
  private lastStatus = 0;
  private stepTime = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly session: Session,
  ) {
    this.stage = new Stage(this.stageFrame);
    this.mouse = new Mouse(session, this.stage, this.stageFrame);
    this.toolbar = new Toolbar(session, {
      openGallery: () => this.gallery.showModal(),
      toggleTheme: () => this.setTheme(this.dark() ? "light" : "dark"),
      toggleHand: () => (this.mouse.hand = !this.mouse.hand),
      saveImage: () => void this.saveImage(),
      toggleSide: (side) => {
        const hidden = this.root.classList.toggle(`no-${side}`);
        if (!session.program && start().panels === undefined && !narrow.matches) {
          remember(`no-${side}`, hidden ? "1" : "0");
        }
      },
    });
    const sliders = new Sliders(session);
    const plots = new Plots(session);
    this.show = new ShowPanel(session);
    this.tree = new Tree(session);
    this.editor = new Editor(session);
    root.append(
      this.toolbar.element,
      this.left(),
      h(
        "main",
        {},
        this.stageFrame,
        this.overlays.element,
        this.status,
        this.captions,
        this.progress.element,
        this.notice,
        this.help(),
      ),
      h(
        "aside",
        { class: "right" },
        sliders.controls.element,
        sliders.joints.element,
        plots.element,
        this.show.element,
      ),
      this.gallery,
    );
    const panels = start().panels;
    for (const side of ["left", "right"] as const) {
      root.classList.toggle(
        `no-${side}`,
        session.program
          ? !session.program[side]
          : panels === undefined
            ? narrow.matches || recall(`no-${side}`) === "1"
            : !panels,
      );
    }
    this.fillGallery();
    this.listen();
    this.setTheme((recall("theme") as "light" | "dark" | null) ?? null);
  }

  private left(): HTMLElement {
    const count = h("small", { class: "count" });
    this.editor.onproblem = (n) => (count.textContent = n ? String(n) : "");
    const tabs = [
      ["Model", this.tree.element],
      ["Text", this.editor.element],
    ] as const;
    const buttons = tabs.map(([name], i) =>
      h(
        "button",
        { id: `tab-${name.toLowerCase()}`, role: "tab", onclick: () => choose(i) },
        name,
        i === 1 ? count : null,
      ),
    );
    const choose = (chosen: number) =>
      tabs.forEach(([, pane], i) => {
        pane.hidden = i !== chosen;
        buttons[i]!.setAttribute("aria-selected", String(i === chosen));
      });
    choose(0);
    buttons[1]!.hidden = this.session.program?.loads === false;
    this.tree.onjump = (file, line) => {
      choose(1);
      this.editor.jump(file, line);
    };
    return h(
      "aside",
      { class: "left" },
      h("nav", { class: "tabs" }, ...buttons),
      this.tree.element,
      this.editor.element,
    );
  }

  private help(): HTMLElement {
    const table = (title: string, rows: string[][]) =>
      h(
        "table",
        {},
        h("caption", {}, title),
        ...rows.map(([keys, does]) =>
          h(
            "tr",
            {},
            h("th", {}, ...keys!.split(" + ").flatMap((key, i) => [i ? " + " : null, h("kbd", {}, key)])),
            h("td", {}, does!),
          ),
        ),
      );
    return h(
      "details",
      { class: "help", id: "help" },
      h("summary", { title: "Mouse and keys (?)" }, "?"),
      h(
        "div",
        {},
        table("Mouse", [
          ["left", "turn"],
          ["right", "move (shift: on the floor)"],
          ["wheel", "zoom"],
          ["double click", "select"],
          ["double right", "look there (ctrl: follow)"],
          ["alt + left", "pull a body"],
          ["ctrl + right", "pull what is selected"],
          ["ctrl + left", "turn what is selected"],
        ]),
        table("Keys", [
          ["space", "play, pause"],
          ["→", "one step"],
          ["backspace", "start again"],
          ["escape", "select nothing"],
          ["B", "compare contacts"],
          ["?", "this help"],
          ["letters", "flags, as their tips say"],
        ]),
      ),
    );
  }

  private listen() {
    const { session } = this;
    session.models.on((m) => this.stage.setModel(m));
    session.frames.on((frame) => this.draw(frame));
    session.failures.on((message) => this.tell(message));
    session.stages.on((stage) => {
      this.progress.show(stage);
      // until it is here the bar names the model that is
      if (stage?.main && !session.model) {
        this.toolbar.name(stage.main);
      }
    });
    session.patches.on((patches) => this.stage.refresh(patches.map((it) => it.array)));
    session.overlays.on((overlays) => this.overlays.set(overlays));
    session.ends.on((message) => this.end(message));
    this.mouse.onselect = (picked) => {
      if (picked.body >= 0) {
        this.tree.show(picked.geom >= 0 ? { kind: "geom", id: picked.geom } : { kind: "body", id: picked.body });
      }
    };
    this.tree.onchoose = ({ kind, id }) => {
      const m = session.model!;
      const bodies: Record<string, string> = { joint: "jnt_bodyid", geom: "geom_bodyid", site: "site_bodyid" };
      const body = kind === "body" ? id : bodies[kind] ? m.at(bodies[kind]!, id) : -1;
      if (body >= 0) {
        session.call("selectBody", body);
      }
    };
    document.addEventListener("keydown", (event) => this.key(event));
    const over = (on: boolean) => (event: DragEvent) => {
      event.preventDefault();
      this.root.classList.toggle("dropping", on);
    };
    document.addEventListener("dragover", over(true));
    document.addEventListener("dragleave", over(false));
    document.addEventListener("drop", (event) => {
      over(false)(event);
      void this.receive(dropped(event.dataTransfer!));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(null));
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (
      /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
      (target.tagName === "INPUT" && (target as HTMLInputElement).type === "search") ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      this.gallery.open
    ) {
      return;
    }
    const { session } = this;
    session.press(event.code);
    const clock = session.program?.managed !== false;
    const actions: Record<string, () => void> = {
      ...(clock && { " ": () => session.play(!session.playing), ArrowRight: () => this.toolbar.step() }),
      Backspace: () => this.toolbar.reset(),
      Escape: () => session.call("selectBody", 0),
      "?": () => document.querySelector("#help")!.toggleAttribute("open"),
      ...(!session.program && { b: () => void session.compare(!session.comparing) }),
    };
    const action = actions[event.key];
    if (
      action &&
      !(target.matches("button:focus-visible") && event.key === " ") &&
      !(target.tagName === "INPUT" && event.key === "ArrowRight")
    ) {
      event.preventDefault();
      action();
    } else if (!action && event.key.length === 1 && this.show.press(event.key)) {
      event.preventDefault();
    }
  }

  private dark(): boolean {
    const chosen = document.documentElement.dataset["theme"];
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  // null: follow the system's setting.
  private setTheme(theme: "light" | "dark" | null) {
    if (theme) {
      document.documentElement.dataset["theme"] = theme;
      remember("theme", theme);
    }
    const style = getComputedStyle(document.documentElement);
    this.stage.setHorizon(
      style.getPropertyValue("--horizon-low").trim(),
      style.getPropertyValue("--horizon-high").trim(),
    );
  }

  private async saveImage() {
    const image = await this.stage.image();
    if (image) {
      const url = URL.createObjectURL(image);
      h("a", { href: url, download: "condyle.png" }).click();
      URL.revokeObjectURL(url);
    }
  }

  // The program that ran the simulation has ended: keep the picture and show the message.
  private end(message: string) {
    this.root.classList.add("ended");
    this.tell(message);
    window.clearTimeout(this.noticeTimer);
  }

  private tell(message: string) {
    this.notice.textContent = message;
    this.notice.hidden = false;
    window.clearTimeout(this.noticeTimer);
    this.noticeTimer = window.setTimeout(() => (this.notice.hidden = true), NOTICE_TIME);
  }

  private draw(frame: Frame) {
    this.stage.draw(frame.pictures);
    const now = performance.now();
    this.frameTimes.push(now);
    while (this.frameTimes[0]! < now - 1000) {
      this.frameTimes.shift();
    }
    if (frame.error || frame.warning) {
      this.tell(frame.error || frame.warning);
    }
    if (frame.error && !this.session.program) {
      this.session.play(false);
    }
    if (frame.steps > 0) {
      this.stepTime += 0.1 * (frame.stepTime - this.stepTime);
    }
    if (now - this.lastStatus > 150) {
      this.lastStatus = now;
      this.writeStatus(frame);
    }
  }

  private writeStatus(frame: Frame) {
    const items: [string, string][] = [
      ["time", `${frame.time.toFixed(2)} s`],
      ["pace", this.session.playing ? `× ${short(Number(frame.rate.toFixed(2)))}` : "paused"],
      ["step", `${short(Number((1000 * this.stepTime).toFixed(1)))} µs`],
      ["contacts", String(frame.contacts)],
      ["frames", `${this.frameTimes.length}/s`],
    ];
    this.status.replaceChildren(
      ...items.map(([name, value]) => h("span", { id: `status-${name}` }, h("small", {}, name), value)),
    );
    const names = frame.pictures.length > 1 ? frame.pictures.map((it) => LAWS[it.world]!) : [];
    if (names.join() !== Array.from(this.captions.children, (it) => it.textContent).join()) {
      this.captions.replaceChildren(...names.map((name) => h("span", {}, name)));
    }
  }

  private fillGallery() {
    const pick = (directory: boolean) =>
      h("input", {
        type: "file",
        multiple: true,
        webkitdirectory: directory,
        hidden: true,
        onchange: (event) => void this.receive(chosen((event.target as HTMLInputElement).files ?? [])),
      });
    const files = pick(false),
      folder = pick(true);
    this.gallery.append(
      h("header", {}, h("h2", {}, "Models"), h("button", { title: "Close", onclick: () => this.gallery.close() }, "✕")),
      h(
        "p",
        { class: "quiet" },
        "Drop a model with its meshes anywhere on this page, as files, as a folder or as an archive (.zip, .mjz): MJCF, URDF, SDF or a binary model. Nothing leaves this computer.",
      ),
      h(
        "div",
        { class: "choices" },
        h("button", { onclick: () => files.click() }, "Open files"),
        h("button", { onclick: () => folder.click() }, "Open a folder"),
        files,
        folder,
      ),
      h(
        "div",
        { class: "cards" },
        ...gallery().map((it) =>
          h(
            "button",
            { class: "card", "data-model": it.main, onclick: () => void this.open(it) },
            h("b", {}, it.title),
            h("span", {}, it.about),
          ),
        ),
      ),
    );
    this.gallery.addEventListener("click", (event) => {
      if (event.target === this.gallery) {
        this.gallery.close();
      }
    });
  }

  async openFiles(files: SourceFile[]) {
    if (this.session.program?.loads === false) {
      return this.tell("The program that this page belongs to chooses the model");
    }
    const models = candidates(files);
    const main = meant(models) ?? (models.length > 1 ? await ask(this.root, models) : null);
    if (main) {
      await this.open({ title: main, about: "", main, files });
    } else if (models.length === 0 && files.length > 0) {
      this.tell(reason(files));
    }
  }

  // Opens files that are still being read.
  private async receive(files: Promise<SourceFile[]>) {
    this.session.stages.emit({ text: "Reading the files" });
    try {
      const all = await files;
      this.session.stages.emit(null);
      await this.openFiles(all);
    } catch (error) {
      this.session.stages.emit(null);
      this.tell(error instanceof Error ? error.message : String(error));
    }
  }

  private async open(bundle: Bundle, plays = true) {
    this.gallery.close();
    this.session.stages.emit({
      text: this.session.program ? "Sending the files" : "Starting the engine",
      main: bundle.main,
    });
    const { problems, model } = await this.session.load(bundle.files, bundle.main, false, bundle.notes);
    if (model && problems.length) {
      this.tell(`${problems.length} ${problems.length > 1 ? "changes or doubts" : "change or doubt"}: see the tree`);
    }
    if (!model) {
      document.getElementById("tab-text")?.click();
      const first = problems.find((it) => it.error);
      this.tell(`${plainName(bundle.title)} can't be loaded${first ? `: ${first.message}` : ""}`);
    }
    this.session.play(plays);
  }

  // Resolves when the next picture is on the screen, and marks that in the page's timeline.
  private shown(): Promise<void> {
    return new Promise((resolve) => {
      let waits = true;
      this.session.frames.on(() => {
        if (waits) {
          waits = false;
          requestAnimationFrame(() => {
            performance.mark("picture");
            resolve();
          });
        }
      });
    });
  }

  async start() {
    const beat = (time: number) => {
      this.stage.beat(time);
      this.session.tick(...this.stage.size);
      requestAnimationFrame(beat);
    };
    if (this.session.program) {
      if (this.session.program.waits) {
        this.gallery.showModal();
      }
      requestAnimationFrame(beat);
      return;
    }
    const wanted = new URLSearchParams(location.search).get("model");
    const models = gallery();
    try {
      const embedded = await given();
      if (embedded) {
        await this.open(embedded.bundle, false);
        await this.session.ask("restore", embedded.state);
        requestAnimationFrame(beat);
        return;
      }
      const first =
        (await served((stage) => this.session.stages.emit(stage))) ??
        models.find((it) => it.main === wanted) ??
        models[0];
      if (first) {
        // load before playing: running code is compiled again by threads that the first picture
        // needs
        await this.open(first, false);
        void this.shown().then(() => this.session.play(true));
      }
    } catch (error) {
      this.session.stages.emit(null);
      this.tell(error instanceof Error ? error.message : String(error));
    }
    requestAnimationFrame(beat);
  }
}
