// Surfaces that change shape: flexes and skins, and the triangles and lines of decoration.

import * as THREE from "three";
import type { Picture } from "../../worker/messages.ts";
import type { Model } from "../model.ts";
import { copies } from "./batches.ts";
import { SHADOW_LAYER } from "./lights.ts";
import type { Materials, Look } from "./materials.ts";
import { COPY } from "./program.ts";

// identity instance data: 3 x 4 pose by rows, then scale (1, 1, 1) and length 0; these vertices are already in world
// coordinates
const HERE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0];

// A part of a flex whose elements have materials of their own: its number, and which of the faces, or edges, it has.
export interface FlexPiece {
  number: number;
  first: number;
  count: number;
}

// Shapes of flexes without parts have no number.
export function pieceOf(number: number, first: number, count: number): FlexPiece | null {
  return number >= 0 ? { number, first, count } : null;
}

// A mesh whose vertices are rewritten for each picture: one copy of a shape, or triangles with
// their own colours.
class Loose {
  readonly mesh = new THREE.Mesh();
  private room = 0;
  private copy: THREE.InstancedInterleavedBuffer | null = null;

  constructor(private readonly colors: boolean) {
    this.mesh.frustumCulled = false;
    if (!colors) {
      this.mesh.layers.enable(SHADOW_LAYER);
    }
  }

  // Makes room for vertices.
  private reserve(vertices: number) {
    if (vertices <= this.room) {
      return;
    }
    this.room = Math.ceil(1.5 * vertices);
    const geometry = new THREE.BufferGeometry();
    const lengths: Record<string, number> = { position: 3, normal: 3, ...(this.colors ? { color: 3 } : { uv: 2 }) };
    for (const [name, length] of Object.entries(lengths)) {
      const attribute = new THREE.BufferAttribute(new Float32Array(length * this.room), length);
      attribute.setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, attribute);
    }
    this.mesh.geometry.dispose();
    if (this.colors) {
      this.mesh.geometry = geometry;
    } else {
      [this.mesh.geometry, this.copy] = copies(geometry, 1);
    }
  }

  // The look is that of the copy; vertices are in world coordinates.
  write(
    position: Float32Array,
    normal: Float32Array,
    uv: Float32Array | null,
    count: number,
    copy: Float32Array | null,
    colors: Float32Array | null = null,
  ) {
    this.reserve(count);
    const g = this.mesh.geometry;
    const set = (name: string, data: Float32Array, length: number) => {
      const attribute = g.getAttribute(name) as THREE.BufferAttribute;
      (attribute.array as Float32Array).set(data.subarray(0, length * count));
      attribute.needsUpdate = true;
    };
    if (count > 0) {
      set("position", position, 3);
      set("normal", normal, 3);
      if (uv && uv.length >= 2 * count) {
        set("uv", uv, 2);
      }
      if (colors) {
        set("color", colors, 3);
      }
      if (copy && this.copy) {
        this.copy.array.set(copy);
        this.copy.array.set(HERE, COPY.rows);
        this.copy.needsUpdate = true;
      }
    }
    g.setDrawRange(0, count);
    this.mesh.visible = count > 0;
  }

  dispose() {
    this.mesh.geometry.dispose();
  }
}

export class Surfaces {
  readonly group = new THREE.Group();
  private readonly flexes: Loose[][] = [];
  private readonly skins: Loose[] = [];
  private readonly lines: THREE.LineSegments;
  private readonly triangles = new Loose(true);
  private linePoints: number[] = [];
  private lineColors: number[] = [];
  private corners: number[] = [];
  private normals: number[] = [];
  private cornerColors: number[] = [];

