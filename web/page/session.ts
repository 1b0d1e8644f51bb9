// The link to the worker. It asks for one picture at a time, sends calls in order, and awaits
// answers.

import type {
  Call,
  Frame,
  FromWorker,
  Loaded,
  Note,
  Overlays,
  Patch,
  Problem,
  Program,
  Request,
  SourceFile,
  Stage,
  ToWorker,
} from "../worker/messages.ts";
import { Model } from "./model.ts";
import { layout } from "./scene/layout.ts";

const GLANCE = 50; // milliseconds

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

// Where the simulation runs: in a worker of this page (Boot) or in a program (Remote).
export interface Link {
  hear: (message: FromWorker) => void;
  fail: (message: string) => void;
  post(message: ToWorker): void;
}

// When what was changed on the page has been painted; soon, where nothing is.
function painted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, GLANCE);
  });
}

// Problems of a model behind notes of the file that it was made of, at the bodies that they name. What
// both say stands at the line of the note alone.
function joined(notes: Note[], { model, problems }: Loaded): Problem[] {
  const names = model && notes.length ? new Model(model).names("body") : [];
  const placed = notes.map((note) => ({ ...note, body: note.owner ? names.indexOf(note.owner) : -1 }));
  const said = new Set(placed.map((it) => `${it.body} ${it.message}`));
  return [...placed, ...problems.filter((it) => !said.has(`${it.body} ${it.message}`))];
}

export class Session {
  readonly frames = new Event<Frame>();
  readonly glances = new Event<Frame>(); // frames for numbers and plots, at a readable rate
  readonly loads = new Event<Loaded>();
  readonly models = new Event<Model>();
  readonly lints = new Event<Problem[]>();
  readonly failures = new Event<string>();
  readonly changes = new Event<void>(); // of what is played, and how
  readonly patches = new Event<Patch[]>(); // of the model
  readonly overlays = new Event<Overlays>();
  readonly ends = new Event<string>(); // of the program that runs the simulation
  readonly stages = new Event<Stage | null>(); // of loading; null at its end
  program: Program | null = null;
  model: Model | null = null;
  files: SourceFile[] = [];
  main = "";
  playing = true;
  speed = 1;
  comparing = false;
  last: Frame | null = null;
  private calls: Call[] = [];
  private waiting = false;
  private drawing = 0; // models that wait to be taken
  private held: Frame | null = null; // the first frame of such a model
  private lastGlance = 0;
  private nextId = 1;
  private readonly questions = new Map<number, (value: unknown) => void>();
  private loading: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly link: Link,
    ready: (layout?: number[]) => void,
  ) {
    link.hear = (message) => this.hear(message, ready);
    link.fail = (message) => this.failures.emit(message);
  }

  // Requests before the engine is ready wait for it.
  static start(link: Link): { session: Session; ready: Promise<void> } {
    let settle: (found?: number[]) => void = () => {};
    const session = new Session(link, (found) => settle(found));
    const ready = new Promise<void>((resolve, reject) => {
      settle = (found) =>
        !found || found.join() === layout.join()
          ? resolve()
          : reject(new Error("page and engine don't belong together"));
      session.failures.on((message) => reject(new Error(message)));
      session.ends.on((message) => reject(new Error(message)));
    });
    return { session, ready };
  }

  private hear(message: FromWorker, ready: (layout?: number[]) => void = () => {}) {
    switch (message.kind) {
      case "ready":
        this.program = message.remote ?? null;
        return ready(message.layout);
      case "frame":
        if (this.drawing) {
          // of the model that is about to be taken
          this.held = message;
          return;
        }
        this.waiting = false;
        this.last = message;
        this.follow(message);
        this.frames.emit(message);
        if (message.pictures.length) {
          this.stages.emit(null);
        }
        if (performance.now() - this.lastGlance > GLANCE) {
          this.lastGlance = performance.now();
          this.glances.emit(message);
        }
        return;
      case "stage":
        return this.stages.emit(message.stage);
      case "model":
        return void this.take(message.title, message.files, message.loaded);
      case "patch":
        return this.apply(message.patches);
      case "overlays":
        return this.overlays.emit(message);
      case "closed":
        this.waiting = true;
        this.stages.emit(null);
        return this.ends.emit(message.message);
      case "answer":
        this.questions.get(message.id)?.(message.value);
        this.questions.delete(message.id);
        return;
      case "broken":
        this.waiting = false;
        this.stages.emit(null);
        return this.failures.emit(message.message);
    }
  }

  // The program may pause or continue by itself, or because another page asked for it.
  private follow(frame: Frame) {
    const { playing = this.playing, speed = this.speed } = frame;
    if (playing !== this.playing || speed !== this.speed) {
      this.playing = playing;
      this.speed = speed;
      this.changes.emit();
    }
  }

  // Shows that a model is about to be drawn, which keeps the page busy, before it is.
  private async take(main: string, files: SourceFile[], loaded: Loaded) {
    if (loaded.model) {
      this.stages.emit({ text: "Drawing" });
      if (this.held) {
        // of the model before this one
        this.held = null;
        this.waiting = false;
      }
      this.drawing++;
      await painted();
      this.drawing--;
    }
    this.main = main;
    this.files = files;
    this.use(loaded);
    if (this.held && !this.drawing) {
      const frame = this.held;
      this.held = null;
      this.hear(frame);
    }
  }

  private use(loaded: Loaded) {
    if (loaded.model) {
      this.comparing = false;
      this.model = new Model(loaded.model);
      this.models.emit(this.model);
    } else {
      this.stages.emit(null);
    }
    this.loads.emit(loaded);
  }

  private apply(patches: Patch[]) {
    for (const { array, start, bytes } of patches) {
      const to = this.model?.array(array);
      const from = new Uint8Array(bytes);
      if (to && start * to.BYTES_PER_ELEMENT + from.length <= to.byteLength) {
        new Uint8Array(to.buffer, to.byteOffset, to.byteLength).set(from, start * to.BYTES_PER_ELEMENT);
      }
    }
    this.patches.emit(patches);
  }

  // Asks for the next picture, unless one is still to come.
  tick(width: number, height: number) {
    if (!this.waiting) {
      this.waiting = true;
      this.link.post({ kind: "tick", calls: this.calls, playing: this.playing, speed: this.speed, width, height });
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
      this.link.post({ kind: "ask", id, what, values });
    });
  }

  // Tells a program which key is pressed (KeyboardEvent.code).
  press(code: string) {
    if (this.program) {
      this.link.post({ kind: "key", code });
    }
  }

  // Loads the model that the files make, one after the other. Notes come before its own problems.
  load(files: SourceFile[], main: string, keep: boolean, notes: Note[] = []): Promise<Loaded> {
    const next = this.loading.then(async () => {
      const answer = await this.ask<Loaded>("load", files, main, keep);
      const loaded = { ...answer, problems: joined(notes, answer) };
      await this.take(main, files, loaded);
      if (loaded.model && !this.program) {
        void this.ask<Problem[]>("lint").then((problems) => this.lints.emit(problems));
      }
      return loaded;
    });
    this.loading = next;
    return next;
  }

  play(on: boolean) {
    if (this.program) {
      // the program's frames tell whether it plays
      return this.call("play", on ? 1 : 0);
    }
    this.playing = on;
    this.changes.emit();
  }

  setSpeed(speed: number) {
    if (this.program) {
      return this.call("setSpeed", speed);
    }
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
