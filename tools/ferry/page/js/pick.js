// SPDX-License-Identifier: Apache-2.0
// Finds what is under the pointer.

const kReach = 3;  // pixels: narrow items can be hit beside them

function bandAt(timeline, y) {
  if (y < kAxisHeight) return null;
  return timeline.bands.find((band) => {
    const top = timeline.topOf(band);
    return y >= top && y < top + band.height;
  }) ?? null;
}

// The item at a place of the canvas; null: none.
function itemAt(timeline, x, y) {
  const band = bandAt(timeline, y);
  if (!band?.lane || x < timeline.area.left) return null;
  const inside = y - timeline.topOf(band);
  const mark = inside < 11 ? markAt(timeline, band.lane, x) : null;
  if (mark) return mark;
  const row = band.lane.rows.find((one) => inside >= one.y - 1 && inside < one.y + kRowHeight + 1);
  return row ? itemInRow(timeline, row, x) : null;
}

// Of several items at a place, the longest; of none at the place itself, the nearest within kReach.
function itemInRow(timeline, row, x) {
  const from = timeline.timeAt(x - kReach);
  const to = timeline.timeAt(x + kReach);
  const time = timeline.timeAt(x);
  let best = -1;
  let bestRank = [Infinity, 0];
  for (let i = lowerBound(row.reach, from); i < row.begin.length && row.begin[i] <= to; i++) {
    if (row.end[i] < from) continue;
    const distance = Math.max(0, row.begin[i] - time, time - row.end[i]);
    const rank = [Math.round(distance / (to - from) * 4), row.begin[i] - row.end[i]];
    if (rank[0] < bestRank[0] || (rank[0] === bestRank[0] && rank[1] < bestRank[1])) {
      best = i;
      bestRank = rank;
    }
  }
  return best >= 0 ? { table: row.table, index: row.index[best] } : null;
}

function markAt(timeline, lane, x) {
  const middle = timeline.timeAt(x);
  const reach = 5 / timeline.area.scale;
  let best = null;
  const first = lowerBound(lane.markTimes, middle - reach);
  for (let i = first; i < lane.marks.length && lane.markTimes[i] <= middle + reach; i++) {
    if (!best || trace.instants.what[lane.marks[i]] === 1) best = { table: "instants", index: lane.marks[i] };
  }
  return best;
}
