// SPDX-License-Identifier: Apache-2.0
// The keyboard, and the dialog that lists the keys.

const kKeyHelp = [
  [["W", "S"], "zoom in and out at the pointer; also + and −"],
  [["A", "D"], "move left and right; also ← and →"],
  [["↑", "↓"], "scroll through the lanes"],
  [["f"], "show everything"],
  [["z"], "zoom to the selected item"],
  [[",", "."], "previous and next item in the row"],
  [["/"], "search"],
  [["Enter", "n"], "next match"],
  [["p"], "previous match"],
  [["t"], "light or dark"],
  [["Esc"], "end the selection, the search, this list"],
  [["?"], "this list"],
];
const kPointerHelp = [
  ["Wheel", "zoom at the pointer; over the names of lanes, or with Shift, scroll"],
  ["Drag", "move; in the strip above, choose the visible part"],
  ["Double click", "zoom to an item; in the strip above, show everything"],
  ["Shift + chip", "show only this category or stream"],
];

class Keys {
  constructor(timeline, actions) {
    this.timeline = timeline;
    this.actions = actions;
    this.dialog = byId("keys");
    this.fillDialog();
    document.addEventListener("keydown", (event) => this.down(event));
  }

  fillDialog() {
    const list = make("dl");
    for (const [keys, text] of kKeyHelp) {
      list.append(make("dt", {}, ...keys.map((key) => make("kbd", {}, key))), make("dd", {}, text));
    }
    for (const [what, text] of kPointerHelp) list.append(make("dt", {}, what), make("dd", {}, text));
    this.dialog.append(make("h2", {}, "Keys and pointer"), list);
    this.dialog.addEventListener("click", () => this.dialog.close());
  }

  // Where W and S zoom: at the pointer while it is on the timeline.
  get anchor() {
    const match = /translateX\((.*)px\)/.exec(byId("hairline").style.transform);
    return match && !byId("hairline").hidden ? this.timeline.timeAt(Number(match[1])) : undefined;
  }

  down(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    const target = event.target;
    if (target instanceof HTMLInputElement) return;
    if (event.key === "Enter" && target instanceof HTMLButtonElement) return;
    const isPanel = target.closest?.("#dock, #chips") && event.key.startsWith("Arrow");
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = isPanel ? null : this.actionOf(key);
    if (!action) return;
    event.preventDefault();
    action();
  }

  actionOf(key) {
    const { scroller } = this.timeline;
    const zoomIn = () => view.zoom(0.8, this.anchor);
    const zoomOut = () => view.zoom(1.25, this.anchor);
    return {
      w: zoomIn, "+": zoomIn, "=": zoomIn, s: zoomOut, "-": zoomOut,
      a: () => view.move(-0.12), ArrowLeft: () => view.move(-0.12),
      d: () => view.move(0.12), ArrowRight: () => view.move(0.12),
      ArrowUp: () => { scroller.scrollTop -= 60; }, ArrowDown: () => { scroller.scrollTop += 60; },
      f: () => view.fit(), z: () => app.selection && view.show(itemBegin(app.selection), itemEnd(app.selection)),
      ",": () => step(-1), ".": () => step(1),
      "/": () => byId("search").select(), n: () => search.go(1), Enter: () => search.go(1), p: () => search.go(-1),
      t: () => theme.toggle(), Escape: () => this.actions.escape(), "?": () => this.dialog.showModal(),
    }[key];
  }
}
