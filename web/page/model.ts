// A loaded model on the page: its arrays, and names and places of its elements.

import type { Numbers } from "../worker/memory.ts";
import type { ModelData, Place, Visual } from "../worker/messages.ts";

const NAME_ARRAYS: Record<string, string> = {
  body: "name_bodyadr",
  joint: "name_jntadr",
  geom: "name_geomadr",
  site: "name_siteadr",
  camera: "name_camadr",
  light: "name_lightadr",
  flex: "name_flexadr",
  mesh: "name_meshadr",
  skin: "name_skinadr",
  hfield: "name_hfieldadr",
  texture: "name_texadr",
  material: "name_matadr",
  pair: "name_pairadr",
  exclude: "name_excludeadr",
  equality: "name_eqadr",
  tendon: "name_tendonadr",
  actuator: "name_actuatoradr",
  sensor: "name_sensoradr",
  keyframe: "name_keyadr",
};

const decoder = new TextDecoder();

export class Model {
  constructor(private readonly data: ModelData) {}

  get visual(): Visual {
    return this.data.visual;
  }

  size(name: string): number {
    return this.data.sizes[name] ?? 0;
  }

  array(name: string): Numbers {
    return this.data.arrays[name] ?? new Float64Array(0);
  }

  // An entry of an array; 0 outside of it.
  at(name: string, i: number): number {
    return this.array(name)[i] ?? 0;
  }

  // The name of an element, or "kind 3".
  name(kind: string, id: number): string {
    const start = this.at(NAME_ARRAYS[kind]!, id);
    const names = this.array("names") as Uint8Array;
    let end = start;
    while (end < names.length && names[end] !== 0) {
      end++;
    }
    return start > 0 && end > start ? decoder.decode(names.subarray(start, end)) : `${kind} ${id}`;
  }

  names(kind: string): string[] {
    return Array.from(this.array(NAME_ARRAYS[kind]!), (_, id) => this.name(kind, id));
  }

  place(kind: string, id: number): Place | undefined {
    return this.data.places[kind]?.[id];
  }
}
