// The worker: steps the simulation in real time, and answers the page.
//
// The simulation follows the clock whether or not pictures are drawn. The page asks for a picture
// when it is about to draw (tick), and sends mouse motions and changed controls since then along,
// in order. A simulation that is too slow for the clock falls behind, and reports by how much.
// Without a page that asks, it stands still.

import makeEngine from "engine.mjs";
import { type Engine, call, callText, copyNumbers } from "./memory.ts";
import type { Frame, FromWorker, Loaded, Picked, Picture, Request, SourceFile, Tick, ToWorker } from "./messages.ts";
import { inspect, read, readModel } from "./model.ts";
import { homeless, isRobot } from "./robots.ts";
import { megabytes } from "./units.ts";

const LAYOUT = 17; // numbers of web_layout
const BEAT = 8; // milliseconds between two looks at the clock
const STEP_BUDGET = 12; // milliseconds of steps between two looks at what the page says
const LARGEST_LAG = 0.1; // seconds that the simulation may run after the clock
const PATIENCE = 1500; // milliseconds without a tick until the simulation waits

let engine: Engine;
let clock = { wall: 0, simulated: 0, speed: 1, playing: false };
let rate = 1;
let warning = "";
let lastTick = 0;
let done = { steps: 0, milliseconds: 0, failed: false }; // since the last picture

function post(message: FromWorker, transfer: Transferable[] = []) {
  (self as unknown as { postMessage(m: unknown, t: Transferable[]): void }).postMessage(message, transfer);
}

function number(name: string): number {
  return Number(read(engine, name, true)[0] ?? 0);
}

function bytes(address: number, count: number): ArrayBuffer {
  return engine.HEAPU8.slice(address, address + count).buffer as ArrayBuffer;
}

function floats(address: number, count: number): Float32Array {
  return engine.HEAPF32.slice(address >> 2, (address >> 2) + count);
}

// Sizes of a flex's and of all skins' arrays, per model.
let faceCapacities = new Int32Array(0);
let surfaces = { flexes: 0, faces: 0, vertices: 0, skinVertices: 0 };

function measureSurfaces() {
  const where = engine._malloc(24);
  surfaces = { flexes: 0, faces: 0, vertices: 0, skinVertices: 0 };
  surfaces.flexes = call(engine, "flex", where, -1);
  faceCapacities = new Int32Array(surfaces.flexes);
  for (let i = 0; i < surfaces.flexes; i++) {
    call(engine, "flex", where, i);
    surfaces.vertices += engine.HEAP32[(where >> 2) + 2]!;
    faceCapacities[i] = engine.HEAP32[(where >> 2) + 5]!;
    surfaces.faces += faceCapacities[i]!;
  }
  engine._free(where);
  surfaces.skinVertices = Number(read(engine, "nskinvert")[0] ?? 0);
}

function picture(world: number): Picture | null {
  const parts = call(engine, "scene", world);
  if (!parts) {
    return null;
  }
  const p = engine.HEAP32.slice(parts >> 2, (parts >> 2) + 15);
  const result: Picture = {
    world,
    geoms: bytes(p[0]!, 252 * p[1]!),
    lights: bytes(p[2]!, 112 * p[3]!),
    eyes: bytes(p[4]!, 128),
    flags: engine.HEAPU8.slice(p[5]!, p[5]! + 10),
  };
  if (surfaces.flexes) {
    result.flex = {
      vertices: floats(p[6]!, 3 * surfaces.vertices),
      faces: floats(p[7]!, 9 * surfaces.faces),
      normals: floats(p[8]!, 9 * surfaces.faces),
      texcoords: floats(p[9]!, 6 * surfaces.faces),
      used: engine.HEAP32.slice(p[10]! >> 2, (p[10]! >> 2) + surfaces.flexes),
      options: engine.HEAPU8.slice(p[11]!, p[11]! + 4),
    };
  }
  if (surfaces.skinVertices) {
    result.skin = {
      vertices: floats(p[12]!, 3 * surfaces.skinVertices),
      normals: floats(p[13]!, 3 * surfaces.skinVertices),
    };
  }
  return result;
}

function resetClock() {
  clock.wall = performance.now();
  clock.simulated = number("time");
}

