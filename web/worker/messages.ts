// What the page and the worker say to each other.

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

// The picture of one world: parts of mjvScene as they are in memory.
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
}

// A call of an engine's function that needs no answer.
export type Call = [name: string, ...values: (number | string)[]];

export interface Tick {
  kind: "tick";
  calls: Call[];
  playing: boolean;
  speed: number;
}

export interface Request {
  kind: "ask";
  id: number;
  what: "load" | "compare" | "lint" | "pick" | "inspect" | "names" | "measure";
  values: unknown[];
}

export type ToWorker = { kind: "start"; engine: ArrayBuffer } | Tick | Request;

export type FromWorker =
  | { kind: "ready"; layout: number[] }
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
