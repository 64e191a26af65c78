// SPDX-License-Identifier: Apache-2.0
// What there is to see, and its colour. The numbers of directions, kinds and so on are those of trace.h.

const kDirections = ["", "H2H", "H2D", "D2H", "D2D"];
const kDirectionNames = { H2D: "host to device", D2H: "device to host", D2D: "device to device", H2H: "host to host" };
const kKinds = ["other", "copy", "batch", "rows", "described", "indirect", "fill", "callout", "function", "kernel",
  "record", "wait", "notify", "take-notify", "write-value", "wait-value", "reduce"];
const kMemories = ["", "pageable", "pinned", "registered", "managed", "device"];
const kKind = Object.fromEntries(kKinds.map((name, number) => [name, number]));

// `colour`: a variable of page.css. Pale ones carry dark text.
const kCategories = [
  { key: "h2d", label: "H2D", colour: "h2d", direction: 2 },
  { key: "d2h", label: "D2H", colour: "d2h", direction: 3 },
  { key: "d2d", label: "D2D", colour: "d2d", direction: 4 },
  { key: "h2h", label: "H2H", colour: "h2h", direction: 1 },
  { key: "fill", label: "Fills", colour: "fill" },
  { key: "kernel", label: "Kernels", colour: "kernel" },
  { key: "function", label: "Host functions", colour: "function" },
  { key: "order", label: "Events and waits", colour: "order" },
  { key: "other", label: "Other work", colour: "other", pale: true },
  { key: "call", label: "Calls", colour: "call", pale: true },
  { key: "blocked", label: "Waiting calls", colour: "blocked", pale: true },
  { key: "range", label: "Ranges", colour: "range", pale: true },
];
const kCategory = Object.fromEntries(kCategories.map((category, number) => [category.key, number]));
const kCopyCategories = [kCategory.h2d, kCategory.d2h, kCategory.d2d, kCategory.h2h];

const kCategoryOfDirection = [kCategory.other, kCategory.h2h, kCategory.h2d, kCategory.d2h, kCategory.d2d];
const kCategoryOfKind = {
  fill: kCategory.fill, kernel: kCategory.kernel, callout: kCategory.function, function: kCategory.function,
  record: kCategory.order, wait: kCategory.order, notify: kCategory.order, "take-notify": kCategory.order,
  "write-value": kCategory.order, "wait-value": kCategory.order,
};

function categoriesOfWorks() {
  const { count, direction, kind } = trace.works;
  const categories = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    categories[i] = direction[i] > 0 ? kCategoryOfDirection[direction[i]]
      : kCategoryOfKind[kKinds[kind[i]]] ?? kCategory.other;
  }
  return categories;
}

// Calls that wait for work: the host does nothing else meanwhile.
function categoriesOfCalls() {
  const waits = trace.texts.map((name) => /Synchronize|ProcessReport/.test(name));
  return Uint8Array.from(trace.calls.function, (id) => (waits[id] ? kCategory.blocked : kCategory.call));
}

trace.works.category = categoriesOfWorks();
trace.calls.category = categoriesOfCalls();
trace.ranges.category = new Uint8Array(trace.ranges.count).fill(kCategory.range);
