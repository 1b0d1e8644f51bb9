// The page: starts the engine, shows a model, and puts the panels around the picture.

import { App } from "./app.ts";
import { Remote } from "./remote.ts";
import { embedded, engineBinary, start } from "./sources.ts";
import { Session, WorkerLink } from "./session.ts";

async function main() {
  const root = document.getElementById("app")!;
  try {
    const { socket } = start();
    const session = await Session.start(socket ? new Remote(socket) : new WorkerLink(embedded("worker"), await engineBinary()));
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
