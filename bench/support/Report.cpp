#include "bench/support/Report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <utility>

namespace bench {
namespace {

std::string Number(double value) {
  return std::abs(value) >= 1000.0 && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                             : fmt::format("{:.4g}", value);
}

std::string With(double value, std::string_view unit) {
  return fmt::format("{}{}{}", Number(value), unit.empty() ? "" : " ", unit);
}

}  // namespace

Report::Report(std::string program, std::vector<std::string> words)
    : program_(std::move(program)), words_(std::move(words)) {}

bool Report::Wants(std::string_view name) const {
  return words_.empty() || std::ranges::find(words_, name) != words_.end();
}

bool Report::Line(std::string_view name, const Pairs& pairs, std::string_view unit, std::string_view peer, Bound bound,
                  std::string_view remark) {
  return Judge(name, pairs.Ours(), pairs.Limit(), pairs.Ratio(), pairs.Over(), unit, peer, bound, remark);
}

bool Report::Line(std::string_view name, double ours, std::string_view unit, std::string_view peer, double limit,
                  Bound bound, std::string_view remark) {
  return Judge(name, ours, limit, ours / limit, ours - limit, unit, peer, bound, remark);
}

bool Report::Count(std::string_view name, double found, std::string_view unit, double most, std::string_view remark) {
  return Print(name, fmt::format("ours {}, limit {}", With(found, unit), With(most, unit)), found <= most, remark);
}

bool Report::Fact(std::string_view name, bool holds, std::string_view text) {
  return Print(name, fmt::format("{} {}", holds ? "holds:" : "does not hold:", text), holds, {});
}

bool Report::Judge(std::string_view name, double ours, double limit, double ratio, double over, std::string_view unit,
                   std::string_view peer, Bound bound, std::string_view remark) {
  std::string text = fmt::format("ours {}, {} {}, ratio {:.3f}", With(ours, unit), peer, With(limit, unit), ratio);
  bool holds = true;  // where there is a bound, a figure that is no number does not hold
  switch (bound.kind) {
    case Bound::Kind::None:
      text += ", bound none";
      break;
    case Bound::Kind::MostTimes:
      holds = ratio <= bound.value;
      text += fmt::format(", bound at most {:g} times", bound.value);
      break;
    case Bound::Kind::LeastTimes:
      holds = std::isfinite(ratio) && ratio >= bound.value;
      text += fmt::format(", bound at least {:g} times", bound.value);
      break;
    case Bound::Kind::MostOver:
      holds = over <= bound.value;
      text += fmt::format(" ({}{}), bound at most {} more", over < 0.0 ? "" : "+", With(over, unit),
                          With(bound.value, unit));
      break;
  }
  return Print(name, text, holds, remark);
}

bool Report::Print(std::string_view name, std::string_view text, bool holds, std::string_view remark) {
  ++lines_;
  if (!holds) ++exceeded_;
  fmt::print("{}/{}: {}{}{}{}\n", program_, name, text, remark.empty() ? "" : "; ", remark, holds ? "" : "  EXCEEDED");
  std::fflush(stdout);
  return holds;
}

int Report::End() const {
  fmt::print("{}: {} of {} lines EXCEEDED\n", program_, exceeded_, lines_);
  std::fflush(stdout);
  return exceeded_ == 0 ? 0 : 1;
}

int Main(const char* program, int count, char** words, const std::function<void(Report&)>& work) {
  Report report(program, std::vector<std::string>(words + 1, words + count));
  try {
    work(report);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    report.Fact("whole-program", false, "it ran to its end");
  }
  return report.End();
}

}  // namespace bench
