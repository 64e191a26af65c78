// SPDX-License-Identifier: Apache-2.0
// Tables that can be sorted.

// Columns: {title, value(row), text(row) | cell(row), isNumber}. `onrow` is called with the row that was clicked.
function sortableTable({ columns, rows, order, onrow }) {
  const table = make("table");
  const state = order ?? { column: 0, isDown: false };
  const draw = () => {
    const { value } = columns[state.column];
    const sorted = [...rows].sort((a, b) => {
      const one = value(a);
      const other = value(b);
      const sign = typeof one === "string" ? one.localeCompare(other) : one - other;
      return state.isDown ? -sign : sign;
    });
    table.replaceChildren(head(columns, state, draw), make("tbody", {}, ...sorted.map((row) => bodyRow(columns, row, onrow))));
  };
  draw();
  return table;
}

function head(columns, state, draw) {
  return make("thead", {}, make("tr", {}, ...columns.map((column, number) => make("th", {
    class: column.isNumber ? "number" : null, scope: "col",
    "aria-sort": number === state.column ? (state.isDown ? "descending" : "ascending") : null,
  }, make("button", {
    type: "button",
    onclick: () => {
      state.isDown = number === state.column ? !state.isDown : column.isNumber === true;
      state.column = number;
      draw();
    },
  }, column.title)))));
}

function bodyRow(columns, row, onrow) {
  return make("tr", { class: onrow ? "clickable" : null, onclick: onrow ? () => onrow(row) : null },
    ...columns.map((column) => make("td", { class: column.isNumber ? "number" : column.isWide ? "wide" : null,
      title: column.isWide ? String(column.value(row)) : null }, column.cell ? column.cell(row) : column.text(row))));
}

// The bar after a speed: its share of what the machine can do.
function limitOf(total) {
  const { direction } = kCategories[total.key] ?? {};
  return trace.limits.find((limit) => limit.direction === direction)?.gbps ?? 0;
}

function speedColumns(withLimit) {
  const speed = (total) => (total.time > 0 ? total.bytes / total.time : 0);
  const columns = [
    { title: "Works", isNumber: true, value: (total) => total.count, text: (total) => countText(total.count) },
    { title: "Items", isNumber: true, value: (total) => total.items, text: (total) => countText(total.items) },
    { title: "Bytes", isNumber: true, value: (total) => total.bytes, text: (total) => (total.bytes ? bytesText(total.bytes) : "") },
    { title: "Time", isNumber: true, value: (total) => total.time, text: (total) => timeText(total.time) },
    { title: "Each", isNumber: true, value: (total) => total.time / total.count, text: (total) => timeText(total.time / total.count) },
    { title: "GB/s", isNumber: true, value: speed, text: (total) => (total.bytes ? fixed(speed(total)) : "") },
  ];
  if (withLimit && trace.limits.length) {
    columns.push({ title: "Of this machine", isNumber: true, value: (total) => speed(total) / (limitOf(total) || Infinity),
      cell: (total) => shareBar(speed(total), limitOf(total), kCategories[total.key].colour) });
  }
  return columns;
}

function shareBar(value, limit, colour) {
  if (limit <= 0) return "";
  const part = value / limit;
  const bar = make("b");
  bar.style.width = `${Math.min(100, part * 100)}%`;
  return make("span", {}, percentText(part), make("span", { class: "share", colour: `var(--${colour})` }, bar));
}

function showWork(work) {
  const item = { table: "works", index: work };
  app.select(item);
  view.reveal(itemBegin(item), itemEnd(item));
  app.tell("reveal");
}

const onrow = (total) => showWork(total.first);
const kByBytes = () => ({ column: 3, isDown: true });

function directionTable(window) {
  return sortableTable({ rows: totalsByDirection(window), order: kByBytes(), onrow, columns: [
    { title: "Direction", value: (total) => total.label,
      cell: (total) => make("span", {}, swatch(total.key), `${total.label}`) }, ...speedColumns(true)] });
}

function sizeTable(window) {
  return sortableTable({ rows: totalsBySize(window), order: { column: 0, isDown: false }, onrow, columns: [
    { title: "Size of an item", value: (total) => total.key, text: (total) => total.label }, ...speedColumns(false)] });
}

function laneTable(window) {
  return sortableTable({ rows: totalsByLane(window), order: { column: 4, isDown: true }, onrow, columns: [
    { title: "Stream", value: (total) => total.label, text: (total) => total.label }, ...speedColumns(false)] });
}

function siteTable(window) {
  return sortableTable({ rows: totalsBySite(window), order: { column: 5, isDown: true }, onrow, columns: [
    { title: "Call", value: (total) => total.label[0], text: (total) => total.label[0] },
    { title: "Place", isWide: true, value: (total) => total.label[1], text: (total) => total.label[1] },
    ...speedColumns(false)] });
}

// A table that `ferry report` has made.
function plainTable({ columns, rows }) {
  const number = (text) => Number.parseFloat(String(text).replace(/,/g, ""));
  const isNumber = columns.map((_, i) => rows.length > 0 && rows.every((row) => !row[i] || /^[\d.,-]/.test(row[i])));
  return make("table", {},
    make("thead", {}, make("tr", {}, ...columns.map((title, i) => make("th", { class: isNumber[i] ? "number" : null }, title)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text, i) => make("td",
      { class: isNumber[i] && !Number.isNaN(number(text)) ? "number" : null }, text))))));
}
