// One world as three.js draws it: every shape, light and surface of an mjvScene, and nothing else.

import * as THREE from "three";
import type { Picture } from "../../worker/messages.ts";
import type { Model } from "../model.ts";
import { Batches } from "./batches.ts";
import { EYE, GEOM, RENDER, TYPE } from "./layout.ts";
import { Lights } from "./lights.ts";
import { type Look, Materials } from "./materials.ts";
import { MIRROR_LAYER, Mirror, type MirrorSurface } from "./mirror.ts";
import { COPY } from "./program.ts";
import type { Quality } from "./quality.ts";
import * as shapes from "./shapes.ts";
import { Sky } from "./sky.ts";
import { pieceOf, Surfaces, type FlexPiece } from "./surfaces.ts";
import { Textures } from "./textures.ts";

const DECOR = 4; // mjtCatBit
const OPAQUE = 0.995; // of a colour
const BEHIND = 0.3; // opacity of planes seen from behind
const SMALL = 12; // pixels of a radius
const NARROW = 0.85; // width over height

export interface Label {
  text: string;
  x: number;
  y: number;
  z: number;
}

// The factor by which a picture shows more than its frustum each way: narrow pictures would cut off
// the middle.
export function widening(aspect: number): number {
  return Math.max(1, NARROW / aspect);
}

// Geometries and textures of a model: the same for all of its worlds.
export class Assets {
  textures: Textures;
  readonly fine: shapes.Shapes;
  readonly coarse: shapes.Shapes; // for what is small in the picture
  private readonly made = new Map<string, THREE.BufferGeometry>();

  constructor(
    readonly m: Model,
    readonly quality: Quality,
  ) {
    this.textures = new Textures(m, quality);
    this.fine = new shapes.Shapes(quality.segments);
    this.coarse = new shapes.Shapes(quality.segments / 2);
  }

  mesh(dataid: number): THREE.BufferGeometry {
    return this.get(`mesh${dataid}`, () =>
      dataid % 2 ? shapes.hullGeometry(this.m, dataid >> 1) : shapes.meshGeometry(this.m, dataid >> 1),
    );
  }

  hfield(id: number): THREE.BufferGeometry {
    return this.get(`hfield${id}`, () => shapes.hfieldGeometry(this.m, id));
  }

  // Drops everything made from an array that has changed, to be made again.
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

const eyeMatrix = new THREE.Matrix4();
const from = new THREE.Vector3(),
  to = new THREE.Vector3(),
  along = new THREE.Vector3();
const UP = new THREE.Vector3(0, 0, 1);
const turn = new THREE.Quaternion(),
  part = new THREE.Matrix4();

export class WorldView {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera();
  readonly labels: Label[] = [];
  readonly sky = new Sky();
  readonly eye = new THREE.Vector3();
  private readonly mirror: Mirror;
  private reflecting: MirrorSurface | null = null; // the mirror of this picture
  private mirrored = false; // whether a reflecting shape has been met; only the first one mirrors
  private readonly materials: Materials;
  private readonly batches: Batches;
  private readonly lights: Lights;
  private readonly surfaces: Surfaces;
  private readonly skyTexture: THREE.CubeTexture | null;
  private readonly decoder = new TextDecoder();
  private readonly copy = new Float32Array(COPY.floats); // the shape that is drawn

  constructor(private readonly assets: Assets) {
    const { m, textures } = assets;
    this.mirror = new Mirror(assets.quality.antialias ? 4 : 0);
    this.lights = new Lights(m.visual, assets.quality);
    this.materials = new Materials(m, textures, this.mirror, this.lights, assets.quality);
    this.batches = new Batches(this.materials);
    this.surfaces = new Surfaces(m, this.materials);
    this.skyTexture = textures.sky();
    this.scene.add(this.sky.mesh, this.batches.group, this.surfaces.group);
    this.camera.matrixAutoUpdate = false;
    this.camera.layers.enable(MIRROR_LAYER);
  }

