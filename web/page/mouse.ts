// The mouse on the picture: the camera motions of MuJoCo's viewer, and pulling of bodies.
//
//   left        turns           right         moves (shift: on the floor)     wheel, middle   zooms
//   double click selects        ctrl + right  pulls what is selected          ctrl + left     turns it
//
// With the hand (the button, or Alt) the left button takes what is under it and pulls. Touches turn,
// two fingers zoom and move.

import type { Picked } from "../worker/messages.ts";
import type { Session } from "./session.ts";
import type { Stage } from "./scene/stage.ts";

// mjtMouse
const ROTATE_V = 1,
  ROTATE_H = 2,
  MOVE_V = 3,
  MOVE_H = 4,
  ZOOM = 5;
const TRANSLATE = 1,
  ROTATE = 2; // mjtPertBit
const WHEEL = 0.0005; // part of the window for a unit of the wheel

export class Mouse {
  hand = false;
  onselect: (picked: Picked) => void = () => {};
  private held = 0;
  private asked: { x: number; y: number } | null = null; // motion since it was asked what is there
  private world = 0;
  private readonly touches = new Map<number, { x: number; y: number }>();

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly frame: HTMLElement,
  ) {
    frame.addEventListener("pointerdown", (event) => void this.down(event));
    frame.addEventListener("pointermove", (event) => this.move(event));
    frame.addEventListener("pointerup", (event) => this.up(event));
    frame.addEventListener("pointercancel", (event) => this.up(event));
    frame.addEventListener("dblclick", (event) => void this.select(event));
    frame.addEventListener("contextmenu", (event) => event.preventDefault());
    frame.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        session.call("moveCamera", ZOOM, 0, -WHEEL * event.deltaY);
      },
      { passive: false },
    );
  }

  private at(event: MouseEvent) {
    const box = this.frame.getBoundingClientRect();
    return this.stage.locate(event.clientX - box.left, event.clientY - box.top);
  }

  private async pick(event: MouseEvent): Promise<Picked> {
    const place = this.at(event);
    this.world = place.world;
    return this.session.ask<Picked>("pick", place.world, place.aspect, place.x, place.y);
  }

  // Selects what is under the mouse; the right button looks there, with control it follows.
  private async select(event: MouseEvent) {
    const picked = await this.pick(event);
    if (event.button === 2) {
      if (picked.body > 0 && event.ctrlKey) {
        this.session.call("followBody", picked.body);
      } else if (picked.body >= 0) {
        this.session.call("lookAt", ...picked.point);
      }
      return;
    }
    this.session.call("select", this.world, Math.max(0, picked.body), ...picked.point);
    this.onselect(picked);
  }

  private async down(event: PointerEvent) {
    this.frame.setPointerCapture(event.pointerId);
    this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const hand = (this.hand || event.altKey) && event.button === 0 && this.touches.size === 1;
    if (hand) {
      this.asked = { x: 0, y: 0 };
      const picked = await this.pick(event);
      const { x, y } = this.asked ?? { x: 0, y: 0 };
      this.asked = null;
      if (picked.body > 0 && this.touches.has(event.pointerId)) {
        this.session.call("select", this.world, picked.body, ...picked.point);
        this.onselect(picked);
        this.hold(TRANSLATE);
        this.session.call("drag", this.world, event.shiftKey ? MOVE_H : MOVE_V, x, y);
      } else if (picked.body <= 0) {
        this.session.call("moveCamera", ROTATE_V, x, y);
      }
    } else if (event.ctrlKey && (this.session.last?.selected ?? 0) > 0) {
      this.world = this.at(event).world;
      this.hold(event.button === 0 ? ROTATE : TRANSLATE);
    }
  }

  private hold(active: number) {
    this.held = active;
    this.session.call("hold", this.world, active);
  }

  private move(event: PointerEvent) {
    const before = this.touches.get(event.pointerId);
    if (!before) {
      return;
    }
    const height = this.frame.clientHeight;
    const x = (event.clientX - before.x) / height,
      y = (event.clientY - before.y) / height;
    if (this.asked) {
      this.asked.x += x;
      this.asked.y += y;
    } else if (this.touches.size === 2) {
      this.pinch(event, x, y);
    } else {
      const rotate = this.held ? this.held === ROTATE : (event.buttons & 1) !== 0;
      const action =
        (event.buttons & 4) !== 0 && !this.held
          ? ZOOM
          : rotate
            ? event.shiftKey
              ? ROTATE_H
              : ROTATE_V
            : event.shiftKey
              ? MOVE_H
              : MOVE_V;
      if (this.held) {
        this.session.call("drag", this.world, action, x, y);
      } else {
        this.session.call("moveCamera", action, x, y);
      }
    }
    this.touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  private pinch(event: PointerEvent, x: number, y: number) {
    const other = [...this.touches].find(([id]) => id !== event.pointerId)![1];
    const before = this.touches.get(event.pointerId)!;
    const far = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y);
    const growth = (far({ x: event.clientX, y: event.clientY }) - far(before)) / this.frame.clientHeight;
    this.session.call("moveCamera", ZOOM, 0, growth);
    this.session.call("moveCamera", MOVE_V, x / 2, y / 2);
  }

  private up(event: PointerEvent) {
    this.touches.delete(event.pointerId);
    if (this.held && this.touches.size === 0) {
      this.hold(0);
    }
  }
}
