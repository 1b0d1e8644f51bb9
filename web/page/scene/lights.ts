// The lights of a scene. Changing their number compiles shaders anew, so they are kept by number.

import * as THREE from "three";
import { LIGHT } from "./layout.ts";
import type { Visual } from "../../worker/messages.ts";
import type { Quality } from "./quality.ts";

// a light of three.js is divided by pi in its materials
const FULL = Math.PI;
const SPOT = 0, POINT = 2; // mjtLightType

export class Lights {
  readonly group = new THREE.Group();
  private readonly ambient = new THREE.AmbientLight(0xffffff, FULL);
  private lights: THREE.Light[] = [];
  private signature = "";

  constructor(private readonly visual: Visual, private readonly quality: Quality) {
    this.group.add(this.ambient);
  }

  update(buffer: ArrayBuffer, shadows: boolean) {
    const words = new Int32Array(buffer), numbers = new Float32Array(buffer), bytes = new Uint8Array(buffer);
    const count = words.length / LIGHT.words;
    let shadowed = 0;
    const kinds = Array.from({ length: count }, (_, i) => {
      const casts = shadows && bytes[4 * LIGHT.words * i + LIGHT.castshadowByte]! !== 0 &&
        !bytes[4 * LIGHT.words * i + LIGHT.headlightByte] && shadowed < this.quality.shadowLights;
      shadowed += +casts;
      return `${words[LIGHT.words * i + LIGHT.type]}${casts ? "s" : ""}`;
    });
    if (kinds.join() !== this.signature) {
      this.rebuild(kinds);
    }
    const sum = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      const at = LIGHT.words * i;
      for (let k = 0; k < 3; k++) {
        sum[k]! += numbers[at + LIGHT.ambient + k]!;
      }
      this.place(this.lights[i]!, numbers, at);
    }
    // without a light everything is lit evenly
    this.ambient.color.setRGB(...((count ? sum : [0.3, 0.3, 0.3]) as [number, number, number]));
  }

  private rebuild(kinds: string[]) {
    this.signature = kinds.join();
    this.lights.forEach((light) => {
      this.group.remove(light);
      (light as THREE.DirectionalLight).target?.removeFromParent();
      light.dispose();
    });
    this.lights = kinds.map((kind) => {
      const type = parseInt(kind);
      const light = type === SPOT ? new THREE.SpotLight(0xffffff, FULL)
        : type === POINT ? new THREE.PointLight(0xffffff, FULL, 0, 0)
        : new THREE.DirectionalLight(0xffffff, FULL);
      light.castShadow = kind.endsWith("s") && type !== POINT;
      if (light.castShadow) {
        this.prepareShadow(light as THREE.DirectionalLight);
      }
      this.group.add(light);
      if ("target" in light) {
        this.group.add(light.target as THREE.Object3D);
      }
      return light;
    });
  }

  private prepareShadow(light: THREE.DirectionalLight) {
    const clip = this.visual.shadowclip * this.visual.extent;
    light.shadow.mapSize.set(this.quality.shadowMap, this.quality.shadowMap);
    light.shadow.normalBias = 0.006 * this.visual.extent;
    light.shadow.bias = -0.0004;
    const camera = light.shadow.camera;
    if (camera instanceof THREE.OrthographicCamera) {
      camera.left = camera.bottom = -clip;
      camera.right = camera.top = clip;
    }
    camera.near = 0.01 * this.visual.extent;
    camera.far = Math.max(10, 10 * this.visual.extent);
    camera.updateProjectionMatrix();
  }

  private place(light: THREE.Light, numbers: Float32Array, at: number) {
    const [x, y, z] = numbers.subarray(at + LIGHT.pos, at + LIGHT.pos + 3) as unknown as [number, number, number];
    const [dx, dy, dz] = numbers.subarray(at + LIGHT.dir, at + LIGHT.dir + 3) as unknown as [number, number, number];
    const [r, g, b] = numbers.subarray(at + LIGHT.diffuse, at + LIGHT.diffuse + 3) as unknown as [number, number, number];
    light.color.setRGB(r, g, b);
    light.position.set(x, y, z);
    if (light instanceof THREE.SpotLight || light instanceof THREE.DirectionalLight) {
      light.target.position.set(x + dx, y + dy, z + dz);
    }
    if (light instanceof THREE.SpotLight) {
      const cutoff = (numbers[at + LIGHT.cutoff]! * Math.PI) / 180;
      light.angle = Math.min(cutoff, 0.499 * Math.PI);
      // the shader wants cos(angle (1 - penumbra)) = 1 / (1 + exponent): see SPOT_FALLOFF
      light.penumbra = 1 - Math.acos(1 / (1 + Math.max(0, numbers[at + LIGHT.exponent]!))) / light.angle;
      light.decay = numbers[at + LIGHT.attenuation + 2]! > 0 ? 2 : numbers[at + LIGHT.attenuation + 1]! > 0 ? 1 : 0;
    }
  }
}
