// One world as three.js draws it: every shape, light and surface of an mjvScene, and nothing else.

import * as THREE from "three";
import type { Picture } from "../../worker/messages.ts";
import type { Model } from "../model.ts";
import { Batches } from "./batches.ts";
import { EYE, GEOM, RENDER, TYPE } from "./layout.ts";
import { Lights } from "./lights.ts";
import { type Look, Materials } from "./materials.ts";
import { MIRROR_LAYER, Mirror, type MirrorSurface } from "./mirror.ts";
import type { Quality } from "./quality.ts";
import * as shapes from "./shapes.ts";
import { Sky } from "./sky.ts";
import { Surfaces } from "./surfaces.ts";
import { Textures } from "./textures.ts";

const DECOR = 4; // mjtCatBit
const OPAQUE = 0.995; // of a colour
const BEHIND = 0.3; // opacity of planes seen from behind
const NARROW = 0.85; // width over height

export interface Label {
  text: string;
  x: number;
  y: number;
  z: number;
}

// How much more than its frustum a picture shows each way: narrow ones would cut off what is in the middle.
export function widening(aspect: number): number {
  return Math.max(1, NARROW / aspect);
}

// Geometries and textures of a model: the same for all of its worlds.
export class Assets {
  textures: Textures;
  readonly shapes: shapes.Shapes;
  private readonly made = new Map<string, THREE.BufferGeometry>();

  constructor(readonly m: Model, readonly quality: Quality) {
    this.textures = new Textures(m, quality);
    this.shapes = new shapes.Shapes(quality.segments);
  }

  mesh(dataid: number): THREE.BufferGeometry {
    return this.get(`mesh${dataid}`, () =>
      dataid % 2 ? shapes.hullGeometry(this.m, dataid >> 1) : shapes.meshGeometry(this.m, dataid >> 1));
  }

  hfield(id: number): THREE.BufferGeometry {
    return this.get(`hfield${id}`, () => shapes.hfieldGeometry(this.m, id));
  }

  // Makes anew what is made of an array that has changed.
  forget(array: string) {
    if (array.startsWith("tex_")) {
      this.textures.dispose();
      this.textures = new Textures(this.m, this.quality);
    }
    for (const [key, geometry] of [...this.made].filter(([key]) => key.startsWith(array.split("_")[0]!))) {
      geometry.dispose();
      this.made.delete(key);
    }
  }

  private get(key: string, make: () => THREE.BufferGeometry): THREE.BufferGeometry {
    let geometry = this.made.get(key);
    if (!geometry) {
      geometry = make();
      this.made.set(key, geometry);
    }
    return geometry;
  }

  dispose() {
    this.made.forEach((geometry) => geometry.dispose());
    this.textures.dispose();
  }
}

const matrix = new THREE.Matrix4(), part = new THREE.Matrix4(), scale = new THREE.Matrix4();
const eyeMatrix = new THREE.Matrix4();
const from = new THREE.Vector3(), to = new THREE.Vector3();

export class WorldView {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera();
  readonly labels: Label[] = [];
  readonly sky = new Sky();
  readonly eye = new THREE.Vector3();
  private readonly mirror: Mirror;
  private reflecting: MirrorSurface | null = null; // what mirrors in this picture
  private mirrored = false; // the first shape that reflects was there
  private readonly materials: Materials;
  private readonly batches: Batches;
  private readonly lights: Lights;
  private readonly surfaces: Surfaces;
  private readonly skyTexture: THREE.CubeTexture | null;
  private readonly fog = new THREE.Fog(0, 1, 2);
  private readonly decoder = new TextDecoder();

  constructor(private readonly assets: Assets) {
    const { m, textures } = assets;
    this.mirror = new Mirror(assets.quality.antialias ? 4 : 0);
    this.materials = new Materials(m, textures, this.mirror);
    this.batches = new Batches(this.materials);
    this.lights = new Lights(m.visual, assets.quality);
    this.surfaces = new Surfaces(m, this.materials);
    this.skyTexture = textures.sky();
    this.scene.fog = this.fog;
    this.scene.add(this.sky.mesh, this.lights.group, this.batches.group, this.surfaces.group);
    this.camera.matrixAutoUpdate = false;
    this.camera.layers.enable(MIRROR_LAYER);
  }

  get shapeCount(): number {
    return this.batches.count;
  }

