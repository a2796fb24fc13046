#include "tools/PrintProblems.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

std::string Counted(std::size_t count, const char* word) {
  if (count == 0) return fmt::format("no {}s", word);
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

}  // namespace

void PrintProblems(std::FILE* stream, const Problems& problems) {
  for (const Problem& problem : problems) {
    const std::string text = PrintableText(FormatProblem(problem));
    switch (problem.severity) {
      case Problem::Error:
        PrintLine(stream, Painted(text, Colour::Red, stream));
        break;
      case Problem::Warning:
        PrintLine(stream, Painted(text + " [warning]", Colour::Yellow, stream));
        break;
      case Problem::Note:
        PrintLine(stream, text + Painted(" [note]", Colour::Grey, stream));
        break;
    }
  }
}

bool PrintProblemsOf(Problems& problems, const std::function<void()>& make) {
  try {
    make();
  } catch (const Error&) {
    PrintProblems(stderr, problems);
    if (!HasErrors(problems)) throw;
    PrintLine(stderr, CountText(problems));
    return false;
  }
  PrintProblems(stderr, problems);
  return true;
}

std::string CountText(const Problems& problems) {
  const std::size_t errors = CountProblems(problems, Problem::Error);
  const std::size_t warnings = CountProblems(problems, Problem::Warning);
  const std::size_t notes = CountProblems(problems, Problem::Note);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (errors > 0) add(Counted(errors, "problem"));
  if (warnings > 0) add(Counted(warnings, "warning"));
  if (notes > 0) add(Counted(notes, "note"));
  if (errors == 0 && warnings == 0) add(Counted(0, "problem"));
  return text;
}

}  // namespace openmi::tools