// Steps up to the time of the clock.
function follow() {
  if (!clock.playing || done.failed || call(engine, "law") < 0) {
    return;
  }
  const start = performance.now();
  const target = clock.simulated + ((start - clock.wall) / 1000) * clock.speed;
  const before = number("time");
  const steps = call(engine, "advance", target, STEP_BUDGET);
  const end = performance.now(),
    now = number("time"),
    elapsed = (end - clock.wall) / 1000;
  if (steps < 0) {
    done.failed = true;
    return;
  }
  done.steps += steps;
  done.milliseconds += end - start;
  if (target - now > LARGEST_LAG * clock.speed || now < before) {
    // it was too slow, or an unstable state was reset: restart the clock from here
    rate = Math.max(0, (now - clock.simulated) / elapsed);
    resetClock();
  } else if (elapsed > 0.5) {
    rate = (now - clock.simulated) / elapsed;
    clock.simulated += elapsed * clock.speed;
    clock.wall = end;
  }
}

function tick(message: Tick) {
  lastTick = performance.now();
  for (const [name, ...values] of message.calls) {
    call(engine, name, ...values);
    if (name === "reset" || name === "step") {
      resetClock();
    }
  }
  if (message.playing !== clock.playing || message.speed !== clock.speed) {
    clock = { ...clock, playing: message.playing, speed: message.speed };
    rate = message.speed;
    resetClock();
  }
  if (message.playing) {
    follow();
  } else if (call(engine, "law") >= 0 && !call(engine, "forward")) {
    done.failed = true;
  }
  const pictures: Picture[] = [];
  for (let world = 0; world < 3; world++) {
    const it = picture(world);
    if (it) {
      pictures.push(it);
    }
  }
  const energy = read(engine, "energy", true) as Float64Array;
  const frame: Frame = {
    kind: "frame",
    pictures,
    time: number("time"),
    energy: [energy[0] ?? 0, energy[1] ?? 0],
    contacts: number("ncon"),
    rows: number("nefc"),
    steps: done.steps,
    stepTime: done.steps > 0 ? done.milliseconds / done.steps : 0,
    rate,
    qpos: read(engine, "qpos", true) as Float64Array,
    qvel: read(engine, "qvel", true) as Float64Array,
    ctrl: read(engine, "ctrl", true) as Float64Array,
    sensors: read(engine, "sensordata", true) as Float64Array,
    selected: call(engine, "selected"),
    camera: copyNumbers(engine, call(engine, "camera"), 6, "d") as Float64Array,
    warning,
    error: done.failed ? callText(engine, "error")! : "",
  };
  warning = "";
  done = { steps: 0, milliseconds: 0, failed: false };
  post(
    frame,
    pictures.map((it) => it.geoms),
  );
}

function load(files: SourceFile[], main: string, keep: boolean): Loaded {
  const start = performance.now();
  const size = files.reduce((sum, file) => sum + file.bytes.length, 0);
  post({ kind: "stage", stage: { text: `Reading ${megabytes(size)}` } });
  call(engine, "forgetFiles");
  const decoded = files.map((file) => file.name.split("/").pop()!.toLowerCase());
  const robot = isRobot(main, files);
  const missed = robot ? homeless(main, files) : [];
  files.forEach((file, i) => {
    const address = engine._malloc(Math.max(1, file.bytes.length));
    engine.HEAPU8.set(file.bytes, address);
    call(engine, "file", file.name, address, file.bytes.length);
    // also add the file under its plain name, if only one file has that name
    if (!robot && decoded.indexOf(decoded[i]!) === decoded.lastIndexOf(decoded[i]!) && decoded[i] !== file.name) {
      call(engine, "file", decoded[i]!, address, file.bytes.length);
    }
    for (const { name } of missed.filter((it) => it.file === file)) {
      call(engine, "file", name, address, file.bytes.length);
    }
    engine._free(address);
  });
  post({ kind: "stage", stage: { text: "Compiling the model" } });
  const loaded = call(engine, "load", main, keep ? 1 : 0, robot ? 1 : 0);
  const problems = JSON.parse(callText(engine, "text") || "[]");
  warning = "";
  if (loaded) {
    measureSurfaces();
    resetClock();
  }
  const model = loaded ? readModel(engine) : null;
  if (model) {
    model.arrays["flex_facecapacity"] = faceCapacities;
  }
  return { problems, model, milliseconds: performance.now() - start };
}

