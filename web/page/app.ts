// The parts of the page and how they hear of each other.

import { h } from "./dom.ts";
import { Mouse } from "./mouse.ts";
import { Stage } from "./scene/stage.ts";
import type { Session } from "./session.ts";
import { type Bundle, gallery, served } from "./sources.ts";

export class App {
  private readonly stageFrame = h("div", { class: "stage", tabindex: 0 });
  private readonly stage: Stage;

  constructor(root: HTMLElement, private readonly session: Session) {
    root.append(this.stageFrame);
    this.stage = new Stage(this.stageFrame);
    new Mouse(session, this.stage, this.stageFrame);
    session.models.on((m) => this.stage.setModel(m));
    session.frames.on((frame) => this.stage.draw(frame.pictures));
    this.stage.setHorizon("#30343c", "#12141a");
  }

  async start() {
    const first = (await served()) ?? gallery()[0];
    if (first) {
      await this.open(first);
    }
    const beat = () => {
      this.session.tick();
      requestAnimationFrame(beat);
    };
    requestAnimationFrame(beat);
  }

  private async open(bundle: Bundle) {
    await this.session.load(bundle.files, bundle.main, false);
  }
}
