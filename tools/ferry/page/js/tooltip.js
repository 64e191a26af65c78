// SPDX-License-Identifier: Apache-2.0
// The tooltip, the line under the pointer, and the outline of what it is on.

class Tooltip {
  constructor(timeline) {
    this.timeline = timeline;
    this.element = byId("tooltip");
    this.hairline = byId("hairline");
    this.outline = byId("outline");
  }

  hide() {
    for (const element of [this.element, this.hairline, this.outline]) element.hidden = true;
    app.hovered = null;
  }

  // `x` and `y` on the canvas.
  show(x, y) {
    const { timeline } = this;
    this.hairline.hidden = x < timeline.area.left;
    this.hairline.style.transform = `translateX(${x}px)`;
    const item = itemAt(timeline, x, y);
    const band = bandAt(timeline, y);
    if (!sameItem(item, app.hovered)) this.frame(item);
    app.hovered = item;
    timeline.canvas.style.cursor = item ? "pointer" : "default";
    if (item) this.fill(itemName(item), itemColour(item), factsOf(item, true));
    else if (band?.kind === "chart" && x >= timeline.area.left) this.fillChart(band.chart, x);
    else {
      this.element.hidden = true;
      return;
    }
    this.place(x, y);
  }

  frame(item) {
    const box = item ? this.timeline.boxOf(item) : null;
    this.outline.hidden = !box;
    if (!box) return;
    const { left, right } = this.timeline.area;
    const from = Math.max(box.left, left);
    const style = this.outline.style;
    style.transform = `translate(${from - 1.5}px, ${box.top - 1.5}px)`;
    style.width = `${Math.max(3, Math.min(box.right, right) - from) + 3}px`;
    style.height = `${box.height + 3}px`;
  }

  fill(title, colour, facts) {
    this.element.replaceChildren(
      make("strong", {}, make("i", { colour: `var(--${colour})` }), title), factList(facts));
    this.element.hidden = false;
  }

  fillChart(chart, x) {
    const time = this.timeline.timeAt(x);
    const facts = [["at", timeText(time, view.span / 1000)]];
    if (chart.kind === "bandwidth") {
      const { step, sums } = chart.latest ?? { step: 1, sums: [] };
      const i = Math.floor(x - this.timeline.area.left);
      sums.forEach((sum, number) => {
        if (sum[i] > 0) facts.push([kCategories[kCopyCategories[number]].label, rateText(sum[i], step)]);
      });
    } else {
      const index = stepAt(chart, time);
      facts.push(["bytes", bytesText(index >= 0 ? chart.value[index] : 0)], ["peak", bytesText(chart.peak)]);
    }
    this.fill(chart.title, "order", facts);
  }

  // Beside the pointer, inside the window.
  place(x, y) {
    const origin = this.timeline.canvas.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    let left = origin.left + x + 14;
    let top = origin.top + y + 16;
    if (left + width > window.innerWidth - 8) left = Math.max(8, origin.left + x - width - 12);
    if (top + height > window.innerHeight - 8) top = Math.max(8, origin.top + y - height - 12);
    this.element.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}
