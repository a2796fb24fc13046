// A simulator that is a DCP slave: a tank with an outlet. What it exchanges says tank.dcpx.

#include <cmath>
#include <cstdio>
#include <exception>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"

namespace {

using namespace openmi::dcp;

class Tank final : public SlaveModel {
 public:
  void Configure(SlaveValues& values) override {
    level_ = values.Named("start-level").Number();
    values.Named("level").SetNumber(level_);
  }
  /// area dh/dt = inflow - k h, solved exactly for an inflow that is constant over the step.
  void Step(SlaveValues& values, const StepSpan& span) override {
    constexpr double kArea = 2.0;     // m2
    constexpr double kOutlet = 0.01;  // m2 s-1
    const double even = values.Named("inflow").Number() / kOutlet;
    level_ = even + (level_ - even) * std::exp(-kOutlet / kArea * span.Length());
    values.Named("level").SetNumber(level_);
  }

 private:
  double level_ = 0.0;  // m
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: tank-slave TANK.dcpx\n", stderr);
    return 2;
  }
  try {
    openmi::Problems problems;
    const SlaveDescription description = LoadOwnDescription(arguments[1], problems);
    openmi::ThrowIfErrors(problems);
    Tank tank;
    SlaveRunner(description, tank, {.is_once = true}).Run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
