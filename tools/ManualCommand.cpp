#include <filesystem>

#include "tools/CommandTree.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"

namespace openmi::tools {
namespace {

int Print(const std::string& text, const std::string& output) {
  const std::filesystem::path folder = std::filesystem::path(output).parent_path();
  std::error_code error;  // if the folder cannot be made, writing the file reports it
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  WriteOutput(output, text, {.says_so = false});
  return kSuccess;
}

}  // namespace

void AddManual(CLI::App& app, Invocation& invocation) {
  auto shell = std::make_shared<std::string>();
  auto output = std::make_shared<std::string>("-");
  CLI::App* completions = app.add_subcommand("completions", "Print completions for a shell")->group("");
  completions->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(OneOf({"bash", "zsh", "fish"}));
  completions->footer("Example:\n  openmi completions bash > ~/.local/share/bash-completion/completions/openmi");
  completions->callback([&app, shell, output, &invocation] {
    invocation.execute = [&app, shell, output] { return Print(CompletionScript(app, *shell), *output); };
  });
  CLI::App* man = app.add_subcommand("man", "Print the manual page")->group("");
  man->footer("Example:\n  openmi man | man -l -");
  man->callback(
      [&app, output, &invocation] { invocation.execute = [&app, output] { return Print(ManualPage(app), *output); }; });
  CLI::App* markdown = app.add_subcommand("markdown", "Print the manual as Markdown")->group("");
  markdown->footer("Example:\n  openmi markdown > docs/command.md");
  markdown->callback([&app, output, &invocation] {
    invocation.execute = [&app, output] { return Print(ManualMarkdown(app), *output); };
  });
  for (CLI::App* sub : {completions, man, markdown}) {
    AddShown(*sub, "-o,--output,--output-file", *output, "OUT", "File; '-' is standard output");
  }
}

}  // namespace openmi::tools
