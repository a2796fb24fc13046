#include "tools/new/NewKinds.hpp"
#include "tools/new/NewProject.hpp"

namespace openmi::tools {
namespace {

constexpr const char* kBuild = R"cmake(${BUILD}
cmake_minimum_required(VERSION 3.25)
project(${LIBRARY} LANGUAGES CXX)

find_package(openmi2 CONFIG REQUIRED)
openmi_add_component(${LIBRARY} SOURCES ${CLASS}.cpp LIBRARIES openmi::adaptors OMI ${NAME}-source.omi)
configure_file(composition.xml composition.xml COPYONLY)  # beside library and OMI file

enable_testing()
add_test(NAME ${NAME}-PassesAnnexA COMMAND openmi::command check --component ${NAME}-source.omi)
add_test(NAME ${NAME}-IsWellComposed COMMAND openmi::command check composition.xml)
add_test(NAME ${NAME}-Runs COMMAND openmi::command run composition.xml --results results --overwrite)
)cmake";

constexpr const char* kSource =
    R"text(// An adaptor that bends values softly below a limit, the factory that makes it, and a component that brings the factory
// along: what a component brings can stand on the links from its outputs.
#include <adaptors/base/RowAdaptor.hpp>
#include <cmath>
#include <timespace/SteppingComponent.hpp>

/// y = limit tanh(x / limit); a missing value stays missing.
class ${CLASS} final : public openmi::RowAdaptor {
 public:
  explicit ${CLASS}(openmi::IBaseOutput& adaptee) : RowAdaptor("${NAME}", adaptee) {
    limit_ = AddArgument<double>("limit", {.caption = "what no value exceeds", .value = 1.0, .minimum = 1e-12});
  }

 private:
  void Map(std::span<const double> in, openmi::Days, std::span<double> out) override {
    const double limit = limit_.Value();
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = limit * std::tanh(in[i] / limit);
  }
  openmi::Argument<double> limit_;
};

class ${CLASS}Factory final : public openmi::IdentifiedAs<openmi::IAdaptedOutputFactory> {
 public:
  ${CLASS}Factory() : IdentifiedAs("${NAME}-factory") {}
  std::vector<const openmi::IIdentifiable*> GetAvailableAdaptedOutputIds(const openmi::IBaseOutput& adaptee,
                                                                         const openmi::IBaseInput*) override {
    if (adaptee.ValueDefinition().ValueType().kind != openmi::ValueKind::Double) return {};
    return {&id_};
  }
  std::unique_ptr<openmi::IBaseAdaptedOutput> CreateAdaptedOutput(const openmi::IIdentifiable& id,
                                                                  openmi::IBaseOutput& adaptee,
                                                                  openmi::IBaseInput*) override {
    if (id.Id() != id_.Id()) {
      throw openmi::LinkError({.item = adaptee.Id()}, "expected '${NAME}', found '" + id.Id() + "'");
    }
    auto adaptor = std::make_unique<${CLASS}>(adaptee);
    adaptee.AddAdaptedOutput(*adaptor);
    return adaptor;
  }

 private:
  openmi::Identifier id_{"${NAME}", "soft limit"};
};
OPENMI_EXPORT_FACTORY(${CLASS}Factory)

/// A wave, and the factory.
class ${CLASS}Source final : public openmi::SteppingComponent {
 public:
  ${CLASS}Source() : SteppingComponent("${NAME}-source", "PT1H") {
    level_ = AddOutput("level", "m", {.description = "three metres up and down in a day"});
    AdaptedOutputFactories().push_back(&factory_);
  }

 private:
  void Start(openmi::Stamp begin) override { level_.Set(LevelAt(begin)); }
  void Step(openmi::Stamp, openmi::Stamp to) override { level_.Set(LevelAt(to)); }
  static double LevelAt(openmi::Stamp time) { return 3.0 * std::sin(2.0 * 3.14159265358979323846 * time.mjd); }

  ${CLASS}Factory factory_;
  openmi::ScalarOutput level_;
};
OPENMI_EXPORT_COMPONENT(${CLASS}Source)
)text";

constexpr const char* kOmi = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="${CLASS}Source" Assembly="${LIBRARY}"/>
)xml";

constexpr const char* kComposition = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<Composition xmlns="urn:openmi2:composition:1" Id="${NAME}">
  <Component Id="source" Omi="${NAME}-source.omi"/>
  <Component Id="reader" Type="openmi.Expression" Assembly="openmi-components">
    <Argument Key="inputs" Value="u[m]"/>
    <Argument Key="outputs" Value="level=u[m]"/>
    <Argument Key="asks" Value="instant"/>
  </Component>
  <Link From="source.level" To="reader.u">
    <Adaptor Id="${NAME}"><Argument Key="limit" Value="2"/></Adaptor>
  </Link>
  <Observe Item="source.level"/>
  <Observe Item="reader.level"/>
  <Run From="2020-01-01T00:00Z" To="2020-01-03T00:00Z"/>
</Composition>
)xml";

}  // namespace

void AddNewAdaptor(CLI::App& group, Invocation& invocation) {
  AddNewProject(group, invocation,
                {"adaptor",
                 "Write an adaptor with its factory, and a component that brings it along, with a composition",
                 "soft-limit",
                 {{"CMakeLists.txt", kBuild},
                  {"${CLASS}.cpp", kSource},
                  {"${NAME}-source.omi", kOmi},
                  {"composition.xml", kComposition}}});
}

}  // namespace openmi::tools
