// Materials: the common look of shapes that are drawn by one call. Each is the shape program
// (program.ts) with certain switches, and a texture.

import * as THREE from "three";
import type { Model } from "../model.ts";
import type { Lights } from "./lights.ts";
import type { Mirror } from "./mirror.ts";
import { COPY, fragmentProgram, vertexProgram } from "./program.ts";
import type { Quality } from "./quality.ts";
import type { Textures } from "./textures.ts";

export interface Look {
  texture: number; // -1: none
  texcoord: boolean; // the shape has texture coordinates of its own
  transparent: boolean;
  doubleSided: boolean;
  infinite: boolean;
  mirror: 0 | 1 | 2; // nothing, all of the shape, or its upper side mirrors the others
}

// Texture role of plain colours, mjTEXROLE_RGB, and the number of roles.
const ROLE_RGB = 1,
  ROLES = 10;

export class Materials {
  // of the picture that is made
  wireframe = false;
  additive = false;
  readonly haze = { fogColor: { value: new THREE.Color() }, fogRange: { value: new THREE.Vector2(1e9, 2e9) } };
  readonly fog = { fogColor: { value: new THREE.Color() }, fogRange: { value: new THREE.Vector2(1e9, 2e9) } };
  foggy = false;
  private readonly made = new Map<number, THREE.RawShaderMaterial>();

  constructor(
    private readonly m: Model,
    private readonly textures: Textures,
    private readonly mirror: Mirror,
    private readonly lights: Lights,
    private readonly quality: Quality,
  ) {}

  // A number that differs for different looks.
  key(look: Look): number {
    return (
      ((look.texture + 1) << 6) |
      (+look.texcoord << 5) |
      (+look.transparent << 4) |
      (+look.doubleSided << 3) |
      (+look.infinite << 2) |
      look.mirror
    );
  }

  get(look: Look): THREE.RawShaderMaterial {
    const key = this.key(look);
    let material = this.made.get(key);
    if (!material) {
      material = this.make(look);
      this.made.set(key, material);
    }
    material.wireframe = this.wireframe;
    material.blending = this.additive && look.transparent ? THREE.AdditiveBlending : THREE.NormalBlending;
    // the program is compiled for a set of lights
    const foggy = this.foggy || look.infinite,
      { kinds, shadows } = this.lights,
      { userData, defines } = material;
    if (userData["kinds"] !== kinds || defines["SHADOWS"] !== shadows || defines["FOGGED"] !== +foggy) {
      userData["kinds"] = kinds;
      Object.assign(defines, { LIGHTS: kinds.length, SHADOWS: shadows, FOGGED: +foggy });
      material.vertexShader = vertexProgram(kinds, shadows);
      material.fragmentShader = fragmentProgram(kinds, shadows);
      Object.assign(material.uniforms, this.foggy ? this.fog : this.haze);
      material.needsUpdate = true;
    }
    return material;
  }

  private make(look: Look): THREE.RawShaderMaterial {
    const { texture } = look;
    return new THREE.RawShaderMaterial({
      glslVersion: THREE.GLSL3,
      defines: {
        DEPTHS: 0,
        TEXTURED: texture < 0 ? 0 : this.textures.isCube(texture) ? 2 : 1,
        COORDS: +look.texcoord,
        MIRROR: look.mirror,
        TWO_SIDED: +look.doubleSided,
        PIXELS: +this.quality.pixelLight,
        SOFT: +this.quality.softShadows,
      },
      uniforms: {
        ...this.lights.uniforms,
        ...(look.mirror ? this.mirror.uniforms : {}),
        image: { value: texture < 0 ? null : this.textures.get(texture) },
      },
      transparent: look.transparent,
      depthWrite: !look.transparent,
      side: look.doubleSided ? THREE.DoubleSide : THREE.FrontSide,
    });
  }

  // The texture of a material, -1 without one.
  texture(matid: number): number {
    return matid >= 0 ? this.m.at("mat_texid", ROLES * matid + ROLE_RGB) : -1;
  }

  // How the texture of a material lies on a shape: k (p_x / 2, -p_y / 2) - 1/2, with k times repeated over the shape, or per unit
  // length; that of a cube by p, or by lengths. `absolute`: p are lengths.
  lay(copy: Float32Array, matid: number, size: ArrayLike<number>, absolute: boolean) {
    const uniform = this.m.at("mat_texuniform", matid) !== 0;
    const cube = this.textures.isCube(this.texture(matid));
    for (let k = 0; k < 3; k++) {
      const length = size[k]!;
      const repeat = this.m.at("mat_texrepeat", 2 * matid + k) / (absolute && length > 0 ? length : 1);
      copy[COPY.texgen + k] = cube
        ? uniform
          ? length
          : 1
        : (k ? -0.5 : 0.5) * repeat * (uniform && length > 0 ? length : 1);
    }
    copy[COPY.texgen + 3] = cube ? 0 : -0.5;
  }

  dispose() {
    this.made.forEach((material) => material.dispose());
  }
}
