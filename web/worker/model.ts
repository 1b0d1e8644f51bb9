// Reads what the page needs of a loaded model: the arrays that it draws and lists from, and where
// each element stands in the text.

import { type Engine, type Numbers, call, callText, copyNumbers } from "./memory.ts";
import type { Attribute, ModelData, Place, Visual } from "./messages.ts";

const SIZES = [
  "nq",
  "nv",
  "nu",
  "nactuator",
  "na",
  "nbody",
  "njnt",
  "ngeom",
  "nsite",
  "ncam",
  "nlight",
  "nflex",
  "nmesh",
  "nskin",
  "nhfield",
  "ntex",
  "nmat",
  "npair",
  "nexclude",
  "neq",
  "ntendon",
  "nsensor",
  "nkey",
  "nsensordata",
];

// arrays of the model that the page draws or lists from
const ARRAYS = [
  "names",
  "body_parentid",
  "body_mass",
  "body_dofnum",
  "body_weldid",
  "jnt_type",
  "jnt_qposadr",
  "jnt_dofadr",
  "jnt_bodyid",
  "jnt_limited",
  "jnt_range",
  "geom_type",
  "geom_bodyid",
  "geom_dataid",
  "geom_size",
  "site_bodyid",
  "cam_bodyid",
  "light_bodyid",
  "light_castshadow",
  "light_type",
  "mesh_vertadr",
  "mesh_vertnum",
  "mesh_normaladr",
  "mesh_texcoordadr",
  "mesh_faceadr",
  "mesh_facenum",
  "mesh_graphadr",
  "mesh_vert",
  "mesh_normal",
  "mesh_texcoord",
  "mesh_face",
  "mesh_facenormal",
  "mesh_facetexcoord",
  "mesh_graph",
  "hfield_size",
  "hfield_nrow",
  "hfield_ncol",
  "hfield_adr",
  "hfield_data",
  "tex_type",
  "tex_colorspace",
  "tex_height",
  "tex_width",
  "tex_nchannel",
  "tex_adr",
  "tex_data",
  "mat_texid",
  "mat_texuniform",
  "mat_texrepeat",
  "skin_faceadr",
  "skin_facenum",
  "skin_face",
  "skin_vertadr",
  "skin_vertnum",
  "skin_texcoordadr",
  "skin_texcoord",
  "flex_vertadr",
  "flex_vertnum",
  "flex_edgeadr",
  "flex_edgenum",
  "flex_edge",
  "flex_matid",
  "flex_elemadr",
  "flex_elemnum",
  "flex_elemedgeadr",
  "flex_elemedge",
  "cnd_flex_elemmatid",
  "flex_radius",
  "flex_bodyadr",
  "flex_vertbodyid",
  "actuator_ctrladr",
  "actuator_ctrlnum",
  "actuator_ctrllimited",
  "actuator_ctrlrange",
  "actuator_trntype",
  "actuator_trnid",
  "sensor_type",
  "sensor_adr",
  "sensor_dim",
  "eq_type",
  "eq_obj1id",
  "tendon_num",
  "key_time",
  "qpos0",
];

// Kinds of elements: their name, mjtObj, the size that counts them, and their array of names.
export const KINDS: Record<string, { type: number; size: string; names: string }> = {
  body: { type: 1, size: "nbody", names: "name_bodyadr" },
  joint: { type: 3, size: "njnt", names: "name_jntadr" },
  geom: { type: 5, size: "ngeom", names: "name_geomadr" },
  site: { type: 6, size: "nsite", names: "name_siteadr" },
  camera: { type: 7, size: "ncam", names: "name_camadr" },
  light: { type: 8, size: "nlight", names: "name_lightadr" },
  flex: { type: 9, size: "nflex", names: "name_flexadr" },
  mesh: { type: 10, size: "nmesh", names: "name_meshadr" },
  skin: { type: 11, size: "nskin", names: "name_skinadr" },
  hfield: { type: 12, size: "nhfield", names: "name_hfieldadr" },
  texture: { type: 13, size: "ntex", names: "name_texadr" },
  material: { type: 14, size: "nmat", names: "name_matadr" },
  pair: { type: 15, size: "npair", names: "name_pairadr" },
  exclude: { type: 16, size: "nexclude", names: "name_excludeadr" },
  equality: { type: 17, size: "neq", names: "name_eqadr" },
  tendon: { type: 18, size: "ntendon", names: "name_tendonadr" },
  actuator: { type: 19, size: "nactuator", names: "name_actuatoradr" },
  sensor: { type: 20, size: "nsensor", names: "name_sensoradr" },
  keyframe: { type: 24, size: "nkey", names: "name_keyadr" },
};

