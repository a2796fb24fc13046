#include "openmi/sdk/Problem.hpp"

#include <algorithm>
#include <utility>

#include "openmi/sdk/EnumNames.hpp"

namespace openmi {

namespace {

void Add(Problems& problems, Problem::Severity severity, Where&& where, std::string&& problem, std::string&& remedy) {
  problems.push_back({severity, std::move(where), std::move(problem), std::move(remedy)});
}

}  // namespace

std::string FormatProblem(const Problem& problem) {
  const std::string text = Error::Format(problem.where, problem.problem, problem.remedy);
  std::string line;
  line.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    if (byte < 0x20 || byte == 0x7F) {
      line += ' ';
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // U+0080 to U+009F: control characters in UTF-8
      line += ' ';
      ++i;
    } else {
      line += text[i];
    }
  }
  return line;
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kShown = 80;
  std::size_t end = std::min(text.size(), kShown);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  std::string quoted = "'" + std::string(text.substr(0, end));
  quoted += end < text.size() ? "...' (" + std::to_string(text.size()) + " bytes)" : "'";
  return quoted;
}

const char* SeverityName(Problem::Severity severity) {
  static constexpr EnumNames<Problem::Severity> kNames{"note", "warning", "error"};
  return kNames.NameOf(severity);
}

std::size_t CountProblems(const Problems& problems, Problem::Severity severity) {
  return static_cast<std::size_t>(
      std::count_if(problems.begin(), problems.end(), [severity](const Problem& p) { return p.severity == severity; }));
}

bool HasErrors(const Problems& problems) {
  return CountProblems(problems, Problem::Error) > 0;
}

void AddError(Problems& problems, Where where, std::string problem, std::string remedy) {
  Add(problems, Problem::Error, std::move(where), std::move(problem), std::move(remedy));
}

void AddWarning(Problems& problems, Where where, std::string problem, std::string remedy) {
  Add(problems, Problem::Warning, std::move(where), std::move(problem), std::move(remedy));
}

void AddNote(Problems& problems, Where where, std::string problem, std::string remedy) {
  Add(problems, Problem::Note, std::move(where), std::move(problem), std::move(remedy));
}

void ThrowIfErrors(const Problems& problems) {
  const auto first =
      std::find_if(problems.begin(), problems.end(), [](const Problem& p) { return p.severity == Problem::Error; });
  if (first == problems.end()) return;
  const std::size_t further = CountProblems(problems, Problem::Error) - 1;
  std::string sentence = first->problem;
  if (further > 0)
    sentence += " (and " + std::to_string(further) + (further == 1 ? " further error)" : " further errors)");
  throw FormatError(first->where, sentence, first->remedy);
}

}  // namespace openmi
