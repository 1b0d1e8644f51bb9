// Runs before the page's program has been read. It starts the worker, which unpacks and compiles
// the engine in the meantime. Messages of the worker are kept until the page listens.

import type { FromWorker, ToWorker } from "../worker/messages.ts";
import type { Link } from "./session.ts";
import { embedded, start } from "./sources.ts";

declare global {
  interface Window {
    boot?: Boot; // none where a program runs the simulation
  }
}

export class Boot implements Link {
  worker!: Worker;
  private listener: ((message: FromWorker) => void) | null = null;
  private readonly early: FromWorker[] = [];
  private readonly sent: ToWorker[] = []; // until the worker says something
  private failure = "";
  private complain: ((message: string) => void) | null = null;
  private answered = false;

  // Tries a worker from a blob: URL, then from a data: URL: some embedding pages (e.g. notebooks in editors) allow only
  // the latter.
  constructor(script: string) {
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.begin([url, `data:text/javascript,${encodeURIComponent(script)}`]);
  }

  private begin([url, ...others]: string[]) {
    this.worker = new Worker(url!);
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => {
      this.answered = true;
      if (this.listener) {
        this.listener(event.data);
      } else {
        this.early.push(event.data);
      }
    };
    this.worker.onerror = (event) => {
      if (!this.answered && others.length > 0) {
        return this.begin(others);
      }
      this.failure = event.message || "no program may run beside the page here";
      this.complain?.(this.failure);
    };
    this.sent.forEach((message) => this.worker.postMessage(message));
  }

  set hear(listener: (message: FromWorker) => void) {
    this.listener = listener;
    queueMicrotask(() => this.early.splice(0).forEach(listener));
  }

  set fail(complain: (message: string) => void) {
    this.complain = complain;
    if (this.failure) {
      queueMicrotask(() => complain(this.failure));
    }
  }

  post(message: ToWorker) {
    if (!this.answered) {
      this.sent.push(message);
    }
    this.worker.postMessage(message);
  }
}

if (!start().socket) {
  window.boot = new Boot(embedded("worker"));
  window.boot.post({ kind: "start", engine: embedded("engine") });
}
