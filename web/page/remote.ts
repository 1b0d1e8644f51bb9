// A simulation that runs elsewhere: the program that serves the page computes scenes, and the page
// draws them. It replaces the worker for the session, and its messages come through a WebSocket
// (python/condyle/_viewer/wire.py, talk.py).

import { KINDS, wanted } from "../worker/model.ts";
import type {
  Attribute,
  FromWorker,
  Loaded,
  ModelData,
  Problem,
  Request,
  SourceFile,
  ToWorker,
} from "../worker/messages.ts";
import { megabytes } from "../worker/units.ts";
import type { Link } from "./session.ts";

const PART = 1 << 21; // bytes

type Json = { [name: string]: unknown };

// Marks a reference to an array that follows the text of a message.
const KEY = "$";
type Reference = [type: string, offset: number, count: number];

// Replaces references in a message by their arrays.
function revive(value: unknown, content: ArrayBuffer, start: number): unknown {
  if (Array.isArray(value)) {
    return value.map((it) => revive(it, content, start));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const reference = (value as Json)[KEY] as Reference | undefined;
  if (!reference) {
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, revive(it, content, start)]));
  }
  const [type, offset, count] = reference,
    at = start + offset;
  switch (type) {
    case "f8":
      return new Float64Array(content, at, count);
    case "f4":
      return new Float32Array(content, at, count);
    case "i4":
      return new Int32Array(content, at, count);
    case "u1":
      return new Uint8Array(content, at, count);
    default:
      return content.slice(at, at + count);
  }
}

function unpack(content: ArrayBuffer): Json {
  const size = new DataView(content).getUint32(0, true);
  const text = new TextDecoder().decode(new Uint8Array(content, 4, size));
  return revive(JSON.parse(text), content, 4 + size) as Json;
}

// A message with the files of a model.
function pack(message: Json, files: SourceFile[]): Uint8Array {
  let end = 0;
  const places = files.map(({ name, bytes }) => {
    const place = end;
    end += (bytes.length + 7) & ~7;
    return { name, bytes: { [KEY]: ["b", place, bytes.length] } };
  });
  const text = new TextEncoder().encode(
    JSON.stringify({ ...message, values: [places, ...(message["values"] as unknown[]).slice(1)] }),
  );
  const content = new Uint8Array(4 + text.length + end);
  new DataView(content.buffer).setUint32(0, text.length, true);
  content.set(text, 4);
  files.forEach(({ bytes }, i) => content.set(bytes, 4 + text.length + (places[i]!.bytes[KEY]![1] as number)));
  return content;
}

// Names of arrays, in parts of some bytes.
function parts(names: string[], lengths: Record<string, number>): string[][] {
  const all: string[][] = [[]];
  let size = 0;
  for (const name of names) {
    const length = lengths[name] ?? 0;
    if (size && size + length > PART) {
      all.push([]);
      size = 0;
    }
    all.at(-1)!.push(name);
    size += length;
  }
  return all;
}

export class Remote implements Link {
  hear: (message: FromWorker) => void = () => {};
  fail: (message: string) => void = () => {};
  private readonly socket: WebSocket;
  private readonly questions = new Map<number, (value: unknown) => void>();
  private coming = 0; // models
  private answer: { kind: "answer"; id: number; value: Loaded } | null = null; // to the page that brought one
  private nextId = -1; // questions of the page itself have positive numbers

  constructor(path: string) {
    this.socket = new WebSocket(new URL(path, location.href.replace(/^http/, "ws")));
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event: MessageEvent<ArrayBuffer>) => void this.receive(unpack(event.data));
    this.socket.onclose = (event) =>
      this.hear({
        kind: "closed",
        message:
          event.code === 1001 || event.code === 1000
            ? "The program has closed the viewer"
            : `The program is gone${event.reason ? `: ${event.reason}` : ""}`,
      });
  }

  post(message: ToWorker) {
    if (this.socket.readyState !== WebSocket.OPEN) {
      return;
    }
    if (message.kind === "ask" && message.what === "load") {
      this.socket.send(pack(message as unknown as Json, message.values[0] as SourceFile[]) as Uint8Array<ArrayBuffer>);
    } else if (message.kind === "tick") {
      const { calls, width, height } = message;
      this.socket.send(JSON.stringify({ kind: "tick", calls, width, height }));
    } else {
      this.socket.send(JSON.stringify(message.kind === "ask" ? this.translate(message) : message));
    }
  }

  // The program has no table of the kinds of elements.
  private translate(message: Request): Request {
    const [kind, id] = message.values;
    return message.what === "inspect" ? { ...message, values: [KINDS[kind as string]?.size ?? "", id] } : message;
  }

  private ask<T>(what: string, ...values: unknown[]): Promise<T> {
    const id = this.nextId--;
    return new Promise((resolve) => {
      this.questions.set(id, resolve as (value: unknown) => void);
      this.socket.send(JSON.stringify({ kind: "ask", id, what, values }));
    });
  }

  private async receive(message: Json) {
    if (message["kind"] === "model") {
      this.coming++;
      const model = await this.model(message["title"] as string);
      this.coming--;
      const { answer } = this;
      this.answer = null;
      return this.hear(
        answer
          ? { ...answer, value: { ...answer.value, model } }
          : {
              kind: "model",
              title: message["title"] as string,
              files: message["files"] as SourceFile[],
              loaded: { problems: [], model, milliseconds: 0 },
            },
      );
    }
    if (message["kind"] === "frame" && this.coming) {
      // the shapes belong to a model that hasn't arrived yet
      message["pictures"] = [];
    }
    const own = message["kind"] === "answer" ? this.questions.get(message["id"] as number) : undefined;
    if (own) {
      this.questions.delete(message["id"] as number);
      return own(message["value"]);
    }
    const value = message["value"] as (Json & Attribute[]) | undefined;
    if (value?.["problems"]) {
      const loaded: Loaded = {
        problems: value["problems"] as Problem[],
        model: null,
        milliseconds: value["milliseconds"] as number,
      };
      const answer = { kind: "answer" as const, id: message["id"] as number, value: loaded };
      if (value["loaded"]) {
        // hold the answer back until the model has arrived
        this.answer = answer;
        return;
      }
      return this.hear(answer);
    }
    if (Array.isArray(value) && value[0]?.meaning !== undefined) {
      // numbers that become texts belong in plain lists
      message["value"] = value.map((it) => ({ ...it, values: Array.from(it.values) }));
    }
    this.hear(message as unknown as FromWorker);
  }

  // The arrays come in parts, so that the page can say how far it is.
  private async model(main: string): Promise<ModelData> {
    const { arrays, sizes } = wanted();
    const lengths = await this.ask<Record<string, number>>("lengths", arrays);
    const total = Object.values(lengths).reduce((sum, length) => sum + length, 0);
    let done = 0;
    const model = { arrays: {}, places: {} } as unknown as ModelData;
    for (const names of parts(arrays, lengths)) {
      this.hear({
        kind: "stage",
        stage: { text: `Receiving the model: ${megabytes(done)} of ${megabytes(total)}`, done, total, main },
      });
      const part = await this.ask<ModelData>("arrays", names, sizes);
      done += names.reduce((sum, name) => sum + (lengths[name] ?? 0), 0);
      Object.assign(model, part, { arrays: { ...model.arrays, ...part.arrays } });
    }
    return model;
  }
}
