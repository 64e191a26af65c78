// SPDX-License-Identifier: Apache-2.0
// Sizes of what was copied: a bar per power of two, stacked by direction.

const kSvg = "http://www.w3.org/2000/svg";

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(kSvg, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// By size class and direction: items, or bytes.
function sizesOfItems(what, window) {
  const sizes = new Map();
  for (let work = 0; work < trace.works.count; work++) {
    if (trace.works.direction[work] === 0 || !isCounted(work, window)) continue;
    const power = sizeClass(work);
    if (power < 0) continue;
    if (!sizes.has(power)) sizes.set(power, kCopyCategories.map(() => 0));
    const amount = what === "bytes" ? trace.works.bytes[work] : trace.works.items[work];
    sizes.get(power)[trace.works.category[work]] += amount;
  }
  return sizes;
}

// The categories of copies are numbered from 0 in the order of kCopyCategories.
function histogram(what, window) {
  const sizes = sizesOfItems(what, window);
  if (sizes.size === 0) return make("p", { class: "empty" }, "No copies are shown.");
  const first = Math.min(...sizes.keys());
  const last = Math.max(...sizes.keys());
  const sums = [...sizes.values()].map((values) => values.reduce((a, b) => a + b, 0));
  const most = Math.max(...sums);
  const text = what === "bytes" ? bytesText : countText;
  const step = Math.max(34, Math.min(56, 820 / (last - first + 1)));
  const [left, height] = [78, 170];
  const width = left + (last - first + 1) * step + 8;
  const picture = svg("svg", { class: "histogram", width, height: height + 44, viewBox: `0 0 ${width} ${height + 44}`,
    role: "img", "aria-label": `Sizes of copied items by ${what}` });
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const y = 12 + height * (1 - part);
    picture.append(svg("line", { x1: left, x2: width, y1: y, y2: y }),
      svg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, text(most * part)));
  }
  for (let power = first; power <= last; power++) {
    const x = left + (power - first) * step;
    let y = 12 + height;
    (sizes.get(power) ?? []).forEach((value, category) => {
      if (value === 0) return;
      const tall = Math.max(2, (value / most) * height);
      y -= tall;
      const bar = svg("rect", { x: x + 3, y, width: step - 6, height: tall },
        svg("title", {}, `${kCategories[category].label}, ${sizeClassText(power)}: ${text(value)}`));
      bar.style.fill = `var(--${kCategories[category].colour})`;
      picture.append(bar);
    });
    picture.append(svg("text", { x: x + 3, y: height + 28 }, bytesText(2 ** power).replace("iB", "")));
  }
  picture.append(svg("line", { class: "base", x1: left, x2: width, y1: 12 + height, y2: 12 + height }));
  return picture;
}

function histogramLegend() {
  const present = new Set(copies.category);
  return make("div", { class: "legend" }, ...kCopyCategories.filter((category) => present.has(category))
    .map((category) => make("span", {}, swatch(category), kCategories[category].label)));
}
