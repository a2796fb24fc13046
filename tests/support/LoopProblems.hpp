#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "timespace/StatefulComponent.hpp"

/// Loops with a known answer: each is split between two components that step implicitly, and solved as one system by
/// elimination. Converged, both give the same numbers.
namespace openmi::loops {

/// T dx/dt = bias + gain * in - x, by the implicit Euler method. `in` is what the neighbour holds at the end of the
/// step.
class FirstOrder final : public StatefulSteppingComponent {
 public:
  FirstOrder() : StatefulSteppingComponent("first-order") {
    time_ = AddArgument<double>("T", {.unit = "h", .value = 1.0});
    gain_ = AddArgument<double>("gain", {.value = 1.0});
    bias_ = AddArgument<double>("bias", {.value = 0.0});
    initial_ = AddArgument<double>("initial", {.value = 0.0});
    fails_ = AddArgument<std::int64_t>("fail-at-update", {.value = -1});
    in_ = AddInput("in", "m");
    out_ = AddOutput("out", "m");
  }
  std::uint64_t updates = 0;  ///< all that were made, given up ones included

 private:
  void Start(Stamp) override {
    updates = 0;
    x_ = initial_.Value();
    out_.Set(x_);
  }
  void Step(Stamp from, Stamp to) override {
    if (static_cast<std::int64_t>(++updates) == fails_.Value())
      throw std::domain_error("the solver met a negative depth");
    const double share = (to - from) / Hours(time_.Value());
    x_ = (x_ + share * (bias_.Value() + gain_.Value() * in_.Get())) / (1.0 + share);
    out_.Set(x_);
  }
  void SaveState(StateWriter& writer) const override { writer.Write(x_); }
  void LoadState(StateReader& reader) override { x_ = reader.ReadDouble(); }

  Argument<double> time_, gain_, bias_, initial_;
  Argument<std::int64_t> fails_;
  ScalarInput in_;
  ScalarOutput out_;
  double x_ = 0.0;
};

/// m x'' = -k x - c (x - in) by the trapezoidal rule; x, v and in are known at the begin of the step. Unit masses of
/// time: hours.
class Mass final : public StatefulSteppingComponent {
 public:
  Mass() : StatefulSteppingComponent("mass") {
    mass_ = AddArgument<double>("mass", {.value = 1.0});
    stiffness_ = AddArgument<double>("stiffness", {.value = 1.0});
    coupling_ = AddArgument<double>("coupling", {.value = 1.0});
    initial_ = AddArgument<double>("initial", {.value = 0.0});
    neighbour_ = AddArgument<double>("neighbour", {.value = 0.0});
    in_ = AddInput("in", "m");
    out_ = AddOutput("out", "m");
  }

 private:
  double Force(double x, double in) const { return -stiffness_.Value() * x - coupling_.Value() * (x - in); }
  void Start(Stamp) override {
    x_ = initial_.Value();
    v_ = 0.0;
    in_before_ = neighbour_.Value();
    out_.Set(x_);
  }
  void Step(Stamp from, Stamp to) override {
    const double h = (to - from) / Hours(1.0);
    // x1 = x + h/2 (v + v1), v1 = v + h/2m (f + f1), f1 = -(k + c) x1 + c in1
    const double a = h * h / (4.0 * mass_.Value());
    const double f = Force(x_, in_before_);
    const double whole = stiffness_.Value() + coupling_.Value();
    const double x1 = (x_ + h * v_ + a * (f + coupling_.Value() * in_.Get())) / (1.0 + a * whole);
    v_ += 0.5 * h / mass_.Value() * (f + Force(x1, in_.Get()));
    x_ = x1;
    in_before_ = in_.Get();
    out_.Set(x_);
  }
  void SaveState(StateWriter& writer) const override {
    writer.Write(x_);
    writer.Write(v_);
    writer.Write(in_before_);
  }
  void LoadState(StateReader& reader) override {
    x_ = reader.ReadDouble();
    v_ = reader.ReadDouble();
    in_before_ = reader.ReadDouble();
  }

