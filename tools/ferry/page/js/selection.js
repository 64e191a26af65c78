// SPDX-License-Identifier: Apache-2.0
// What the lower part says about the selected item: all that is known, and links to what belongs to it.

const kMostFacts = 8;  // below each other

function selectionPanel() {
  const item = app.selection;
  if (!item) {
    return [make("p", { class: "empty" }, "Nothing is selected. Click a bar in the timeline, or press / to search; ",
      make("kbd", {}, "?"), " lists all keys.")];
  }
  const title = make("div", { class: "selection-title" }, make("i", { colour: `var(--${itemColour(item)})` }),
    itemName(item));
  const facts = factsOf(item, false);
  const lists = [];
  for (let i = 0; i < facts.length; i += kMostFacts) {
    lists.push(factList(facts.slice(i, i + kMostFacts), { class: "facts" }));
  }
  return [title, make("div", { class: "columns" }, ...lists, linksOf(item))];
}

function itemLink(label, item) {
  return make("div", {}, make("span", {}, `${label} `), make("button", {
    type: "button", class: "link",
    onclick: () => {
      app.select(item);
      view.reveal(itemBegin(item), itemEnd(item));
      app.tell("reveal");
    },
  }, itemName(item)));
}

const kMostLinks = 8;

function linksOf(item) {
  const links = [];
  const add = (label, table, index) => links.push(itemLink(label, { table, index }));
  if (item.table === "works") {
    const call = callOfWork(item.index);
    if (call >= 0) add("submitted by", "calls", call);
    const marker = trace.works.marker[item.index];
    const record = recordOfMarker.get(marker);
    if (marker && record === item.index) {
      for (const wait of (waitsOfMarker.get(marker) ?? []).slice(0, kMostLinks)) add("awaited by", "works", wait);
    } else if (marker && record !== undefined) {
      add("waits for", "works", record);
    }
  } else if (item.table === "calls") {
    const works = worksOfCall(item.index);
    for (const work of works.slice(0, kMostLinks)) add("submitted", "works", work);
    if (works.length > kMostLinks) links.push(make("span", {}, `and ${countText(works.length - kMostLinks)} more`));
  }
  const [before, after] = neighboursOf(item);
  if (before) links.push(itemLink("before it", before));
  if (after) links.push(itemLink("after it", after));
  if (links.length === 0) return null;
  return make("div", {}, make("h2", {}, "Belongs to it"), make("div", { class: "links" }, ...links));
}

// The items before and after it in its row.
function neighboursOf(item) {
  if (item.table === "instants") return [null, null];
  const row = rowOfItem(lanes[laneOfItem[item.table][item.index]], item);
  if (!row) return [null, null];
  const place = row.index.indexOf(item.index);
  const itemAtPlace = (at) => (at >= 0 && at < row.index.length ? { table: row.table, index: row.index[at] } : null);
  return [itemAtPlace(place - 1), itemAtPlace(place + 1)];
}

function step(direction) {
  if (!app.selection) return false;
  const next = neighboursOf(app.selection)[direction < 0 ? 0 : 1];
  if (next) {
    app.select(next);
    view.reveal(itemBegin(next), itemEnd(next));
    app.tell("reveal");
  }
  return true;
}