  update(picture: Picture, horizon: { low: THREE.Color; high: THREE.Color }, shadows: boolean) {
    const numbers = new Float32Array(picture.geoms), words = new Int32Array(picture.geoms);
    const flags = picture.flags;
    this.materials.wireframe = flags[RENDER.wireframe]! !== 0;
    this.materials.additive = flags[RENDER.additive]! !== 0;
    this.sky.use(flags[RENDER.skybox] ? this.skyTexture : null);
    this.sky.low.copy(horizon.low);
    this.sky.high.copy(horizon.high);
    this.placeEye(new Float32Array(picture.eyes));
    this.placeFog(flags);
    this.lights.update(picture.lights, shadows && flags[RENDER.shadow]! !== 0);
    this.labels.length = 0;
    this.reflecting = null;
    this.mirrored = flags[RENDER.reflection] === 0;
    this.batches.begin();
    this.surfaces.begin();
    for (let at = 0; at < numbers.length; at += GEOM.words) {
      this.shape(picture, numbers, words, at);
    }
    this.batches.end();
    this.surfaces.end();
  }

  // Infinite planes fade into the horizon; with fog everything does.
  private placeFog(flags: Uint8Array) {
    const v = this.assets.m.visual;
    const far = v.zfar * v.extent;
    if (flags[RENDER.haze] || flags[RENDER.fog]) {
      this.fog.near = Math.min(0.25 * far, 4 * v.extent);
      this.fog.far = Math.min(0.95 * far, 24 * v.extent);
    } else {
      this.fog.near = 1e9;
      this.fog.far = 2e9;
    }
    const textured = this.skyTexture && flags[RENDER.skybox];
    this.fog.color.copy(textured ? new THREE.Color(...v.hazeColor) : this.sky.low);
  }

  private placeEye(eyes: Float32Array) {
    // the mean of both eyes
    const mean = (at: number) => (eyes[at]! + eyes[EYE.words + at]!) / 2;
    const vector = (at: number) => new THREE.Vector3(mean(at), mean(at + 1), mean(at + 2));
    const position = vector(EYE.pos), forward = vector(EYE.forward).normalize(), up = vector(EYE.up).normalize();
    const right = new THREE.Vector3().crossVectors(forward, up).normalize();
    eyeMatrix.makeBasis(right, up, forward.clone().negate()).setPosition(position);
    this.camera.matrix.copy(eyeMatrix);
    this.camera.matrixWorldNeedsUpdate = true;
    this.eye.copy(position);
    this.frustum = {
      center: mean(EYE.center), width: mean(EYE.width), bottom: mean(EYE.bottom), top: mean(EYE.top),
      near: mean(EYE.near), far: mean(EYE.far), orthographic: new Int32Array(eyes.buffer)[EYE.orthographic] !== 0,
    };
  }

  private frustum = { center: 0, width: 0, bottom: -1, top: 1, near: 0.01, far: 100, orthographic: false };

  // Fits the projection to the shape of the picture.
  project(aspect: number) {
    const f = this.frustum;
    const wide = widening(aspect), height = (f.top - f.bottom) * wide;
    const half = f.width ? f.width * wide : 0.5 * aspect * height;
    const left = f.center - half, right = f.center + half;
    const middle = (f.top + f.bottom) / 2, top = middle + height / 2, bottom = middle - height / 2;
    if (f.orthographic) {
      this.camera.projectionMatrix.makeOrthographic(left, right, top, bottom, f.near, f.far);
    } else {
      this.camera.projectionMatrix.makePerspective(left, right, top, bottom, f.near, f.far);
    }
    this.camera.projectionMatrixInverse.copy(this.camera.projectionMatrix).invert();
  }