  Argument<double> mass_, stiffness_, coupling_, initial_, neighbour_;
  ScalarInput in_;
  ScalarOutput out_;
  double x_ = 0.0;
  double v_ = 0.0;
  double in_before_ = 0.0;
};

/// Two components `a` and `b`, linked both ways.
struct Problem2 {
  std::string name;
  std::string title;
  std::string type;  ///< "first-order" or "mass"
  std::array<std::vector<std::pair<std::string, double>>, 2> arguments;
  int steps = 0;
  double hours = 1.0;  ///< of a step
  double Argument(std::size_t side, const std::string& key) const {
    for (const auto& [name_of, value] : arguments[side]) {
      if (name_of == key) return value;
    }
    return 0.0;
  }
};

/// Two linear reservoirs, side by side and joined: A dh/dt = inflow - c (h - h'), only the first one is fed.
inline Problem2 Reservoirs() {
  return {"reservoirs",
          "two coupled linear reservoirs",
          "first-order",
          {{{{"T", 3.0}, {"gain", 1.0}, {"bias", 2.0}, {"initial", 1.0}},
            {{"T", 5.0}, {"gain", 0.8}, {"bias", 0.0}, {"initial", 4.0}}}},
          100,
          1.0};
}
/// Two masses on springs, joined by a third: split between components.
inline Problem2 Oscillator() {
  return {"oscillator",
          "two-mass oscillator",
          "mass",
          {{{{"mass", 1.0}, {"stiffness", 1.0}, {"coupling", 2.0}, {"initial", 1.0}, {"neighbour", 0.0}},
            {{"mass", 0.5}, {"stiffness", 0.5}, {"coupling", 2.0}, {"initial", 0.0}, {"neighbour", 1.0}}}},
          200,
          0.5};
}
/// Both follow each other within a small part of a step, with gains of -3 and 2: what goes round the loop comes back
/// nearly six times as large.
inline Problem2 StiffPair() {
  return {"stiff-pair",
          "stiff pair",
          "first-order",
          {{{{"T", 0.02}, {"gain", -3.0}, {"bias", 1.0}, {"initial", 1.0}},
            {{"T", 0.05}, {"gain", 2.0}, {"bias", -0.5}, {"initial", 0.0}}}},
          100,
          1.0};
}

/// Solves A x = b, small and dense, by elimination with row exchange. \param a  shape [n][n]
inline std::vector<double> Solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(a[i][k]) > std::fabs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// The outputs of both sides at the end of each step, computed as one system: shape [steps][2].
inline std::vector<std::array<double, 2>> Monolithic(const Problem2& problem) {
  const auto arg = [&](std::size_t side, const char* key) { return problem.Argument(side, key); };
  std::vector<std::array<double, 2>> all;
  std::array<double, 2> x{arg(0, "initial"), arg(1, "initial")};
  std::array<double, 2> v{0.0, 0.0};
  for (int step = 0; step < problem.steps; ++step) {
    if (problem.type == "first-order") {
      std::array<double, 2> share{problem.hours / arg(0, "T"), problem.hours / arg(1, "T")};
      const auto y = Solve({{1.0 + share[0], -share[0] * arg(0, "gain")}, {-share[1] * arg(1, "gain"), 1.0 + share[1]}},
                           {x[0] + share[0] * arg(0, "bias"), x[1] + share[1] * arg(1, "bias")});
      x = {y[0], y[1]};
    } else {
      // Unknowns x0, x1, v0, v1 at the end: the trapezoidal rule of the whole.
      const double h = problem.hours;
      std::vector<std::vector<double>> a(4, std::vector<double>(4, 0.0));
      std::vector<double> b(4, 0.0);
      for (std::size_t i = 0; i < 2; ++i) {
        const double k = arg(i, "stiffness");
        const double c = arg(i, "coupling");
        const double m = arg(i, "mass");
        a[i][i] = 1.0;
        a[i][i + 2] = -0.5 * h;
        b[i] = x[i] + 0.5 * h * v[i];
        a[i + 2][i + 2] = 1.0;
        a[i + 2][i] = 0.5 * h / m * (k + c);
        a[i + 2][1 - i] = -0.5 * h / m * c;
        b[i + 2] = v[i] + 0.5 * h / m * (-(k + c) * x[i] + c * x[1 - i]);
      }
      const auto y = Solve(a, b);
      x = {y[0], y[1]};
      v = {y[2], y[3]};
    }
    all.push_back(x);
  }
  return all;
}

/// The composition as a file says it. \param iterate  attributes of Iterate beside Components; empty: no Iterate
inline std::string CompositionXml(const Problem2& problem, const std::string& iterate) {
  std::string text;
  for (std::size_t side = 0; side < 2; ++side) {
    text += std::string("<Component Id=\"") + (side == 0 ? "a" : "b") + "\" Type=\"loops." + problem.type +
            "\" Assembly=\"here\"><Argument Key=\"time-step\" Value=\"" +
            std::to_string(static_cast<int>(problem.hours * 3600.0)) + " s\"/>";
    for (const auto& [key, value] : problem.arguments[side]) {
      text += "<Argument Key=\"" + key + "\" Value=\"" + std::to_string(value) + "\"/>";
    }
    text += "</Component>\n";
  }
  text += "<Link From=\"a.out\" To=\"b.in\"/>\n<Link From=\"b.out\" To=\"a.in\"/>\n";
  if (!iterate.empty()) text += "<Iterate Components=\"a b\" " + iterate + "/>\n";
  const int minutes = static_cast<int>(problem.steps * problem.hours * 60.0);
  const auto two = [](int number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  return text + "<Observe Item=\"a.out\"/><Observe Item=\"b.out\"/>\n<Run From=\"2015-12-01T00:00Z\" To=\"2015-12-" +
         two(1 + minutes / 1440) + "T" + two(minutes % 1440 / 60) + ":" + two(minutes % 60) + "Z\"/>\n";
}

}  // namespace openmi::loops
