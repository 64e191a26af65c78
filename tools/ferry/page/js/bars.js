// SPDX-License-Identifier: Apache-2.0
// Draws one row of bars. Bars narrower than a pixel and a half are added up per pixel: the pixel gets the colour
// of the category that fills most of it, and is as opaque as it is full.

const kNarrow = 1.5;
const kShadow = 0.13;  // opacity of what the filter hides
const kHeightOfBar = kRowHeight;

class RowPainter {
  constructor(context, area) {
    this.context = context;
    this.area = area;  // {left, right, scale, begin}: pixels, pixels per nanosecond
    this.fills = new Float64Array(kCategories.length * 2);  // of the pixel: time by category; hidden ones behind
    this.touched = 0;
    this.texts = [];
  }

  paint(row, top) {
    const { context, area } = this;
    const shown = filter.shown[row.table];
    const last = lowerBound(row.begin, view.end);
    let pixel = -1;
    for (let i = lowerBound(row.reach, view.begin); i < last; i++) {
      const left = area.left + (row.begin[i] - area.begin) * area.scale;
      const right = area.left + (row.end[i] - area.begin) * area.scale;
      const category = row.category[i];
      const isShown = shown[row.index[i]] === 1;
      if (right - left >= kNarrow) {
        if (right < area.left) continue;
        this.flush(pixel, top);
        pixel = -1;
        this.bar(row, i, { left, right, top, category, isShown });
        continue;
      }
      const at = Math.floor(left);
      if (at !== pixel) {
        this.flush(pixel, top);
        pixel = at;
      }
      this.fills[category + (isShown ? 0 : kCategories.length)] += Math.max(right - left, 0.25);
      this.touched = 1;
    }
    this.flush(pixel, top);
    context.globalAlpha = 1;
  }

  flush(pixel, top) {
    if (!this.touched) return;
    this.touched = 0;
    const { fills, context } = this;
    const count = kCategories.length;
    let most = 0;
    let shownSum = 0;
    let hiddenSum = 0;
    for (let i = 0; i < count; i++) {
      shownSum += fills[i];
      hiddenSum += fills[count + i];
      if (fills[i] > fills[most]) most = i;
    }
    const isShown = shownSum > 0;
    if (!isShown) {
      for (let i = 0; i < count; i++) if (fills[count + i] > fills[count + most]) most = i;
    }
    fills.fill(0);
    if (pixel < this.area.left - 1) return;
    const full = Math.min(1, isShown ? shownSum : hiddenSum);
    context.globalAlpha = (0.4 + 0.6 * full) * (isShown ? 1 : kShadow);
    context.fillStyle = theme.bars[most];
    context.fillRect(Math.max(pixel, this.area.left), top, 1, kHeightOfBar);
  }

  bar(row, i, { left, right, top, category, isShown }) {
    const { context, area } = this;
    const from = Math.max(left, area.left - 4);
    const to = Math.min(right, area.right + 4);
    const gap = to - from > 4 ? 0.75 : 0;  // between bars that touch
    context.globalAlpha = isShown ? 1 : kShadow;
    context.fillStyle = theme.bars[category];
    context.fillRect(from, top, to - from - gap, kHeightOfBar);
    if (category === kCategory.blocked && isShown) {
      context.fillStyle = this.stripes();
      context.fillRect(from, top, to - from - gap, kHeightOfBar);
    }
    const room = Math.min(to, area.right) - Math.max(from, area.left) - 8;
    if (isShown && room > 22) {
      this.texts.push({ x: Math.max(from, area.left) + 4, y: top + kHeightOfBar / 2 + 0.5, room,
        text: itemName({ table: row.table, index: row.index[i] }), isPale: kCategories[category].pale === true });
    }
  }

  // Names are drawn after all bars, so that the canvas changes its font and colour seldom.
  paintTexts() {
    const { context } = this;
    context.globalAlpha = 1;
    context.font = kSmallFont;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const isPale of [true, false]) {
      context.fillStyle = isPale ? theme.colours["on-pale"] : theme.colours["on-bar"];
      for (const { x, y, room, text, isPale: isThisPale } of this.texts) {
        if (isThisPale !== isPale) continue;
        const cut = shorten(context, text, room);
        if (cut) context.fillText(cut, x, y);
      }
    }
    this.texts.length = 0;
  }

  // Diagonal lines over calls that wait: they differ from others without their colour, too.
  stripes() {
    if (theme.stripes) return theme.stripes;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 6;
    const context = tile.getContext("2d");
    context.strokeStyle = theme.colours["text-faint"];
    context.globalAlpha = 0.45;
    context.lineWidth = 1.2;
    context.beginPath();
    for (const shift of [-6, 0, 6]) {
      context.moveTo(shift, 6);
      context.lineTo(shift + 6, 0);
    }
    context.stroke();
    theme.stripes = this.context.createPattern(tile, "repeat");
    return theme.stripes;
  }
}

const kSans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const kSmallFont = `11px ${kSans}`;
const kFont = `12px ${kSans}`;
const kBoldFont = `600 12px ${kSans}`;

// The text, or as much of its beginning as fits; "" when that is too little.
const widths = new Map();
function shorten(context, text, room) {
  const key = `${context.font}/${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 20000) widths.clear();
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  if (width <= room) return text;
  const letters = Math.floor((text.length * (room - 8)) / width);
  return letters >= 2 ? `${text.slice(0, letters)}…` : "";
}
