// Runs before the page's program has been read: starts the worker, which unpacks and compiles the
// engine meanwhile. What it says before the page listens is kept.

import type { FromWorker } from "../worker/messages.ts";
import { embedded, start } from "./sources.ts";

export interface Boot {
  worker: Worker;
  early: MessageEvent<FromWorker>[];
}

declare global {
  interface Window {
    boot?: Boot; // none where a program runs the simulation
  }
}

if (!start().socket) {
  const url = URL.createObjectURL(new Blob([embedded("worker")], { type: "text/javascript" }));
  const boot: Boot = { worker: new Worker(url), early: [] };
  URL.revokeObjectURL(url);
  boot.worker.onmessage = (event) => boot.early.push(event);
  boot.worker.postMessage({ kind: "start", engine: embedded("engine") });
  window.boot = boot;
}
