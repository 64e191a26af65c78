// SPDX-License-Identifier: Apache-2.0
// The time axis: ticks at round times.

const kAxisHeight = 24;

function tickStep(span, width) {
  const wanted = (span * 110) / Math.max(width, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(wanted, 1)));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= wanted) return factor * power;
  return 10 * power;
}

// [{time, x}] of the visible ticks.
function ticksOf(area) {
  const step = tickStep(view.span, area.right - area.left);
  const ticks = [];
  for (let time = Math.ceil(view.begin / step) * step; time <= view.end; time += step) {
    ticks.push({ time, x: area.left + (time - area.begin) * area.scale });
  }
  return { step, ticks };
}

function paintGrid(context, area, { ticks }, height) {
  context.fillStyle = theme.colours["line-faint"];
  for (const { x } of ticks) context.fillRect(Math.round(x), kAxisHeight, 1, height);
}

function paintAxis(context, area, { step, ticks }) {
  context.fillStyle = theme.colours.ground;
  context.fillRect(0, 0, area.right, kAxisHeight);
  context.font = kSmallFont;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const { time, x } of ticks) {
    context.fillStyle = theme.colours.line;
    context.fillRect(Math.round(x), kAxisHeight - 6, 1, 6);
    context.fillStyle = theme.colours["text-quiet"];
    context.fillText(tickText(time, step), Math.round(x) + 4, kAxisHeight / 2);
  }
  context.fillStyle = theme.colours.line;
  context.fillRect(0, kAxisHeight - 1, area.right, 1);
  context.fillStyle = theme.colours.ground;
  context.fillRect(0, 0, area.left, kAxisHeight - 1);
  context.fillStyle = theme.colours["text-faint"];
  context.textAlign = "right";
  context.fillText(`${timeText(view.span)} shown`, area.left - 10, kAxisHeight / 2);
}

function tickText(time, step) {
  if (time === 0) return "0";
  // The unit of the visible end, or a smaller one when that would take more than three decimals.
  const largest = Math.min(Math.abs(view.end), step * 1000);
  const [unit, name] = largest >= 1e9 ? [1e9, "s"] : largest >= 1e6 ? [1e6, "ms"]
    : largest >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  const digits = Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9));
  return `${(time / unit).toFixed(digits)} ${name}`;
}
