// Draws what a run of platoon.xml left, as a picture that moves (SVG with SMIL, in real time), and states what came
// out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "composition/results/ReadResults.hpp"
#include "examples/platoon/Simulator.hpp"
#include "openmi/sdk/Error.hpp"

namespace {

using openmi::ResultRows;
using platoon::Simulator;
using platoon::Vehicle;

constexpr double kSecondsPerDay = 86400.0;
constexpr double kFrame = 0.1;     // s
constexpr double kBraking = -0.3;  // m/s2: below it the lights shine
constexpr std::string_view kColours[] = {"#0072b2", "#d55e00", "#00916a"};

class Results {
 public:
  explicit Results(const std::string& path) : table_(openmi::ReadResults(path)) {
    begin_ = table_.series.at(0).ends.at(0);
    for (const ResultRows& rows : table_.series) begin_ = std::min(begin_, rows.ends.at(0));
  }
  const ResultRows& Of(std::string_view id) const {
    for (const ResultRows& rows : table_.series) {
      if (rows.series.id == id) return rows;
    }
    throw openmi::FormatError({.item = std::string(id)}, "expected results of platoon.xml, found none of this item",
                              "run the composition as it is");
  }
  double Seconds(const ResultRows& rows, std::size_t row) const { return (rows.ends[row] - begin_) * kSecondsPerDay; }
  /// The value at a time, or the next one that is not missing.
  double At(std::string_view id, std::size_t element, double seconds) const {
    const ResultRows& rows = Of(id);
    const double mjd = begin_ + (seconds - 1e-6) / kSecondsPerDay;
    auto row = static_cast<std::size_t>(std::ranges::lower_bound(rows.ends, mjd) - rows.ends.begin());
    row = std::min(row, rows.ends.size() - 1);
    while (row + 1 < rows.ends.size() && std::isnan(rows.Row(row)[element])) ++row;
    return rows.Row(row)[element];
  }
  double Smallest(std::string_view id, std::size_t element) const {
    double smallest = std::numeric_limits<double>::infinity();
    const ResultRows& rows = Of(id);
    for (std::size_t row = 0; row < rows.ends.size(); ++row) smallest = std::fmin(smallest, rows.Row(row)[element]);
    return smallest;
  }
  /// When a vehicle has come to a stand, s; NaN when it hasn't.
  double StandAt(std::size_t vehicle) const {
    const ResultRows& speed = Of("instruments.speed");
    std::size_t row = speed.ends.size();
    while (row > 0 && speed.Row(row - 1)[vehicle] == 0.0) --row;
    return row == speed.ends.size() ? std::nan("") : Seconds(speed, row);
  }
  double End() const {
    const ResultRows& speed = Of("instruments.speed");
    return Seconds(speed, speed.ends.size() - 1);
  }

 private:
  openmi::ResultTable table_;
  double begin_ = 0.0;
};

class Picture {
 public:
  Picture(const Results& results, const Simulator& simulator) : results_(results), simulator_(simulator) {
    duration_ = results.End();
    double last_stand = 0.0;
    for (std::size_t i = 0; i < Simulator::kVehicles; ++i) last_stand = std::fmax(last_stand, results.StandAt(i));
    if (last_stand > 0.0) duration_ = std::min(duration_, std::ceil(last_stand) + 2.0);
    frames_ = static_cast<int>(std::lround(duration_ / kFrame));
  }

