// Makes robot.jsonl: what a translator of the robot's log would have published while it drove for a minute. Stamps are
// by the robot's clock, every 100 ms with jitter; twice the radio was gone; some messages came late, one is broken, and
// the robot's zone is +01:00. The floor is slippery and the battery sinks, which the twin does not know.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "Robot.hpp"

namespace {

struct Line {
  double arrival;
  std::string text;
};

std::string Stamp(std::int64_t micros) {
  char text[64];
  std::snprintf(text, sizeof text, "2019-01-04T16:%02d:%02d.%06d+01:00", static_cast<int>(41 + micros / 60'000'000),
                static_cast<int>(micros / 1'000'000 % 60), static_cast<int>(micros % 1'000'000));
  return text;
}

}  // namespace

int main() {
  std::mt19937 random(20190104);
  const auto uniform = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  robot::Robot robot;
  robot.slip = 0.06;
  std::vector<Line> lines;
  constexpr double kStep = 0.001;
  double next = 0.0;
  for (int i = 0; i <= 60'000; ++i) {
    const double time = i * kStep;
    if (time >= next) {
      char values[200];
      std::snprintf(values, sizeof values,
                    R"("pose":{"x":%.4f,"y":%.4f,"heading":%.4f},"deviation":%.4f,"battery":%.3f,"mode":"%s")", robot.x,
                    robot.y, robot.heading, robot.deviation, robot.battery,
                    std::fabs(robot.deviation) < 0.02 ? "following" : "searching");
      const std::string stamp = Stamp(std::llround(time * 1e6));
      const bool has_radio = !(time > 18.0 && time < 19.5) && !(time > 41.2 && time < 41.9);
      const bool is_delayed = uniform() < 0.04;
      if (has_radio) {
        lines.push_back(
            {time + 0.01 * uniform() + (is_delayed ? 0.25 : 0.0), "{\"time\":\"" + stamp + "\"," + values + "}"});
      }
      next = time + 0.1 + 0.03 * (uniform() - 0.5);
    }
    robot.battery = 1.0 - 0.0015 * time;
    robot.Step(kStep);
  }
  lines.push_back({30.0, "{\"time\":\"2019-01-04T16:41:30"});  // the translator was cut off
  // In the order received.
  for (std::size_t i = 1; i < lines.size(); ++i) {
    for (std::size_t j = i; j > 0 && lines[j].arrival < lines[j - 1].arrival; --j) std::swap(lines[j], lines[j - 1]);
  }
  for (const Line& line : lines) std::puts(line.text.c_str());
  return 0;
}
