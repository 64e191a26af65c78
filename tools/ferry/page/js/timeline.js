// SPDX-License-Identifier: Apache-2.0
// Draws the timeline: bands from top to bottom, marks, and arrows of the selected item.

const kGutter = 178;  // names of lanes

class Timeline {
  constructor() {
    this.canvas = byId("timeline");
    this.scroller = byId("scroller");
    this.context = this.canvas.getContext("2d");
    this.charts = makeCharts();
    this.width = 0;
    this.visible = 0;  // height of the canvas
    this.ratio = 0;  // dots per pixel; 0: the window's
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    this.scroller.addEventListener("scroll", () => app.redraw());
    this.resize();
    app.parts.push(() => this.draw());
  }

  resize() {
    this.width = this.scroller.clientWidth;
    this.visible = this.scroller.clientHeight;
    sizeCanvas(this.canvas, this.width, this.visible);
    this.arrange();
    byId("spacer").style.height = `${Math.max(0, this.height + kAxisHeight - this.visible)}px`;
    app.redraw();
  }

  // Places the bands. The bandwidth gets what few lanes leave over.
  arrange() {
    const bandwidthChart = this.charts.find((chart) => chart.kind === "bandwidth");
    if (bandwidthChart) {
      bandwidthChart.height = kBandwidthHeight;
      const rest = this.visible - kAxisHeight - layOut(lanes, this.charts).height;
      bandwidthChart.height += Math.min(Math.max(rest, 0), kBandwidthHeight);
    }
    const { bands, height } = layOut(lanes, this.charts);
    this.bands = bands;
    this.bandOfLane = new Map(bands.filter((band) => band.lane).map((band) => [band.lane, band]));
    this.height = height;
  }

  get area() {
    const left = Math.min(kGutter, this.width / 3);
    const right = Math.max(left + 1, this.width);
    return { left, right, begin: view.begin, scale: (right - left) / view.span };
  }

  timeAt(x) {
    const { left, begin, scale } = this.area;
    return begin + (x - left) / scale;
  }

  xOf(time) {
    const { left, begin, scale } = this.area;
    return left + (time - begin) * scale;
  }

  // Where the band is on the canvas.
  topOf(band) {
    return band.y + kAxisHeight - this.scroller.scrollTop;
  }

  draw() {
    const { context, area } = this;
    const ratio = this.ratio || window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = theme.colours.ground;
    context.fillRect(0, 0, this.width, this.visible);
    const ticks = ticksOf(area);
    paintGrid(context, area, ticks, this.visible);
    const painter = new RowPainter(context, area);
    const seen = this.bands.filter((band) => {
      const top = this.topOf(band);
      return top < this.visible && top + band.height > kAxisHeight;
    });
    context.save();
    context.beginPath();
    context.rect(area.left, 0, area.right - area.left, this.visible);
    context.clip();
    for (const band of seen) this.drawBand(painter, band);
    painter.paintTexts();
    for (const band of seen) if (band.lane) paintMarks(context, this, band);
    search.paintMatches(context, this, seen);
    context.restore();
    for (const band of seen) this.drawTitle(band);
    context.save();
    context.beginPath();
    context.rect(area.left, 0, area.right - area.left, this.visible);
    context.clip();
    paintSelection(context, this);
    context.restore();
    paintAxis(context, area, ticks);
    context.fillStyle = theme.colours.line;
    context.fillRect(area.left - 1, 0, 1, this.visible);
  }

  drawBand(painter, band) {
    const top = this.topOf(band);
    const { context, area } = this;
    if (band.kind === "group") {
      context.fillStyle = theme.colours.raised;
      context.fillRect(area.left, top, area.right - area.left, band.height);
    } else if (band.kind === "chart") {
      context.save();
      paintChart(context, area, band.chart, top);
      context.restore();
    } else {
      for (const row of band.lane.rows) painter.paint(row, top + row.y);
      context.fillStyle = theme.colours["line-faint"];
      context.fillRect(area.left, top + band.height - 1, area.right - area.left, 1);
    }
  }

  drawTitle(band) {
    const { context, area } = this;
    const top = this.topOf(band);
    const isGroup = band.kind === "group";
    if (isGroup) {
      context.fillStyle = theme.colours.raised;
      context.fillRect(0, top, this.width, band.height);
      context.fillStyle = theme.colours["line-faint"];
      context.fillRect(0, top + band.height - 1, this.width, 1);
    }
    const title = band.title ?? band.lane?.title ?? band.chart.title;
    const isHidden = band.lane && !filter.lanes.has(lanes.indexOf(band.lane));
    context.font = isGroup ? kBoldFont : kFont;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillStyle = theme.colours[isHidden ? "text-faint" : isGroup ? "text" : "text-quiet"];
    const y = band.kind === "chart" ? top + band.height / 2 + 6
      : isGroup ? top + band.height / 2 : top + (band.lane.rows[0]?.y ?? 4) + kRowHeight / 2;
    const room = isGroup ? this.width - 24 : area.left - 30;
    context.fillText(shorten(context, title, room), isGroup ? 14 : 20, y);
    if (band.chart?.scale) {
      context.font = kSmallFont;
      context.textAlign = "right";
      context.fillStyle = theme.colours["text-faint"];
      context.fillText(band.chart.scale.text, area.left - 8, band.chart.scale.y + 3);
    }
  }

  // The item's rectangle on the canvas; null: it has none.
  boxOf(item) {
    const lane = lanes[laneOfItem[item.table][item.index]];
    const band = this.bandOfLane.get(lane);
    if (item.table === "instants") {
      const x = this.xOf(trace.instants.time[item.index]);
      return { left: x - 4, right: x + 4, top: this.topOf(band) + 1, height: 9 };
    }
    const row = rowOfItem(lane, item);
    return row ? { left: this.xOf(itemBegin(item)), right: this.xOf(itemEnd(item)), top: this.topOf(band) + row.y,
      height: kRowHeight } : null;
  }

  scrollTo(item) {
    const box = this.boxOf(item);
    if (!box) return;
    const below = box.top + box.height - this.visible;
    if (box.top < kAxisHeight + 20) this.scroller.scrollTop += box.top - kAxisHeight - 60;
    else if (below > -20) this.scroller.scrollTop += below + 60;
  }
}

function sizeCanvas(canvas, width, height, ratio = window.devicePixelRatio || 1) {
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

// The row of a lane that holds the item.
function rowOfItem(lane, item) {
  const begin = itemBegin(item);
  for (const row of lane.rows) {
    if (row.table !== item.table) continue;
    for (let i = lowerBound(row.begin, begin); i < row.begin.length && row.begin[i] === begin; i++) {
      if (row.index[i] === item.index) return row;
    }
  }
  return null;
}
