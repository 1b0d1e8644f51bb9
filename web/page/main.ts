// The page: starts the engine, shows a model, and puts the panels around the picture.

import { App } from "./app.ts";
import { embedded, engineBinary } from "./sources.ts";
import { Session } from "./session.ts";

async function main() {
  const root = document.getElementById("app")!;
  try {
    const session = await Session.start(embedded("worker"), await engineBinary());
    // for the console: condyle.last is the last frame, condyle.call(...) calls the engine
    Object.assign(window, { condyle: session });
    await new App(root, session).start();
  } catch (error) {
    const message = document.createElement("p");
    message.className = "fatal";
    message.textContent = `The viewer can't start: ${error instanceof Error ? error.message : error}`;
    root.append(message);
  }
}

void main();
