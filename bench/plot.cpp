// SPDX-License-Identifier: Apache-2.0
// A small SVG writer: panels side by side with common scales; block size is logarithmic.
#include "bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ferry::bench {
namespace {

constexpr double kPanelWidth = 300;
constexpr double kPanelHeight = 240;
constexpr double kPanelGap = 36;
constexpr double kLeft = 64;
constexpr double kTop = 92;
constexpr double kBottom = 64;
constexpr double kRight = 28;

struct Scales {
  double least_log;
  double most_log;
  double most_speed;

  double x(double bytes) const {
    return (std::log2(bytes) - least_log) / (most_log - least_log) * kPanelWidth;
  }
  double y(double speed) const { return kPanelHeight * (1 - speed / most_speed); }
};

// 1, 2 or 5 times a power of ten, so that about five steps make `most`.
double nice_step(double most) {
  const double raw = most / 5;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) return factor * power;
  }
  return 10 * power;
}

Scales scales_of(const std::vector<SweepPoint>& points) {
  Scales scales{9, 10, 1};
  for (const SweepPoint& point : points) {
    scales.most_log = std::max(scales.most_log, std::log2(static_cast<double>(point.block_bytes)));
    for (const double speed : point.speeds)
      scales.most_speed = std::max(scales.most_speed, speed);
  }
  const double step = nice_step(scales.most_speed);
  scales.most_speed = std::ceil(scales.most_speed / step) * step;
  return scales;
}

std::string size_label(double bytes) {
  if (bytes >= 1 << 20) return fmt::format("{:.0f}M", bytes / (1 << 20));
  return bytes >= 1024 ? fmt::format("{:.0f}K", bytes / 1024) : fmt::format("{:.0f}", bytes);
}

std::string text_at(double x, double y, const char* style, const std::string& text) {
  std::string escaped;
  for (const char c : text)
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, style,
                     escaped);
}

std::string grid(const Scales& scales, bool has_numbers) {
  std::string svg;
  const double step = nice_step(scales.most_speed);
  for (double speed = 0; speed <= scales.most_speed * 1.001; speed += step) {
    svg += fmt::format("<path class=\"grid\" d=\"M0 {0:.1f}H{1:.0f}\"/>\n", scales.y(speed),
                       kPanelWidth);
    if (has_numbers) svg += text_at(-8, scales.y(speed) + 4, "end", fmt::format("{:g}", speed));
  }
  for (double log = scales.least_log; log <= scales.most_log; log += 2) {
    const double x = scales.x(std::exp2(log));
    svg += fmt::format("<path class=\"grid\" d=\"M{0:.1f} 0V{1:.0f}\"/>\n", x, kPanelHeight);
    svg += text_at(x, kPanelHeight + 18, "middle", size_label(std::exp2(log)));
  }
  return svg + fmt::format("<path class=\"axis\" d=\"M0 0V{0:.0f}H{1:.0f}\"/>\n", kPanelHeight,
                           kPanelWidth);
}

// The curve of way `index` through all points of a panel.
std::string curve(const std::vector<SweepPoint>& points, size_t index, const char* colour,
                  const Scales& scales) {
  std::string path;
  std::string dots;
  for (const SweepPoint& point : points) {
    const double x = scales.x(static_cast<double>(point.block_bytes));
    const double y = scales.y(point.speeds[index]);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
    dots +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x, y, colour);
  }
  return fmt::format("<path class=\"line\" stroke=\"{}\" d=\"{}\"/>\n{}", colour, path, dots);
}

std::string legend(const std::vector<Sweep::Way>& ways) {
  std::string svg;
  double x = kLeft;
  for (const Sweep::Way& way : ways) {
    svg += fmt::format("<path class=\"line\" stroke=\"{}\" d=\"M{:.0f} 62h22\"/>\n", way.colour, x);
    svg += text_at(x + 28, 66, "", way.name);
    x += 52 + 7.0 * static_cast<double>(std::string_view(way.name).size());
  }
  return svg;
}

}  // namespace

std::string plot_svg(const Sweep& sweep, const std::string& subtitle) {
  const std::vector<SweepPoint>& points = sweep.points;
  const Scales scales = scales_of(points);
  std::string panels;
  size_t panel = 0;
  for (auto first = points.begin(); first != points.end(); ++panel) {
    const std::string& title = first->panel;
    const auto last = std::find_if(first, points.end(),
                                   [&](const SweepPoint& point) { return point.panel != title; });
    const double left = kLeft + static_cast<double>(panel) * (kPanelWidth + kPanelGap);
    panels += fmt::format("<g transform=\"translate({:.0f} {:.0f})\">\n", left, kTop + 12);
    panels += text_at(kPanelWidth / 2, -8, "middle bold", title);
    panels += grid(scales, panel == 0);
    for (size_t i = 0; i < sweep.ways.size(); ++i)
      panels += curve({first, last}, i, sweep.ways[i].colour, scales);
    panels += "</g>\n";
    first = last;
  }
  const double width =
      kLeft + static_cast<double>(std::max<size_t>(panel, 1)) * (kPanelWidth + kPanelGap) + kRight;
  const double height = kTop + 12 + kPanelHeight + kBottom;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\">\n"
      "<style>text{{font:12px sans-serif;fill:#333}}.bold{{font-weight:bold}}"
      ".title{{font:bold 16px sans-serif}}.middle{{text-anchor:middle}}.end{{text-anchor:end}}"
      ".grid{{stroke:#e4e7eb;fill:none}}.axis{{stroke:#333;fill:none}}"
      ".line{{stroke-width:2;fill:none}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, height);
  svg += text_at(kLeft, 26, "title", sweep.title);
  svg += text_at(kLeft, 44, "", subtitle);
  svg += legend(sweep.ways) + panels;
  svg += text_at((kLeft + width - kRight) / 2, height - 16, "middle", "bytes of a block");
  return svg + "</svg>\n";
}

}  // namespace ferry::bench
