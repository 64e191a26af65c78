// SPDX-License-Identifier: Apache-2.0
// Draws values over time: stacked areas of bandwidth, and steps.

function paintChart(context, area, chart, top) {
  const height = chart.height - 12;
  const base = top + chart.height - 4;
  if (chart.kind === "bandwidth") paintBandwidth(context, area, chart, base, height);
  else paintSteps(context, area, chart, base, height);
  context.fillStyle = theme.colours.line;
  context.fillRect(area.left, base, area.right - area.left, 1);
}

function paintBandwidth(context, area, chart, base, height) {
  const count = Math.max(1, Math.floor(area.right - area.left));
  const { step, sums } = bandwidth(view.begin, view.end, count, filter.shown.works);
  let peak = 0;
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (const category of sums) sum += category[i];
    peak = Math.max(peak, sum);
  }
  const top = niceCeiling(peak / step);
  chart.latest = { step, sums, top };
  const scale = height / (top * step);
  const floor = new Float64Array(count);
  for (let category = 0; category < sums.length; category++) {
    context.fillStyle = theme.bars[kCopyCategories[category]];
    context.beginPath();
    for (let i = 0; i < count; i++) {
      if (sums[category][i] <= 0) continue;
      const tall = Math.max(sums[category][i] * scale, 0.6);
      context.rect(area.left + i, base - floor[i] - tall, 1, tall);
      floor[i] += tall;
    }
    context.fill();
  }
  scaleLine(context, area, chart, base - height, `${fixed(top)} GB/s`);
}

function paintSteps(context, area, chart, base, height) {
  const count = Math.max(1, Math.floor(area.right - area.left));
  const top = chart.peak || 1;
  const step = view.span / count;
  context.beginPath();
  context.moveTo(area.left, base);
  let index = stepAt(chart, view.begin);
  for (let i = 0; i < count; i++) {
    const until = view.begin + (i + 1) * step;
    let most = index >= 0 ? chart.value[index] : 0;  // the highest value within the pixel
    while (index + 1 < chart.time.length && chart.time[index + 1] <= until) {
      index++;
      most = Math.max(most, chart.value[index]);
    }
    const y = base - (Math.max(0, most) / top) * height;
    context.lineTo(area.left + i, y);
    context.lineTo(area.left + i + 1, y);
  }
  context.lineTo(area.left + count, base);
  context.closePath();
  context.globalAlpha = 0.22;
  context.fillStyle = theme.colours["text-quiet"];
  context.fill();
  context.globalAlpha = 0.8;
  context.strokeStyle = theme.colours["text-quiet"];
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
  scaleLine(context, area, chart, base - height, bytesText(top));
}

// The line at the top of the scale. Its text stands beside the chart's name, which timeline.js draws.
function scaleLine(context, area, chart, y, text) {
  context.fillStyle = theme.colours.line;
  context.globalAlpha = 0.6;
  context.fillRect(area.left, Math.round(y), area.right - area.left, 1);
  context.globalAlpha = 1;
  chart.scale = { y: Math.round(y), text };
}