function pick(world: number, aspect: number, x: number, y: number): Picked {
  const room = engine._malloc(32);
  const body = call(engine, "pick", room, room + 24, world, aspect, x, y);
  const [px, py, pz] = engine.HEAPF64.slice(room >> 3, (room >> 3) + 3);
  const geom = engine.HEAP32[(room + 24) >> 2]!;
  engine._free(room);
  return { body, geom: body >= 0 ? geom : -1, point: [px!, py!, pz!] };
}

// Sets the state (mjSTATE_INTEGRATION) of all worlds; whether it fits the model.
function restore(state: Float64Array): boolean {
  const room = engine._malloc(8 * state.length);
  engine.HEAPF64.set(state, room >> 3);
  const done = call(engine, "restore", state.length, room);
  engine._free(room);
  resetClock();
  return done !== 0;
}

// All names of a table (web_name).
function names(what: number): string[] {
  const list: string[] = [];
  for (let i = 0; ; i++) {
    const name = callText(engine, "name", what, i);
    if (name === null) {
      return list;
    }
    list.push(name);
  }
}

// Mean milliseconds of a step, over a number of steps from the beginning.
function measure(steps: number): number {
  call(engine, "reset", -1);
  const timestep = read(engine, "opt.timestep")[0]!;
  const start = performance.now();
  const done = call(engine, "advance", (steps - 0.5) * timestep, 1e9);
  const mean = (performance.now() - start) / done;
  call(engine, "reset", -1);
  resetClock();
  return mean;
}

function answer(request: Request): unknown {
  const v = request.values;
  switch (request.what) {
    case "load":
      return load(v[0] as SourceFile[], v[1] as string, v[2] as boolean);
    case "compare":
      return call(engine, "compare", v[0] as number) ? "" : callText(engine, "error");
    case "lint":
      call(engine, "lint");
      return JSON.parse(callText(engine, "text") || "[]");
    case "pick":
      return pick(v[0] as number, v[1] as number, v[2] as number, v[3] as number);
    case "inspect":
      return inspect(engine, v[0] as string, v[1] as number);
    case "names":
      return {
        names: [0, 1, 2, 3, 4, 5].map(names),
        shown: names(0).map((_, i) => call(engine, "shown", i)),
        rendered: names(1).map((_, i) => call(engine, "rendered", i)),
        groups: [0, 1, 2, 3, 4, 5, 6].map((kind) => [0, 1, 2, 3, 4, 5].map((i) => call(engine, "group", kind, i))),
      };
    case "restore":
      return restore(v[0] as Float64Array);
    case "measure":
      return measure(v[0] as number);
  }
}

// The engine, which is compiled while it is unpacked.
function unpacked(base64: string): Response {
  const text = atob(base64);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    packed[i] = text.charCodeAt(i);
  }
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "Content-Type": "application/wasm" } });
}

async function start(packed: string) {
  engine = await new Promise<Engine>((resolve, reject) => {
    makeEngine({
      instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
        WebAssembly.instantiateStreaming(unpacked(packed), imports).then((it) => done(it.instance), reject);
        return {};
      },
      locateFile: (name: string) => name,
      print: () => {},
      printErr: (text: string) => {
        warning = text;
      },
    }).then(resolve, reject);
  });
  call(engine, "start");
  setInterval(() => {
    if (performance.now() - lastTick < PATIENCE) {
      follow();
    } else {
      resetClock();
    }
  }, BEAT);
  const places = call(engine, "layout") >> 2;
  post({ kind: "ready", layout: Array.from(engine.HEAP32.slice(places, places + LAYOUT)) });
}

// Messages before the engine has started wait for it, in order.
let started: Promise<void> = Promise.resolve();

self.onmessage = async (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  try {
    if (message.kind === "start") {
      started = start(message.engine);
    }
    await started;
    if (message.kind === "start") {
      return;
    }
    if (message.kind === "tick") {
      tick(message);
    } else if (message.kind === "ask") {
      post({ kind: "answer", id: message.id, value: answer(message) });
    }
  } catch (error) {
    post({ kind: "broken", message: String(error) });
  }
};
