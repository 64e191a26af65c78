// SPDX-License-Identifier: Apache-2.0
// Numbers as text, and small helpers for elements. Text of the trace only ever becomes a text node.

function fixed(value, digits = 3) {
  if (value === 0) return "0";
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return value.toFixed(Math.min(6, Math.max(0, digits - whole)));
}

// Nanoseconds. `resolution`: the smallest difference that must show.
function timeText(nanoseconds, resolution = 0) {
  const magnitude = Math.abs(nanoseconds);
  const [unit, name] = magnitude >= 1e9 ? [1e9, "s"] : magnitude >= 1e6 ? [1e6, "ms"]
    : magnitude >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  if (resolution <= 0) return `${fixed(nanoseconds / unit)} ${name}`;
  const digits = Math.min(9, Math.max(0, Math.ceil(Math.log10(unit / resolution) - 1e-9)));
  return `${(nanoseconds / unit).toFixed(digits)} ${name}`;
}

function bytesText(bytes) {
  const names = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let index = 0;
  let value = bytes;
  while (Math.abs(value) >= 1024 && index < names.length - 1) {
    value /= 1024;
    index++;
  }
  return `${index === 0 || Number.isInteger(value) ? value : fixed(value)} ${names[index]}`;
}

function countText(count) {
  return Math.round(count).toLocaleString("en-US");
}

// Bytes per nanosecond are gigabytes per second.
function rateText(bytes, nanoseconds) {
  return nanoseconds > 0 && bytes > 0 ? `${fixed(bytes / nanoseconds)} GB/s` : "";
}

function percentText(part) {
  return `${fixed(part * 100, 2)} %`;
}

function byId(id) {
  return document.getElementById(id);
}

// make("td", {class: "number"}, "text", element, ...)
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "colour") element.style.setProperty("--of", value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function swatch(category) {
  return make("i", { colour: `var(--${kCategories[category].colour})` });
}
