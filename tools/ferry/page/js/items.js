// SPDX-License-Identifier: Apache-2.0
// An item is something to select: {table, index}, where table is "works", "calls", "ranges" or "instants".

function sameItem(one, other) {
  return one && other && one.table === other.table && one.index === other.index;
}

function itemName(item) {
  const table = trace[item.table];
  return trace.texts[item.table === "calls" ? table.function[item.index] : table.name[item.index]] || "(no name)";
}

function itemBegin(item) {
  const table = trace[item.table];
  return item.table === "instants" ? table.time[item.index] : table.begin[item.index];
}

function itemEnd(item) {
  const table = trace[item.table];
  return item.table === "instants" ? table.time[item.index] : table.end[item.index];
}

function itemColour(item) {
  if (item.table === "instants") return trace.instants.what[item.index] === 1 ? "finding" : "other";
  return kCategories[trace[item.table].category[item.index]].colour;
}

function threadText(thread) {
  const { id, name } = trace.threads[thread] ?? { id: "?", name: "" };
  return name && name !== id ? `${name} (${id})` : `thread ${id}`;
}

// The place in the program that made the call.
function placeOfCall(call) {
  const script = trace.texts[trace.calls.script[call]];
  const site = trace.calls.site[call];
  return script || (site >= 0 ? trace.sites[site] : "");
}

function callOfWork(work) {
  const call = trace.works.call[work];
  return call >= 0 && call < trace.calls.count ? call : -1;
}

// Indices of the works that a call has submitted.
function worksOfCall(call) {
  const first = trace.calls.first_work[call];
  const count = trace.calls.works[call];
  if (first < 0 || count === 0) return [];
  const works = [];
  let index = lowerBound(trace.works.number, first);
  for (; index < trace.works.count && works.length < count; index++) {
    if (trace.works.call[index] === call) works.push(index);
    else if (trace.works.number[index] > first + 4 * count) break;
  }
  return works;
}

// Records and waits of one event belong together by their marker: index of the record by marker.
const recordOfMarker = new Map();
const waitsOfMarker = new Map();
for (let i = 0; i < trace.works.count; i++) {
  const marker = trace.works.marker[i];
  if (marker === 0) continue;
  if (trace.works.kind[i] === kKind.record) recordOfMarker.set(marker, i);
  else if (waitsOfMarker.has(marker)) waitsOfMarker.get(marker).push(i);
  else waitsOfMarker.set(marker, [i]);
}