  // `pixels`: height of the picture
  update(picture: Picture, horizon: { low: THREE.Color; high: THREE.Color }, pixels: number) {
    const numbers = new Float32Array(picture.geoms),
      words = new Int32Array(picture.geoms);
    const flags = picture.flags;
    this.materials.wireframe = flags[RENDER.wireframe]! !== 0;
    this.materials.additive = flags[RENDER.additive]! !== 0;
    this.sky.use(flags[RENDER.skybox] ? this.skyTexture : null);
    this.sky.low.copy(horizon.low);
    this.sky.high.copy(horizon.high);
    this.placeEye(new Float32Array(picture.eyes));
    const f = this.frustum;
    this.scale = (pixels / (f.top - f.bottom)) * (f.orthographic ? 1 : f.near);
    this.placeFog(flags);
    this.lights.update(picture.lights, flags[RENDER.shadow]! !== 0);
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
    const { haze, fog } = this.materials,
      v = this.assets.m.visual,
      far = v.zfar * v.extent;
    this.materials.foggy = flags[RENDER.fog] !== 0;
    fog.fogColor.value.setRGB(...v.fogColor);
    fog.fogRange.value.set(v.fogstart * v.extent, v.fogend * v.extent);
    if (flags[RENDER.haze]) {
      haze.fogRange.value.set(Math.min(0.25 * far, 4 * v.extent), Math.min(0.95 * far, 24 * v.extent));
    } else {
      haze.fogRange.value.set(1e9, 2e9);
    }
    if (this.skyTexture && flags[RENDER.skybox]) {
      haze.fogColor.value.setRGB(...v.hazeColor);
    } else {
      haze.fogColor.value.copy(this.sky.low);
    }
  }

  private placeEye(eyes: Float32Array) {
    // the mean of both eyes
    const mean = (at: number) => (eyes[at]! + eyes[EYE.words + at]!) / 2;
    const vector = (at: number) => new THREE.Vector3(mean(at), mean(at + 1), mean(at + 2));
    const position = vector(EYE.pos),
      forward = vector(EYE.forward).normalize(),
      up = vector(EYE.up).normalize();
    const right = new THREE.Vector3().crossVectors(forward, up).normalize();
    eyeMatrix.makeBasis(right, up, forward.clone().negate()).setPosition(position);
    this.camera.matrix.copy(eyeMatrix);
    this.camera.matrixWorldNeedsUpdate = true;
    this.eye.copy(position);
    this.frustum = {
      center: mean(EYE.center),
      width: mean(EYE.width),
      bottom: mean(EYE.bottom),
      top: mean(EYE.top),
      near: mean(EYE.near),
      far: mean(EYE.far),
      orthographic: new Int32Array(eyes.buffer)[EYE.orthographic] !== 0,
    };
  }

  private scale = 1; // pixels of a length, at a distance of 1
  private frustum = { center: 0, width: 0, bottom: -1, top: 1, near: 0.01, far: 100, orthographic: false };

  // Fits the projection to the shape of the picture.
  project(aspect: number) {
    const f = this.frustum;
    const wide = widening(aspect),
      height = (f.top - f.bottom) * wide;
    const half = f.width ? f.width * wide : 0.5 * aspect * height;
    const left = f.center - half,
      right = f.center + half;
    const middle = (f.top + f.bottom) / 2,
      top = middle + height / 2,
      bottom = middle - height / 2;
    if (f.orthographic) {
      this.camera.projectionMatrix.makeOrthographic(left, right, top, bottom, f.near, f.far);
    } else {
      this.camera.projectionMatrix.makePerspective(left, right, top, bottom, f.near, f.far);
    }
    this.camera.projectionMatrixInverse.copy(this.camera.projectionMatrix).invert();
  }

