// Ponds of C with global arrays, wrapped.
#include "pond.h"

#include <bmi-bridge/solver/SolverComponent.hpp>

class Pond final : public openmi::SolverComponent {
 public:
  Pond() : SolverComponent("pond", "PT10M") {
    SetDescription("three ponds in a row");
    file_ = AddArgument<std::string>(
        "file", {.caption = "input file", .value = "pond.dat", .meaning = openmi::ArgumentMeaning::Path});
  }

 private:
  void Open() override {
    Require(pond_init(PathOf(file_.Value()).c_str()), "pond_init");
    BindInput("inflow", "m3 s-1", pond_inflow, {.asks = openmi::InputTime::Span, .default_value = 0.0});
    BindOutput("level", "m", pond_level);
    BindOutput("outflow", "m3 s-1", pond_outflow, {.gives = openmi::OutputTime::Span});
  }
  double Advance(double now, double until) override {
    Require(pond_step(until - now), "pond_step");
    return until;
  }
  void Close() override { pond_finish(); }

  openmi::Argument<std::string> file_;
};
OPENMI_EXPORT_COMPONENT(Pond)
