// The page: shows a model, and puts the panels around the picture.

import { App } from "./app.ts";
import { Remote } from "./remote.ts";
import { start } from "./sources.ts";
import { Session } from "./session.ts";

async function main() {
  const root = document.getElementById("app")!;
  try {
    const { socket } = start();
    const { session, ready } = Session.start(socket ? new Remote(socket) : window.boot!);
    if (socket) {
      // wait until a program, if there is one, has said what the page may do
      await ready;
    }
    // for the console: condyle.last is the last frame, condyle.call(...) calls the engine
    Object.assign(window, { condyle: session });
    const app = new App(root, session);
    await Promise.all([ready, app.start()]);
  } catch (error) {
    const message = document.createElement("p");
    message.className = "fatal";
    message.textContent = `The viewer can't start: ${error instanceof Error ? error.message : error}`;
    root.append(message);
  }
}

void main();
