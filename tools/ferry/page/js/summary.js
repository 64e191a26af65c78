// SPDX-License-Identifier: Apache-2.0
// Key figures of the trace, advice and findings, for the lower part and for paper.

// Indices of the checker's findings among the instants, by time.
const findings = [...trace.instants.what.keys()].filter((i) => trace.instants.what[i] === 1)
  .sort((a, b) => trace.instants.time[a] - trace.instants.time[b]);

function figures() {
  const span = bounds.end - bounds.begin;
  const { works } = trace;
  let bytes = 0;
  let blocked = 0;
  for (const work of copies.index) bytes += works.bytes[work];
  for (let i = 0; i < trace.calls.count; i++) {
    if (trace.calls.category[i] === kCategory.blocked) blocked += trace.calls.end[i] - trace.calls.begin[i];
  }
  const busy = busyTime(copies, () => true);
  const list = [["Duration", timeText(span)], ["Calls", countText(trace.calls.count)],
    ["Works", countText(works.count)], ["Copies", countText(copies.index.length)], ["Bytes copied", bytesText(bytes)]];
  if (busy > 0) {
    list.push(["Copying", percentText(busy / span), "of the time"], ["While copying", `${fixed(bytes / busy)} GB/s`]);
  }
  if (blocked > 0) list.push(["Threads waited", timeText(blocked)]);
  return make("dl", { class: "figures" }, ...list.map(([name, text, note]) => {
    const [number, unit] = text.split(" ");
    const small = make("small", {}, [unit, note].filter((part) => part).join(" "));
    return make("div", {}, make("dt", {}, name), make("dd", {}, number, small));
  }));
}

function adviceList(list = trace.advice) {
  return make("ul", { class: "advice" }, ...list.map((advice) => make("li", {}, make("button",
    { type: "button", onclick: () => showEvidence(advice) },
    make("span", { class: "head" }, make("span", {}, advice.title),
      advice.gain ? make("span", { class: "gain" }, advice.gain) : null),
    make("p", {}, advice.text), advice.to_do ? make("p", { class: "to-do" }, advice.to_do) : null,
    advice.hint.length ? make("pre", { class: "mono" }, advice.hint.join("\n")) : null,
    ...advice.places.map((place) => make("span", { class: "place mono" }, place))))));
}

// Zooms to what an advice is about, and marks it as the matches.
function showEvidence(advice) {
  const works = advice.works.map(workOfNumber).filter((index) => index >= 0);
  const calls = advice.calls.filter((index) => index < trace.calls.count);
  const items = [...works.map((index) => ({ table: "works", index })),
    ...calls.map((index) => ({ table: "calls", index }))];
  if (items.length === 0) return;
  search.showItems(items);
  const begin = items.reduce((first, item) => Math.min(first, itemBegin(item)), Infinity);
  const end = items.reduce((last, item) => Math.max(last, itemEnd(item)), -Infinity);
  const margin = (end - begin) * 0.08;
  view.go(begin - margin, end + margin);
  timeline.scrollTo(items[0]);
  say(`${advice.title}: ${items.length} items`);
}

function findingList() {
  return make("ul", { class: "advice" }, ...findings.map((index) => make("li", {}, make("button", {
    type: "button",
    onclick: () => {
      const item = { table: "instants", index };
      app.select(item);
      view.reveal(itemBegin(item), itemBegin(item));
      app.tell("reveal");
    },
  }, make("span", { class: "head" },
    make("span", { class: "finding" }, `◆ ${itemName({ table: "instants", index })}`),
    make("span", { class: "when" }, timeText(trace.instants.time[index]))),
  make("p", {}, trace.texts[trace.instants.text[index]])))));
}

function aboutFacts() {
  const { about } = trace;
  const product = [about.soc, about.cann && `CANN ${about.cann}`].filter((text) => text).join(", ");
  return [["program", [about.program, ...about.arguments.slice(1)].join(" ")], ["process", about.pid],
    ["started", about.started], ["devices", trace.devices.map((device) => deviceText(device.id)).join(", ")],
    ["emulates", product], ["schedule", about.schedule], ["checker", about.checked ? "on" : "off"],
    ["ferry", about.ferry]].filter(([, text]) => text !== "");
}

function warnings() {
  const { about } = trace;
  const list = [];
  if (!about.complete) list.push("The trace was cut off: the program ended before the recorder could finish the file.");
  if (about.dropped > 0) {
    list.push(`${countText(about.dropped)} events were dropped because they did not fit the buffers.`);
  }
  if (about.lost_lines > 0) list.push(`${countText(about.lost_lines)} lines of the file could not be read.`);
  return list;
}
