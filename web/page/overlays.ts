// Overlays that a program puts on the picture: images, figures and texts. Coordinates are pixels of
// the picture from its lower left corner.

import type { Figure, Overlays, Rectangle } from "../worker/messages.ts";
import { h } from "./dom.ts";

const LINE = 18; // pixels of a line of text
const BIG = 2; // mjtFont
const MOST_TICKS = 12;
// of mjtGridPos: across (0 left, 1 middle, 2 right) and down
const PLACES: [number, number][] = [
  [0, 0],
  [2, 0],
  [0, 2],
  [2, 2],
  [1, 0],
  [1, 2],
  [0, 1],
  [2, 1],
];
const ACROSS = ["flex-start", "center", "flex-end"];

const css = (color: Float32Array, at = 0, alpha = 1) =>
  `rgba(${[0, 1, 2].map((k) => Math.round(255 * (color[at + k] ?? 0))).join()},${alpha})`;

// A number in one of printf's forms, of which figures use %f, %g, %e and %d.
function print(format: string, x: number): string {
  return format.replace(/%[-+ #0]*\d*(?:\.(\d+))?l?([fgeid])/, (_, digits, form) => {
    const places = digits === undefined ? 6 : Number(digits);
    return form === "f"
      ? x.toFixed(places)
      : form === "e"
        ? x.toExponential(places)
        : form === "g"
          ? String(Number(x.toPrecision(Math.max(1, places))))
          : String(Math.round(x));
  });
}

