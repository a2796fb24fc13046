// A channel of Fortran with its data in a common block, wrapped. Compilers put an underscore behind names.
#include <bmi-bridge/solver/SolverComponent.hpp>

extern "C" {
extern struct {
  double inflow, flow[4], time;
  float store[4];
} chan_;
void chinit_(const double* travel, int* error);
void chstep_(const double* seconds);
}

class Channel final : public openmi::SolverComponent {
 public:
  Channel() : SolverComponent("channel", "PT15M") {
    SetDescription("a channel in four reaches");
    travel_ = AddArgument<double>("travel-time", {.unit = "s", .value = 7200.0});
  }

 private:
  void Open() override {
    int error = 0;
    const double travel = travel_.Value();
    chinit_(&travel, &error);
    Require(error, "CHINIT", "the travel time has to be above 0");
    BindInput("inflow", "m3 s-1", chan_.inflow, {.asks = openmi::InputTime::Span});
    BindOutput("flow", "m3 s-1", chan_.flow);
    BindOutput("store", "m3", chan_.store);
  }
  double Advance(double now, double until) override {
    const double seconds = until - now;
    chstep_(&seconds);
    return until;
  }
  void Close() override {}

  openmi::Argument<double> travel_;
};
OPENMI_EXPORT_COMPONENT(Channel)
