// The messages between the page and the worker.

import type { Numbers } from "./memory.ts";

export interface SourceFile {
  name: string;
  bytes: Uint8Array;
}

export interface Problem {
  file: string;
  line: number;
  column: number;
  element: string;
  message: string;
  hint: string;
  check: string;
  error: boolean;
  body?: number; // that it is about; -1 or nothing if it is about no single one
}

// A problem that a program found in the file of which it made the model, with the name of its body.
export interface Note extends Problem {
  owner: string;
}

// Where an element stands in the text.
export interface Place {
  file: string;
  line: number;
}

// A model as the page needs it: arrays by their name in mjModel, names and places of elements.
export interface ModelData {
  arrays: Record<string, Numbers>;
  sizes: Record<string, number>;
  places: Record<string, (Place | undefined)[]>; // by kind of element: "body", "geom"...
  visual: Visual;
}

// What mjVisual and mjStatistic say about pictures.
export interface Visual {
  extent: number;
  zfar: number;
  shadowclip: number;
  fogstart: number;
  fogend: number;
  haze: number;
  fogColor: [number, number, number];
  hazeColor: [number, number, number];
}

// The picture of one world: the parts of mjvScene as raw memory.
export interface Picture {
  world: number;
  geoms: ArrayBuffer;
  lights: ArrayBuffer;
  eyes: ArrayBuffer;
  flags: Uint8Array;
  flex?: FlexPicture;
  skin?: { vertices: Float32Array; normals: Float32Array };
}

export interface FlexPicture {
  vertices: Float32Array;
  faces: Float32Array;
  normals: Float32Array;
  texcoords: Float32Array;
  used: Int32Array;
  options: Uint8Array; // vertices, edges, faces, skin
}

export interface Frame {
  kind: "frame";
  pictures: Picture[];
  time: number;
  energy: [number, number];
  contacts: number;
  rows: number;
  steps: number;
  stepTime: number; // mean milliseconds of a step of this frame; 0 without steps
  rate: number; // simulated time over real time
  qpos: Float64Array;
  qvel: Float64Array;
  ctrl: Float64Array;
  sensors: Float64Array;
  selected: number;
  camera: Float64Array; // lookat, distance, azimuth, elevation
  warning: string;
  error: string;
  playing?: boolean; // of a simulation that runs elsewhere
  speed?: number;
  look?: number; // changes with what is shown, and how
}

// A call of an engine's function that needs no answer.
export type Call = [name: string, ...values: (number | string)[]];

export interface Tick {
  kind: "tick";
  calls: Call[];
  playing: boolean;
  speed: number;
  width: number; // of the picture, pixels
  height: number;
}

export interface Request {
  kind: "ask";
  id: number;
  what: "load" | "compare" | "lint" | "pick" | "inspect" | "names" | "measure" | "restore";
  values: unknown[];
}

// The engine is packed by gzip, in base64.
export type ToWorker = { kind: "start"; engine: string } | { kind: "key"; code: string } | Tick | Request;

// What the page may do if a program runs the simulation elsewhere.
export interface Program {
  managed: boolean; // the page may stop its clock
  left: boolean; // show the panel
  right: boolean;
  loads: boolean;
  reloads: boolean;
  waits: boolean; // for a model
}

// A part of an array of the model that has changed.
export interface Patch {
  array: string;
  start: number;
  bytes: ArrayBuffer;
}

export type Rectangle = [left: number, bottom: number, width: number, height: number];

// A plot of lines, as mjvFigure describes it.
export interface Figure {
  rect: Rectangle;
  title: string;
  xlabel: string;
  names: string[];
  counts: number[];
  colors: Float32Array;
  points: Float32Array; // one row of x, y, x, y... for each line
  range: Float32Array;
  grid: Int32Array;
  gridColor: Float32Array;
  figureColor: Float32Array;
  paneColor: Float32Array;
  textColor: Float32Array;
  legendColor: Float32Array;
  lineWidth: number;
  legend: boolean;
  tickLabels: [boolean, boolean];
  extend: boolean;
  bars: boolean;
  symmetric: boolean;
  selection: number | null;
  formats: [string, string];
}

// What a program puts over the picture.
export interface Overlays {
  figures: Figure[];
  texts: { font: number; place: number; left: string; right: string }[];
  images: { rect: Rectangle; colors: Uint8Array }[];
}

// What is being done until a model is on the screen; done of total where that is known.
export interface Stage {
  text: string;
  done?: number;
  total?: number;
  main?: string; // the model that comes
}

export type FromWorker =
  | { kind: "stage"; stage: Stage }
  | { kind: "ready"; layout?: number[]; remote?: Program }
  | { kind: "model"; title: string; files: SourceFile[]; loaded: Loaded }
  | { kind: "patch"; patches: Patch[] }
  | ({ kind: "overlays" } & Overlays)
  | { kind: "closed"; message: string }
  | Frame
  | { kind: "answer"; id: number; value: unknown }
  | { kind: "broken"; message: string };

export interface Loaded {
  problems: Problem[];
  model: ModelData | null;
  milliseconds: number;
}

export interface Picked {
  body: number;
  geom: number;
  point: [number, number, number];
}

export interface Attribute {
  name: string;
  values: number[];
  meaning: string;
}