// The range of an axis: the given one, or that of the data if it is empty.
function findRange(figure: Figure, axis: 0 | 1): [number, number] {
  let low = figure.range[2 * axis]!,
    high = figure.range[2 * axis + 1]!;
  const empty = !(low < high);
  if (empty || figure.extend) {
    [low, high] = empty ? [Infinity, -Infinity] : [low, high];
    const width = figure.points.length / Math.max(1, figure.counts.length);
    figure.counts.forEach((count, line) => {
      for (let i = 0; i < count; i++) {
        const value = figure.points[line * width + 2 * i + axis]!;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    });
  }
  if (axis === 1 && figure.symmetric) {
    high = Math.max(Math.abs(low), Math.abs(high));
    low = -high;
  }
  return Number.isFinite(low) && low < high
    ? [low, high]
    : [(Number.isFinite(low) ? low : 0) - 0.5, (Number.isFinite(low) ? low : 0) + 0.5];
}

export class OverlayView {
  readonly element = h("div", { class: "overlays" });
  private readonly canvas = h("canvas", {});
  private readonly corners = PLACES.map(([x, y]) => {
    const corner = h("div", { class: "corner" });
    Object.assign(corner.style, { alignItems: ACROSS[x], justifyContent: ACROSS[y] });
    return corner;
  });
  private last: Overlays = { figures: [], texts: [], images: [] };

  constructor() {
    this.element.append(this.canvas, ...this.corners);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  set(overlays: Overlays) {
    this.last = overlays;
    this.corners.forEach((corner, place) =>
      corner.replaceChildren(
        ...overlays.texts
          .filter((it) => it.place === place)
          .map(({ font, left, right }) =>
            h("pre", { class: font === BIG ? "big" : "" }, h("span", {}, left), right ? h("span", {}, right) : null),
          ),
      ),
    );
    this.draw();
  }

  private draw() {
    const ratio = window.devicePixelRatio,
      height = this.element.clientHeight;
    this.canvas.width = Math.round(this.element.clientWidth * ratio);
    this.canvas.height = Math.round(height * ratio);
    const context = this.canvas.getContext("2d")!;
    const top = ([, bottom, , tall]: Rectangle) => this.canvas.height - bottom - tall;
    for (const { rect, colors } of this.last.images) {
      const [left, , wide, tall] = rect;
      if (wide < 1 || tall < 1) {
        continue;
      }
      const image = context.createImageData(wide, tall);
      for (let i = 0; i < wide * tall; i++) {
        image.data.set(colors.subarray(3 * i, 3 * i + 3), 4 * i);
        image.data[4 * i + 3] = 255;
      }
      context.putImageData(image, left, top(rect));
    }
    this.last.figures.forEach((figure) => {
      context.save();
      context.translate(figure.rect[0], top(figure.rect));
      this.figure(context, figure, figure.rect[2], figure.rect[3]);
      context.restore();
    });
  }

  private figure(context: CanvasRenderingContext2D, figure: Figure, width: number, height: number) {
    const text = css(figure.textColor);
    context.fillStyle = css(figure.figureColor, 0, figure.figureColor[3]);
    context.fillRect(0, 0, width, height);
    context.font = "12px system-ui, sans-serif";
    const x = findRange(figure, 0),
      y = findRange(figure, 1);
    const labels = (axis: 0 | 1, range: [number, number], count: number) => {
      const parts = Math.min(MOST_TICKS, Math.max(1, count - 1));
      return Array.from({ length: parts + 1 }, (_, i) =>
        print(figure.formats[axis], range[0] + (i / parts) * (range[1] - range[0])),
      );
    };
    const xTicks = labels(0, x, figure.grid[0]!),
      yTicks = labels(1, y, figure.grid[1]!);
    const left = figure.tickLabels[1] ? 10 + Math.max(...yTicks.map((it) => context.measureText(it).width)) : 8;
    const top = figure.title ? LINE + 4 : 8;
    const bottom = height - (figure.tickLabels[0] ? LINE : 4) - (figure.xlabel ? LINE : 4),
      right = width - 10;
    if (right <= left || bottom <= top) {
      return;
    }
    const px = (value: number) => left + ((value - x[0]) / (x[1] - x[0])) * (right - left);
    const py = (value: number) => bottom - ((value - y[0]) / (y[1] - y[0])) * (bottom - top);
    context.fillStyle = css(figure.paneColor, 0, figure.paneColor[3]);
    context.fillRect(left, top, right - left, bottom - top);
    this.grid(context, figure, { left, right, top, bottom, xTicks, yTicks, text });
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    this.lines(context, figure, px, py);
    if (figure.selection !== null) {
      context.strokeStyle = text;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(px(figure.selection), top);
      context.lineTo(px(figure.selection), bottom);
      context.stroke();
    }
    context.restore();
    if (figure.legend) {
      this.legend(context, figure, right, top, text);
    }
  }

  private grid(
    context: CanvasRenderingContext2D,
    figure: Figure,
    it: { left: number; right: number; top: number; bottom: number; xTicks: string[]; yTicks: string[]; text: string },
  ) {
    context.strokeStyle = css(figure.gridColor);
    context.fillStyle = it.text;
    context.lineWidth = 1;
    context.beginPath();
    context.textAlign = "center";
    it.xTicks.forEach((label, i) => {
      const at = it.left + (i / (it.xTicks.length - 1)) * (it.right - it.left);
      context.moveTo(at, it.top);
      context.lineTo(at, it.bottom);
      if (figure.tickLabels[0]) {
        context.fillText(label, at, it.bottom + LINE - 4);
      }
    });
    context.textAlign = "right";
    it.yTicks.forEach((label, i) => {
      const at = it.bottom - (i / (it.yTicks.length - 1)) * (it.bottom - it.top);
      context.moveTo(it.left, at);
      context.lineTo(it.right, at);
      if (figure.tickLabels[1]) {
        context.fillText(label, it.left - 4, at + 4);
      }
    });
    context.stroke();
    context.textAlign = "center";
    const middle = (it.left + it.right) / 2;
    context.fillText(figure.title, middle, LINE - 2);
    context.fillText(figure.xlabel, middle, it.bottom + (figure.tickLabels[0] ? 2 * LINE : LINE) - 4);
  }

  private lines(
    context: CanvasRenderingContext2D,
    figure: Figure,
    px: (x: number) => number,
    py: (y: number) => number,
  ) {
    const width = figure.points.length / Math.max(1, figure.counts.length);
    context.lineWidth = Math.max(1, figure.lineWidth / 2);
    figure.counts.forEach((count, line) => {
      context.strokeStyle = css(figure.colors, 3 * line);
      context.beginPath();
      for (let i = 0; i < count; i++) {
        const at = line * width + 2 * i,
          x = px(figure.points[at]!),
          y = py(figure.points[at + 1]!);
        // bars are segments of two points each
        if (i === 0 || (figure.bars && i % 2 === 0)) {
          context.moveTo(x, y);
        } else {
          context.lineTo(x, y);
        }
      }
      context.stroke();
    });
  }

  private legend(context: CanvasRenderingContext2D, figure: Figure, right: number, top: number, text: string) {
    const named = figure.names.map((name, i) => ({ name, i })).filter(({ name }) => name);
    if (named.length === 0) {
      return;
    }
    const wide = Math.max(...named.map(({ name }) => context.measureText(name).width));
    context.fillStyle = css(figure.legendColor, 0, figure.legendColor[3]);
    context.fillRect(right - wide - 34, top + 4, wide + 30, named.length * LINE + 4);
    context.textAlign = "left";
    named.forEach(({ name, i }, row) => {
      const at = top + 4 + (row + 1) * LINE - 4;
      context.fillStyle = css(figure.colors, 3 * i);
      context.fillRect(right - wide - 28, at - 5, 14, 3);
      context.fillStyle = text;
      context.fillText(name, right - wide - 9, at);
    });
  }
}
