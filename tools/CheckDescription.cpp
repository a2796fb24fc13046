#include "tools/CheckDescription.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "openmi/sdk/Error.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

int Execute(const DescriptionCheck& check, const std::string& file, bool as_json) {
  check.expect(file);
  Problems problems;
  try {
    check.find(file, problems);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  if (as_json) {
    PrintLine(stdout, JsonText({{"file", file}, {"problems", ToJson(problems)}}));
  } else {
    PrintProblems(stdout, problems);
    PrintLine(stdout, CountText(problems));
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddDescriptionCheck(CLI::App& parent, Invocation& invocation, DescriptionCheck check) {
  struct Arguments {
    DescriptionCheck check;
    std::string file;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  arguments->check = std::move(check);
  CLI::App* command = parent.add_subcommand("check", arguments->check.purpose);
  command->add_option("FILE", arguments->file, arguments->check.file)->required();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(arguments->check.footer);
  command->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return Execute(arguments->check, arguments->file, arguments->json); };
  });
}

}  // namespace openmi::tools
