#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "composition/conformance/AnnexA.hpp"
#include "composition/conformance/Conformance.hpp"
#include "tests/support/ForeignComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace openmi {
namespace {

class Reservoir : public SteppingComponent {
 public:
  Reservoir() : SteppingComponent("linear-reservoir") {
    k_ = AddArgument<double>("k", {.caption = "storage coefficient", .unit = "d", .value = 2.0, .minimum = 1e-6});
    inflow_ = AddInput("inflow", "m3 s-1");
    outflow_ = AddOutput("outflow", "m3 s-1");
  }

 private:
  void Step(Stamp from, Stamp to) override {
    const double decay = std::exp(-(to - from).count / k_.Value());
    outflow_.Set(outflow_.Get() * decay + inflow_.Get() * (1.0 - decay));
  }
  Argument<double> k_;
  ScalarInput inflow_;
  ScalarOutput outflow_;
};

TEST(Conformance, AComponentOfTheSdkPasses) {
  const ConformanceReport report = CheckConformance([] { return std::make_unique<Reservoir>(); });
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
}

TEST(Conformance, AComponentThatHasOnlyTheInterfacesPasses) {
  const ConformanceReport report = CheckConformance([] { return std::make_unique<foreign::Component>(); });
  EXPECT_TRUE(report.Passed()) << FormatConformance(report);
}

}  // namespace
}  // namespace openmi
