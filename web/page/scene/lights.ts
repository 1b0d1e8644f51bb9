// The lights of a scene as uniforms of the shape program, and their shadow maps.

import * as THREE from "three";
import type { Visual } from "../../worker/messages.ts";
import { LIGHT } from "./layout.ts";
import { PARALLEL, SPOT, fragmentProgram, vertexProgram } from "./program.ts";
import type { Quality } from "./quality.ts";

const DIRECTIONAL = 1,
  POINT = 2; // mjtLightType
const WORDS = 24; // floats of a light in the program
const WIDEST = 120; // degrees of a spot's shadow
const GAP = 0.006; // of the model's extent, between surfaces and their shadows
const EVEN = 0.3; // light of scenes without lights

// Objects in this layer throw shadows.
export const SHADOW_LAYER = 2;

// clip space as coordinates of a texture
const half = new THREE.Matrix4().set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1);
const place = new THREE.Vector3(),
  target = new THREE.Vector3(),
  up = new THREE.Vector3();

export class Lights {
  kinds = ""; // of each light, as the program is compiled for them
  shadows = 0; // how many of the last lights cast shadows
  readonly uniforms = {
    light: { value: new Float32Array(WORDS) },
    ambient: { value: new THREE.Vector3() },
    shadowView: { value: [new THREE.Matrix4(), new THREE.Matrix4()] },
    shadowGap: { value: 0 },
    shadowMap0: { value: null as THREE.Texture | null },
    shadowMap1: { value: null as THREE.Texture | null },
  };
  private readonly maps: THREE.WebGLRenderTarget[] = [];
  private readonly cameras = [new THREE.PerspectiveCamera(), new THREE.PerspectiveCamera()];
  private readonly material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3,
    vertexShader: vertexProgram("", 0),
    fragmentShader: fragmentProgram("", 0),
    side: THREE.DoubleSide,
    colorWrite: false,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 4,
    defines: {
      DEPTHS: 1,
      LIGHTS: 0,
      SHADOWS: 0,
      TEXTURED: 0,
      FOGGED: 0,
      MIRROR: 0,
      PIXELS: 0,
      COORDS: 0,
      TWO_SIDED: 0,
    },
  });

  constructor(
    private readonly visual: Visual,
    private readonly quality: Quality,
  ) {
    this.uniforms.shadowGap.value = GAP * visual.extent;
    this.cameras.forEach((camera) => {
      camera.matrixAutoUpdate = false;
      camera.layers.set(SHADOW_LAYER);
    });
  }

  update(buffer: ArrayBuffer, shadows: boolean) {
    const words = new Int32Array(buffer),
      numbers = new Float32Array(buffer),
      bytes = new Uint8Array(buffer);
    const all = Array.from({ length: words.length / LIGHT.words }, (_, i) => i);
    const casts = (i: number) =>
      bytes[4 * LIGHT.words * i + LIGHT.castshadowByte]! !== 0 &&
      !bytes[4 * LIGHT.words * i + LIGHT.headlightByte] &&
      words[LIGHT.words * i + LIGHT.type] !== POINT;
    const casting = shadows ? all.filter(casts).slice(0, this.quality.shadowLights) : [];
    this.shadows = casting.length;
    const order = [...all.filter((i) => !casting.includes(i)), ...casting];
    this.kinds = order.map((i) => (words[LIGHT.words * i + LIGHT.type] === DIRECTIONAL ? PARALLEL : SPOT)).join("");
    if (this.uniforms.light.value.length !== WORDS * order.length) {
      this.uniforms.light.value = new Float32Array(WORDS * Math.max(1, order.length));
    }
    const out = this.uniforms.light.value;
    this.uniforms.ambient.value.setScalar(order.length ? 0 : EVEN);
    order.forEach((i, k) => {
      const from = LIGHT.words * i,
        to = WORDS * k,
        type = words[from + LIGHT.type];
      const copy = (at: number, what: number) => out.set(numbers.subarray(from + what, from + what + 3), to + at);
      copy(0, LIGHT.pos);
      for (let j = 0; j < 3; j++) {
        out[to + 4 + j] = -numbers[from + LIGHT.dir + j]!;
      }
      copy(8, LIGHT.ambient);
      copy(12, LIGHT.diffuse);
      copy(16, LIGHT.specular);
      copy(20, LIGHT.attenuation);
      const cutoff = numbers[from + LIGHT.cutoff]!;
      // wider than a half space: light all around
      out[to + 7] = type === POINT || cutoff > 90 ? -2 : Math.cos((cutoff * Math.PI) / 180);
      out[to + 11] = type === POINT ? 0 : numbers[from + LIGHT.exponent]!;
    });
    casting.forEach((i, k) =>
      this.aim(k, numbers.subarray(LIGHT.words * i), words[LIGHT.words * i + LIGHT.type] === DIRECTIONAL),
    );
  }

  // What a light sees: a box along parallel rays, or the cone of a spot.
  private aim(k: number, numbers: Float32Array, parallel: boolean) {
    const camera = this.cameras[k]!,
      { extent, shadowclip } = this.visual;
    place.fromArray(numbers, LIGHT.pos);
    target.fromArray(numbers, LIGHT.dir).add(place);
    up.set(0, Math.abs(numbers[LIGHT.dir + 1]!) < 0.9 ? 1 : 0, Math.abs(numbers[LIGHT.dir + 1]!) < 0.9 ? 0 : 1);
    camera.matrix.lookAt(place, target, up).setPosition(place);
    const near = 0.01 * extent,
      far = Math.max(10, 10 * extent);
    if (parallel) {
      const clip = shadowclip * extent;
      camera.projectionMatrix.makeOrthographic(-clip, clip, clip, -clip, near, far);
    } else {
      const side = near * Math.tan((Math.min(2 * numbers[LIGHT.cutoff]!, WIDEST) / 2 / 180) * Math.PI);
      camera.projectionMatrix.makePerspective(-side, side, side, -side, near, far);
    }
    camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
    camera.updateMatrixWorld(true);
    this.uniforms.shadowView.value[k]!.multiplyMatrices(half, camera.projectionMatrix).multiply(
      camera.matrixWorldInverse,
    );
  }

  private map(k: number): THREE.WebGLRenderTarget {
    const side = this.quality.shadowMap,
      filter = this.quality.softShadows ? THREE.LinearFilter : THREE.NearestFilter;
    const depth = new THREE.DepthTexture(side, side, THREE.FloatType);
    depth.compareFunction = THREE.LessEqualCompare;
    depth.minFilter = depth.magFilter = filter;
    return (this.maps[k] ??= new THREE.WebGLRenderTarget(side, side, { depthTexture: depth, format: THREE.RedFormat }));
  }

  // Are there maps for all?
  get drawn(): boolean {
    return this.maps.length >= this.shadows;
  }

  // Draws the maps.
  draw(renderer: THREE.WebGLRenderer, scene: THREE.Scene) {
    scene.overrideMaterial = this.material;
    for (let k = 0; k < this.shadows; k++) {
      const map = this.maps[k] ?? this.map(k);
      renderer.setRenderTarget(map);
      renderer.clear(false, true, false);
      renderer.render(scene, this.cameras[k]!);
      this.uniforms[k ? "shadowMap1" : "shadowMap0"].value = map.depthTexture;
    }
    renderer.setRenderTarget(null);
    scene.overrideMaterial = null;
  }

  dispose() {
    this.maps.forEach((map) => {
      map.depthTexture?.dispose();
      map.dispose();
    });
    this.material.dispose();
  }
}
