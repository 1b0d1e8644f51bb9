// Offsets of the members of mjvGeom, mjvLight and mjvGLCamera, in words of 4 bytes. A test compares
// them with the engine's (web_layout).

export const GEOM = {
  words: 63,
  type: 0,
  dataid: 1,
  objtype: 2,
  objid: 3,
  category: 4,
  matid: 5,
  texcoord: 6,
  size: 8,
  pos: 11,
  mat: 14,
  rgba: 23,
  emission: 27,
  specular: 28,
  shininess: 29,
  reflectance: 30,
  label: 31,
  labelBytes: 100,
};

export const LIGHT = {
  words: 28,
  id: 0,
  pos: 1,
  dir: 4,
  type: 7,
  attenuation: 9,
  cutoff: 12,
  exponent: 13,
  ambient: 14,
  diffuse: 17,
  specular: 20,
  headlightByte: 92,
  castshadowByte: 93,
};

export const EYE = {
  words: 16,
  pos: 0,
  forward: 3,
  up: 6,
  center: 9,
  width: 10,
  bottom: 11,
  top: 12,
  near: 13,
  far: 14,
  orthographic: 15,
};

// The places in the order of web_layout, in bytes.
export const layout = [
  4 * GEOM.words,
  4 * GEOM.size,
  4 * GEOM.pos,
  4 * GEOM.mat,
  4 * GEOM.rgba,
  4 * GEOM.emission,
  4 * GEOM.reflectance,
  4 * GEOM.label,
  4 * LIGHT.words,
  4 * LIGHT.pos,
  4 * LIGHT.type,
  4 * LIGHT.attenuation,
  4 * LIGHT.ambient,
  LIGHT.headlightByte,
  4 * EYE.words,
  4 * EYE.center,
  4 * EYE.orthographic,
];

// mjtGeom
export const TYPE = {
  plane: 0,
  hfield: 1,
  sphere: 2,
  capsule: 3,
  ellipsoid: 4,
  cylinder: 5,
  box: 6,
  mesh: 7,
  sdf: 8,
  arrow: 100,
  arrow1: 101,
  arrow2: 102,
  line: 103,
  linebox: 104,
  flex: 105,
  skin: 106,
  label: 107,
  triangle: 108,
};

// mjtRndFlag
export const RENDER = {
  shadow: 0,
  wireframe: 1,
  reflection: 2,
  additive: 3,
  skybox: 4,
  fog: 5,
  haze: 6,
};