  std::string Draw() {
    Put(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 880" font-family="sans-serif" font-size="13">)"
        R"(<rect width="1200" height="880" fill="#ffffff"/>)");
    Put(R"(<defs><g id="scene">)");
    DrawScene();
    Put("</g></defs>");
    Put(R"(<text x="20" y="30" font-size="18" font-weight="600">A platoon before a road block</text>)");
    DrawClock();
    // From above, x to the right and y upwards.
    Put(R"(<svg x="10" y="45" width="1180" height="270" viewBox="60 -80 413 94.5">)"
        R"(<rect x="60" y="-80" width="413" height="95" fill="#dfe8d8"/><use href="#scene"/></svg>)");
    const platoon::Road::Place near = simulator_.Lane().At(simulator_.Block() - 18.0);
    Put(R"(<svg x="10" y="325" width="700" height="250" viewBox="{:.2f} {:.2f} 56 20">)"
        R"(<rect x="{:.2f}" y="{:.2f}" width="56" height="20" fill="#dfe8d8"/><use href="#scene"/></svg>)",
        near.x - 28.0, -near.y - 10.0, near.x - 28.0, -near.y - 10.0);
    DrawWords();
    DrawChart(10.0, "gap to the vehicle ahead (m)", "instruments.gap", 1, 0.0, 35.0, 5.0);
    DrawChart(410.0, "speed (m/s)", "instruments.speed", 0, 0.0, 35.0, 5.0);
    DrawChart(810.0, "acceleration (m/s²)", "instruments.acceleration", 0, -4.0, 1.0, 1.0);
    Put("</svg>\n");
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void Put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void DrawScene() {
    for (const auto& [width, colour] : {std::pair{12.5, "#8c8f94"}, {11.7, "#f4f4f4"}, {11.3, "#6d7177"}}) {
      DrawLane(width, colour, "");
    }
    DrawLane(0.2, "#f4f4f4", R"( stroke-dasharray="6 6")");
    const platoon::Road::Place block = simulator_.Lane().At(simulator_.Block());
    Put(R"x(<g transform="translate({:.3f} {:.3f}) rotate({:.3f})"><rect x="0" y="-5.6" width="1.2" height="11.2" )x"
        R"(fill="#b3301c"/><rect x="0" y="-3.7" width="1.2" height="1.9" fill="#ffffff"/>)"
        R"(<rect x="0" y="1.8" width="1.2" height="1.9" fill="#ffffff"/></g>)",
        block.x, -block.y, -block.heading * 180.0 / M_PI);
    for (std::size_t i = 0; i < Simulator::kVehicles; ++i) DrawVehicle(i);
  }

  // The vehicles' lane is the right one of two: its line is 2.8 m right of the middle of the road.
  void DrawLane(double width, std::string_view colour, std::string_view more) {
    Put(R"(<path fill="none" stroke="{}" stroke-width="{}"{} d=")", colour, width, more);
    char command = 'M';
    for (double way = 0.0; way <= simulator_.Lane().Length(); way += 5.0) {
      const platoon::Road::Place place = simulator_.Lane().At(way);
      Put("{}{:.2f} {:.2f}", command, place.x - 2.8 * std::sin(place.heading),
          -place.y - 2.8 * std::cos(place.heading));
      command = 'L';
    }
    Put("\"/>");
  }

  void DrawVehicle(std::size_t vehicle) {
    const auto animate = [&](std::string_view type, auto value) {
      Put(R"(<animateTransform attributeName="transform" type="{}" dur="{:.1f}s" repeatCount="indefinite" values=")",
          type, duration_);
      for (int frame = 0; frame <= frames_; ++frame) Put("{}{}", frame > 0 ? ";" : "", value(frame * kFrame));
      Put("\"/>");
    };
    Put("<g>");
    animate("translate", [&](double seconds) {
      return fmt::format("{:.3f} {:.3f}", results_.At("instruments.x", vehicle, seconds),
                         -results_.At("instruments.y", vehicle, seconds));
    });
    Put("<g>");
    animate("rotate", [&](double seconds) {
      return fmt::format("{:.2f}", -results_.At("instruments.heading", vehicle, seconds) * 180.0 / M_PI);
    });
    Put(R"(<rect x="{0}" y="{1}" width="{2}" height="{3}" rx="0.5" fill="{4}" stroke="#1b2530" stroke-width="0.15"/>)"
        R"(<rect x="0.2" y="-0.7" width="0.9" height="1.4" rx="0.2" fill="#dcebf5"/>)",
        -0.5 * Vehicle::kLength, -0.5 * Vehicle::kWidth, Vehicle::kLength, Vehicle::kWidth, kColours[vehicle]);
    for (const double side : {-0.85, 0.35}) {
      Put(R"(<rect x="-2.45" y="{}" width="0.35" height="0.5" fill="#ff1a1a">)", side);
      Put(R"(<animate attributeName="opacity" calcMode="discrete" dur="{:.1f}s" repeatCount="indefinite" values=")",
          duration_);
      for (int frame = 0; frame <= frames_; ++frame) {
        const bool shines = results_.At("instruments.acceleration", vehicle, frame * kFrame) < kBraking;
        Put("{}{}", frame > 0 ? ";" : "", shines ? 1 : 0);
      }
      Put("\"/></rect>");
    }
    Put("</g></g>");
  }

  void DrawClock() {
    for (int second = 0; second < static_cast<int>(std::ceil(duration_)); ++second) {
      const double from = second / duration_;
      const double to = std::min(1.0, (second + 1) / duration_);
      Put(R"(<text x="1180" y="30" font-size="18" text-anchor="end" opacity="{0}">{1} s<animate attributeName="opacity" )"
          R"(calcMode="discrete" dur="{2:.1f}s" repeatCount="indefinite" )",
          second == 0 ? 1 : 0, second, duration_);
      if (second == 0) {
        Put(R"(values="1;0" keyTimes="0;{:.5f}"/></text>)", to);
      } else {
        Put(R"(values="0;1;0" keyTimes="0;{:.5f};{:.5f}"/></text>)", from, to);
      }
    }
  }

  void DrawWords() {
    double y = 350.0;
    const auto line = [&](const std::string& words, std::string_view colour) {
      Put(R"(<text x="735" y="{}" fill="{}">{}</text>)", y, colour, words);
      y += 24.0;
    };
    static constexpr std::string_view kNames[] = {"leader, driven by the simulator", "follower 1, cruise control",
                                                  "follower 2, cruise control"};
    for (std::size_t i = 0; i < Simulator::kVehicles; ++i) {
      line(fmt::format("{}: stands after {:.2f} s", kNames[i], results_.StandAt(i)), kColours[i]);
    }
    for (const std::string& words : Statements(results_)) line(words, "#1b2530");
  }

 public:
  /// What came out, in sentences.
  static std::vector<std::string> Statements(const Results& results) {
    std::vector<std::string> lines;
    lines.push_back(fmt::format(
        "begin: {:.1f} km/h, time gaps of {:.2f} and {:.2f} s", results.At("instruments.speed", 0, 0.0) * 3.6,
        results.At("instruments.time-gap", 0, 0.0), results.At("instruments.time-gap", 1, 0.0)));
    lines.push_back(fmt::format("the leader stands {:.2f} m before the block",
                                results.At("simulator.leader.distance-to-block", 0, results.End())));
    lines.push_back(fmt::format("gaps at the end: {:.2f} m and {:.2f} m",
                                results.At("instruments.gap", 0, results.End()),
                                results.At("instruments.gap", 1, results.End())));
    lines.push_back(fmt::format("smallest gaps: {:.2f} m and {:.2f} m", results.Smallest("instruments.gap", 0),
                                results.Smallest("instruments.gap", 1)));
    lines.push_back(fmt::format("smallest time gaps above 5 m/s: {:.3f} s and {:.3f} s",
                                results.Smallest("instruments.time-gap", 0),
                                results.Smallest("instruments.time-gap", 1)));
    lines.push_back(
        fmt::format("hardest braking: {:.2f}, {:.2f} and {:.2f} m/s²", results.Smallest("instruments.acceleration", 0),
                    results.Smallest("instruments.acceleration", 1), results.Smallest("instruments.acceleration", 2)));
    return lines;
  }

 private:
  /// \param first  the vehicle that the first element is of
  void DrawChart(double left, std::string_view title, std::string_view id, std::size_t first, double low, double high,
                 double every) {
    constexpr double kTop = 615.0, kHeight = 220.0, kWidth = 340.0, kAxis = 36.0;
    const double x0 = left + kAxis;
    const auto x = [&](double seconds) { return x0 + kWidth * seconds / duration_; };
    const auto y = [&](double value) { return kTop + kHeight * (high - value) / (high - low); };
    Put(R"(<text x="{}" y="{}" font-weight="600">{}</text>)", x0, kTop - 12.0, title);
    for (double value = low; value < high + 0.5 * every; value += every) {
      Put(R"(<path d="M{0} {1:.1f}H{2}" stroke="#e0e0e0"/><text x="{3}" y="{4:.1f}" text-anchor="end" font-size="11">{5:g}</text>)",
          x0, y(value), x0 + kWidth, x0 - 5.0, y(value) + 4.0, value);
    }
    for (double second = 0.0; second <= duration_; second += 5.0) {
      Put(R"(<text x="{:.1f}" y="{}" text-anchor="middle" font-size="11">{} s</text>)", x(second),
          kTop + kHeight + 16.0, second);
    }
    const ResultRows& rows = results_.Of(id);
    for (std::size_t element = 0; element < rows.series.Width(); ++element) {
      Put(R"(<path fill="none" stroke="{}" stroke-width="1.6" d=")", kColours[element + first]);
      char command = 'M';
      constexpr std::size_t kEvery = 5;
      for (std::size_t row = 1; row < rows.ends.size() && results_.Seconds(rows, row) <= duration_; row += kEvery) {
        Put("{}{:.1f} {:.1f}", command, x(results_.Seconds(rows, row)),
            y(std::clamp(rows.Row(row)[element], low, high)));
        command = 'L';
      }
      Put("\"/>");
    }
    Put(R"(<path d="M0 {}V{}" stroke="#5c6875" stroke-dasharray="3 3"><animateTransform attributeName="transform" )"
        R"(type="translate" dur="{:.1f}s" repeatCount="indefinite" values="{} 0;{} 0"/></path>)",
        kTop, kTop + kHeight, duration_, x0, x0 + kWidth);
  }

  const Results& results_;
  const Simulator& simulator_;
  double duration_ = 0.0;
  int frames_ = 0;
  std::string text_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: platoon-view RESULTS.csv PICTURE.svg\n", stderr);
    return 2;
  }
  try {
    const Results results(arguments[1]);
    const Simulator simulator({.to_block = results.At("simulator.leader.distance-to-block", 0, 0.0)});
    std::ofstream file(arguments[2], std::ios::binary);
    file << Picture(results, simulator).Draw();
    file.close();
    if (!file) {
      throw openmi::FileError({.file = arguments[2]}, "expected a file that can be written, found none",
                              "check the folder");
    }
    for (const char* name : {"leader", "follower 1", "follower 2"}) {
      static std::size_t vehicle = 0;
      fmt::print("{} stands after {:.2f} s\n", name, results.StandAt(vehicle++));
    }
    for (const std::string& line : Picture::Statements(results)) fmt::print("{}\n", line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
