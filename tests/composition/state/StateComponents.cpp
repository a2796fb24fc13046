// Small components that keep their state, types of the test program itself.

#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IBalance.hpp"

namespace openmi::testing {
namespace {

/// A source whose every value depends on all before it, to the last bit: `level` at instants, `flow` over spans.
class Walk final : public StatefulSteppingComponent {
 public:
  Walk() : StatefulSteppingComponent("walk") {
    seed_ = AddArgument<double>("seed", {.value = 0.3});
    secret_ = AddArgument<std::string>("key", {.value = "none", .optional = true, .meaning = ArgumentMeaning::Secret});
    level_ = AddOutput("level", "m");
    flow_ = AddOutput("flow", "m3 s-1", {.gives = OutputTime::Span});
  }

 private:
  void Start(Stamp) override {
    x_ = seed_.Value();
    level_.Set(x_);
  }
  void Step(Stamp, Stamp) override {
    const double before = x_;
    x_ = 3.97 * x_ * (1.0 - x_);
    level_.Set(x_);
    flow_.Set(0.5 * (before + x_));
  }
  void SaveState(StateWriter& writer) const override { writer.Write(x_); }
  void LoadState(StateReader& reader) override { x_ = reader.ReadDouble(); }
  Argument<double> seed_;
  Argument<std::string> secret_;
  ScalarOutput level_, flow_;
  double x_ = 0.0;
};

/// A linear reservoir that states its storage; `back` is a level above that slows it, round a loop of links.
class Pond final : public StatefulSteppingComponent, public IBalance {
 public:
  Pond() : StatefulSteppingComponent("pond") {
    inflow_ = AddInput("inflow", "m3 s-1", {.asks = InputTime::Span});
    back_ = AddInput("back", "m", {.default_value = 0.0});
    outflow_ = AddOutput("outflow", "m3 s-1", {.gives = OutputTime::Span});
    level_ = AddOutput("level", "m");
  }
  BalanceTerms Balance() const override { return terms_; }

 private:
  void Start(Stamp begin) override {
    terms_ = {.storage = 4000.0};
    level_.Set(0.4);
    // The step before the begin, for whoever asks round a loop before the first one is done.
    outflow_.Set(0.2);
    outflow_.Item().PublishAt(begin - TimeStep(), TimeStep());
  }
  void Step(Stamp from, Stamp to) override {
    const double seconds = ToSeconds(to - from);
    const double held = terms_.storage + inflow_.Get() * seconds;
    const double out = held * 0.2 / (1.0 + std::fabs(back_.Get()));
    terms_.storage = held - out;
    terms_.in += inflow_.Get() * seconds;
    terms_.out += out;
    outflow_.Set(out / seconds);
    level_.Set(terms_.storage * 1e-4);
  }
  void SaveState(StateWriter& writer) const override {
    for (const double term : {terms_.storage, terms_.in, terms_.out}) writer.Write(term);
  }
  void LoadState(StateReader& reader) override {
    for (double* term : {&terms_.storage, &terms_.in, &terms_.out}) *term = reader.ReadDouble();
  }
  ScalarInput inflow_, back_;
  ScalarOutput outflow_, level_;
  BalanceTerms terms_;
};

}  // namespace
}  // namespace openmi::testing

OPENMI_EXPORT_COMPONENT_AS("test.Walk", openmi::testing::Walk)
OPENMI_EXPORT_COMPONENT_AS("test.Pond", openmi::testing::Pond)
