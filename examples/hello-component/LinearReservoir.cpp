// A linear reservoir: storage = k outflow, so d(outflow)/dt = (inflow - outflow) / k. Each step is exact for an inflow
// that is constant over it, whatever its length.
#include <cmath>
#include <timespace/SteppingComponent.hpp>
#include <timespace/optional/IBalance.hpp>

class LinearReservoir final : public openmi::SteppingComponent, public openmi::IBalance {
 public:
  LinearReservoir() : SteppingComponent("linear-reservoir") {
    k_ = AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 1e-6});
    initial_ = AddArgument<double>("initial-outflow", {.unit = "m3 s-1", .value = 0.0, .minimum = 0.0});
    inflow_ = AddInput("inflow", "m3 s-1", {.asks = openmi::InputTime::Span});
    outflow_ = AddOutput("outflow", "m3 s-1", {.description = "at the end of each step"});
    mean_ = AddOutput("mean-outflow", "m3 s-1", {.description = "over each step", .gives = openmi::OutputTime::Span});
  }

  openmi::BalanceTerms Balance() const override { return balance_; }

 private:
  void Start(openmi::Stamp) override {
    outflow_.Set(initial_.Value());
    balance_ = {.storage = Storage(initial_.Value())};
  }

  void Step(openmi::Stamp from, openmi::Stamp to) override {  // the inflow was pulled for it; set the outflows for it
    const double inflow = inflow_.Get();
    const double decay = std::exp(-(to - from).count / k_.Value());
    const double outflow = outflow_.Get() * decay + inflow * (1.0 - decay);
    const double seconds = openmi::ToSeconds(to - from);
    const double mean = inflow - (Storage(outflow) - Storage(outflow_.Get())) / seconds;
    outflow_.Set(outflow);
    mean_.Set(mean);
    balance_ = {
        .storage = Storage(outflow), .in = balance_.in + inflow * seconds, .out = balance_.out + mean * seconds};
  }

  double Storage(double outflow) const { return k_.Value() * openmi::kSecondsPerDay * outflow; }  // m3

  openmi::Argument<double> k_, initial_;
  openmi::ScalarInput inflow_;
  openmi::ScalarOutput outflow_, mean_;
  openmi::BalanceTerms balance_;
};
OPENMI_EXPORT_COMPONENT(LinearReservoir)