const MAIN = -1; // the world of the model as it is written

interface Found {
  address: number;
  rows: number;
  columns: number;
  letter: string;
}

// Where an array of the model or of the data of a world is.
export function find(engine: Engine, name: string, ofData: boolean, world = MAIN): Found | null {
  const where = engine._malloc(16);
  const found = call(engine, "array", where, world, ofData ? 1 : 0, name);
  const [address, rows, columns, letter] = engine.HEAP32.slice(where >> 2, (where >> 2) + 4);
  engine._free(where);
  return found ? { address: address!, rows: rows!, columns: columns!, letter: String.fromCharCode(letter!) } : null;
}

export function read(engine: Engine, name: string, ofData = false): Numbers {
  const it = find(engine, name, ofData);
  return it ? copyNumbers(engine, it.address, it.rows * it.columns, it.letter) : new Float64Array(0);
}

function readPlaces(engine: Engine, type: number): (Place | undefined)[] {
  call(engine, "places", type);
  const places: (Place | undefined)[] = [];
  for (const [id, file, line] of JSON.parse(callText(engine, "text")!) as [number, string, number][]) {
    places[id] = { file, line };
  }
  return places;
}

function readVisual(engine: Engine): Visual {
  const v = engine.HEAPF64.slice(call(engine, "visual") >> 3);
  return {
    extent: v[0]!,
    zfar: v[1]!,
    shadowclip: v[2]!,
    fogstart: v[3]!,
    fogend: v[4]!,
    haze: v[5]!,
    fogColor: [v[6]!, v[7]!, v[8]!],
    hazeColor: [v[9]!, v[10]!, v[11]!],
  };
}

// Names of all arrays and sizes that the page wants.
export function wanted(): { arrays: string[]; sizes: string[] } {
  return { arrays: [...ARRAYS, ...Object.values(KINDS).map((kind) => kind.names)], sizes: SIZES };
}

export function readModel(engine: Engine): ModelData {
  const arrays: Record<string, Numbers> = {};
  for (const name of wanted().arrays) {
    arrays[name] = read(engine, name);
  }
  const sizes: Record<string, number> = {};
  for (const name of SIZES) {
    sizes[name] = Number(read(engine, name)[0] ?? 0);
  }
  const places: ModelData["places"] = {};
  for (const [kind, { type }] of Object.entries(KINDS)) {
    places[kind] = readPlaces(engine, type);
  }
  return { arrays, sizes, places, visual: readVisual(engine) };
}

// All arrays that have a row for each element of a kind, at the row of one of them.
export function inspect(engine: Engine, kind: string, id: number): Attribute[] {
  const size = KINDS[kind]?.size;
  const attributes: Attribute[] = [];
  for (let i = 0; ; i++) {
    const name = callText(engine, "field", i, 0);
    if (name === null) {
      return attributes;
    }
    if (callText(engine, "field", i, 1) !== size || name.startsWith("name_")) {
      continue;
    }
    const it = find(engine, name, false);
    if (!it || id >= it.rows || it.columns === 0) {
      continue;
    }
    const shown = Math.min(it.columns, 12);
    const all = copyNumbers(engine, it.address, it.rows * it.columns, it.letter);
    const values = Array.from(all.slice(id * it.columns, id * it.columns + shown), Number);
    attributes.push({ name, values, meaning: callText(engine, "field", i, 2)! });
  }
}
