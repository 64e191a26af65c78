// SPDX-License-Identifier: Apache-2.0
// What the parts of the page share: the state, and when to draw.

const app = {
  selection: null,  // an item
  hovered: null,
  parts: [],  // functions that draw
  frame: 0,
  frameTimes: [],  // milliseconds of the latest draws

  // Draws everything once, in the next frame.
  redraw() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  },

  draw() {
    this.frame = 0;
    const start = performance.now();
    for (const part of this.parts) part();
    this.frameTimes.push(performance.now() - start);
    if (this.frameTimes.length > 500) this.frameTimes.shift();
  },

  listeners: {},
  on(event, listener) {
    (this.listeners[event] ??= []).push(listener);
  },
  tell(event) {
    for (const listener of this.listeners[event] ?? []) listener();
    this.redraw();
  },

  select(item) {
    this.selection = item;
    this.tell("selection");
    if (item) say(`${itemName(item)}, ${timeText(itemEnd(item) - itemBegin(item))}`);
  },
};

// For screen readers.
function say(text) {
  byId("live").textContent = text;
}
