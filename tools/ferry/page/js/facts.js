// SPDX-License-Identifier: Apache-2.0
// What is known about an item, as pairs of a name and a text.

function factsOf(item, isShort) {
  const facts = [];
  const add = (name, text) => {
    if (text !== "" && text !== null && text !== undefined) facts.push([name, String(text)]);
  };
  if (item.table === "works") addWork(add, item.index, isShort);
  else if (item.table === "calls") addCall(add, item.index, isShort);
  else if (item.table === "ranges") addRange(add, item.index);
  else addInstant(add, item.index);
  return facts;
}

function hex(value) {
  return value === 0n ? "" : `0x${value.toString(16)}`;
}

function addTimes(add, table, index, isShort) {
  const duration = table.end[index] - table.begin[index];
  if (table.unfinished?.[index]) add("duration", duration > 0 ? `more than ${timeText(duration)}` : "had not ended");
  else add("duration", timeText(duration));
  if (!isShort) add("begin", timeText(table.begin[index], 1));
  if (!isShort) add("end", timeText(table.end[index], 1));
}

function sizeOfItems(works, i) {
  if (works.items[i] <= 1) return "";
  const size = works.smallest[i] === works.largest[i] ? bytesText(works.largest[i] || works.bytes[i] / works.items[i])
    : `${bytesText(works.smallest[i])} to ${bytesText(works.largest[i])}`;
  return `${countText(works.items[i])} of ${size}`;
}

function addWork(add, i, isShort) {
  const { works } = trace;
  add("call", trace.texts[works.function[i]]);
  addTimes(add, works, i, isShort);
  if (works.stream[i] >= 0) add("waited in queue", timeText(works.queued[i]));
  if (works.direction[i] > 0) {
    const direction = kDirections[works.direction[i]];
    add("moved", `${bytesText(works.bytes[i])}, ${kDirectionNames[direction]}`);
    if (!works.unfinished[i]) add("speed", rateText(works.bytes[i], works.end[i] - works.begin[i]));
  } else if (works.bytes[i] > 0) {
    add("bytes", bytesText(works.bytes[i]));
  }
  add("memory", kMemories[works.memory[i]]);
  add("items", sizeOfItems(works, i));
  if (works.result[i] !== 0) add("result", works.result[i]);
  const call = callOfWork(i);
  if (call >= 0) add("from", placeOfCall(call));
  if (isShort) return;
  if (works.neighbours[i] > 0) add("neighbours", `${countText(works.neighbours[i])} continue the item before them`);
  add("kind", kKinds[works.kind[i]]);
  add("work", works.number[i]);
  add("lane", works.stream[i] >= 0 ? `device ${works.device[i]}, stream ${works.stream[i]}`
    : `${threadText(works.thread[i])}, during the call`);
  if (works.task[i] >= 0) add("task", works.task[i]);
  if (works.peer[i] >= 0) add("source device", works.peer[i]);
  add("destination", hex(works.dst.at(i)));
  add("source", hex(works.src.at(i)));
  if (works.width[i] > 0) {
    add("rows", `${works.width[i]} bytes, pitch ${works.dst_pitch[i]} (destination), ${works.src_pitch[i]} (source)`);
  }
  if (works.marker[i] > 0) add("event record", works.marker[i]);
  if (works.correlation[i] > 0) add("correlation", works.correlation[i]);
  if (works.model[i] >= 0) add("model", `${works.model[i]}, run ${works.run[i]}`);
  add("hash", hex(works.hash.at(i)));
}

function addCall(add, i, isShort) {
  const { calls } = trace;
  addTimes(add, calls, i, isShort);
  if (calls.result[i] !== 0) add("result", calls.result[i]);
  if (calls.stream[i] >= 0) add("stream", calls.stream[i]);
  if (calls.works[i] > 0) add("submitted", `${countText(calls.works[i])} ${calls.works[i] === 1 ? "work" : "works"}`);
  add("from", placeOfCall(i));
  addCallers(add, i, isShort);
  if (isShort) return;
  if (trace.texts[calls.script[i]] && calls.site[i] >= 0) add("address", trace.sites[calls.site[i]]);
  add("lane", threadText(calls.thread[i]));
}

// The frames outside of the call site, when the trace has stacks; those nearest to it in a tooltip.
function addCallers(add, i, isShort) {
  const stack = trace.stacks[trace.calls.stack[i]] ?? [];
  const callers = stack.slice(1).map((site) => trace.sites[site]);
  const shown = isShort ? callers.slice(0, 3) : callers;
  shown.forEach((caller, depth) => add(depth === 0 ? "called by" : "by", caller));
  if (shown.length < callers.length) add("and", `${callers.length - shown.length} more`);
}

function addRange(add, i) {
  addTimes(add, trace.ranges, i, false);
  add("domain", trace.texts[trace.ranges.domain[i]]);
  if (trace.ranges.stream[i] >= 0) add("stream", trace.ranges.stream[i]);
  else add("lane", threadText(trace.ranges.thread[i]));
}

function addInstant(add, i) {
  const { instants } = trace;
  add("what", ["mark", "finding", "memory"][instants.what[i]]);
  add("severity", trace.texts[instants.severity[i]]);
  add(instants.what[i] === 0 ? "domain" : "text", trace.texts[instants.text[i]]);
  add("time", timeText(instants.time[i], 1));
  add("address", hex(instants.address.at(i)));
  if (instants.size[i] > 0) add("size", bytesText(instants.size[i]));
  if (instants.device[i] >= 0) add("device", instants.device[i]);
}

function factList(facts, attributes = {}) {
  const list = make("dl", attributes);
  for (const [name, text] of facts) {
    list.append(make("dt", {}, name), make("dd", { class: /^0x/.test(text) ? "mono" : null }, text));
  }
  return list;
}
