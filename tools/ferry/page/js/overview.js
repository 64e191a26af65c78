// SPDX-License-Identifier: Apache-2.0
// The strip above the timeline: bandwidth over the whole trace, and the part that is visible. Dragging in it moves
// that part; dragging an edge, or outside it, chooses another one.

class Overview {
  constructor() {
    this.canvas = byId("overview");
    this.drag = null;
    this.picture = null;
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.resize();
    this.canvas.addEventListener("pointerdown", (event) => this.start(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerup", () => { this.drag = null; });
    this.canvas.addEventListener("dblclick", () => view.fit());
    for (const event of ["filter", "matches", "theme"]) app.on(event, () => { this.picture = null; });
    app.parts.push(() => this.draw());
  }

  resize() {
    this.width = this.canvas.clientWidth;
    this.height = 43;
    this.canvas.width = Math.max(1, this.width * (window.devicePixelRatio || 1));
    this.canvas.height = this.height * (window.devicePixelRatio || 1);
    this.picture = null;
    app.redraw();
  }

  get range() {
    const margin = 0.01 * (bounds.end - bounds.begin);
    return { begin: bounds.begin - margin, span: bounds.end - bounds.begin + 2 * margin };
  }

  xOf(time) {
    return ((time - this.range.begin) / this.range.span) * this.width;
  }

  timeAt(x) {
    return this.range.begin + (x / this.width) * this.range.span;
  }

  draw() {
    const context = this.canvas.getContext("2d");
    this.picture ??= this.makePicture();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.picture, 0, 0);
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawWindow(context);
  }

  // All but the window, which alone changes while the view moves.
  makePicture() {
    const picture = document.createElement("canvas");
    picture.width = this.canvas.width;
    picture.height = this.canvas.height;
    const context = picture.getContext("2d");
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { begin, span } = this.range;
    const { sums } = bandwidth(begin, begin + span, Math.max(1, Math.floor(this.width)), filter.shown.works);
    let peak = 0;
    for (let i = 0; i < sums[0].length; i++) peak = Math.max(peak, sums.reduce((sum, one) => sum + one[i], 0));
    const floor = new Float64Array(sums[0].length);
    sums.forEach((sum, category) => {
      context.fillStyle = theme.bars[kCopyCategories[category]];
      sum.forEach((value, i) => {
        if (value <= 0) return;
        const tall = Math.max(1, (value / peak) * (this.height - 8));
        context.fillRect(i, this.height - floor[i] - tall, 1, tall);
        floor[i] += tall;
      });
    });
    this.drawFindings(context);
    search.paintOverview(context, this);
    return picture;
  }

  drawFindings(context) {
    for (const index of findings) diamond(context, this.xOf(trace.instants.time[index]), 5, 3.5, theme.colours.finding);
  }

  drawWindow(context) {
    const left = Math.max(0, this.xOf(view.begin));
    const right = Math.min(this.width, Math.max(this.xOf(view.end), left + 2));
    context.globalAlpha = 0.72;
    context.fillStyle = theme.colours.sunken;
    context.fillRect(0, 0, left, this.height);
    context.fillRect(right, 0, this.width - right, this.height);
    context.globalAlpha = 1;
    context.strokeStyle = theme.colours.accent;
    context.lineWidth = 1.5;
    context.strokeRect(left + 0.75, 0.75, right - left - 1.5, this.height - 1.5);
  }

  start(event) {
    const left = this.xOf(view.begin);
    const right = this.xOf(view.end);
    const x = event.offsetX;
    this.canvas.setPointerCapture(event.pointerId);
    if (Math.abs(x - left) < 5) this.drag = { fixed: view.end };
    else if (Math.abs(x - right) < 5) this.drag = { fixed: view.begin };
    else if (x > left && x < right && right - left < this.width * 0.9) {
      this.drag = { shift: this.timeAt(x) - view.begin };
    } else this.drag = { fixed: this.timeAt(x) };
  }

  move(event) {
    if (!this.drag) return;
    const time = this.timeAt(event.offsetX);
    if (this.drag.shift !== undefined) {
      view.jump(time - this.drag.shift, time - this.drag.shift + view.span);
    } else if (Math.abs(this.xOf(time) - this.xOf(this.drag.fixed)) > 2) {
      view.jump(Math.min(time, this.drag.fixed), Math.max(time, this.drag.fixed));
    }
  }
}
