// Batches of equal shapes: copies of one geometry with one look, drawn by one call.

import * as THREE from "three";
import { SHADOW_LAYER } from "./lights.ts";
import type { Look, Materials } from "./materials.ts";
import { MIRROR_LAYER } from "./mirror.ts";
import { COPY } from "./program.ts";

const ATTRIBUTES = ["row0", "row1", "row2", "size", "rgba", "look", "texgen"];

// A geometry with room for copies.
export function copies(
  from: THREE.BufferGeometry,
  room: number,
): [THREE.InstancedBufferGeometry, THREE.InstancedInterleavedBuffer] {
  const geometry = new THREE.InstancedBufferGeometry();
  Object.entries(from.attributes).forEach(([name, it]) => geometry.setAttribute(name, it));
  geometry.setIndex(from.index);
  const buffer = new THREE.InstancedInterleavedBuffer(new Float32Array(COPY.floats * room), COPY.floats);
  buffer.setUsage(THREE.DynamicDrawUsage);
  ATTRIBUTES.forEach((name, i) => geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(buffer, 4, 4 * i)));
  return [geometry, buffer];
}

class Batch {
  readonly mesh = new THREE.Mesh<THREE.InstancedBufferGeometry>();
  count = 0;
  private buffer: THREE.InstancedInterleavedBuffer;

  constructor(
    private readonly from: THREE.BufferGeometry,
    material: THREE.Material,
    private room: number,
    shadow: boolean,
    layer: number,
  ) {
    [this.mesh.geometry, this.buffer] = copies(from, room);
    this.mesh.material = material;
    this.mesh.frustumCulled = this.mesh.matrixAutoUpdate = false;
    this.mesh.layers.set(layer);
    if (shadow) {
      this.mesh.layers.enable(SHADOW_LAYER);
    }
  }

  add(copy: Float32Array) {
    if (this.count === this.room) {
      const { array } = this.buffer;
      this.room *= 2;
      this.mesh.geometry.dispose();
      [this.mesh.geometry, this.buffer] = copies(this.from, this.room);
      this.buffer.array.set(array);
    }
    this.buffer.array.set(copy, COPY.floats * this.count++);
  }

  finish() {
    this.mesh.visible = this.count > 0;
    this.mesh.geometry.instanceCount = this.count;
    if (this.count > 0) {
      this.buffer.clearUpdateRanges();
      this.buffer.addUpdateRange(0, COPY.floats * this.count);
      this.buffer.needsUpdate = true;
    }
  }
}

export class Batches {
  readonly group = new THREE.Group();
  private readonly batches = new Map<THREE.BufferGeometry, Map<number, Batch>>();

  constructor(private readonly materials: Materials) {}

  private all(): Batch[] {
    return [...this.batches.values()].flatMap((some) => [...some.values()]);
  }

  begin() {
    this.all().forEach((batch) => (batch.count = 0));
  }

  // `shadow`: does it throw one?
  add(geometry: THREE.BufferGeometry, look: Look, shadow: boolean, copy: Float32Array) {
    let some = this.batches.get(geometry);
    if (!some) {
      this.batches.set(geometry, (some = new Map()));
    }
    const key = 2 * this.materials.key(look) + +shadow;
    let batch = some.get(key);
    if (!batch) {
      batch = new Batch(geometry, this.materials.get(look), 16, shadow, look.mirror ? MIRROR_LAYER : 0);
      some.set(key, batch);
      this.group.add(batch.mesh);
    } else if (batch.count === 0) {
      this.materials.get(look);
    }
    batch.add(copy);
  }

  end() {
    this.all().forEach((batch) => batch.finish());
  }

  dispose() {
    this.all().forEach((batch) => batch.mesh.geometry.dispose());
    this.batches.clear();
  }
}
