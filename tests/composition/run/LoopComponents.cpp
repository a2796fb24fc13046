// Types of the test program itself for loops of links that are iterated.

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/LoopProblems.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IInitialValues.hpp"

namespace openmi::testing {

/// out = factor * in + side + add, and it keeps states. An `in` above `lost-above` is lost: out is missing then.
class KeptRelay final : public StatefulSteppingComponent, public IFirstValues {
 public:
  KeptRelay() : StatefulSteppingComponent("kept-relay") {
    moments_ = AddArgument<std::string>("moments", {.value = "instant", .possible_values = {"span", "instant"}});
    add_ = AddArgument<double>("add", {.value = 1.0});
    whole_ = AddArgument<std::int64_t>("whole", {.value = 0});
    throw_after_ = AddArgument<std::int64_t>("throw-after", {.value = -1});
    initial_ = AddArgument<double>("initial", {.value = 3.0});
    factor_ = AddArgument<double>("factor", {.value = 0.5});
    lost_above_ = AddArgument<double>("lost-above", {.value = 1e300});
    blank_ = AddArgument<std::int64_t>("blank", {.value = 0});  // no value at the start of the run
  }
  bool HasFirstValue(const IBaseOutput&) const override { return blank_.Value() == 0; }

 private:
  void Setup() override {
    const bool spans = moments_.Value() == "span";
    in_ = AddInput("in", "m3 s-1", {.asks = spans ? InputTime::Span : InputTime::Instant});
    side_ = AddInput("side", "m3 s-1", {.default_value = 0.0});
    out_ = AddOutput("out", "m3 s-1",
                     {.gives = spans ? OutputTime::Span : OutputTime::Instant,
                      .initial = blank_.Value() != 0 ? std::nan("") : initial_.Value()});
    seen_ = AddOutput("seen", "m3 s-1");  // what it took; not linked
    SetWholeSteps(whole_.Value() != 0);
  }
  void Step(Stamp begin, Stamp) override {
    constexpr double kDecember = 57357.0;  // 2015-12-01
    if (throw_after_.Value() >= 0 &&
        begin.mjd >= kDecember + (static_cast<double>(throw_after_.Value()) - 0.5) / 24.0) {
      throw std::domain_error("the solver met a negative depth");
    }
    const double out = factor_.Value() * in_.Get() + side_.Get() + add_.Value();
    out_.Set(in_.Get() > lost_above_.Value() ? std::nan("") : out);
    seen_.Set(in_.Get());
  }
  void SaveState(StateWriter&) const override {}
  void LoadState(StateReader&) override {}
  Argument<std::string> moments_;
  Argument<double> add_, initial_, factor_, lost_above_;
  Argument<std::int64_t> whole_, blank_, throw_after_;
  ScalarInput in_, side_;
  ScalarOutput out_, seen_;
};

}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.loops.first-order", openmi::loops::FirstOrder)
OPENMI_EXPORT_COMPONENT_AS("test.KeptRelay", openmi::testing::KeptRelay)
OPENMI_EXPORT_COMPONENT_AS("loops.first-order", openmi::loops::FirstOrder)
OPENMI_EXPORT_COMPONENT_AS("loops.mass", openmi::loops::Mass)
