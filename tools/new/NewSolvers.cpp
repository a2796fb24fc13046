#include "tools/new/NewKinds.hpp"
#include "tools/new/NewProject.hpp"

namespace openmi::tools {
namespace {

// The delimiter is not "cpp", so that clang-format does not format the template as code of this project.

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
  <Component Id="first" Omi="${NAME}.omi"/>
  <!-- The solver's data are global: a second one has a process of its own. -->
  <Component Id="second" Omi="${NAME}.omi" Isolation="instance"/>
  <Link From="spring.flow" To="first.inflow"/>
  <Link From="first.outflow" To="second.inflow"/>
  <Observe Item="first.level"/>
  <Observe Item="second.level"/>
  <Run From="2020-01-01T00:00Z" To="2020-01-11T00:00Z"/>
</Composition>
)xml";

constexpr const char* kTests =
    R"cmake(configure_file(composition.xml composition.xml COPYONLY)  # beside library and OMI file

enable_testing()
add_test(NAME ${NAME}-PassesAnnexA COMMAND openmi::command check --component ${NAME}.omi)
add_test(NAME ${NAME}-IsWellComposed COMMAND openmi::command check composition.xml)
add_test(NAME ${NAME}-Runs COMMAND openmi::command run composition.xml --results results --overwrite)
)cmake";

constexpr const char* kBuildC =
    R"cmake(${BUILD}
cmake_minimum_required(VERSION 3.25)
project(${LIBRARY} LANGUAGES C CXX)

find_package(openmi2 CONFIG REQUIRED)
add_library(${LIBRARY}_solver STATIC ${LIBRARY}_solver.c)  # the solver as it is
set_target_properties(${LIBRARY}_solver PROPERTIES POSITION_INDEPENDENT_CODE ON)
openmi_add_component(${LIBRARY} SOURCES ${CLASS}.cpp LIBRARIES openmi::bmi_bridge ${LIBRARY}_solver OMI ${NAME}.omi)
)cmake";

constexpr const char* kHeaderC = R"text(/* The solver's own header: to be replaced by that of yours. */
#ifdef __cplusplus
extern "C" {
#endif
extern double ${LIBRARY}_inflow;    /* m3 s-1 */
extern double ${LIBRARY}_level[2];  /* m */
extern double ${LIBRARY}_outflow;   /* m3 s-1 */
int ${LIBRARY}_init(double lag);    /* s; returns 0, or what went wrong */
int ${LIBRARY}_step(double seconds);
void ${LIBRARY}_finish(void);
#ifdef __cplusplus
}
#endif
)text";

constexpr const char* kSolverC = R"text(/* Two tanks in a row, of 1000 m2 each: to be replaced by your own solver. */
#include "${LIBRARY}_solver.h"

double ${LIBRARY}_inflow, ${LIBRARY}_level[2], ${LIBRARY}_outflow;
static double lag;

int ${LIBRARY}_init(double seconds) {
  lag = seconds;
  ${LIBRARY}_level[0] = ${LIBRARY}_level[1] = ${LIBRARY}_outflow = 0.0;
  return lag > 0.0 ? 0 : 1;
}

int ${LIBRARY}_step(double seconds) {
  double flow = ${LIBRARY}_inflow;
  for (int i = 0; i < 2; ++i) {
    const double out = 1000.0 * ${LIBRARY}_level[i] / lag;
    ${LIBRARY}_level[i] += (flow - out) * seconds / 1000.0;
    flow = out;
  }
  ${LIBRARY}_outflow = flow;
  return 0;
}

void ${LIBRARY}_finish(void) {}
)text";

constexpr const char* kWrapperC =
    R"text(// The wrapper: it opens the solver, binds its arrays to items, lets it step, and closes it.
#include <bmi-bridge/solver/SolverComponent.hpp>

#include "${LIBRARY}_solver.h"

class ${CLASS} final : public openmi::SolverComponent {
 public:
  ${CLASS}() : SolverComponent("${NAME}", "PT10M") {  // the default of the argument time-step
    SetDescription("two tanks in a row");
    lag_ = AddArgument<double>("lag", {.caption = "time to empty", .unit = "s", .value = 86400.0});
  }

 private:
  void Open() override {
    Require(${LIBRARY}_init(lag_.Value()), "${LIBRARY}_init");
    BindInput("inflow", "m3 s-1", ${LIBRARY}_inflow, {.asks = openmi::InputTime::Span, .default_value = 0.0});
    BindOutput("level", "m", ${LIBRARY}_level);
    BindOutput("outflow", "m3 s-1", ${LIBRARY}_outflow, {.gives = openmi::OutputTime::Span});
  }
  double Advance(double now, double until) override {
    Require(${LIBRARY}_step(until - now), "${LIBRARY}_step");
    return until;  // where the solver is now, in seconds since the begin of the run
  }
  void Close() override { ${LIBRARY}_finish(); }

