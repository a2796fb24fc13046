#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "composition/link/Composition.hpp"
#include "composition/report/GraphSvg.hpp"
#include "composition/report/RunReport.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct GraphArguments {
  std::string file;
  std::string output;
  std::string format;
  bool is_static = false;
  std::string timeout = "60";
  VariableOptions variables;
  SystemStructureOptions system;
  bool in_child = false;
};

struct Drawing {
  std::string text;
  Problems problems;
};

bool IsDot(const GraphArguments& arguments) {
  return arguments.format == "dot" || (arguments.format.empty() && arguments.output.ends_with(".dot"));
}

std::string Draw(const GraphModel& model, bool is_dot) {
  return is_dot ? GraphDot(model) : GraphSvg(model, {.use = SvgUse::Standalone});
}

// Draws what the file states, without units and without inserted conversions.
Drawing DrawStatic(const GraphArguments& arguments, const AsComposition& system) {
  Drawing drawing;
  const CompositionFile file = system.File(drawing.problems);
  drawing.text = Draw(DescribeGraph(file), IsDot(arguments));
  return drawing;
}

int ExecuteInChild(const GraphArguments& arguments) {
  AnswerStream answer;
  Json json;
  Problems problems;
  try {
    const AsComposition system(arguments.file, arguments.system, problems);
    Composition composition(system.File(problems), arguments.variables.Values());
    composition.Load(problems);
    composition.Connect(problems);
    json["text"] = Draw(DescribeGraph(composition), IsDot(arguments));
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
    json["text"] = "";
  }
  json["problems"] = ToJson(problems);
  answer.Finish(json);
}

Drawing DrawInChild(const GraphArguments& arguments, const AsComposition& system) {
  std::vector<std::string> argv = {"graph", arguments.file, IsDot(arguments) ? "--format=dot" : "--format=svg"};
  for (const std::string& one : arguments.variables.Arguments()) argv.push_back(one);
  for (const std::string& one : arguments.system.Arguments()) argv.push_back(one);
  const ChildAnswer answer = AskThisProgram(argv, ParseNumber(arguments.timeout, "--timeout"));
  if (answer.IsThere()) return {answer.value.at("text"), ProblemsFromJson(answer.value.at("problems"))};
  Drawing drawing = DrawStatic(arguments, system);
  drawing.problems.push_back(DeathOf(answer, {.file = arguments.file}));
  return drawing;
}

int Execute(const GraphArguments& arguments) {
  ExpectFile(arguments.file);
  Problems unreadable;
  const AsComposition system(arguments.file, arguments.system, unreadable);
  if (KindOf(arguments.file) != InputKind::Composition)
    throw UsageFault{"expected a composition to draw, found an OMI file"};
  const std::string ending = std::filesystem::path(arguments.output).extension().string();
  if (arguments.format.empty() && !ending.empty() && ending != ".svg" && ending != ".dot") {
    throw UsageFault{"expected a file that ends in .svg or .dot after -o, found '" + arguments.output +
                     "'; change the ending, or add --format"};
  }
  const Variables variables = arguments.variables.Values();
  (void)system.File(unreadable);  // a file that cannot be read at all is bad input
  const Drawing drawing = arguments.is_static ? DrawStatic(arguments, system) : DrawInChild(arguments, system);
  const std::string output = arguments.output.empty()
                                 ? NamedAfter(arguments.file, IsDot(arguments) ? ".graph.dot" : ".graph.svg")
                                 : arguments.output;
  if (!drawing.text.empty()) WriteOutput(output, drawing.text);
  if (!HasErrors(drawing.problems)) return kSuccess;
  Problems errors = drawing.problems;
  std::erase_if(errors, [](const Problem& problem) { return problem.severity != Problem::Error; });
  PrintProblems(stderr, errors);
  PrintLine(stderr, CountText(errors));
  return kProblemsFound;
}

}  // namespace

void AddGraph(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<GraphArguments>();
  CLI::App* graph = app.add_subcommand("graph", "Draw a composition: components, links and adaptors");
  graph->add_option("FILE", arguments->file, "Composition")->required();
  AddValue(
      *graph, "-o,--output,--output-file", arguments->output, "OUT",
      "File for the drawing, SVG or dot by its ending; '-' is standard output (default: FILE's name with .graph.svg)");
  AddChoice(*graph, "--format", arguments->format, {"svg", "dot"}, "Format, in place of that of the ending");
  graph->add_flag("--static", arguments->is_static,
                  "Load no library; the drawing then has no units and no inserted conversions");
  AddTimeout(*graph, arguments->timeout);
  arguments->variables.AddTo(*graph);
  arguments->system.AddTo(*graph);
  AddChildFlag(*graph, arguments->in_child);
  graph->footer(
      "Examples:\n"
      "  openmi graph upper-creek.xml -o upper-creek.svg\n"
      "  openmi graph upper-creek.xml -o - --format dot | dot -Tpdf > upper-creek.pdf");
  graph->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return arguments->in_child ? ExecuteInChild(*arguments) : Execute(*arguments); };
  });
}

}  // namespace openmi::tools