  constructor(
    private readonly m: Model,
    private readonly materials: Materials,
  ) {
    this.lines = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, fog: false }),
    );
    this.lines.frustumCulled = false;
    this.triangles.mesh.material = new THREE.MeshBasicMaterial({
      vertexColors: true,
      side: THREE.DoubleSide,
      transparent: true,
      opacity: 0.5,
      depthWrite: false,
      fog: false,
    });
    this.group.add(this.lines, this.triangles.mesh);
  }

  begin() {
    this.linePoints.length = this.lineColors.length = 0;
    this.corners.length = this.normals.length = this.cornerColors.length = 0;
    [...this.flexes.flat(), ...this.skins].forEach((it) => it && (it.mesh.visible = false));
  }

  private surface(list: Loose[], id: number, look: Look): Loose {
    let loose = list[id];
    if (!loose) {
      loose = list[id] = new Loose(false);
      this.group.add(loose.mesh);
    }
    loose.mesh.material = this.materials.get({ ...look, doubleSided: true });
    return loose;
  }

  // Faces of a flex, or of a part of it. Returns whether it has any: then its vertices and edges aren't drawn.
  flex(picture: Picture, id: number, look: Look, copy: Float32Array, piece: FlexPiece | null): boolean {
    const it = picture.flex!;
    const used = it.used[id] ?? 0;
    if (used <= 0) {
      return false;
    }
    let first = piece ? piece.first : 0;
    for (let i = 0; i < id; i++) {
      first += this.capacity(i);
    }
    const parts = (this.flexes[id] ??= []);
    this.surface(parts, piece ? piece.number : 0, look).write(
      it.faces.subarray(9 * first),
      it.normals.subarray(9 * first),
      it.texcoords.subarray(6 * first),
      3 * (piece ? piece.count : used),
      copy,
    );
    return true;
  }

  private capacity(flex: number): number {
    return this.m.at("flex_facecapacity", flex);
  }

  skin(picture: Picture, id: number, look: Look, copy: Float32Array) {
    const { vertices, normals } = picture.skin!;
    const faces = this.m.at("skin_facenum", id),
      first = this.m.at("skin_vertadr", id);
    const face = this.m.array("skin_face").subarray(3 * this.m.at("skin_faceadr", id));
    const texcoord = this.m.at("skin_texcoordadr", id);
    const uvs = this.m.array("skin_texcoord");
    const position = new Float32Array(9 * faces),
      normal = new Float32Array(9 * faces),
      uv = new Float32Array(6 * faces);
    for (let i = 0; i < 3 * faces; i++) {
      const vertex = first + face[i]!;
      position.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
      normal.set(normals.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
      if (texcoord >= 0) {
        uv.set(uvs.subarray(2 * (texcoord + face[i]!), 2 * (texcoord + face[i]!) + 2), 2 * i);
      }
    }
    this.surface(this.skins, id, look).write(position, normal, uv, 3 * faces, copy);
  }

  line(from: THREE.Vector3, to: THREE.Vector3, color: Float32Array) {
    this.linePoints.push(from.x, from.y, from.z, to.x, to.y, to.z);
    for (let i = 0; i < 2; i++) {
      this.lineColors.push(color[0]!, color[1]!, color[2]!);
    }
  }

  triangle(corners: number[][], color: Float32Array) {
    for (const corner of corners) {
      this.corners.push(...corner);
      this.normals.push(0, 0, 1);
      this.cornerColors.push(color[0]!, color[1]!, color[2]!);
    }
  }

  end() {
    const g = this.lines.geometry;
    const count = this.linePoints.length / 3;
    const attribute = g.getAttribute("position") as THREE.BufferAttribute | undefined;
    if (!attribute || attribute.count < count) {
      const room = Math.max(64, 2 * count);
      g.dispose();
      g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * room), 3));
      g.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * room), 3));
    }
    for (const [name, data] of [
      ["position", this.linePoints],
      ["color", this.lineColors],
    ] as const) {
      const it = g.getAttribute(name) as THREE.BufferAttribute;
      (it.array as Float32Array).set(data);
      it.needsUpdate = true;
    }
    g.setDrawRange(0, count);
    this.lines.visible = count > 0;
    this.triangles.write(
      new Float32Array(this.corners),
      new Float32Array(this.normals),
      null,
      this.corners.length / 3,
      null,
      new Float32Array(this.cornerColors),
    );
  }

  dispose() {
    [...this.flexes.flat(), ...this.skins, this.triangles].forEach((it) => it?.dispose());
    this.lines.geometry.dispose();
  }
}
