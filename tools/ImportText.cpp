#include "tools/ImportText.hpp"

#include <fmt/format.h>

#include <utility>

#include "composition/link/Variables.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"
#include "tools/new/NewFiles.hpp"

namespace openmi::tools {

namespace fs = std::filesystem;

std::string TextWithProblems(const CompositionFile& file, const Problems& problems, const std::string& source) {
  std::string text = CompositionText(file);
  if (problems.empty()) return text;
  std::string list = fmt::format(" Made from {} by openmi import.\n", source);
  for (const auto& [severity, title] :
       {std::pair{Problem::Error, "To do before it runs:"}, std::pair{Problem::Warning, "Left out, or taken to be so:"},
        std::pair{Problem::Note, "Carried over in another form:"}}) {
    if (CountProblems(problems, severity) == 0) continue;
    list += fmt::format("  {}\n", title);
    for (Problem problem : problems) {
      if (problem.severity != severity) continue;
      problem.where.file = fs::path(problem.where.file).filename().string();
      // A comment must not hold two hyphens.
      for (std::size_t at = 0; (at = problem.remedy.find("--", at)) != std::string::npos;) {
        problem.remedy.replace(at, 2, "the option ");
      }
      list += "  * " + FormatProblem(problem) + "\n";
    }
  }
  const std::size_t root = text.find('\n') + 1;
  text.insert(root, "<!--" + InComment(PrintableText(list, true)) + "-->\n");
  return text;
}

void EscapeVariables(CompositionFile& file) {
  for (ComponentSpec& component : file.components) {
    for (ArgumentSpec& argument : component.arguments) argument.value = AsItIs(argument.value);
    if (!component.population) continue;
    TableSpec& table = component.population->table;
    table.of = AsItIs(table.of);
    for (TableSpec& further : component.population->tables) further.of = AsItIs(further.of);
  }
}

std::string ImportedId(const std::string& given, const std::string& file) {
  std::string id = given.empty() ? fs::path(file).stem().string() : given;
  if (id.find('/') != std::string::npos) {
    throw UsageFault{"expected a name without '/' after --name, found '" + id + "'; -o chooses the folder"};
  }
  return id;
}

void TellNotReady(const fs::path& composition) {
  PrintLine(stdout, fmt::format("{}: not ready to run: do what its comment asks for, then run openmi check",
                                composition.lexically_normal().string()));
}

}  // namespace openmi::tools
