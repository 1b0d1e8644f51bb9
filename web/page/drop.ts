// Files, folders and archives that are dropped onto the page or chosen in it.
//
// They may be anything, such as a home folder: number, size (budget.ts) and depth are bounded, and what
// is hidden stays out.

import type { SourceFile } from "../worker/messages.ts";
import { type Budget, fresh, isHidden, severally, spend } from "./budget.ts";
import { unzip } from "./zip.ts";

const MOST_DEPTH = 40; // folders in folders

// A file that may be read, by its path.
interface Found {
  name: string;
  file: File;
}

function find(name: string, file: File, budget: Budget): Found {
  spend(budget, file.size);
  return { name, file };
}

function read(found: Found[]): Promise<SourceFile[]> {
  return severally(found, async ({ name, file }) => ({ name, bytes: new Uint8Array(await file.arrayBuffer()) }));
}

async function walk(entry: FileSystemEntry, prefix: string, depth: number, budget: Budget, out: Found[]) {
  if (isHidden(entry.name)) {
    return;
  }
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    out.push(find(prefix + entry.name, file, budget));
    return;
  }
  if (depth === MOST_DEPTH) {
    throw new Error(`${prefix}${entry.name}: folders are nested too deep`);
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // each call gives some of them, the last one none
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) {
      return;
    }
    for (const child of part) {
      await walk(child, `${prefix}${entry.name}/`, depth + 1, budget, out);
    }
  }
}

// Puts the content of archives in their place, in a folder of the archive's name.
async function unpacked(files: SourceFile[], budget: Budget): Promise<SourceFile[]> {
  const all: SourceFile[] = [];
  for (const file of files) {
    if (/\.zip$/i.test(file.name) && !file.name.includes("/")) {
      all.push(...(await unzip(file, budget)));
    } else {
      all.push(file);
    }
  }
  return all;
}

// Files and folders that were dropped.
export async function dropped(transfer: DataTransfer): Promise<SourceFile[]> {
  const budget = fresh();
  const found: Found[] = [];
  // entries are only there until the event is over
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((it) => it !== null);
  if (entries.length === 0) {
    // plain files have no entry if a program dropped them
    return chosen(transfer.files);
  }
  for (const entry of entries) {
    await walk(entry, "", 0, budget, found);
  }
  return unpacked(await read(found), budget);
}

export async function chosen(list: Iterable<File>): Promise<SourceFile[]> {
  const budget = fresh();
  const found = [...list]
    .map((file) => ({ name: file.webkitRelativePath || file.name, file }))
    .filter(({ name }) => !name.split("/").some(isHidden))
    .map(({ name, file }) => find(name, file, budget));
  return unpacked(await read(found), budget);
}
