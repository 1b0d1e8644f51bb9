// The canvas: worlds side by side with labels, drawn with as many pixels as there is time for.

import * as THREE from "three";
import type { Picture } from "../../worker/messages.ts";
import type { Model } from "../model.ts";
import { findQuality } from "./quality.ts";
import { Assets, WorldView, widening } from "./worldview.ts";

const SLOW = 1.07,
  FAST = 1.03; // frame time in screen periods: fewer pixels above, more below
const SHORTEST = 1000 / 60,
  LONGEST = 20; // range of the screen periods aimed at, milliseconds
const SETTLE = 20,
  RETRY = 600; // frames: between two changes; before a slow quality is tried again
const LEAST = 0.35; // least pixels, as a part of the screen's, each way
const STILL = 6; // after this many equal pictures one is drawn with all pixels, and then none

// Do two pictures show the same?
function isSame(a: Picture, b: Picture | undefined): boolean {
  const equal = (x: ArrayBuffer, y: ArrayBuffer) => {
    const p = new Int32Array(x),
      q = new Int32Array(y);
    return p.length === q.length && p.every((word, i) => word === q[i]);
  };
  return (
    b !== undefined &&
    !a.flex &&
    !a.skin &&
    a.world === b.world &&
    equal(a.geoms, b.geoms) &&
    equal(a.eyes, b.eyes) &&
    equal(a.lights, b.lights) &&
    a.flags.every((flag, i) => flag === b.flags[i])
  );
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly overlay: HTMLCanvasElement;
  private assets: Assets | null = null;
  private readonly views: WorldView[] = [];
  private shown: number[] = [];
  private readonly horizon = { low: new THREE.Color(), high: new THREE.Color() };
  private readonly detail = findQuality();
  private quality = this.detail.pixels;
  private last: Picture[] = [];
  private still = 0; // number of pictures equal to the one before
  private meanTime = SHORTEST;
  private period = LONGEST; // of the screen's refresh, milliseconds
  private lastBeat = 0;
  private sinceChange = 0;
  private tooSlow = Infinity;
  private lastDraw = 0;
  private count = 0;
  private labelled = false;
  private readonly part = new THREE.Vector4();

  constructor(private readonly frame: HTMLElement) {
    THREE.ColorManagement.enabled = false;
    this.renderer = new THREE.WebGLRenderer({ antialias: this.detail.antialias, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.overlay = document.createElement("canvas");
    this.canvas.className = "picture";
    this.overlay.className = "labels";
    frame.append(this.canvas, this.overlay);
    new ResizeObserver(() => this.resize()).observe(frame);
    this.resize();
  }

  private resize() {
    this.overlay.width = Math.max(1, this.frame.clientWidth) * window.devicePixelRatio;
    this.overlay.height = Math.max(1, this.frame.clientHeight) * window.devicePixelRatio;
    this.draw(this.last);
  }

  // Sets the picture's resolution, as a part of the screen's. The canvas is cleared if it changes.
  private setPixels(part: number) {
    const width = Math.max(1, Math.floor(part * this.overlay.width)),
      height = Math.max(1, Math.floor(part * this.overlay.height));
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.renderer.setSize(width, height, false);
    }
  }

  // Colours of the background where the model has no sky.
  setHorizon(low: string, high: string) {
    this.horizon.low.set(low);
    this.horizon.high.set(high);
    this.still = 0;
  }

  setModel(m: Model) {
    this.views.forEach((view) => view.dispose());
    this.views.length = 0;
    this.assets?.dispose();
    this.assets = new Assets(m, this.detail);
    this.still = 0;
  }

  // Arrays of the model have changed.
  refresh(arrays: string[]) {
    this.still = 0;
    this.views.forEach((view) => view.dispose());
    this.views.length = 0;
    arrays.forEach((array) => this.assets?.forget(array));
  }

  // Size of the picture, pixels of the screen.
  get size(): [number, number] {
    return [this.overlay.width, this.overlay.height];
  }

  // Worlds from left to right.
  get worlds(): number[] {
    return this.shown;
  }

  // Which world is at a place of the canvas, and where in its picture (0 .. 1 from the lower left).
  locate(x: number, y: number): { world: number; x: number; y: number; aspect: number } {
    const count = Math.max(1, this.shown.length);
    const column = Math.min(count - 1, Math.max(0, Math.floor((x / this.frame.clientWidth) * count)));
    const aspect = this.frame.clientWidth / count / this.frame.clientHeight,
      wide = widening(aspect);
    return {
      world: this.shown[column] ?? 0,
      x: 0.5 + wide * ((x / this.frame.clientWidth) * count - column - 0.5),
      y: 0.5 + wide * (0.5 - y / this.frame.clientHeight),
      aspect,
    };
  }

  // Draws pictures. They are drawn even if they are equal to the last ones, because the screen's
  // content can't be read later; after STILL equal ones they are drawn once with all pixels.
  draw(pictures: Picture[]) {
    const again = pictures === this.last;
    const same = !again && pictures.length === this.last.length && pictures.every((it, i) => isSame(it, this.last[i]));
    this.last = pictures;
    if (!this.assets || pictures.length === 0) {
      return;
    }
    this.still = same ? this.still + 1 : again ? this.still : 0;
    const stands = this.still >= STILL;
    if (this.still > STILL && !again) {
      this.lastDraw = -Infinity;
      return;
    }
    this.setPixels(stands ? 1 : this.quality);
    const start = performance.now();
    this.shown = pictures.map((it) => it.world);
    const width = this.canvas.width / pictures.length,
      height = this.canvas.height;
    const overlay = this.overlay.getContext("2d")!;
    // any write makes the browser compose a canvas again, so it is cleared only if it has labels
    if (this.labelled) {
      overlay.setTransform(1, 0, 0, 1, 0, 0);
      overlay.clearRect(0, 0, this.overlay.width, this.overlay.height);
      this.labelled = false;
    }
    const even = ++this.count % 2 === 0,
      all = stands || !this.detail.turns;
    this.renderer.setScissorTest(pictures.length > 1);
    this.renderer.clear();
    pictures.forEach((picture, i) => {
      const view = (this.views[i] ??= new WorldView(this.assets!));
      view.update(picture, this.horizon, height);
      view.project(width / height);
      this.renderer.setViewport(i * width, 0, width, height);
      this.renderer.setScissor(i * width, 0, width, height);
      view.draw(
        this.renderer,
        this.renderer.getCurrentViewport(this.part),
        this.detail.mirror,
        all || even,
        all || !even,
      );
      this.drawLabels(view, overlay, i / pictures.length, 1 / pictures.length);
    });
    this.adapt(start);
  }

  private drawLabels(view: WorldView, context: CanvasRenderingContext2D, from: number, part: number) {
    if (view.labels.length === 0) {
      return;
    }
    this.labelled = true;
    const ratio = window.devicePixelRatio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.lineWidth = 3;
    context.strokeStyle = "rgba(0,0,0,0.65)";
    context.fillStyle = "#fff";
    const p = new THREE.Vector3();
    for (const label of view.labels) {
      p.set(label.x, label.y, label.z).applyMatrix4(view.camera.matrixWorldInverse);
      if (p.z > 0) {
        continue;
      }
      p.applyMatrix4(view.camera.projectionMatrix);
      const x = (from + ((p.x + 1) / 2) * part) * this.frame.clientWidth,
        y = ((1 - p.y) / 2) * this.frame.clientHeight;
      context.strokeText(label.text, x, y);
      context.fillText(label.text, x, y);
    }
  }

  // Called at each refresh of the screen.
  beat(time: number) {
    this.period = Math.max(SHORTEST, Math.min(this.period, time - this.lastBeat));
    this.lastBeat = time;
  }

  // Draws fewer pixels if frames take long, so that motion stays smooth.
  private adapt(start: number) {
    const gap = start - this.lastDraw;
    this.lastDraw = start;
    // a gap this long means that the page was hidden
    if (gap > 1500 || this.detail.fixed) {
      return;
    }
    this.meanTime += 0.05 * (Math.min(gap, 200) - this.meanTime);
    const slow = SLOW * this.period;
    // a quality that is far too slow is given up early
    if (++this.sinceChange < (this.meanTime > 3 * slow ? SETTLE / 4 : SETTLE)) {
      return;
    }
    const before = this.quality;
    const more = Math.min(1, this.quality * 1.15);
    if (this.meanTime > slow) {
      this.tooSlow = this.quality;
      this.quality = Math.max(LEAST, this.quality * (this.meanTime > 3 * slow ? 0.6 : 0.85));
    } else if (this.meanTime < FAST * this.period && (more < this.tooSlow || this.sinceChange > RETRY)) {
      this.quality = more;
    }
    if (this.quality !== before) {
      this.sinceChange = 0;
    }
  }

  // The picture of the screen with all pixels. It has to be drawn again, because the browser drops
  // it once shown.
  image(): Promise<Blob | null> {
    this.still = STILL;
    this.draw(this.last);
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }
}
