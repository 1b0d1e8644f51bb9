// The link to the worker: one picture at a time, calls in the order in which they were made, and
// answers to questions.

import type { Call, Frame, FromWorker, Loaded, Problem, Request, SourceFile, ToWorker } from "../worker/messages.ts";
import { Model } from "./model.ts";
import { layout } from "./scene/layout.ts";

export type Listener<T> = (value: T) => void;

class Event<T> {
  private readonly listeners: Listener<T>[] = [];

  on(listener: Listener<T>) {
    this.listeners.push(listener);
  }

  emit(value: T) {
    this.listeners.forEach((listener) => listener(value));
  }
}

export class Session {
  readonly frames = new Event<Frame>();
  readonly loads = new Event<Loaded>();
  readonly models = new Event<Model>();
  readonly lints = new Event<Problem[]>();
  readonly failures = new Event<string>();
  readonly changes = new Event<void>(); // of what is played, and how
  model: Model | null = null;
  files: SourceFile[] = [];
  main = "";
  playing = true;
  speed = 1;
  comparing = false;
  last: Frame | null = null;
  private readonly worker: Worker;
  private calls: Call[] = [];
  private waiting = false;
  private nextId = 1;
  private readonly questions = new Map<number, (value: unknown) => void>();
  private loading: Promise<unknown> = Promise.resolve();

  private constructor(script: string, engine: ArrayBuffer, ready: (layout: number[]) => void) {
    const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(event.data, ready);
    this.worker.onerror = (event) => this.failures.emit(event.message || "the engine stopped");
    this.send({ kind: "start", engine }, [engine]);
  }

  static start(script: string, engine: ArrayBuffer): Promise<Session> {
    return new Promise((resolve, reject) => {
      const session = new Session(script, engine, (found) =>
        found.join() === layout.join() ? resolve(session) : reject(new Error("page and engine don't belong together")));
      session.failures.on((message) => reject(new Error(message)));
    });
  }

  private send(message: ToWorker, transfer: Transferable[] = []) {
    this.worker.postMessage(message, transfer);
  }

  private hear(message: FromWorker, ready: (layout: number[]) => void) {
    switch (message.kind) {
      case "ready":
        return ready(message.layout);
      case "frame":
        this.waiting = false;
        this.last = message;
        return this.frames.emit(message);
      case "answer":
        this.questions.get(message.id)?.(message.value);
        this.questions.delete(message.id);
        return;
      case "broken":
        this.waiting = false;
        return this.failures.emit(message.message);
    }
  }

  // Asks for the next picture, unless one is still to come.
  tick() {
    if (!this.waiting) {
      this.waiting = true;
      this.send({ kind: "tick", calls: this.calls, playing: this.playing, speed: this.speed });
      this.calls = [];
    }
  }

  // Calls a function of the engine, before the next picture.
  call(...call: Call) {
    this.calls.push(call);
  }

  ask<T>(what: Request["what"], ...values: unknown[]): Promise<T> {
    const id = this.nextId++;
    return new Promise((resolve) => {
      this.questions.set(id, resolve as (value: unknown) => void);
      this.send({ kind: "ask", id, what, values });
    });
  }

  // Loads the model that the files make, one after the other.
  load(files: SourceFile[], main: string, keep: boolean): Promise<Loaded> {
    const next = this.loading.then(async () => {
      const loaded = await this.ask<Loaded>("load", files, main, keep);
      this.files = files;
      this.main = main;
      if (loaded.model) {
        this.comparing = false;
        this.model = new Model(loaded.model);
        this.models.emit(this.model);
      }
      this.loads.emit(loaded);
      if (loaded.model) {
        void this.ask<Problem[]>("lint").then((problems) => this.lints.emit(problems));
      }
      return loaded;
    });
    this.loading = next;
    return next;
  }

  play(on: boolean) {
    this.playing = on;
    this.changes.emit();
  }

  setSpeed(speed: number) {
    this.speed = speed;
    this.changes.emit();
  }

  // Soft, hard and sticking contacts side by side.
  async compare(on: boolean) {
    const error = await this.ask<string>("compare", on ? 1 : 0);
    this.comparing = on && !error;
    if (error) {
      this.failures.emit(error);
    }
    this.changes.emit();
  }

  // The text of a file of the model, null if there is none.
  text(name: string): string | null {
    const file = this.files.find((it) => it.name === name);
    return file ? new TextDecoder().decode(file.bytes) : null;
  }
}
