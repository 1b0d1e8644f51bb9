// Which of many files is the model.

import type { SourceFile } from "../worker/messages.ts";
import { root } from "../worker/robots.ts";
import { h, plainName } from "./dom.ts";

const ROOTS = /^(mujoco|robot|sdf)$/;
const MOST_SHOWN = 500; // models in a list

// Models among files that no other one includes.
export function candidates(files: SourceFile[]): string[] {
  const texts = files.filter((file) => /\.(xml|mjcf|urdf|sdf)$/i.test(file.name));
  const whole = texts.filter((file) => ROOTS.test(root(file.bytes)));
  const included = new Set<string>();
  for (const file of whole.filter((it) => /\.(xml|mjcf)$/i.test(it.name))) {
    const text = new TextDecoder().decode(file.bytes);
    for (const [, , name] of text.matchAll(/(file|model)\s*=\s*["']([^"']*)["']/g)) {
      included.add(plainName(name!));
    }
  }
  const top = whole.filter((file) => !included.has(plainName(file.name)));
  const binary = files.filter((file) => /\.(mjb|mjz)$/i.test(file.name));
  const found = [...(top.length ? top : whole), ...binary];
  // a text that is broken before its root is better than none: its errors have places
  return (found.length || files.length > 1 ? found : texts).map((file) => file.name);
}

// A name without what names of packages and files differ by.
function essence(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.[a-z]+$/, "")
    .replace(/[^a-z0-9]|description|robot|model/g, "");
}

// The one of several models that is meant: a scene, or the only one that is called as a folder
// around it; null if that isn't clear.
export function meant(names: string[]): string | null {
  const scenes = names.filter((name) => /scene/i.test(plainName(name)));
  const fitting = names.filter((name) => {
    const stem = essence(plainName(name));
    return stem !== "" && name.split("/").slice(0, -1).map(essence).includes(stem);
  });
  return names.length === 1 ? names[0]! : scenes.length === 1 ? scenes[0]! : fitting.length === 1 ? fitting[0]! : null;
}

// Asks which model to show; null if the list is closed.
export function ask(root: HTMLElement, names: string[]): Promise<string | null> {
  const sorted = [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { class: "gallery", id: "choice" },
      h("header", {}, h("h2", {}, "Which model?"), h("button", { title: "Close", onclick: () => dialog.close() }, "✕")),
      h(
        "div",
        { class: "names" },
        ...sorted.slice(0, MOST_SHOWN).map((name) =>
          h(
            "button",
            {
              "data-name": name,
              onclick: () => {
                resolve(name);
                dialog.close();
              },
            },
            h("b", {}, plainName(name)),
            h("span", {}, name.split("/").slice(0, -1).join("/")),
          ),
        ),
      ),
      names.length > MOST_SHOWN ? h("p", { class: "quiet" }, `and ${names.length - MOST_SHOWN} more`) : null,
    );
    dialog.addEventListener("close", () => {
      resolve(null);
      dialog.remove();
    });
    root.append(dialog);
    dialog.showModal();
  });
}

// Why there is no model among files.
export function reason(files: SourceFile[]): string {
  const xacro = files.find((file) => /\.xacro$/i.test(file.name));
  return xacro
    ? `${plainName(xacro.name)} is a program that writes a robot, which a page can't run: make the robot by “xacro ` +
        `${plainName(xacro.name)} > robot.urdf” and drop it together with its folder`
    : "There is no model among these files: MJCF, URDF or SDF (.xml, .urdf, .sdf), an archive (.mjz), or a binary " +
        "model (.mjb)";
}
