// SPDX-License-Identifier: Apache-2.0
// Reads the trace that page_data.cpp has written into the page.

function bytesOf(base64) {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

// A column: base64 of LEB128 numbers, each the zigzag difference to the one before it.
function decodeColumn(base64, count) {
  const bytes = bytesOf(base64);
  const values = new Float64Array(count);
  let at = 0;
  let value = 0;
  for (let i = 0; i < count; i++) {
    let difference = 0;
    let scale = 1;
    let byte;
    do {
      byte = bytes[at++];
      difference += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    value += difference % 2 ? -(difference + 1) / 2 : difference / 2;
    values[i] = value;
  }
  return values;
}

// The same for numbers of 64 bits. They are only shown, so they are decoded when first asked for.
class WideColumn {
  constructor(base64, count) {
    this.base64 = base64;
    this.count = count;
    this.values = null;
  }

  at(index) {
    if (!this.values) this.decode();
    return this.values[index];
  }

  decode() {
    const bytes = bytesOf(this.base64);
    this.values = new BigUint64Array(this.count);
    let at = 0;
    let value = 0n;
    for (let i = 0; i < this.count; i++) {
      let difference = 0n;
      let shift = 0n;
      let byte;
      do {
        byte = bytes[at++];
        difference |= BigInt(byte & 127) << shift;
        shift += 7n;
      } while (byte >= 128);
      value = BigInt.asUintN(64, value + ((difference >> 1n) ^ -(difference & 1n)));
      this.values[i] = value;
    }
  }
}

// {count, begin: Float64Array, ...}; with `end`, where there is a begin and a duration.
function decodeTable(table, names) {
  const { count, columns } = table;
  const decoded = { count };
  for (const name of names) {
    const column = columns[name];
    if (column === undefined) decoded[name] = new Float64Array(count);
    else if (typeof column === "number") decoded[name] = new Float64Array(count).fill(column);
    else if (typeof column === "string") decoded[name] = decodeColumn(column, count);
    else decoded[name] = new WideColumn(column.wide, count);
  }
  if (decoded.begin && decoded.duration) {
    decoded.end = decoded.begin.map((begin, i) => begin + Math.max(0, decoded.duration[i]));
  }
  return decoded;
}

const kWorkColumns = ["number", "begin", "duration", "queued", "thread", "call", "task", "correlation", "stream",
  "device", "peer", "result", "name", "function", "kind", "marker", "model", "run", "unfinished", "bytes", "items",
  "smallest", "largest", "neighbours", "dst", "src", "dst_pitch", "src_pitch", "width", "hash", "direction", "memory"];
const kCallColumns = ["begin", "duration", "thread", "function", "result", "site", "script", "stream", "first_work",
  "works", "stack", "unfinished"];
const kRangeColumns = ["begin", "duration", "thread", "device", "stream", "name", "domain"];
const kInstantColumns = ["what", "time", "thread", "device", "stream", "name", "text", "severity", "address", "size"];

function readTrace() {
  const element = document.getElementById("data");
  const raw = JSON.parse(element.textContent);
  element.remove();
  return {
    ...raw,
    works: decodeTable(raw.works, kWorkColumns),
    calls: decodeTable(raw.calls, kCallColumns),
    ranges: decodeTable(raw.ranges, kRangeColumns),
    instants: decodeTable(raw.instants, kInstantColumns),
    device_memory: raw.device_memory.map(({ device, samples }) => (
      { device, ...decodeTable(samples, ["time", "bytes"]) })),
  };
}

const trace = readTrace();

// The first index whose value is not below `value`, in numbers that never fall.
function lowerBound(values, value) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Index of the work with this number; -1: not in the trace.
function workOfNumber(number) {
  const index = lowerBound(trace.works.number, number);
  return index < trace.works.count && trace.works.number[index] === number ? index : -1;
}