  private shape(picture: Picture, numbers: Float32Array, words: Int32Array, at: number) {
    const type = words[at + GEOM.type]!, dataid = words[at + GEOM.dataid]!;
    const r = at + GEOM.mat, p = at + GEOM.pos;
    const n = numbers;
    matrix.set(n[r]!, n[r + 1]!, n[r + 2]!, n[p]!, n[r + 3]!, n[r + 4]!, n[r + 5]!, n[p + 1]!,
      n[r + 6]!, n[r + 7]!, n[r + 8]!, n[p + 2]!, 0, 0, 0, 1);
    const [sx, sy, sz] = [n[at + GEOM.size]!, n[at + GEOM.size + 1]!, n[at + GEOM.size + 2]!];
    if (words[at + GEOM.label]! & 0xff) {
      this.label(n, at);
    }
    const alpha = n[at + GEOM.rgba + 3]!;
    const look: Look = {
      matid: words[at + GEOM.matid]!, texcoord: words[at + GEOM.texcoord]! !== 0, scaled: false, size: [sx, sy, sz],
      transparent: alpha < OPAQUE, emission: n[at + GEOM.emission]!, specular: n[at + GEOM.specular]!,
      shininess: n[at + GEOM.shininess]!, doubleSided: false, infinite: false, mirror: "",
    };
    if (n[at + GEOM.reflectance]! > 0 && !this.mirrored && !look.transparent && (type === TYPE.plane || type === TYPE.box)) {
      this.reflect(look, type === TYPE.box ? sz : 0, n[at + GEOM.reflectance]!);
    }
    const shadow = words[at + GEOM.category] !== DECOR;
    const color = n.subarray(at + GEOM.rgba, at + GEOM.rgba + 4);
    const draw = (name: string, geometry: THREE.BufferGeometry, m: THREE.Matrix4) =>
      this.batches.add(name, geometry, look, shadow, m, color, 0);
    switch (type) {
      case TYPE.plane:
        return this.plane(look, dataid, matrix, color);
      case TYPE.sphere:
      case TYPE.ellipsoid:
        return draw("sphere", this.assets.shapes.sphere, matrix.multiply(scale.makeScale(sx, sy, sz)));
      case TYPE.box:
        return draw("box", this.assets.shapes.box, matrix.multiply(scale.makeScale(sx, sy, sz)));
      case TYPE.cylinder:
        return draw("cylinder", this.assets.shapes.cylinder, matrix.multiply(scale.makeScale(sx, sy, sz)));
      case TYPE.capsule:
        draw("tube", this.assets.shapes.tube, part.copy(matrix).multiply(scale.makeScale(sx, sy, sz)));
        draw("dome", this.assets.shapes.dome, part.copy(matrix).multiply(scale.makeScale(sx, sy, sx).setPosition(0, 0, sz)));
        return draw("dome", this.assets.shapes.dome,
          part.copy(matrix).multiply(scale.makeScale(sx, -sy, -sx).setPosition(0, 0, -sz)));
      case TYPE.mesh:
      case TYPE.sdf:
        look.scaled = true;
        return dataid >= 0 ? draw(`mesh${dataid}`, this.assets.mesh(dataid), matrix) : undefined;
      case TYPE.hfield:
        look.scaled = true;
        return dataid >= 0 ? draw(`hfield${dataid}`, this.assets.hfield(dataid), matrix) : undefined;
      case TYPE.arrow:
      case TYPE.arrow1:
      case TYPE.arrow2:
        return this.arrow(type, sx, sz, draw);
      case TYPE.line:
        from.set(0, 0, 0).applyMatrix4(matrix);
        to.set(0, 0, sz).applyMatrix4(matrix);
        return this.surfaces.line(from, to, color);
      case TYPE.linebox:
        return this.lineBox(sx, sy, sz, color);
      case TYPE.triangle:
        return this.surfaces.triangle(matrix, n, at, color);
      case TYPE.flex:
        return this.flex(picture, words[at + GEOM.objid]!, look, sx, color);
      case TYPE.skin:
        look.texcoord = true;
        return this.surfaces.skin(picture, words[at + GEOM.objid]!, look, color);
    }
  }

  // The upper side of a shape, at a height in its frame, mirrors the others if it is seen from above.
  private reflect(look: Look, height: number, reflectance: number) {
    const e = matrix.elements;
    const normal = new THREE.Vector3(e[8], e[9], e[10]);
    const point = new THREE.Vector3(e[12], e[13], e[14]).addScaledVector(normal, height);
    if (from.subVectors(this.eye, point).dot(normal) > 0) {
      this.mirrored = true;
      this.reflecting = { normal, point, reflectance };
      look.mirror = height > 0 ? "top" : "all";
    } else {
      this.mirrored = height > 0; // what is below a plane sees it transparent
    }
  }

  // Draws the picture into a part of the canvas, given in pixels. A mirror may show the last picture.
  draw(renderer: THREE.WebGLRenderer, part: THREE.Vector4, detail: number, renew: boolean) {
    if (this.reflecting && (renew || !this.mirror.uniforms.reflection.value)) {
      const sky = this.sky.mesh.visible;
      this.sky.mesh.visible = false;
      this.mirror.draw(renderer, this.scene, this.camera, this.reflecting, part, detail);
      this.sky.mesh.visible = sky;
    }
    renderer.render(this.scene, this.camera);
  }

  private plane(look: Look, dataid: number, at: THREE.Matrix4, color: Float32Array) {
    const [x, y] = look.size;
    const v = this.assets.m.visual;
    const reach = 2.1 * v.zfar * v.extent;
    look.infinite = x <= 0 || y <= 0;
    look.scaled = dataid >= 0;
    look.doubleSided = true;
    // seen from behind?
    const e = at.elements;
    const side = (this.eye.x - e[12]!) * e[8]! + (this.eye.y - e[13]!) * e[9]! + (this.eye.z - e[14]!) * e[10]!;
    let rgba = color;
    if (side < 0) {
      rgba = color.slice();
      rgba[3]! *= BEHIND;
      look.transparent = true;
    }
    const key = `plane${x},${y}`;
    const width = x > 0 ? x : reach, height = y > 0 ? y : reach;
    this.batches.add(key, this.planeGeometry(key, width, height), look, false, at, rgba, 0);
  }

