// Unpacks zip archives: the directory at the end, then each file, stored or deflated (APPNOTE 6.3.3).
//
// An archive is not trusted. Names that lead out of it are refused, and a file is unpacked only as
// far as the directory says it goes, which the budget allows beforehand; neither may it grow more
// than files of models do.

import type { SourceFile } from "../worker/messages.ts";
import { type Budget, isHidden, severally, spend } from "./budget.ts";
import { plainName } from "./dom.ts";

const END = 0x06054b50,
  ENTRY = 0x02014b50,
  LOCAL = 0x04034b50; // signatures
const END_BYTES = 22,
  ENTRY_BYTES = 46,
  LOCAL_BYTES = 30;
const LONGEST_COMMENT = 65535;
const ENCRYPTED = 1,
  STORED = 0,
  DEFLATED = 8;
const MOST_RATIO = 250; // of a file; texts of meshes reach 20

interface Entry {
  name: string;
  method: number;
  crc: number;
  packed: number; // bytes
  size: number;
  at: number; // of its header
}

function fail(archive: string, message: string): never {
  throw new Error(`${archive}: ${message}`);
}

// The path of an entry without idle parts. Folders are entries with a slash at their end.
function path(archive: string, raw: string): string {
  const name = raw.replaceAll("\\", "/");
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  const shown = JSON.stringify(raw.slice(0, 80));
  if (name.startsWith("/") || /^[A-Za-z]:/.test(name) || parts.includes("..")) {
    fail(archive, `an entry leads out of the archive: ${shown}`);
  }
  if (/[\u0000-\u001f]/.test(name)) {
    fail(archive, `an entry has a name of control characters: ${shown}`);
  }
  return parts.join("/");
}

// Where the record of the end is: behind it there is only its comment.
function findEnd(archive: string, view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= 0 && at >= last - LONGEST_COMMENT; at--) {
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength) {
      return at;
    }
  }
  return fail(archive, "this is no zip archive, or it is cut off");
}

function directory(archive: string, view: DataView, bytes: Uint8Array): Entry[] {
  const end = findEnd(archive, view);
  const count = view.getUint16(end + 10, true),
    start = view.getUint32(end + 16, true);
  if (count === 0xffff || start === 0xffffffff) {
    fail(archive, "archives of the format zip64 can't be read here: unpack it and drop the folder");
  }
  const entries: Entry[] = [];
  for (let i = 0, at = start; i < count; i++) {
    const fits = at + ENTRY_BYTES <= end && view.getUint32(at, true) === ENTRY;
    const length = fits ? view.getUint16(at + 28, true) : 0;
    const next = fits ? at + ENTRY_BYTES + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true) : 0;
    if (!fits || next > end) {
      fail(archive, "its directory is damaged");
    }
    const raw = new TextDecoder().decode(bytes.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + length));
    const name = path(archive, raw);
    if (view.getUint16(at + 8, true) & ENCRYPTED) {
      fail(archive, "it is encrypted: unpack it and drop the folder");
    }
    if (!/[/\\]$/.test(raw) && !name.split("/").some(isHidden)) {
      entries.push({
        name,
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        packed: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        at: view.getUint32(at + 42, true),
      });
    }
    at = next;
  }
  return entries;
}

// CRC-32 by bytes, with the polynomial 0xEDB88320.
const table = Uint32Array.from({ length: 256 }, (_, i) => {
  for (let k = 0; k < 8; k++) {
    i = i & 1 ? (i >>> 1) ^ 0xedb88320 : i >>> 1;
  }
  return i;
});

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc = (crc >>> 8) ^ table[(crc ^ byte) & 255]!;
  }
  return ~crc >>> 0;
}

// Inflates until `size` bytes are there; null if they come to less or more, or are damaged.
async function inflate(packed: Uint8Array, size: number): Promise<Uint8Array | null> {
  const out = new Uint8Array(size);
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  let at = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return at === size ? out : null;
      }
      if (at + value.length > size) {
        await reader.cancel();
        return null;
      }
      out.set(value, at);
      at += value.length;
    }
  } catch {
    return null;
  }
}

async function extract(archive: string, view: DataView, bytes: Uint8Array, entry: Entry): Promise<Uint8Array> {
  const { at, packed, size, method, name } = entry;
  const fits = at + LOCAL_BYTES <= bytes.length && view.getUint32(at, true) === LOCAL;
  const start = fits ? at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true) : 0;
  if (!fits || start + packed > bytes.length) {
    fail(archive, `${name} is damaged`);
  }
  const content = bytes.subarray(start, start + packed);
  if (method !== STORED && method !== DEFLATED) {
    fail(archive, `${name} is packed by a method that can't be read here: unpack it and drop the folder`);
  }
  const whole = method === STORED ? (packed === size ? content.slice() : null) : await inflate(content, size);
  if (!whole || crc32(whole) !== entry.crc) {
    fail(archive, `${name} is damaged`);
  }
  return whole;
}

// The files of an archive, in a folder of its name.
export async function unzip(file: SourceFile, budget: Budget): Promise<SourceFile[]> {
  const archive = plainName(file.name);
  const folder = archive.replace(/\.zip$/i, "");
  const view = new DataView(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
  const entries = directory(archive, view, file.bytes);
  if (entries.length === 0) {
    fail(archive, "it holds no files");
  }
  for (const { name, size, packed } of entries) {
    if (size > MOST_RATIO * (packed + 1000)) {
      fail(archive, `${name} grows from ${packed} to ${size} bytes, as no file of a model does`);
    }
    spend(budget, size);
  }
  return severally(entries, async (entry) => ({
    name: `${folder}/${entry.name}`,
    bytes: await extract(archive, view, file.bytes, entry),
  }));
}