  private shape(picture: Picture, numbers: Float32Array, words: Int32Array, at: number) {
    const type = words[at + GEOM.type]!,
      dataid = words[at + GEOM.dataid]!,
      matid = words[at + GEOM.matid]!;
    const n = numbers,
      { copy } = this;
    for (let k = 0; k < 3; k++) {
      copy.set(n.subarray(at + GEOM.mat + 3 * k, at + GEOM.mat + 3 * k + 3), COPY.rows + 4 * k);
      copy[COPY.rows + 4 * k + 3] = n[at + GEOM.pos + k]!;
    }
    copy.set(n.subarray(at + GEOM.rgba, at + GEOM.rgba + 4), COPY.rgba);
    copy.set(n.subarray(at + GEOM.emission, at + GEOM.emission + 3), COPY.look);
    const size = n.subarray(at + GEOM.size, at + GEOM.size + 3);
    const [sx, sy, sz] = size as unknown as [number, number, number];
    const shapes = this.isSmall(Math.max(sx, sy)) ? this.assets.coarse : this.assets.fine;
    if (words[at + GEOM.label]! & 0xff) {
      this.label(n, at);
    }
    const look: Look = {
      texture: this.materials.texture(matid),
      texcoord: words[at + GEOM.texcoord]! !== 0,
      transparent: n[at + GEOM.rgba + 3]! < OPAQUE,
      doubleSided: false,
      infinite: false,
      mirror: 0,
    };
    if (look.texture >= 0) {
      this.materials.lay(
        copy,
        matid,
        type === TYPE.capsule ? [sx, sy, sx] : size,
        type === TYPE.mesh || type === TYPE.sdf || type === TYPE.hfield,
      );
    }
    if (
      n[at + GEOM.reflectance]! > 0 &&
      !this.mirrored &&
      !look.transparent &&
      (type === TYPE.plane || type === TYPE.box)
    ) {
      this.reflect(look, type === TYPE.box ? sz : 0, n[at + GEOM.reflectance]!);
    }
    const shadow = words[at + GEOM.category] !== DECOR;
    const draw = (geometry: THREE.BufferGeometry, ...scale: [x: number, y: number, z: number, length: number]) => {
      copy.set(scale, COPY.size);
      this.batches.add(geometry, look, shadow, copy);
    };
    switch (type) {
      case TYPE.plane:
        return this.plane(look, sx, sy);
      case TYPE.sphere:
      case TYPE.ellipsoid:
        return draw(shapes.ball, sx, sy, sz, 0);
      case TYPE.box:
        return draw(shapes.box, sx, sy, sz, 0);
      case TYPE.cylinder:
        return draw(shapes.cylinder, sx, sy, sz, 0);
      case TYPE.capsule:
        return draw(shapes.ball, sx, sy, sx, sz);
      case TYPE.mesh:
      case TYPE.sdf:
        return dataid >= 0 ? draw(this.assets.mesh(dataid), 1, 1, 1, 0) : undefined;
      case TYPE.hfield:
        return dataid >= 0 ? draw(this.assets.hfield(dataid), 1, 1, 1, 0) : undefined;
      case TYPE.arrow:
      case TYPE.arrow1:
      case TYPE.arrow2:
        return this.arrow(type, sx, sz, draw);
      case TYPE.line:
        return this.surfaces.line(this.point(from, 0, 0, 0), this.point(to, 0, 0, sz), copy.subarray(COPY.rgba));
      case TYPE.linebox:
        return this.lineBox(sx, sy, sz);
      case TYPE.triangle:
        return this.surfaces.triangle(
          [
            [0, 0],
            [sx, 0],
            [0, sy],
          ].map(([x, y]) => this.point(from, x!, y!, 0).toArray()),
          copy.subarray(COPY.rgba),
        );
      case TYPE.flex:
        return this.flex(picture, words[at + GEOM.objid]!, look, sx, pieceOf(dataid, sy, sz));
      case TYPE.skin:
        return this.surfaces.skin(picture, words[at + GEOM.objid]!, { ...look, texcoord: true }, copy);
    }
  }

  // Is the shape that is drawn, with its radius, small in the picture?
  private isSmall(radius: number): boolean {
    const distance = this.frustum.orthographic ? 1 : this.point(to, 0, 0, 0).distanceTo(this.eye);
    return radius * this.scale < SMALL * distance;
  }

