// SPDX-License-Identifier: Apache-2.0
// Wheel, dragging, pinching and clicks in the timeline.

class Pointer {
  constructor(timeline, tooltip) {
    this.timeline = timeline;
    this.tooltip = tooltip;
    this.pointers = new Map();  // those that are down, by id
    this.moved = 0;
    const { scroller } = timeline;
    scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    scroller.addEventListener("pointerdown", (event) => this.down(event));
    scroller.addEventListener("pointermove", (event) => this.move(event));
    scroller.addEventListener("pointerup", (event) => this.up(event));
    scroller.addEventListener("pointercancel", (event) => this.end(event));
    scroller.addEventListener("pointerleave", () => tooltip.hide());
    scroller.addEventListener("scroll", () => tooltip.hide());
    timeline.canvas.addEventListener("dblclick", (event) => this.twice(event));
  }

  place(event) {
    const origin = this.timeline.canvas.getBoundingClientRect();
    return { x: event.clientX - origin.left, y: event.clientY - origin.top };
  }

  // Over the names of lanes, and with Shift, the wheel scrolls; elsewhere it zooms at the pointer.
  wheel(event) {
    const { x, y } = this.place(event);
    const line = event.deltaMode === 1 ? 24 : 1;
    if (event.shiftKey && !event.deltaX) {
      event.preventDefault();
      this.timeline.scroller.scrollTop += event.deltaY * line;
      return;
    }
    if (x < this.timeline.area.left && !event.ctrlKey) return;
    event.preventDefault();
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      view.move((event.deltaX * line) / (this.timeline.area.right - this.timeline.area.left));
    } else {
      const speed = event.ctrlKey ? 0.01 : 0.0022;
      view.zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY * line)) * speed), this.timeline.timeAt(x));
    }
    this.tooltip.show(x, y);
  }

  down(event) {
    if (event.button !== 0) return;
    const { x, y } = this.place(event);
    if (x >= this.timeline.width) return;  // the scroll bar
    this.pointers.set(event.pointerId, { x, y });
    this.moved = this.pointers.size > 1 ? 99 : 0;
    view.aim = null;
  }

  move(event) {
    const { x, y } = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (this.pointers.size === 0) this.tooltip.show(x, y);
      return;
    }
    this.moved += Math.abs(x - before.x) + Math.abs(y - before.y);
    if (this.moved < 4) return;
    const { scroller } = this.timeline;
    if (!scroller.hasPointerCapture(event.pointerId)) scroller.setPointerCapture(event.pointerId);
    scroller.classList.add("dragging");
    this.tooltip.hide();
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.pinch(before, { x, y }, other);
    else {
      const shift = (before.x - x) / this.timeline.area.scale;
      view.jump(view.begin + shift, view.end + shift);
      scroller.scrollTop += before.y - y;
    }
    this.pointers.set(event.pointerId, { x, y });
  }

  pinch(before, now, other) {
    const distance = (place) => Math.max(10, Math.hypot(place.x - other.x, place.y - other.y));
    view.zoom(distance(before) / distance(now), this.timeline.timeAt((now.x + other.x) / 2));
  }

  end(event) {
    this.pointers.delete(event.pointerId);
    this.timeline.scroller.classList.remove("dragging");
  }

  up(event) {
    const wasDown = this.pointers.has(event.pointerId);
    this.end(event);
    if (!wasDown || this.moved >= 4) return;
    const { x, y } = this.place(event);
    app.select(itemAt(this.timeline, x, y));
  }

  twice(event) {
    const { x, y } = this.place(event);
    const item = itemAt(this.timeline, x, y);
    if (item) view.show(itemBegin(item), itemEnd(item));
    else if (x >= this.timeline.area.left) view.zoom(0.4, this.timeline.timeAt(x));
  }
}
