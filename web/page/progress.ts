// What the page is doing until there is a picture, with a bar where it is known how far that is.

import type { Stage } from "../worker/messages.ts";
import { h } from "./dom.ts";

export class Progress {
  private readonly text = h("span");
  private readonly bar = h("progress");
  readonly element = h("div", { class: "progress", id: "progress", role: "status", hidden: true }, this.text, this.bar);

  // null: nothing is waited for any longer.
  show(stage: Stage | null) {
    this.element.hidden = stage === null;
    if (!stage) {
      return;
    }
    this.text.textContent = stage.text;
    if (stage.total) {
      this.bar.max = stage.total;
      this.bar.value = Math.min(stage.done ?? 0, stage.total);
    } else {
      // a bar without a value runs to and fro
      this.bar.removeAttribute("value");
    }
  }
}