  openmi::Argument<double> lag_;
};
OPENMI_EXPORT_COMPONENT(${CLASS})
)text";

constexpr const char* kBuildFortran =
    R"cmake(${BUILD}
cmake_minimum_required(VERSION 3.25)
project(${LIBRARY} LANGUAGES CXX Fortran)

find_package(openmi2 CONFIG REQUIRED)
add_library(${LIBRARY}_solver STATIC ${LIBRARY}_solver.f90)  # the solver as it is
set_target_properties(${LIBRARY}_solver PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_link_libraries(${LIBRARY}_solver INTERFACE gfortran m)
openmi_add_component(${LIBRARY} SOURCES ${CLASS}.cpp LIBRARIES openmi::bmi_bridge ${LIBRARY}_solver OMI ${NAME}.omi)
)cmake";

constexpr const char* kSolverFortran = R"text(! Two tanks in a row, of 1000 m2 each: to be replaced by your own solver.
! What C++ is to see is a common block, and procedures outside modules: their names get an underscore.
subroutine ${LIBRARY}_init(seconds, ierr)
  implicit none
  double precision, intent(in) :: seconds
  integer, intent(out) :: ierr
  double precision :: inflow, level(2), outflow, lag
  common /${LIBRARY}_data/ inflow, level, outflow, lag
  lag = seconds
  level = 0d0
  outflow = 0d0
  ierr = merge(0, 1, lag > 0d0)
end subroutine ${LIBRARY}_init

subroutine ${LIBRARY}_step(seconds)
  implicit none
  double precision, intent(in) :: seconds
  double precision :: inflow, level(2), outflow, lag, flow, out
  common /${LIBRARY}_data/ inflow, level, outflow, lag
  integer :: i
  flow = inflow
  do i = 1, 2
    out = 1000d0 * level(i) / lag
    level(i) = level(i) + (flow - out) * seconds / 1000d0
    flow = out
  end do
  outflow = flow
end subroutine ${LIBRARY}_step
)text";

constexpr const char* kWrapperFortran =
    R"text(// The wrapper: it opens the solver, binds its common block to items, lets it step, and closes it.
#include <bmi-bridge/solver/SolverComponent.hpp>

extern "C" {
extern struct {
  double inflow, level[2], outflow, lag;  // in the order of the common block
} ${LIBRARY}_data_;
void ${LIBRARY}_init_(const double* seconds, int* error);
void ${LIBRARY}_step_(const double* seconds);
}

class ${CLASS} final : public openmi::SolverComponent {
 public:
  ${CLASS}() : SolverComponent("${NAME}", "PT10M") {  // the default of the argument time-step
    SetDescription("two tanks in a row");
    lag_ = AddArgument<double>("lag", {.caption = "time to empty", .unit = "s", .value = 86400.0});
  }

 private:
  void Open() override {
    int error = 0;
    const double lag = lag_.Value();
    ${LIBRARY}_init_(&lag, &error);
    Require(error, "${LIBRARY}_init");
    BindInput("inflow", "m3 s-1", ${LIBRARY}_data_.inflow, {.asks = openmi::InputTime::Span, .default_value = 0.0});
    BindOutput("level", "m", ${LIBRARY}_data_.level);
    BindOutput("outflow", "m3 s-1", ${LIBRARY}_data_.outflow, {.gives = openmi::OutputTime::Span});
  }
  double Advance(double now, double until) override {
    const double seconds = until - now;
    ${LIBRARY}_step_(&seconds);
    return until;  // where the solver is now, in seconds since the begin of the run
  }
  void Close() override {}

  openmi::Argument<double> lag_;
};
OPENMI_EXPORT_COMPONENT(${CLASS})
)text";

}  // namespace

void AddNewSolvers(CLI::App& group, Invocation& invocation) {
  AddNewProject(group, invocation,
                {"c-solver",
                 "Write a wrapper round a solver in C with global arrays, with the solver and a composition",
                 "old-tanks",
                 {{"CMakeLists.txt", std::string(kBuildC) + kTests},
                  {"${LIBRARY}_solver.h", kHeaderC},
                  {"${LIBRARY}_solver.c", kSolverC},
                  {"${CLASS}.cpp", kWrapperC},
                  {"${NAME}.omi", kOmi},
                  {"composition.xml", kComposition}}});
  AddNewProject(group, invocation,
                {"fortran-solver",
                 "Write a wrapper round a solver in Fortran with a common block, with the solver and a composition",
                 "old-tanks",
                 {{"CMakeLists.txt", std::string(kBuildFortran) + kTests},
                  {"${LIBRARY}_solver.f90", kSolverFortran},
                  {"${CLASS}.cpp", kWrapperFortran},
                  {"${NAME}.omi", kOmi},
                  {"composition.xml", kComposition}}});
}

}  // namespace openmi::tools
