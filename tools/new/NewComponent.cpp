#include "tools/new/NewKinds.hpp"
#include "tools/new/NewProject.hpp"

namespace openmi::tools {
namespace {

// The delimiter is not "cpp", so that clang-format does not format the template as code of this project.
constexpr const char* kSource =
    R"text(// A tank that empties in proportion to what it holds: to be replaced by your own model.
#include <cmath>
#include <timespace/SteppingComponent.hpp>

class ${CLASS} final : public openmi::SteppingComponent {
 public:
  ${CLASS}() : SteppingComponent("${NAME}", "PT1H") {  // the default of the argument time-step
    SetDescription("a tank that empties in proportion to what it holds");
    k_ = AddArgument<double>("k", {.caption = "time to empty", .unit = "d", .value = 2.0, .minimum = 1e-6});
    inflow_ = AddInput("inflow", "m3 s-1", {.description = "mean over each step; 0 without a link",
                                            .asks = openmi::InputTime::Span,
                                            .default_value = 0.0});
    outflow_ = AddOutput("outflow", "m3 s-1", {.description = "at the end of each step", .initial = 1.0});
  }

 private:
  void Step(openmi::Stamp from, openmi::Stamp to) override {  // inputs were pulled for it; set all outputs for it
    const double decay = std::exp(-(to - from).count / k_.Value());  // the span is in days
    outflow_.Set(outflow_.Get() * decay + inflow_.Get() * (1.0 - decay));
  }

  openmi::Argument<double> k_;
  openmi::ScalarInput inflow_;
  openmi::ScalarOutput outflow_;
};
OPENMI_EXPORT_COMPONENT(${CLASS})
)text";

constexpr const char* kOmi = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="${CLASS}" Assembly="${LIBRARY}"/>
)xml";

constexpr const char* kComposition = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<Composition xmlns="urn:openmi2:composition:1" Id="${NAME}">
  <Component Id="spring" Type="openmi.Constant" Assembly="openmi-components">
    <Argument Key="item" Value="flow"/>
    <Argument Key="unit" Value="m3 s-1"/>
    <Argument Key="value" Value="2"/>
  </Component>
  <Component Id="${NAME}" Omi="${NAME}.omi">
    <Argument Key="k" Value="2"/>
  </Component>
  <Link From="spring.flow" To="${NAME}.inflow"/>
  <Observe Item="${NAME}.outflow"/>
  <Run From="2020-01-01T00:00Z" To="2020-01-11T00:00Z"/>
</Composition>
)xml";

constexpr const char* kBuild =
    R"cmake(${BUILD}
cmake_minimum_required(VERSION 3.25)
project(${LIBRARY} LANGUAGES CXX)

find_package(openmi2 CONFIG REQUIRED)
openmi_add_component(${LIBRARY} SOURCES ${CLASS}.cpp OMI ${NAME}.omi)
configure_file(composition.xml composition.xml COPYONLY)  # beside library and OMI file

enable_testing()
# An argument that has to be set, since the class gives it no value, is set behind: --argument KEY=VALUE.
add_test(NAME PassesAnnexA COMMAND openmi::command check --component ${NAME}.omi)
add_test(NAME IsWellComposed COMMAND openmi::command check composition.xml)
add_test(NAME Runs COMMAND openmi::command run composition.xml --results results --overwrite)
)cmake";

}  // namespace

void AddNewComponent(CLI::App& group, Invocation& invocation) {
  AddNewProject(group, invocation,
                {"component",
                 "Write a component in C++ that builds, with a composition",
                 "linear-tank",
                 {{"CMakeLists.txt", kBuild},
                  {"${CLASS}.cpp", kSource},
                  {"${NAME}.omi", kOmi},
                  {"composition.xml", kComposition}}});
}

}  // namespace openmi::tools
