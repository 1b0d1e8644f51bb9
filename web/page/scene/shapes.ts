// The shapes of a scene as triangles, with sizes of 1 where the size is part of a shape's pose.

import * as THREE from "three";
import type { Model } from "../model.ts";

// turns three's axis of revolution, y, to z
const upright = new THREE.Matrix4().makeRotationX(Math.PI / 2);

// The shapes whose size is part of their pose, with so many segments of a circle.
export class Shapes {
  // a sphere, and a capsule: its halves are moved apart
  readonly ball: THREE.BufferGeometry;
  readonly cylinder: THREE.BufferGeometry;
  readonly cone: THREE.BufferGeometry;
  readonly box: THREE.BufferGeometry;
  // planes, the endless one with finer parts in its middle: light may be found at vertices
  readonly plane: THREE.BufferGeometry;
  readonly endless: THREE.BufferGeometry;

  constructor(segments: number) {
    // odd numbers: no vertex is in the middle, where eyes stand, as a vertex beside an eye is drawn badly by some processors
    const sides = 2 * Math.floor(segments / 16) + 1,
      parts = 2 * segments + 1;
    this.box = new THREE.BoxGeometry(2, 2, 2, sides, sides, sides);
    this.plane = new THREE.PlaneGeometry(2, 2, parts, parts);
    this.endless = this.plane.clone();
    const corners = this.endless.getAttribute("position").array as Float32Array;
    corners.forEach((x, i) => (corners[i] = x ** 3));
    const half = new THREE.CapsuleGeometry(1, 2, Math.ceil(segments / 4), segments).applyMatrix4(upright);
    const position = half.getAttribute("position") as THREE.BufferAttribute;
    const end = Float32Array.from({ length: position.count }, (_, i) => Math.sign(position.getZ(i)));
    end.forEach((side, i) => position.setZ(i, position.getZ(i) - side));
    half.setAttribute("end", new THREE.BufferAttribute(end, 1));
    this.ball = half;
    this.cylinder = new THREE.CylinderGeometry(1, 1, 2, segments).applyMatrix4(upright);
    this.cone = new THREE.ConeGeometry(1, 1, segments).translate(0, 0.5, 0).applyMatrix4(upright);
  }
}

// A normal that is this far from the face's is one of a sharp edge.
const SHARP = 0.8;

// The triangles of a mesh, in its frame.
export function meshGeometry(m: Model, id: number): THREE.BufferGeometry {
  const faces = m.at("mesh_facenum", id);
  const firstFace = 3 * m.at("mesh_faceadr", id);
  const firstVertex = m.at("mesh_vertadr", id);
  const firstNormal = m.at("mesh_normaladr", id);
  const firstTexcoord = m.at("mesh_texcoordadr", id);
  const vertices = m.array("mesh_vert");
  const normals = m.array("mesh_normal");
  const texcoords = m.array("mesh_texcoord");
  const face = m.array("mesh_face");
  const faceNormal = m.array("mesh_facenormal");
  const faceTexcoord = m.array("mesh_facetexcoord");
  const position = new Float32Array(9 * faces);
  const normal = new Float32Array(9 * faces);
  const uv = firstTexcoord >= 0 ? new Float32Array(6 * faces) : null;
  const a = new THREE.Vector3(),
    b = new THREE.Vector3(),
    c = new THREE.Vector3();
  for (let f = 0; f < faces; f++) {
    for (let k = 0; k < 3; k++) {
      const corner = firstFace + 3 * f + k,
        out = 3 * f + k;
      const vertex = firstVertex + face[corner]!;
      const own = firstNormal + faceNormal[corner]!;
      for (let i = 0; i < 3; i++) {
        position[3 * out + i] = vertices[3 * vertex + i]!;
        normal[3 * out + i] = normals[3 * own + i]!;
      }
      if (uv) {
        const at = firstTexcoord + faceTexcoord[corner]!;
        uv[2 * out] = texcoords[2 * at]!;
        uv[2 * out + 1] = texcoords[2 * at + 1]!;
      }
    }
    if (firstTexcoord < 0) {
      a.fromArray(position, 9 * f);
      b.fromArray(position, 9 * f + 3).sub(a);
      c.fromArray(position, 9 * f + 6).sub(a);
      const flat = b.cross(c).normalize();
      for (let k = 0; k < 3; k++) {
        if (flat.dot(a.fromArray(normal, 9 * f + 3 * k)) < SHARP) {
          flat.toArray(normal, 9 * f + 3 * k);
        }
      }
    }
  }
  return fromArrays(position, normal, uv);
}

