#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/optional/IBalance.hpp"

/// Small components for the tests of runs, types of the test program itself. `elements` arguments read:
/// "" one value without a place; "a b c" ids; "polygons a 0 0 2 1 ; b 2 0 3 1" rectangles from corner to corner, in m;
/// "areas a 10 ; b 20" ids with an attribute `area` in m2; "points a 0 0 ; b 10 0", in m; "lines a 0 0 10 0 ; b 5 0 5
/// 9" from end to end, in m, with M along them.
namespace openmi::testing {

std::shared_ptr<ElementSet> ElementsOf(const std::string& text);

/// Step by step a value nobody guesses: depends on the number of the step and the element.
inline double TestValue(std::int64_t step, std::size_t element) {
  return 1.0 + 0.375 * static_cast<double>((step * 7 + static_cast<std::int64_t>(element) * 3) % 11);
}

/// Gives `out`, or what `item` says: TestValue of each step, times `scale`. At step `move-at` its elements move to
/// where `moved` says, before it gives the row.
class Source : public SteppingComponent {
 public:
  explicit Source(std::string id = "source");

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;

 private:
  void Fill(std::int64_t step);
  Argument<std::string> unit_, gives_, elements_, item_, moved_;
  Argument<double> scale_;
  Argument<std::int64_t> throw_at_, missing_at_, move_at_;
  std::shared_ptr<ElementSet> where_;
  ArrayOutput out_;
  std::int64_t step_ = 0;
};

/// Takes `in`, and remembers what it got at each step.
class Sink final : public SteppingComponent {
 public:
  Sink();
  std::vector<double> times;              ///< ends of steps
  std::vector<std::vector<double>> rows;  ///< what arrived

 private:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  Argument<std::string> unit_, asks_, elements_, item_;
  ArrayInput in_;
  ScalarOutput sum_;
};

/// out = factor * in + add; and remembers what it got. `in` is `missing-link` where nobody provides.
class Relay final : public SteppingComponent {
 public:
  Relay();
  std::vector<double> got;

 private:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  Argument<std::string> moments_;
  Argument<double> factor_, add_, initial_;
  ScalarInput in_;
  ScalarOutput out_;
};

/// A tank: takes `inflow`, gives `outflow` (means over steps), states its storage. At step `lose-at` it loses
/// `lost` m3 that it does not state. `first` is published as the mean of the hour before the begin, unless negative.
class Tank final : public SteppingComponent, public IBalance {
 public:
  Tank();
  BalanceTerms Balance() const override { return terms_; }
  double BalanceArea() const override { return 2e6; }

 private:
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  Argument<double> k_, lost_, first_;
  Argument<std::int64_t> lose_at_;
  ScalarInput inflow_;
  ScalarOutput outflow_;
  BalanceTerms terms_;
  std::int64_t step_ = 0;
};

/// A source with a factory of its own, "leaks". Its adaptor "leak" lets 0.98 of everything through; "unknown-leak" does
/// the same and states no effect on an amount. "leaky-by-id", and so on for each adaptor of the SDK, is that adaptor
/// with what it gives multiplied by the argument `passes` of the component.
class LeakySource final : public Source {
 public:
  LeakySource();
  ~LeakySource() override;

 private:
  class Leaks;
  Argument<double> passes_;
  std::unique_ptr<Leaks> leaks_;
};

}  // namespace openmi::testing
