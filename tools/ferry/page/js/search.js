// SPDX-License-Identifier: Apache-2.0
// Search: every word has to occur in what an item is called, the function, its place in the program, or its lane.
// "#12" finds work number 12.

class Search {
  constructor() {
    this.query = "";
    this.matches = [];  // items by begin
    this.isMatch = {};
    this.current = -1;
    this.lower = trace.texts.map((text) => text.toLowerCase());
    this.lowerSites = trace.sites.map((text) => text.toLowerCase());
    this.clear();
  }

  clear() {
    for (const name of ["works", "calls", "ranges", "instants"]) this.isMatch[name] = new Uint8Array(trace[name].count);
    this.matches = [];
    this.current = -1;
  }

  run(query) {
    this.query = query.trim();
    this.clear();
    const words = this.query.toLowerCase().split(/\s+/).filter((word) => word);
    if (words.length > 0) {
      for (const word of words) this.runWord(word);
      for (const [table, hits] of Object.entries(this.isMatch)) {
        for (let index = 0; index < hits.length; index++) {
          hits[index] = hits[index] === words.length ? 1 : 0;
          if (hits[index]) this.matches.push({ table, index });
        }
      }
      this.matches.sort((a, b) => itemBegin(a) - itemBegin(b));
    }
    app.tell("matches");
    app.tell("search");
  }

  // Makes these the matches, as if they had been searched for.
  showItems(items) {
    byId("search").value = "";
    this.query = "";
    this.clear();
    this.matches = items;
    for (const { table, index } of items) this.isMatch[table][index] = 1;
    this.current = 0;
    app.tell("matches");
    app.tell("search");
  }

  // Adds one to isMatch of each item in which the word occurs.
  runWord(word) {
    const number = /^#(\d+)$/.exec(word);
    if (number) {
      const index = workOfNumber(Number(number[1]));
      if (index >= 0) this.isMatch.works[index]++;
      return;
    }
    const text = Uint8Array.from(this.lower, (one) => (one.includes(word) ? 1 : 0));
    const site = Uint8Array.from(this.lowerSites, (one) => (one.includes(word) ? 1 : 0));
    const lane = Uint8Array.from(lanes, (one) => (one.title.toLowerCase().includes(word) ? 1 : 0));
    const { works, calls, ranges, instants } = trace;
    const inCall = (i) => text[calls.function[i]] || text[calls.script[i]]
      || (calls.site[i] >= 0 && site[calls.site[i]]);
    for (let i = 0; i < calls.count; i++) if (inCall(i) || lane[laneOfItem.calls[i]]) this.isMatch.calls[i]++;
    for (let i = 0; i < works.count; i++) {
      const call = callOfWork(i);
      if (text[works.name[i]] || text[works.function[i]] || lane[laneOfItem.works[i]] || (call >= 0 && inCall(call))) {
        this.isMatch.works[i]++;
      }
    }
    for (let i = 0; i < ranges.count; i++) {
      if (text[ranges.name[i]] || text[ranges.domain[i]]) this.isMatch.ranges[i]++;
    }
    for (let i = 0; i < instants.count; i++) {
      if (text[instants.name[i]] || text[instants.text[i]]) this.isMatch.instants[i]++;
    }
  }

  // The next match after the current one, or the first that begins in the view. `step`: 1 or -1.
  go(step) {
    const count = this.matches.length;
    if (count === 0) return;
    if (this.current < 0) {
      const first = this.matches.findIndex((item) => itemBegin(item) >= view.begin);
      this.current = step > 0 ? Math.max(first, 0) : (Math.max(first, 0) - 1 + count) % count;
    } else {
      this.current = (this.current + step + count) % count;
    }
    const item = this.matches[this.current];
    app.select(item);
    view.reveal(itemBegin(item), itemEnd(item));
    app.tell("search");
    app.tell("reveal");
  }

  paintMatches(context, timeline, bands) {
    if (!this.matches.length) return;
    context.fillStyle = theme.colours.match;
    for (const band of bands) {
      for (const row of band.lane?.rows ?? []) {
        const hits = this.isMatch[row.table];
        const top = timeline.topOf(band) + row.y + kRowHeight - 2.5;
        let painted = -Infinity;
        const last = lowerBound(row.begin, view.end);
        for (let i = lowerBound(row.reach, view.begin); i < last; i++) {
          if (!hits[row.index[i]]) continue;
          const left = timeline.xOf(row.begin[i]);
          const right = Math.max(timeline.xOf(row.end[i]) - 0.75, left + 1.5);
          if (right <= painted) continue;
          context.fillRect(Math.max(left, painted), top, right - Math.max(left, painted), 2.5);
          painted = right;
        }
      }
    }
  }

  paintOverview(context, overview) {
    context.fillStyle = theme.colours.match;
    let painted = -Infinity;
    for (const item of this.matches) {
      const x = Math.round(overview.xOf(itemBegin(item)));
      if (x <= painted) continue;
      context.fillRect(x, 0, 1.5, 6);
      painted = x;
    }
  }

  connect() {
    const box = byId("search");
    const show = () => {
      byId("search-count").textContent = this.query === "" && this.matches.length === 0 ? ""
        : this.current >= 0 ? `${countText(this.current + 1)} of ${countText(this.matches.length)}`
          : countText(this.matches.length);
    };
    app.on("search", show);
    box.addEventListener("input", () => this.run(box.value));
    byId("search-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.go(1);
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.shiftKey) {
        event.preventDefault();
        this.go(-1);
      }
      if (event.key === "Escape") {
        box.value = "";
        this.run("");
        byId("scroller").focus();
        event.stopPropagation();
      }
    });
    byId("search-next").addEventListener("click", () => this.go(1));
    byId("search-previous").addEventListener("click", () => this.go(-1));
  }
}
