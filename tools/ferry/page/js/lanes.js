// SPDX-License-Identifier: Apache-2.0
// The lanes of the timeline: what is in each row, sorted by begin, and where rows are.
//
// Invariant of a row: `begin` never falls, and `reach[i]` is the latest end of its items 0 to i, so a binary
// search in `reach` finds the first item that may be visible.

const kRowHeight = 18;
const kRowGap = 2;
const kLaneGap = 7;
const kGroupHeight = 26;
const kRounding = 2;  // nanoseconds by which items overlap because the file rounds begin and duration
const kMostRows = 12;  // of nested or overlapping items in one lane

// Puts items into as few rows as keep them apart; what would need more than kMostRows goes into the last.
function rowsOf(tableName, indices) {
  const table = trace[tableName];
  indices.sort((a, b) => table.begin[a] - table.begin[b] || table.end[b] - table.end[a]);
  const members = [];
  const ends = [];
  for (const index of indices) {
    let row = 0;
    while (row < ends.length && row < kMostRows - 1 && ends[row] > table.begin[index] + kRounding) row++;
    if (row === ends.length) {
      ends.push(0);
      members.push([]);
    }
    ends[row] = Math.max(ends[row], table.end[index]);
    members[row].push(index);
  }
  return members.map((list) => makeRow(tableName, list));
}

function makeRow(tableName, list) {
  const table = trace[tableName];
  const index = Uint32Array.from(list);
  const begin = Float64Array.from(list, (i) => table.begin[i]);
  const end = Float64Array.from(list, (i) => table.end[i]);
  const category = Uint8Array.from(list, (i) => table.category[i]);
  const reach = end.slice();
  for (let i = 1; i < reach.length; i++) reach[i] = Math.max(reach[i], reach[i - 1]);
  return { table: tableName, index, begin, end, category, reach, y: 0 };
}

class LaneBuilder {
  constructor() {
    this.lanes = new Map();
  }

  lane(key, fields) {
    if (!this.lanes.has(key)) this.lanes.set(key, { key, works: [], calls: [], ranges: [], instants: [], ...fields });
    return this.lanes.get(key);
  }

  thread(thread) {
    return this.lane(`t${thread}`, { group: "host", thread, device: -1, stream: -1 });
  }

  stream(device, stream) {
    return this.lane(`s${device}/${stream}`, { group: `device${device}`, thread: -1, device, stream });
  }

  of(table, index) {
    const stream = table.stream[index];
    return stream >= 0 ? this.stream(table.device[index], stream) : this.thread(Math.max(0, table.thread[index]));
  }
}

function buildLanes() {
  const builder = new LaneBuilder();
  for (let i = 0; i < trace.calls.count; i++) builder.thread(trace.calls.thread[i]).calls.push(i);
  for (let i = 0; i < trace.works.count; i++) builder.of(trace.works, i).works.push(i);
  for (let i = 0; i < trace.ranges.count; i++) builder.of(trace.ranges, i).ranges.push(i);
  for (let i = 0; i < trace.instants.count; i++) builder.of(trace.instants, i).instants.push(i);
  const lanes = [...builder.lanes.values()];
  lanes.sort((a, b) => (a.thread < 0) - (b.thread < 0) || a.device - b.device || a.stream - b.stream
    || a.thread - b.thread);
  for (const lane of lanes) {
    lane.title = lane.thread >= 0 ? threadText(lane.thread) : `stream ${lane.stream}`;
    lane.rows = [...rowsOf("ranges", lane.ranges), ...rowsOf("calls", lane.calls), ...rowsOf("works", lane.works)];
    lane.marks = Uint32Array.from(lane.instants).sort((a, b) => trace.instants.time[a] - trace.instants.time[b]);
    lane.markTimes = Float64Array.from(lane.marks, (i) => trace.instants.time[i]);
  }
  return lanes;
}

function deviceText(id) {
  const device = trace.devices.find((one) => one.id === id);
  if (!device) return `device ${id}`;
  const about = [device.kind, device.name].filter((text) => text && text !== device.kind);
  return `device ${id} (${about.length ? about.join(", ") : device.kind})`;
}

function programName() {
  return trace.about.program.split("/").pop() || "program";
}

function groupTitle(group) {
  return group === "host" ? `host: ${programName()} (${trace.about.pid})` : deviceText(Number(group.slice(6)));
}

// Bands are what the timeline shows from top to bottom: {kind: "chart" | "group" | "lane", y, height, ...}.
function layOut(lanes, charts) {
  const bands = [];
  let y = 0;
  const add = (band) => {
    bands.push({ ...band, y });
    y += band.height;
  };
  for (const chart of charts.filter((one) => one.device < 0)) add({ kind: "chart", height: chart.height, chart });
  let group = "";
  for (const lane of lanes) {
    if (lane.group !== group) {
      group = lane.group;
      add({ kind: "group", height: kGroupHeight, title: groupTitle(group) });
      for (const chart of charts.filter((one) => `device${one.device}` === group)) {
        add({ kind: "chart", height: chart.height, chart });
      }
    }
    let inside = kLaneGap / 2;
    if (lane.marks.length) inside += 6;  // room for the marks above the rows
    for (const row of lane.rows) {
      row.y = inside;
      inside += kRowHeight + kRowGap;
    }
    add({ kind: "lane", height: Math.max(inside - kRowGap + kLaneGap / 2, kRowHeight + kLaneGap), lane });
  }
  return { bands, height: y + 8 };
}

function timeBounds() {
  let begin = Infinity;
  let end = -Infinity;
  const see = (first, last) => {
    for (let i = 0; i < first.length; i++) {
      if (first[i] < begin) begin = first[i];
      if (last[i] > end) end = last[i];
    }
  };
  for (const name of ["works", "calls", "ranges"]) see(trace[name].begin, trace[name].end);
  see(trace.instants.time, trace.instants.time);
  for (let i = 0; i < trace.works.count; i++) begin = Math.min(begin, trace.works.begin[i] - trace.works.queued[i]);
  return begin <= end ? { begin, end: Math.max(end, begin + 1000) } : { begin: 0, end: 1e6 };
}

const lanes = buildLanes();
const bounds = timeBounds();
const laneOfItem = {};  // by table: lane's index by item
for (const name of ["works", "calls", "ranges", "instants"]) laneOfItem[name] = new Uint32Array(trace[name].count);
lanes.forEach((lane, number) => {
  for (const name of ["works", "calls", "ranges", "instants"]) {
    for (const index of lane[name]) laneOfItem[name][index] = number;
  }
});
