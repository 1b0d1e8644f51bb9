// Shapes that are alike, drawn in one call: one instanced mesh for each geometry and look.

import * as THREE from "three";
import type { Look, Materials } from "./materials.ts";
import { MIRROR_LAYER } from "./mirror.ts";

class Batch {
  mesh: THREE.InstancedMesh;
  private opacity: THREE.InstancedBufferAttribute;
  count = 0;

  constructor(private readonly geometry: THREE.BufferGeometry, material: THREE.Material,
    private readonly group: THREE.Group, private capacity: number, private readonly shadow: boolean,
    private readonly layer: number) {
    [this.mesh, this.opacity] = this.make(material);
  }

  private make(material: THREE.Material): [THREE.InstancedMesh, THREE.InstancedBufferAttribute] {
    // geometries are shared, but each batch has opacities of its own
    const geometry = new THREE.BufferGeometry();
    Object.entries(this.geometry.attributes).forEach(([name, it]) => geometry.setAttribute(name, it));
    geometry.setIndex(this.geometry.index);
    const opacity = new THREE.InstancedBufferAttribute(new Float32Array(this.capacity), 1);
    geometry.setAttribute("opacity", opacity);
    const mesh = new THREE.InstancedMesh(geometry, material, this.capacity);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * this.capacity), 3);
    mesh.frustumCulled = false;
    mesh.layers.set(this.layer);
    mesh.castShadow = this.shadow;
    mesh.receiveShadow = !material.transparent;
    this.group.add(mesh);
    return [mesh, opacity];
  }

  private grow() {
    const { mesh, opacity } = this;
    this.capacity *= 2;
    [this.mesh, this.opacity] = this.make(mesh.material as THREE.Material);
    (this.mesh.instanceMatrix.array as Float32Array).set(mesh.instanceMatrix.array);
    (this.mesh.instanceColor!.array as Float32Array).set(mesh.instanceColor!.array);
    (this.opacity.array as Float32Array).set(opacity.array);
    this.group.remove(mesh);
    mesh.geometry.dispose();
    mesh.dispose();
  }

  add(matrix: THREE.Matrix4, rgba: Float32Array, at: number) {
    if (this.count === this.capacity) {
      this.grow();
    }
    matrix.toArray(this.mesh.instanceMatrix.array as Float32Array, 16 * this.count);
    const color = this.mesh.instanceColor!.array as Float32Array;
    color.set(rgba.subarray(at, at + 3), 3 * this.count);
    (this.opacity.array as Float32Array)[this.count] = rgba[at + 3]!;
    this.count++;
  }

  finish() {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    if (this.count > 0) {
      this.mesh.instanceMatrix.needsUpdate = true;
      this.mesh.instanceColor!.needsUpdate = true;
      this.opacity.needsUpdate = true;
    }
  }

  dispose() {
    this.group.remove(this.mesh);
    this.mesh.geometry.dispose();
    this.mesh.dispose();
  }
}

export class Batches {
  readonly group = new THREE.Group();
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly materials: Materials) {}

  begin() {
    this.batches.forEach((batch) => (batch.count = 0));
  }

  // `shadow`: does it throw one? The name tells geometries apart.
  add(name: string, geometry: THREE.BufferGeometry, look: Look, shadow: boolean, matrix: THREE.Matrix4,
    rgba: Float32Array, at: number) {
    const key = `${name}|${+shadow}|${this.materials.key(look)}`;
    const material = this.materials.get(look);
    let batch = this.batches.get(key);
    if (!batch) {
      batch = new Batch(geometry, material, this.group, 16, shadow, look.mirror ? MIRROR_LAYER : 0);
      this.batches.set(key, batch);
    }
    batch.add(matrix, rgba, at);
  }

  end() {
    this.batches.forEach((batch) => batch.finish());
  }

  // Number of shapes that are drawn.
  get count(): number {
    let sum = 0;
    this.batches.forEach((batch) => (sum += batch.count));
    return sum;
  }

  dispose() {
    this.batches.forEach((batch) => batch.dispose());
    this.batches.clear();
  }
}
