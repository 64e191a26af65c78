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
    table.replaceChildren(head(columns, state, draw),
      make("tbody", {}, ...sorted.map((row) => bodyRow(columns, row, onrow))));
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

function speedColumns(withLimit) {
  const speed = (total) => (total.busy > 0 ? total.bytes / total.busy : 0);
  const number = (title, value, text) => ({ title, value, isNumber: true, text: (total) => text(value(total), total) });
  const columns = [
    number("Works", (total) => total.count, countText),
    number("Items", (total) => total.items, countText),
    number("Bytes", (total) => total.bytes, (bytes) => (bytes ? bytesText(bytes) : "")),
    number("Busy", (total) => total.busy, (time) => timeText(time)),
    number("Each", (total) => total.time / total.count, (time) => timeText(time)),
    number("GB/s", speed, (rate) => (rate ? fixed(rate) : "")),
  ];
  if (withLimit && trace.limits.length) {
    columns.push({ title: "Of this machine", isNumber: true, value: (total) => speed(total) / (total.limit || Infinity),
      cell: (total) => shareBar(speed(total), total.limit, kCategories[total.category].colour) });
  }
  return columns;
}

// A share of what the machine can do.
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
      cell: (total) => make("span", {}, swatch(total.category), total.label) }, ...speedColumns(true)] });
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

// A table that `ferry report` has made. Rows with times show that part of the trace when they are clicked.
function plainTable({ columns, rows, times, notes }) {
  const looksLikeNumber = (text) => /^-?[\d.,]+( [^ ]+)?$|^$/.test(text ?? "");
  const isNumber = columns.map((_, i) => rows.length > 0 && rows.every((row) => looksLikeNumber(row[i])));
  const attributes = (at) => (times[at] ? { class: "clickable", onclick: () => view.show(...times[at]) } : {});
  const headCell = (title, i) => make("th", { class: isNumber[i] ? "number" : null }, title);
  const cell = (text, i) => make("td", { class: isNumber[i] ? "number" : "wide", title: text }, text);
  return make("div", {}, make("table", {}, make("thead", {}, make("tr", {}, ...columns.map(headCell))),
    make("tbody", {}, ...rows.map((row, at) => make("tr", attributes(at), ...row.map(cell))))),
  ...notes.map((text) => make("p", { class: "note" }, text)));
}
