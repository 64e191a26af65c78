// SPDX-License-Identifier: Apache-2.0
// What goes on paper: figures, a picture of the whole timeline, advice, findings and all tables. Always light.

const kPictureWidth = 1100;
const kTallestPicture = 1400;
const kPictureRatio = 2;  // dots per pixel

// The whole timeline as an image.
function timelinePicture() {
  const { scroller, canvas } = timeline;
  const before = { begin: view.begin, end: view.end, width: timeline.width, visible: timeline.visible,
    top: scroller.scrollTop };
  const selection = app.selection;
  const target = document.createElement("canvas");
  const height = Math.min(timeline.height + kAxisHeight, kTallestPicture);
  theme.apply("light");
  app.selection = null;
  Object.assign(timeline, { width: kPictureWidth, visible: height, canvas: target, context: target.getContext("2d"),
    ratio: kPictureRatio });
  sizeCanvas(target, kPictureWidth, height, kPictureRatio);
  scroller.scrollTop = 0;
  view.fit(false);
  timeline.draw();
  const image = make("img", { src: target.toDataURL("image/png"), alt: "The timeline of the whole trace" });
  Object.assign(timeline, { width: before.width, visible: before.visible, canvas, context: canvas.getContext("2d"),
    ratio: 0 });
  app.selection = selection;
  view.jump(before.begin, before.end);
  scroller.scrollTop = before.top;
  return image;
}

function fillPaper() {
  const paper = byId("print");
  const image = timelinePicture();
  const part = (title, ...content) => [make("h2", {}, title), ...content];
  const block = (title, table) => [make("h3", {}, title), table];
  paper.replaceChildren(
    make("h1", {}, `Trace of ${programName()}`), factList(aboutFacts(), { class: "facts" }), figures(),
    ...warnings().map((text) => make("p", {}, text)),
    ...part("Timeline", image, histogramLegend()),
    ...(trace.advice.length ? part("Advice", adviceList()) : []),
    ...(findings.length ? part("Findings", findingList()) : []),
    ...part("Tables", ...block("By direction", directionTable(null)), ...block("By size", sizeTable(null)),
      ...block("By stream", laneTable(null)), ...block("By call site", siteTable(null)),
      ...trace.tables.flatMap((table) => block(table.title, plainTable(table)))),
    ...part("Sizes of copied items", histogram("count", null)));
}

function connectPrint() {
  window.addEventListener("beforeprint", fillPaper);
  window.addEventListener("afterprint", () => {
    byId("print").replaceChildren();
    theme.apply();
  });
}
