#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "composition/check/CheckComposition.hpp"
#include "composition/check/ChildAnswer.hpp"
#include "composition/check/DescribeComponent.hpp"
#include "composition/control/RunDesk.hpp"
#include "openmi/system/TemporaryFolder.hpp"
#include "python/bindings/Model.hpp"
#include "python/bindings/Module.hpp"

namespace openmi::python {
namespace py = pybind11;
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;
using Command = std::vector<std::string>;

/// Asks a child process that runs AnswerCheck.
/// \param command  the interpreter and the script
ChildAnswer Ask(Command command, const Json& request, const std::set<std::string>& without, double timeout,
                ChildTime time) {
  const TemporaryFolder folder;
  const fs::path file = folder.Path() / "request.json";
  std::ofstream(file, std::ios::binary) << JsonText(request);
  command.push_back(file.string());
  command.insert(command.end(), without.begin(), without.end());
  return AskChild(command, timeout, time);
}

Problems CheckModelApart(const Model& model, const Variables& variables, const Command& command, double timeout) {
  Json request = model.ToJson();
  request["variables"] = variables;
  return CheckInChildren(
      model.File().path.string(),
      [&](const std::set<std::string>& without) {
        return Ask(command, request, without, timeout, ChildTime::EachStep);
      },
      [&model] {
        Problems ignored;  // reported by the child
        return model.Read(ignored);
      });
}

Problems CheckOmiApart(const fs::path& path, const Command& command, double timeout) {
  const ChildAnswer answer = Ask(command, {{"omi", path.string()}}, {}, timeout, ChildTime::InAll);
  if (answer.IsThere()) return ProblemsFromJson(answer.value);
  return {DeathOf(answer, {.file = path.string()})};
}

Problems CheckModelHere(const Model& model, const Variables& variables, const CheckOptions& options) {
  Problems problems;
  CompositionFile file = model.Read(problems);
  const Problems found = CheckComposition(std::move(file), variables, options);
  problems.insert(problems.end(), found.begin(), found.end());
  return problems;
}

Problems CheckModelStatic(const Model& model, const Variables& variables) {
  Problems problems;
  const CompositionFile file = model.Read(problems);
  const Problems found = CheckCompositionStatic(file, variables);
  problems.insert(problems.end(), found.begin(), found.end());
  return problems;
}

/// The other side of Ask: answers, and ends the process.
void AnswerCheck(const fs::path& request_path, const std::vector<std::string>& without) {
  AnswerStream answer;
  Problems problems;
  try {
    std::ifstream stream(request_path, std::ios::binary);
    const Json request = Json::parse(stream);
    if (request.contains("omi")) {
      problems = CheckOmi(request.at("omi").get<std::string>());
    } else {
      CheckOptions options;
      options.without = {without.begin(), without.end()};
      options.on_step = [&answer](const std::string& what, const std::string& component) {
        answer.Announce(what, component);
      };
      options.on_step("reading the composition", {});
      problems = CheckModelHere(Model::FromJson(request), request.at("variables").get<Variables>(), options);
    }
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  answer.Finish(ToJson(problems));
}

/// The adaptors that a link between two items could use, as JSON; see OfferedAdaptors.
std::string Adaptors(const Model& model, const Variables& variables, const std::string& from, const std::string& to) {
  Problems problems;
  Composition composition(model.Read(problems), variables);
  composition.Load(problems);
  std::string offered = OfferedAdaptors(composition, RunDesk::Cut(from), RunDesk::Cut(to));
  if (offered.empty()) ThrowIfErrors(problems);
  return offered;
}

}  // namespace

void AddCheck(py::module_& module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  py::class_<Problem>(module, "Problem",
                      "One finding of a check or a run.\n\n"
                      "It has a severity, a place as far as it is known, what was expected and found, and what to do.")
      .def_property_readonly(
          "severity", [](const Problem& self) { return SeverityName(self.severity); }, "'error', 'warning' or 'note'.")
      .def_property_readonly(
          "file", [](const Problem& self) { return self.where.file; }, "File; empty: unknown.")
      .def_property_readonly(
          "line", [](const Problem& self) { return self.where.line; }, "Line; 0: unknown.")
      .def_property_readonly(
          "component", [](const Problem& self) { return self.where.component; }, "Id of the component; empty: unknown.")
      .def_property_readonly(
          "item", [](const Problem& self) { return self.where.item; }, "Item; empty: unknown.")
      .def_readonly("problem", &Problem::problem, "What was expected and found; without a full stop.")
      .def_readonly("remedy", &Problem::remedy, "What the user can do; may be empty.")
      .def_property_readonly("text", &FormatProblem, "All of it in one line, without the severity.")
      .def("__str__", &FormatProblem)
      .def("__repr__", [](const Problem& self) {
        return "<" + std::string(SeverityName(self.severity)) + ": " + FormatProblem(self) + ">";
      });
  module.def("check_apart", CheckModelApart, Release());
  module.def("check_omi_apart", CheckOmiApart, Release());
  module.def(
      "check_here", [](const Model& model, const Variables& variables) { return CheckModelHere(model, variables, {}); },
      Release());
  module.def("check_omi_here", &CheckOmi, Release());
  module.def("check_static", CheckModelStatic, Release());
  module.def("check_omi_static", &CheckOmiStatic, Release());
  module.def("answer_check", AnswerCheck, Release());
  module.def("adaptors", Adaptors, Release());
  module.def("warning", [](const std::string& file, const std::string& problem, const std::string& remedy) {
    return Problem{Problem::Warning, {.file = file}, problem, remedy};
  });
}

}  // namespace openmi::python
