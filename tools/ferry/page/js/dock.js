// SPDX-License-Identifier: Apache-2.0
// The lower part: tabs, and the splitter that sets its height.

class Dock {
  constructor() {
    this.element = byId("dock");
    this.tabs = byId("tabs");
    this.panel = byId("panel");
    this.scope = "all";  // or "view": what the tables sum up
    this.what = "count";  // or "bytes": what the histogram shows
    this.pending = 0;
    this.pages = [
      { key: "overview", label: "Overview", fill: () => this.overview() },
      { key: "selection", label: "Selection", fill: selectionPanel },
      { key: "advice", label: "Advice", badge: trace.advice.length, fill: () => this.advice() },
      { key: "findings", label: "Findings", badge: findings.length, fill: () => this.findings() },
      { key: "tables", label: "Tables", fill: () => this.tablesPage() },
      { key: "sizes", label: "Sizes", fill: () => this.sizes() },
    ];
    this.current = "overview";
    this.makeTabs();
    this.connectSplitter();
    app.on("selection", () => app.selection && this.open("selection"));
    app.on("filter", () => this.fill());
    app.on("view", () => this.scope === "view" && this.fillSoon());
  }

  makeTabs() {
    for (const page of this.pages) {
      page.button = make("button", { type: "button", role: "tab", id: `tab-${page.key}`, "aria-controls": "panel",
        onclick: () => this.open(page.key), onkeydown: (event) => this.moveTab(event) },
      page.label, page.badge ? make("span", { class: "badge" }, countText(page.badge)) : null);
      this.tabs.append(page.button);
    }
    this.open("overview");
  }

  moveTab(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.stopPropagation();
    const at = this.pages.findIndex((page) => page.key === this.current);
    const next = this.pages[(at + move + this.pages.length) % this.pages.length];
    this.open(next.key);
    next.button.focus();
  }

  open(key) {
    this.current = key;
    for (const page of this.pages) {
      page.button.setAttribute("aria-selected", page.key === key);
      page.button.tabIndex = page.key === key ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${key}`);
    this.panel.scrollTop = 0;
    this.fill();
    app.tell("tab");
  }

  fill() {
    const page = this.pages.find((one) => one.key === this.current);
    this.panel.replaceChildren(...page.fill().filter((part) => part));
  }

  // After the view has come to rest.
  fillSoon() {
    clearTimeout(this.pending);
    this.pending = setTimeout(() => this.fill(), 120);
  }

  get window() {
    return this.scope === "view" ? { begin: view.begin, end: view.end } : null;
  }

  segments(values, current, choose) {
    const button = ([value, label]) => make("button", { type: "button", "aria-pressed": value === current,
      onclick: () => { choose(value); this.fill(); } }, label);
    return make("div", { class: "segments", role: "group" }, ...Object.entries(values).map(button));
  }

  scopeControl() {
    return this.segments({ all: "Whole trace", view: "Visible part" }, this.scope, (value) => { this.scope = value; });
  }

  overview() {
    const best = trace.advice.slice(0, 3);
    return [figures(), make("div", { class: "columns" },
      copies.index.length ? make("div", {}, make("h2", {}, "Copies by direction"), directionTable(null)) : null,
      best.length ? make("div", { class: "best" }, make("h2", {}, "Advice"), adviceList(best)) : null,
      make("div", {}, make("h2", {}, "The run"), factList(aboutFacts(), { class: "facts" })))];
  }

  advice() {
    return trace.advice.length ? [adviceList()]
      : [make("p", { class: "empty" }, "No advice: nothing was found that would make this program faster.")];
  }

  findings() {
    if (findings.length) return [findingList()];
    return [make("p", { class: "empty" }, trace.about.checked ? "The checker found nothing."
      : "The checker was off. ferry run --check --trace FILE -- PROGRAM records its findings, too.")];
  }

  tablesPage() {
    const block = (title, table) => make("div", {}, make("h2", {}, title), table);
    const { window } = this;
    return [make("div", { class: "controls" }, this.scopeControl()), make("div", { class: "columns" },
      block("By direction", directionTable(window)), block("By size", sizeTable(window)),
      block("By stream", laneTable(window)), block("By call site", siteTable(window)),
      ...trace.tables.map((table) => block(table.title, plainTable(table))))];
  }

  sizes() {
    return [make("div", { class: "controls" },
      this.segments({ count: "Items", bytes: "Bytes" }, this.what, (value) => { this.what = value; }),
      this.scopeControl(), histogramLegend()), histogram(this.what, this.window)];
  }

  connectSplitter() {
    const splitter = byId("splitter");
    const setHeight = (height) => {
      this.element.style.height = `${Math.min(Math.max(height, 40), window.innerHeight - 260)}px`;
    };
    splitter.addEventListener("pointerdown", (event) => splitter.setPointerCapture(event.pointerId));
    splitter.addEventListener("pointermove", (event) => {
      if (splitter.hasPointerCapture(event.pointerId)) setHeight(window.innerHeight - event.clientY);
    });
    splitter.addEventListener("keydown", (event) => {
      const move = { ArrowUp: 24, ArrowDown: -24 }[event.key];
      if (!move) return;
      event.preventDefault();
      event.stopPropagation();
      setHeight(this.element.offsetHeight + move);
    });
  }
}
