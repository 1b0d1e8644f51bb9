// Where models come from: the ones that are part of the page, and the server. Files that are dropped:
// drop.ts.

import type { Note, SourceFile, Stage } from "../worker/messages.ts";
import { megabytes } from "../worker/units.ts";

export interface Bundle {
  title: string;
  about: string;
  main: string;
  files: SourceFile[];
  notes?: Note[]; // what the program that serves it has changed
}

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    bytes[i] = text.charCodeAt(i);
  }
  return bytes;
}

// The text of a script element, which the build put there.
export function embedded(id: string): string {
  return document.getElementById(`embedded-${id}`)?.textContent?.trim() ?? "";
}

// Unpacks base64 and gzip.
async function unpack(text: string): Promise<ArrayBuffer> {
  const packed = new Blob([bytesOf(text) as BlobPart]);
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// Data that a program has put into the page before serving it: the path of the WebSocket if it runs
// the simulation itself, or a model and its state (python/condyle/_viewer/page.py).
export interface Start {
  socket?: string;
  title?: string;
  model?: string; // binary, packed
  state?: string; // mjSTATE_INTEGRATION, packed
  panels?: boolean;
}

export function start(): Start {
  return (JSON.parse(embedded("start") || "null") as Start | null) ?? {};
}

// The model and state that a program embedded in the page that it serves; null if it embedded none.
export async function given(): Promise<{ bundle: Bundle; state: Float64Array } | null> {
  const { title = "", model, state } = start();
  if (!model || !state) {
    return null;
  }
  const main = `${title || "model"}.mjb`;
  return {
    bundle: { title, about: "", main, files: [{ name: main, bytes: new Uint8Array(await unpack(model)) }] },
    state: new Float64Array(await unpack(state)),
  };
}

// Models that are part of the page.
export function gallery(): Bundle[] {
  const list = JSON.parse(embedded("models") || "[]") as { title: string; about: string; name: string; text: string }[];
  return list.map(({ title, about, name, text }) => ({
    title,
    about,
    main: name,
    files: [{ name, bytes: new TextEncoder().encode(text) }],
  }));
}

// The content of an answer; hears how many bytes have come, piece by piece.
async function receive(answer: Response, hear: (bytes: number) => void): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const reader = answer.body!.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
    }
    pieces.push(value);
    hear(value.length);
  }
}

// The model that `condyle view` serves beside the page: a list of files, then each of them. Null
// without a server.
export async function served(tell: (stage: Stage) => void): Promise<Bundle | null> {
  if (!location.protocol.startsWith("http")) {
    return null;
  }
  const list = await fetch("model.json", { cache: "no-store" }).catch(() => null);
  if (!list?.ok) {
    return null;
  }
  const { main, files, sizes, notes } = (await list.json()) as {
    main: string;
    files: string[];
    sizes: number[];
    notes: Note[];
  };
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let done = 0,
    complete = 0;
  const report = () =>
    tell({
      done,
      total,
      main,
      text: `Fetching file ${Math.min(complete + 1, files.length)} of ${files.length}: ${megabytes(done)} of ${megabytes(total)}`,
    });
  report();
  const all = await Promise.all(
    files.map(async (name, i) => {
      const answer = await fetch(`files/${i}`, { cache: "no-store" });
      if (!answer.ok) {
        throw new Error(`${name} can't be read`);
      }
      const bytes = await receive(answer, (count) => {
        done += count;
        report();
      });
      complete++;
      return { name, bytes };
    }),
  );
  return { title: main, about: "", main, files: all, notes };
}
