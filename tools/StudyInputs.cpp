#include "tools/StudyInputs.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {

void StudyArguments::AddTo(CLI::App& app) {
  app.add_option("FILE", file, "Study")->required();
  AddShown(app, "--results", results, "DIR", "Folder for journal, results and report");
  variables.AddTo(app);
}

std::unique_ptr<Study> ReadStudy(const StudyArguments& arguments, Problems& problems) {
  ExpectFile(arguments.file);
  try {
    auto study = std::make_unique<Study>(arguments.file, arguments.variables.Values(), problems);
    study->SetFolder(arguments.results);
    if (study->IsSound()) return study;
  } catch (const Error& error) {  // for instance a file that is no XML: a problem like others
    Where where = error.Place();
    if (where.file.empty()) where.file = arguments.file;
    AddError(problems, where, error.Problem(), error.Remedy());
  }
  return nullptr;
}

void AddWorkers(CLI::App& app, int& workers, const std::string& text) {
  AddValue(app, "--workers", workers, "N", text)
      ->check(CLI::Validator(
          [](const std::string& value) -> std::string {
            const auto count = AsNumber<int>(value);
            if (count && *count >= 1 && *count <= 1024) return "";
            return "expected a whole number from 1 to 1024, found '" + value + "'";
          },
          ""));
}

std::uint64_t ParseMember(const std::string& text, std::uint64_t count) {
  const auto number = AsNumber<std::uint64_t>(text);
  if (number && *number >= 1 && *number <= count) return *number - 1;
  throw UsageFault{fmt::format("expected the number of a member from 1 to {}, found '{}'", count, text)};
}

}  // namespace openmi::tools
