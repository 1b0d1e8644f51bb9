// The textures of a model, and the sky.

import * as THREE from "three";
import type { Model } from "../model.ts";
import type { Quality } from "./quality.ts";

const TEXTURE_2D = 0,
  TEXTURE_SKYBOX = 2; // mjtTexture

// Whether the pixels are in a file that could not be read; it is drawn white then.
function isMissing(m: Model, id: number): boolean {
  return m.at("tex_adr", id) < 0;
}

// Pixels of `rows` rows from `row` on, with four channels.
function pixels(m: Model, id: number, row: number, rows: number): Uint8Array {
  if (isMissing(m, id)) {
    return new Uint8Array(4 * rows * rows).fill(255);
  }
  const width = m.at("tex_width", id),
    channels = m.at("tex_nchannel", id);
  const start = m.at("tex_adr", id) + row * width * channels;
  const data = m.array("tex_data");
  const out = new Uint8Array(4 * width * rows);
  for (let i = 0; i < width * rows; i++) {
    for (let k = 0; k < 4; k++) {
      // one channel is gray, two are gray and alpha
      const from = channels >= 3 ? k : k < 3 ? 0 : 1;
      out[4 * i + k] = from < channels ? data[start + i * channels + from]! : 255;
    }
  }
  return out;
}

function finish<T extends THREE.Texture>(texture: T, quality: Quality): T {
  texture.generateMipmaps = true;
  texture.minFilter = quality.mipmaps ? THREE.LinearMipmapLinearFilter : THREE.LinearMipmapNearestFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function flatTexture(m: Model, id: number, quality: Quality): THREE.Texture {
  const width = isMissing(m, id) ? 1 : m.at("tex_width", id),
    height = isMissing(m, id) ? 1 : m.at("tex_height", id);
  const texture = new THREE.DataTexture(pixels(m, id, 0, height), width, height);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = quality.anisotropy;
  return finish(texture, quality);
}

// Six images one above the other, or one for all sides.
function cubeTexture(m: Model, id: number, quality: Quality): THREE.CubeTexture {
  const width = isMissing(m, id) ? 1 : m.at("tex_width", id),
    height = isMissing(m, id) ? 1 : m.at("tex_height", id);
  const images: THREE.DataTexture[] = [];
  for (let side = 0; side < 6; side++) {
    const row = height >= 6 * width ? side * width : 0;
    const image = new THREE.DataTexture(pixels(m, id, row, width), width, width);
    image.needsUpdate = true;
    images.push(image);
  }
  return finish(new THREE.CubeTexture(images as unknown as HTMLImageElement[]), quality);
}

export class Textures {
  private readonly made = new Map<number, THREE.Texture>();

  constructor(
    private readonly m: Model,
    private readonly quality: Quality,
  ) {}

  isCube(id: number): boolean {
    return this.m.at("tex_type", id) !== TEXTURE_2D;
  }

  get(id: number): THREE.Texture {
    let texture = this.made.get(id);
    if (!texture) {
      texture = this.isCube(id) ? cubeTexture(this.m, id, this.quality) : flatTexture(this.m, id, this.quality);
      this.made.set(id, texture);
    }
    return texture;
  }

  // The sky of the model, null without one.
  sky(): THREE.CubeTexture | null {
    const id = this.m.array("tex_type").indexOf(TEXTURE_SKYBOX as never);
    return id >= 0 ? (this.get(id) as THREE.CubeTexture) : null;
  }

  dispose() {
    this.made.forEach((texture) => texture.dispose());
  }
}