  private readonly planes = new Map<string, THREE.BufferGeometry>();

  // Absolute coordinates, because the texture's are.
  private planeGeometry(key: string, x: number, y: number): THREE.BufferGeometry {
    let geometry = this.planes.get(key);
    if (!geometry) {
      geometry = this.assets.shapes.plane.clone().scale(x, y, 1);
      const uv = geometry.getAttribute("uv") as THREE.BufferAttribute;
      for (let i = 0; i < uv.count; i++) {
        uv.setXY(i, uv.getX(i) * x, uv.getY(i) * y);
      }
      this.planes.set(key, geometry);
    }
    return geometry;
  }

  // The drawn length is half the size's; a third of that is the head.
  private arrow(type: number, radius: number, length: number,
    draw: (name: string, g: THREE.BufferGeometry, m: THREE.Matrix4) => void) {
    const head = type === TYPE.arrow1 ? radius : 1.75 * radius;
    const both = type === TYPE.arrow2;
    const shaft = length / 3, half = length / 2;
    const low = both ? -shaft : 0;
    draw("cylinder", this.assets.shapes.cylinder, part.copy(matrix).multiply(
      scale.makeScale(radius, radius, (shaft - low) / 2).setPosition(0, 0, (shaft + low) / 2)));
    draw("cone", this.assets.shapes.cone, part.copy(matrix).multiply(
      scale.makeScale(head, head, half - shaft).setPosition(0, 0, shaft)));
    if (both) {
      draw("cone", this.assets.shapes.cone, part.copy(matrix).multiply(
        scale.makeScale(head, -head, shaft - half).setPosition(0, 0, -shaft)));
    }
  }

  private lineBox(x: number, y: number, z: number, color: Float32Array) {
    const corner = (i: number, out: THREE.Vector3) =>
      out.set(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z).applyMatrix4(matrix);
    for (let i = 0; i < 8; i++) {
      for (const bit of [1, 2, 4]) {
        if (!(i & bit)) {
          this.surfaces.line(corner(i, from).clone(), corner(i | bit, to), color);
        }
      }
    }
  }

  // Faces, or vertices as balls and edges as rods.
  private flex(picture: Picture, id: number, look: Look, radius: number, color: Float32Array) {
    const it = picture.flex;
    if (!it) {
      return;
    }
    const [vertices, edges, , skin] = it.options;
    const faces = this.surfaces.flex(picture, id, look, color);
    if (radius <= 0 || (faces && skin)) {
      return;
    }
    const m = this.assets.m;
    const first = m.at("flex_vertadr", id), count = m.at("flex_vertnum", id);
    const plain: Look = { ...look, matid: -1 };
    const point = (i: number, out: THREE.Vector3) => out.fromArray(it.vertices, 3 * (first + i));
    for (let i = 0; vertices && i < count; i++) {
      point(i, from);
      this.batches.add("sphere", this.assets.shapes.sphere, plain, true,
        part.makeScale(radius, radius, radius).setPosition(from), color, 0);
    }
    const edge = m.array("flex_edge"), firstEdge = m.at("flex_edgeadr", id);
    for (let i = 0; edges && i < m.at("flex_edgenum", id); i++) {
      point(edge[2 * (firstEdge + i)]!, from);
      point(edge[2 * (firstEdge + i) + 1]!, to);
      const length = from.distanceTo(to);
      const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), to.clone().sub(from).divideScalar(length || 1));
      part.compose(from.clone().add(to).multiplyScalar(0.5), turn, new THREE.Vector3(radius, radius, length / 2));
      this.batches.add("tube", this.assets.shapes.tube, plain, true, part, color, 0);
    }
  }

  private label(numbers: Float32Array, at: number) {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset + 4 * (at + GEOM.label), GEOM.labelBytes);
    const end = bytes.indexOf(0);
    this.labels.push({
      text: this.decoder.decode(bytes.subarray(0, end < 0 ? bytes.length : end)),
      x: numbers[at + GEOM.pos]!, y: numbers[at + GEOM.pos + 1]!, z: numbers[at + GEOM.pos + 2]!,
    });
  }

  dispose() {
    this.batches.dispose();
    this.surfaces.dispose();
    this.materials.dispose();
    this.mirror.dispose();
    this.planes.forEach((geometry) => geometry.dispose());
  }
}
