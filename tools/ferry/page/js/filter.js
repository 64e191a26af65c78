// SPDX-License-Identifier: Apache-2.0
// Chips that show or hide categories and streams. What is hidden stays visible as a shadow.

class Filter {
  constructor() {
    this.categories = new Set(kCategories.keys());
    this.lanes = new Set(lanes.keys());
    this.findings = true;
    this.shown = {};  // by table: 1 for items that are shown
    this.chips = [];
    for (const name of ["works", "calls", "ranges"]) this.shown[name] = new Uint8Array(trace[name].count);
    this.apply();
  }

  apply() {
    for (const [name, shown] of Object.entries(this.shown)) {
      const { category } = trace[name];
      const lane = laneOfItem[name];
      for (let i = 0; i < shown.length; i++) {
        shown[i] = this.categories.has(category[i]) && this.lanes.has(lane[i]) ? 1 : 0;
      }
    }
    for (const chip of this.chips) chip.element.setAttribute("aria-pressed", chip.set.has(chip.value));
  }

  get isActive() {
    return this.categories.size < kCategories.length || this.lanes.size < lanes.length;
  }

  // With Shift: only this one; again: all.
  toggle(set, value, all, only) {
    if (only) {
      const isAlone = set.size === 1 && set.has(value);
      set.clear();
      for (const one of isAlone ? all : [value]) set.add(one);
    } else if (!set.delete(value)) {
      set.add(value);
    }
    this.apply();
    app.tell("filter");
  }

  reset() {
    for (const key of kCategories.keys()) this.categories.add(key);
    for (const key of lanes.keys()) this.lanes.add(key);
    this.apply();
    app.tell("filter");
  }

  addChip(place, { set, value, all, label, count, colour, kind }) {
    const element = make("button", {
      class: "chip", type: "button", "aria-pressed": "true", "data-chip": `${kind}:${label}`,
      title: "Click: show or hide. Shift and click: show only this",
      onclick: (event) => this.toggle(set, value, all, event.shiftKey),
    }, colour ? make("i", { colour: `var(--${colour})` }) : null, label,
    make("span", { class: "count" }, countText(count)));
    this.chips.push({ element, set, value });
    place.append(element);
  }

  addChips(place) {
    const counts = new Array(kCategories.length).fill(0);
    for (const name of ["works", "calls", "ranges"]) for (const category of trace[name].category) counts[category]++;
    const present = [...kCategories.keys()].filter((key) => counts[key] > 0);
    for (const key of present) {
      const { label, colour } = kCategories[key];
      this.addChip(place, { set: this.categories, value: key, all: [...kCategories.keys()], label, colour,
        count: counts[key], kind: "category" });
    }
    const streams = [...lanes.keys()].filter((key) => lanes[key].stream >= 0);
    place.append(make("span", { class: "gap" }));
    const severalDevices = new Set(streams.map((key) => lanes[key].device)).size > 1;
    for (const key of streams) {
      const lane = lanes[key];
      this.addChip(place, { set: this.lanes, value: key, all: [...lanes.keys()], count: lane.works.length,
        kind: "stream",
        label: severalDevices ? `device ${lane.device} stream ${lane.stream}` : lane.title });
    }
  }
}

const filter = new Filter();
