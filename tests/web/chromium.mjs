// A browser without a screen, driven by the DevTools protocol through a pipe.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TIMEOUT = 60000; // milliseconds for an answer of the browser

export class Browser {
  static async start({ width = 1280, height = 720, dark = true } = {}) {
    const profile = mkdtempSync(join(tmpdir(), "condyle-chromium-"));
    const child = spawn(
      "chromium",
      [
        "--headless",
        "--no-sandbox",
        "--remote-debugging-pipe",
        `--user-data-dir=${profile}`,
        `--window-size=${width},${height}`,
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-extensions",
        "--disable-background-networking",
        "--disable-component-update",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--disable-gpu-compositing",
        "about:blank",
      ],
      { detached: true, stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    const browser = new Browser(child, profile);
    const { targetInfos } = await browser.send("Target.getTargets");
    const page = targetInfos.find((target) => target.type === "page");
    browser.session = (
      await browser.send("Target.attachToTarget", {
        targetId: page.targetId,
        flatten: true,
      })
    ).sessionId;
    for (const domain of ["Page", "Runtime", "Network", "Log"]) {
      await browser.send(`${domain}.enable`);
    }
    await browser.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await browser.look(dark);
    return browser;
  }

  constructor(child, profile) {
    this.child = child;
    this.profile = profile;
    this.answers = new Map();
    this.nextId = 1;
    this.requests = []; // addresses that the page asked for
    this.complaints = []; // errors on its console
    let rest = "";
    child.stdio[4].setEncoding("utf8");
    child.stdio[4].on("data", (data) => {
      const messages = (rest + data).split("\0");
      rest = messages.pop();
      messages.forEach((message) => this.hear(JSON.parse(message)));
    });
    this.ended = new Promise((resolve) => child.on("exit", resolve));
  }

  hear({ id, result, error, method, params }) {
    if (id) {
      const answer = this.answers.get(id);
      this.answers.delete(id);
      return error
        ? answer?.reject(new Error(error.message))
        : answer?.resolve(result);
    }
    if (method === "Network.requestWillBeSent") {
      this.requests.push(params.request.url);
    } else if (method === "Runtime.exceptionThrown") {
      this.complaints.push(
        params.exceptionDetails.exception?.description ??
          params.exceptionDetails.text,
      );
    } else if (method === "Log.entryAdded" && params.entry.level === "error") {
      this.complaints.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    } else if (
      method === "Runtime.consoleAPICalled" &&
      params.type === "error"
    ) {
      this.complaints.push(
        params.args.map((it) => it.value ?? it.description).join(" "),
      );
    }
  }

  send(method, params = {}) {
    const id = this.nextId++;
    this.child.stdio[3].write(
      JSON.stringify({ id, method, params, sessionId: this.session }) + "\0",
    );
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${method} takes too long`)),
        TIMEOUT,
      );
      const done = (settle) => (value) => {
        clearTimeout(timer);
        settle(value);
      };
      this.answers.set(id, { resolve: done(resolve), reject: done(reject) });
    });
  }

  look(dark) {
    const features = [
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
    ];
    return this.send("Emulation.setEmulatedMedia", { features });
  }

  open(url) {
    return this.send("Page.navigate", { url });
  }

  // The value of an expression in the page; promises are awaited.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      throw new Error(
        exceptionDetails.exception?.description ?? exceptionDetails.text,
      );
    }
    return result.value;
  }

  // Waits until an expression is true.
  async until(expression, milliseconds = 20000) {
    const stop = Date.now() + milliseconds;
    for (;;) {
      const value = await this.evaluate(expression);
      if (value) {
        return value;
      }
      if (Date.now() > stop) {
        throw new Error(
          `still not true after ${milliseconds} ms: ${expression}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  mouse(
    type,
    x,
    y,
    {
      button = "left",
      buttons = 0,
      modifiers = 0,
      clickCount = 0,
      deltaY = 0,
    } = {},
  ) {
    return this.send("Input.dispatchMouseEvent", {
      type,
      x,
      y,
      button,
      buttons,
      modifiers,
      clickCount,
      ...(type === "mouseWheel" ? { deltaX: 0, deltaY } : {}),
    });
  }

  // Presses a button at one place and lets it go at another.
  async drag(
    [x0, y0],
    [x1, y1],
    { button = "left", modifiers = 0, steps = 6 } = {},
  ) {
    const buttons = { left: 1, right: 2, middle: 4 }[button];
    await this.mouse("mousePressed", x0, y0, {
      button,
      buttons,
      modifiers,
      clickCount: 1,
    });
    for (let i = 1; i <= steps; i++) {
      const t = i / steps;
      await this.mouse("mouseMoved", x0 + t * (x1 - x0), y0 + t * (y1 - y0), {
        button,
        buttons,
        modifiers,
      });
    }
    return () =>
      this.mouse("mouseReleased", x1, y1, { button, modifiers, clickCount: 1 });
  }

  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", {
      format: "png",
    });
    return Buffer.from(data, "base64");
  }

  // Helpers of the browser may outlive it and still write into its folder.
  async close() {
    process.kill(-this.child.pid, "SIGKILL");
    await this.ended;
    for (const stop = Date.now() + 10000; ;) {
      try {
        rmSync(this.profile, { recursive: true, force: true });
        return;
      } catch (error) {
        if (Date.now() > stop) {
          throw error;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
