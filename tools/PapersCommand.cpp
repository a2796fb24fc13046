#include <cstdio>

#include "tools/CommandTree.hpp"
#include "tools/Commands.hpp"
#include "tools/ExitCode.hpp"

namespace openmi::tools {
namespace {

int Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kSuccess;
}

}  // namespace

void AddPapers(CLI::App& app, Invocation& invocation) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completions = app.add_subcommand("completions", "Print completions for a shell")->group("");
  completions->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completions->footer("Example:\n  openmi completions bash > ~/.local/share/bash-completion/completions/openmi");
  completions->callback([&app, shell, &invocation] {
    invocation.execute = [&app, shell] { return Print(CompletionScript(app, *shell)); };
  });
  CLI::App* man = app.add_subcommand("man", "Print the manual page")->group("");
  man->footer("Example:\n  openmi man | man -l -");
  man->callback([&app, &invocation] { invocation.execute = [&app] { return Print(ManualPage(app)); }; });
  CLI::App* markdown = app.add_subcommand("markdown", "Print the manual as Markdown")->group("");
  markdown->footer("Example:\n  openmi markdown > docs/command.md");
  markdown->callback([&app, &invocation] { invocation.execute = [&app] { return Print(ManualMarkdown(app)); }; });
}

}  // namespace openmi::tools
