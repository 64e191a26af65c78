// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

const theme = new Theme();
const search = new Search();
const timeline = new Timeline();
const overview = new Overview();
const tooltip = new Tooltip(timeline);
const dock = new Dock();

function showHeader() {
  const { about } = trace;
  document.title = `${programName()}: Ferry trace`;
  byId("program").textContent = programName();
  byId("about").textContent = [`process ${about.pid}`, about.started.replace("T", " ").replace(/\.\d+Z$/, " UTC"),
    timeText(bounds.end - bounds.begin), `${countText(trace.works.count)} works`].filter((text) => text).join("  ·  ");
  const lines = warnings();
  byId("warning").hidden = lines.length === 0;
  byId("warning").textContent = lines.join(" ");
}

// Esc undoes the latest of what is in the way.
function escape() {
  if (app.selection) app.select(null);
  else if (search.query || search.matches.length) {
    byId("search").value = "";
    search.run("");
  } else if (filter.isActive) filter.reset();
  if (dock.current === "selection") dock.open("overview");
}

filter.addChips(byId("chips"));
search.connect();
new Pointer(timeline, tooltip);
const keys = new Keys(timeline, { escape });
byId("fit").addEventListener("click", () => view.fit());
byId("theme").addEventListener("click", () => theme.toggle());
byId("help").addEventListener("click", () => keys.dialog.showModal());
app.on("reveal", () => app.selection && timeline.scrollTo(app.selection));
app.on("view", () => tooltip.hide());
showHeader();
connectPrint();
readAddress();
keepAddress();
timeline.scroller.focus({ preventScroll: true });

// For tests and the curious.
window.ferry = { trace, app, view, search, filter, timeline, dock, lanes, bounds, bandwidth, factsOf };
