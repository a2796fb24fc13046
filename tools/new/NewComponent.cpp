#include <algorithm>
#include <cctype>
#include <memory>
#include <string>

#include "tools/ExitCode.hpp"
#include "tools/Inputs.hpp"
#include "tools/new/NewFiles.hpp"
#include "tools/new/NewKinds.hpp"

namespace openmi::tools {
namespace {

// The delimiter is not "cpp": clang-format would take the template for code of this house.
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
    R"cmake(# cmake -S . -B build -DCMAKE_PREFIX_PATH=<where openmi2 is installed> && cmake --build build && ctest --test-dir build
cmake_minimum_required(VERSION 3.25)
project(${LIBRARY} LANGUAGES CXX)

find_package(openmi2 CONFIG REQUIRED)
openmi_add_component(${LIBRARY} SOURCES ${CLASS}.cpp OMI ${NAME}.omi)
configure_file(composition.xml composition.xml COPYONLY)  # beside library and OMI file

enable_testing()
add_test(NAME PassesAnnexA COMMAND openmi::command check --component ${NAME}.omi)
add_test(NAME IsWellComposed COMMAND openmi::command check composition.xml)
add_test(NAME Runs COMMAND openmi::command run composition.xml --results results --overwrite)
)cmake";

struct NewComponentArguments {
  std::string name;
  NewPlace place;
};

/// "linear-tank" as "LinearTank", or with another sign between the words.
std::string ClassOf(const std::string& name) {
  std::string text;
  bool is_first = true;
  for (const char sign : name) {
    if (std::isalnum(static_cast<unsigned char>(sign)) == 0) {
      is_first = true;
      continue;
    }
    text += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(sign))) : sign;
    is_first = false;
  }
  return text;
}

std::string LibraryOf(std::string name) {
  for (char& sign : name) {
    if (sign == '-') sign = '_';
  }
  return name;
}

int Execute(NewComponentArguments arguments) {
  const std::string& name = arguments.name;
  const auto is_plain = [](char sign) {
    const auto code = static_cast<unsigned char>(sign);
    return code < 128 && (std::isalnum(code) != 0 || sign == '-' || sign == '_');
  };
  const bool begins_well = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  if (!begins_well || !std::ranges::all_of(name, is_plain)) {
    throw UsageFault{"expected a name of letters, digits and '-' that begins with a letter, found '" + name + "'"};
  }
  if (arguments.place.folder.empty()) arguments.place.folder = name;
  const std::map<std::string, std::string, std::less<>> values = {
      {"NAME", name}, {"CLASS", ClassOf(name)}, {"LIBRARY", LibraryOf(name)}};
  WriteNewFiles(arguments.place, {{"CMakeLists.txt", Filled(kBuild, values)},
                                  {ClassOf(name) + ".cpp", Filled(kSource, values)},
                                  {name + ".omi", Filled(kOmi, values)},
                                  {"composition.xml", Filled(kComposition, values)}});
  return kSuccess;
}

}  // namespace

void AddNewComponent(CLI::App& group, Invocation& invocation) {
  auto arguments = std::make_shared<NewComponentArguments>();
  CLI::App* command = group.add_subcommand("component", "Write a component in C++ that builds, with a composition");
  command
      ->add_option("NAME", arguments->name, "Its id, such as linear-tank; class, library and files are named after it")
      ->required();
  arguments->place.AddTo(*command, "NAME");
  command->footer(
      "Examples:\n"
      "  openmi new component linear-tank\n"
      "  cmake -S linear-tank -B linear-tank/build && cmake --build linear-tank/build\n"
      "  openmi run linear-tank/build/composition.xml");
  command->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
