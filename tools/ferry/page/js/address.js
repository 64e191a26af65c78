// SPDX-License-Identifier: Apache-2.0
// The address of the page keeps what is shown, so that it can be sent to others: #t=BEGIN,END&s=works/12&q=...

const kAddressFilter = { h: "categories", l: "lanes" };

function addressText() {
  const parts = new URLSearchParams();
  parts.set("t", `${Math.round(view.begin)},${Math.round(view.end)}`);
  if (app.selection) parts.set("s", `${app.selection.table}/${app.selection.index}`);
  if (search.query) parts.set("q", search.query);
  if (dock.current !== "overview") parts.set("tab", dock.current);
  const all = { h: kCategories.length, l: lanes.length };
  for (const [key, name] of Object.entries(kAddressFilter)) {
    const hidden = [...Array(all[key]).keys()].filter((one) => !filter[name].has(one));
    if (hidden.length) parts.set(key, hidden.join(","));
  }
  return `#${parts}`;
}

function readAddress() {
  const parts = new URLSearchParams(window.location.hash.slice(1));
  const numbers = (key) => (parts.get(key) ?? "").split(",").filter((text) => text !== "").map(Number)
    .filter((number) => Number.isFinite(number));
  for (const [key, name] of Object.entries(kAddressFilter)) {
    for (const hidden of numbers(key)) filter[name].delete(hidden);
  }
  filter.apply();
  if (parts.get("q")) {
    byId("search").value = parts.get("q");
    search.run(parts.get("q"));
  }
  const [table, index] = (parts.get("s") ?? "").split("/");
  if (["works", "calls", "ranges", "instants"].includes(table) && Number(index) < trace[table].count) {
    app.select({ table, index: Number(index) });
  }
  const tab = parts.get("tab");
  if (dock.pages.some((page) => page.key === tab)) dock.open(tab);
  const time = numbers("t");
  if (time.length === 2 && time[1] > time[0]) view.jump(time[0], time[1]);
  else view.fit(false);
}

// Browsers refuse many changes in a short time: write once things have come to rest.
function keepAddress() {
  let pending = 0;
  let written = window.location.hash;
  const write = () => {
    written = addressText();
    try {
      window.history.replaceState(null, "", written);
    } catch {
      // A page without an address of its own, such as a preview, has none to keep.
    }
  };
  const soon = () => {
    clearTimeout(pending);
    pending = setTimeout(write, 250);
  };
  for (const event of ["view", "selection", "search", "filter", "tab"]) app.on(event, soon);
  window.addEventListener("hashchange", () => {
    if (window.location.hash !== written) readAddress();
  });
}
