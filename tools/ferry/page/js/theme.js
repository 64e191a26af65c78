// SPDX-License-Identifier: Apache-2.0
// Light or dark: what the system prefers, until the button chooses. Reads the colours of page.css.

const kSystemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

const kCanvasColours = ["ground", "raised", "sunken", "line", "line-faint", "text", "text-quiet", "text-faint",
  "accent", "on-bar", "on-pale", "select", "match", "finding"];

class Theme {
  constructor() {
    this.choice = null;  // "light", "dark"; null: as the system
    this.colours = {};
    this.apply();
    kSystemIsDark.addEventListener("change", () => this.apply());
  }

  get shade() {
    return this.choice ?? (kSystemIsDark.matches ? "dark" : "light");
  }

  toggle() {
    this.choice = this.shade === "dark" ? "light" : "dark";
    this.apply();
  }

  // `shade`: only for the picture on paper.
  apply(shade = this.shade) {
    document.documentElement.dataset.shade = shade;
    const style = getComputedStyle(document.documentElement);
    for (const name of [...kCanvasColours, ...kCategories.map((category) => category.colour)]) {
      this.colours[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.bars = kCategories.map((category) => this.colours[category.colour]);
    this.stripes = null;
    app.tell("theme");
  }
}