  // A point in the frame of the shape that is drawn.
  private point(out: THREE.Vector3, x: number, y: number, z: number): THREE.Vector3 {
    const [a, b, c] = [0, 4, 8].map(
      (r) => this.copy[r]! * x + this.copy[r + 1]! * y + this.copy[r + 2]! * z + this.copy[r + 3]!,
    );
    return out.set(a!, b!, c!);
  }

  // Makes the upper side of a shape, at a height in its frame, the mirror, if it is seen from
  // above.
  private reflect(look: Look, height: number, reflectance: number) {
    const normal = this.normal(new THREE.Vector3()),
      point = this.point(new THREE.Vector3(), 0, 0, height);
    if (from.subVectors(this.eye, point).dot(normal) > 0) {
      this.mirrored = true;
      this.reflecting = { normal, point, reflectance };
      look.mirror = height > 0 ? 2 : 1;
    } else {
      this.mirrored = height > 0; // what is below a plane sees it transparent
    }
  }

  // The z axis of the shape that is drawn.
  private normal(out: THREE.Vector3): THREE.Vector3 {
    return out.set(this.copy[2]!, this.copy[6]!, this.copy[10]!);
  }

  // Renders into `part` of the canvas (pixels). If `shadows` or `mirror` is false, the shadow maps or the reflection of
  // an earlier frame are reused if there are any.
  draw(renderer: THREE.WebGLRenderer, part: THREE.Vector4, detail: number, shadows: boolean, mirror: boolean) {
    if (shadows || !this.lights.drawn) {
      this.lights.draw(renderer, this.scene);
    }
    if (this.reflecting && (mirror || !this.mirror.uniforms.reflection.value)) {
      const sky = this.sky.mesh.visible;
      this.sky.mesh.visible = false;
      this.mirror.draw(renderer, this.scene, this.camera, this.reflecting, part, detail);
      this.sky.mesh.visible = sky;
    }
    renderer.render(this.scene, this.camera);
  }

  private plane(look: Look, x: number, y: number) {
    const { copy } = this,
      { m, fine } = this.assets;
    const reach = 2.1 * m.visual.zfar * m.visual.extent;
    look.infinite = x <= 0 || y <= 0;
    look.doubleSided = true;
    // is it seen from behind?
    if (from.subVectors(this.eye, this.point(to, 0, 0, 0)).dot(this.normal(along)) < 0) {
      copy[COPY.rgba + 3]! *= BEHIND;
      look.transparent = true;
    }
    [x, y].forEach((length, k) => {
      copy[COPY.size + k] = length > 0 ? length : reach;
      copy[COPY.texgen + k]! *= length > 0 ? 1 : reach;
    });
    copy.set([1, 0], COPY.size + 2);
    this.batches.add(look.infinite ? fine.endless : fine.plane, look, false, copy);
  }

  // The drawn length is half of the size; a third of it is the head.
  private arrow(
    type: number,
    radius: number,
    length: number,
    draw: (geometry: THREE.BufferGeometry, x: number, y: number, z: number, length: number) => void,
  ) {
    const shapes = this.assets.coarse;
    const start = this.point(new THREE.Vector3(), 0, 0, 0),
      axis = this.normal(new THREE.Vector3());
    const move = (z: number) =>
      [0, 1, 2].forEach((k) => (this.copy[COPY.rows + 4 * k + 3] = start.getComponent(k) + z * axis.getComponent(k)));
    const head = type === TYPE.arrow1 ? radius : 1.75 * radius;
    const both = type === TYPE.arrow2;
    const shaft = length / 3,
      half = length / 2;
    const low = both ? -shaft : 0;
    move((shaft + low) / 2);
    draw(shapes.cylinder, radius, radius, (shaft - low) / 2, 0);
    move(shaft);
    draw(shapes.cone, head, head, half - shaft, 0);
    if (both) {
      move(-shaft);
      draw(shapes.cone, head, -head, shaft - half, 0);
    }
  }