// The hull of a mesh, flat; the mesh itself if it has none.
export function hullGeometry(m: Model, id: number): THREE.BufferGeometry {
  const start = m.at("mesh_graphadr", id);
  if (start < 0) {
    return meshGeometry(m, id);
  }
  const graph = m.array("mesh_graph");
  const vertexCount = graph[start]!,
    faceCount = graph[start + 1]!;
  const faces = start + 2 + 3 * vertexCount + 3 * faceCount;
  const first = m.at("mesh_vertadr", id);
  const vertices = m.array("mesh_vert");
  const position = new Float32Array(9 * faceCount);
  for (let i = 0; i < 3 * faceCount; i++) {
    const vertex = first + graph[faces + i]!;
    position.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
  }
  return flat(position);
}

// The surface of a height field, its walls and its bottom.
export function hfieldGeometry(m: Model, id: number): THREE.BufferGeometry {
  const rows = m.at("hfield_nrow", id),
    columns = m.at("hfield_ncol", id);
  const [sx, sy, sz, base] = m.array("hfield_size").subarray(4 * id, 4 * id + 4);
  const data = m.array("hfield_data").subarray(m.at("hfield_adr", id));
  const point = (r: number, c: number, top: boolean): number[] => [
    sx! * ((2 * c) / (columns - 1) - 1),
    sy! * ((2 * r) / (rows - 1) - 1),
    top ? data[r * columns + c]! * sz! : -base!,
  ];
  const index: number[] = [],
    surface: number[] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      surface.push(...point(r, c, true));
      if (r + 1 < rows && c + 1 < columns) {
        const i = r * columns + c;
        index.push(i, i + 1, i + columns + 1, i, i + columns + 1, i + columns);
      }
    }
  }
  const smooth = new THREE.BufferGeometry();
  smooth.setAttribute("position", new THREE.Float32BufferAttribute(surface, 3));
  smooth.setIndex(index);
  smooth.computeVertexNormals();
  const loose = smooth.toNonIndexed();

  const wall: number[] = [];
  const quad = (a: number[], b: number[], c: number[], d: number[]) => wall.push(...a, ...b, ...c, ...a, ...c, ...d);
  for (let c = 0; c + 1 < columns; c++) {
    quad(point(0, c, false), point(0, c + 1, false), point(0, c + 1, true), point(0, c, true));
    const r = rows - 1;
    quad(point(r, c + 1, false), point(r, c, false), point(r, c, true), point(r, c + 1, true));
  }
  for (let r = 0; r + 1 < rows; r++) {
    quad(point(r + 1, 0, false), point(r, 0, false), point(r, 0, true), point(r + 1, 0, true));
    const c = columns - 1;
    quad(point(r, c, false), point(r + 1, c, false), point(r + 1, c, true), point(r, c, true));
  }
  quad(
    point(0, 0, false),
    point(rows - 1, 0, false),
    point(rows - 1, columns - 1, false),
    point(0, columns - 1, false),
  );
  const walls = flat(new Float32Array(wall));
  const join = (name: string) =>
    concatenate(loose.getAttribute(name).array as Float32Array, walls.getAttribute(name).array as Float32Array);
  return fromArrays(join("position"), join("normal"), null);
}

function concatenate(a: Float32Array, b: Float32Array): Float32Array {
  const all = new Float32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

export function fromArrays(
  position: Float32Array,
  normal: Float32Array,
  uv: Float32Array | null,
): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  if (uv) {
    geometry.setAttribute("uv", new THREE.BufferAttribute(uv, 2));
  }
  return geometry;
}

function flat(position: Float32Array): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(position, 3));
  geometry.computeVertexNormals();
  return geometry;
}
