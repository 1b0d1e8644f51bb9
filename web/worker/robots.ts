// Files of robots: which ones are descriptions of robots, and where their meshes are looked for.

import type { SourceFile } from "./messages.ts";

const HEAD = 1 << 16; // bytes in which a root element begins

// A text without comments and declarations before its root.
function head(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, HEAD)).replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<![^>]*>/g, "");
}

// The name of the root element; "" if there is none.
export function root(bytes: Uint8Array): string {
  return /^[^<]*<([A-Za-z_][\w.:-]*)/.exec(head(bytes))?.[1] ?? "";
}

// Is the main file the description of a robot? Its root tells, whatever it is called.
export function isRobot(main: string, files: SourceFile[]): boolean {
  const file = files.find((it) => it.name === main);
  return /\.(urdf|sdf)$/i.test(main) || /^(robot|sdf)$/.test(file ? root(file.bytes) : "");
}

// Joins a folder ("" or with a slash at its end) and a path in it.
function join(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}${path}`.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") {
      parts.pop();
    } else if (part !== "." && part !== "") {
      parts.push(part);
    }
  }
  return parts.join("/");
}

export interface Named {
  name: string; // by which the engine looks for it
  file: SourceFile;
}

// Files that a robot names in folders, but that came without them: where the engine looks for each.
// Files of one name in several folders stay where they are.
export function homeless(main: string, files: SourceFile[]): Named[] {
  const file = files.find((it) => it.name === main);
  const folder = main.slice(0, main.lastIndexOf("/") + 1);
  const plain = (name: string) => name.split("/").pop()!.toLowerCase();
  const byName = new Map<string, SourceFile | null>();
  for (const it of files) {
    byName.set(plain(it.name), byName.has(plain(it.name)) ? null : it);
  }
  // all ends of paths, by which a file is found in a folder above the robot
  const ends = new Set<string>();
  for (const it of files) {
    for (let at = -1; ;) {
      ends.add(it.name.slice(at + 1));
      at = it.name.indexOf("/", at + 1);
      if (at < 0) {
        break;
      }
    }
  }
  const named = new Map<string, SourceFile>();
  const text = file ? new TextDecoder().decode(file.bytes) : "";
  for (const [, value] of text.matchAll(/(?:filename\s*=\s*["']|<uri>\s*)([^"'<>\s][^"'<>]*)/g)) {
    const rest = value!
      .trim()
      .replace(/^(package|model):\/\/[^/]*\//, "")
      .replace(/^file:\/\//, "");
    const found = byName.get(plain(rest));
    if (found && !ends.has(join("", rest).replace(/^(\.\.\/)+/, ""))) {
      named.set(join(folder, rest), found);
    }
  }
  return Array.from(named, ([name, it]) => ({ name, file: it }));
}