  private lineBox(x: number, y: number, z: number) {
    const color = this.copy.subarray(COPY.rgba);
    const corner = (i: number, out: THREE.Vector3) => this.point(out, i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    for (let i = 0; i < 8; i++) {
      for (const bit of [1, 2, 4]) {
        if (!(i & bit)) {
          this.surfaces.line(corner(i, from), corner(i | bit, to), color);
        }
      }
    }
  }

  // The edges of a flex of dim 1 in the order of its parts.
  private edgesByPart(flex: number): number[] {
    const m = this.assets.m;
    const first = m.at("flex_elemadr", flex),
      edge = m.array("flex_elemedge").subarray(m.at("flex_elemedgeadr", flex));
    const own = m.array("cnd_flex_elemmatid");
    const parts = new Map<number, number[]>();
    for (let e = 0; e < m.at("flex_elemnum", flex); e++) {
      const material = own[first + e]! >= 0 ? own[first + e]! : m.at("flex_matid", flex);
      const part = parts.get(material) ?? [];
      part.push(edge[e]!);
      parts.set(material, part);
    }
    return [...parts.values()].flat();
  }

  // Faces, or vertices as balls and edges as rods; of a part its faces or edges. The vertices, and edges that no part
  // has, come with the first part.
  private flex(picture: Picture, id: number, look: Look, radius: number, piece: FlexPiece | null) {
    const it = picture.flex;
    if (!it) {
      return;
    }
    const [vertices, edges, , skin] = it.options;
    const faces = this.surfaces.flex(picture, id, look, this.copy, piece);
    if (radius <= 0 || (faces && skin)) {
      return;
    }
    const m = this.assets.m;
    const first = m.at("flex_vertadr", id),
      count = m.at("flex_vertnum", id);
    const plain: Look = { ...look, texture: -1 };
    const point = (i: number, out: THREE.Vector3) => out.fromArray(it.vertices, 3 * (first + i));
    const draw = (at: THREE.Vector3, length: number) => {
      // the matrix is stored by rows
      this.copy.set(part.makeRotationFromQuaternion(turn).setPosition(at).transpose().elements.slice(0, 12), COPY.rows);
      this.copy.set([radius, radius, radius, length], COPY.size);
      this.batches.add(this.assets.coarse.ball, plain, true, this.copy);
    };
    turn.identity();
    for (let i = 0; vertices && (piece?.number ?? 0) === 0 && i < count; i++) {
      draw(point(i, from), 0);
    }
    const edge = m.array("flex_edge"),
      firstEdge = m.at("flex_edgeadr", id),
      whole = !piece || piece.number === 0;
    const parted = piece && piece.count > 0 && !faces ? this.edgesByPart(id) : null;
    const shown = parted ? parted.slice(piece!.first, piece!.first + piece!.count) : [];
    for (let i = 0; !parted && whole && i < m.at("flex_edgenum", id); i++) {
      shown.push(i);
    }
    for (const i of edges ? shown : []) {
      point(edge[2 * (firstEdge + i)]!, from);
      point(edge[2 * (firstEdge + i) + 1]!, to);
      const length = from.distanceTo(to);
      turn.setFromUnitVectors(UP, along.subVectors(to, from).divideScalar(length || 1));
      draw(from.lerp(to, 0.5), length / 2);
    }
  }

  private label(numbers: Float32Array, at: number) {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset + 4 * (at + GEOM.label), GEOM.labelBytes);
    const end = bytes.indexOf(0);
    this.labels.push({
      text: this.decoder.decode(bytes.subarray(0, end < 0 ? bytes.length : end)),
      x: numbers[at + GEOM.pos]!,
      y: numbers[at + GEOM.pos + 1]!,
      z: numbers[at + GEOM.pos + 2]!,
    });
  }

  dispose() {
    this.batches.dispose();
    this.surfaces.dispose();
    this.materials.dispose();
    this.mirror.dispose();
    this.lights.dispose();
  }
}
