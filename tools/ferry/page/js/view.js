// SPDX-License-Identifier: Apache-2.0
// The part of the time that the timeline shows, and how it moves.

const kCalm = window.matchMedia("(prefers-reduced-motion: reduce)");
const kSmallestSpan = 50;  // nanoseconds

class View {
  constructor() {
    this.begin = bounds.begin;
    this.end = bounds.end;
    this.aim = null;  // where an animation ends
    this.fit(false);
  }

  get span() {
    return this.end - this.begin;
  }

  // Shows this part, but not less than kSmallestSpan, and not far outside the trace.
  set(begin, end) {
    const margin = 0.02 * (bounds.end - bounds.begin);
    const widest = bounds.end - bounds.begin + 2 * margin;
    const span = Math.min(Math.max(end - begin, kSmallestSpan), widest);
    const middle = (begin + end) / 2;
    const first = Math.min(Math.max(middle - span / 2, bounds.begin - margin), bounds.end + margin - span);
    this.begin = first;
    this.end = first + span;
    app.tell("view");
  }

  jump(begin, end) {
    this.aim = null;
    this.set(begin, end);
  }

  // Moves there in a few frames, so that the eye can follow.
  go(begin, end) {
    if (kCalm.matches || document.hidden) {
      this.jump(begin, end);
      return;
    }
    const from = { begin: this.begin, end: this.end, at: performance.now() };
    const aim = { begin, end };
    this.aim = aim;
    const step = (now) => {
      if (this.aim !== aim) return;  // something else moves the view now
      const part = Math.min(1, Math.max(0, (now - from.at) / 180));
      const eased = 1 - (1 - part) ** 3;
      this.set(from.begin + (begin - from.begin) * eased, from.end + (end - from.end) * eased);
      if (part < 1) requestAnimationFrame(step);
      else this.aim = null;
    };
    requestAnimationFrame(step);
  }

  fit(smooth = true) {
    const margin = 0.01 * (bounds.end - bounds.begin);
    const parts = [bounds.begin - margin, bounds.end + margin];
    if (smooth) this.go(...parts);
    else this.jump(...parts);
  }

  // `factor` below 1 shows less. The time `anchor` stays where it is.
  zoom(factor, anchor = (this.begin + this.end) / 2) {
    const span = Math.max(this.span * factor, kSmallestSpan);
    const share = (anchor - this.begin) / this.span;
    this.jump(anchor - share * span, anchor + (1 - share) * span);
  }

  move(part) {
    this.jump(this.begin + part * this.span, this.end + part * this.span);
  }

  // Shows a time with what is around it.
  show(begin, end) {
    const length = Math.max(end - begin, kSmallestSpan);
    this.go(begin - length * 0.6, end + length * 0.6);
  }

  // Moves no more than is needed to see it.
  reveal(begin, end) {
    const length = end - begin;
    if (length > this.span || length < this.span / 400) {
      const span = Math.max(length * 8, kSmallestSpan);
      const middle = (begin + end) / 2;
      this.go(middle - span / 2, middle + span / 2);
    } else if (begin < this.begin || end > this.end) {
      const middle = (begin + end) / 2;
      this.go(middle - this.span / 2, middle + this.span / 2);
    }
  }
}

const view = new View();
