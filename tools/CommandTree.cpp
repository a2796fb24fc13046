#include "tools/CommandTree.hpp"

#include "openmi/sdk/Lists.hpp"

namespace openmi::tools {
namespace {

ShownOption Shown(const CLI::Option& option) {
  ShownOption shown;
  for (const std::string& name : option.get_snames()) shown.names.push_back("-" + name);
  // Further long names are from earlier releases and are still accepted.
  if (!option.get_lnames().empty()) shown.names.push_back("--" + option.get_lnames().front());
  shown.text = option.get_description();
  if (option.get_positional()) {
    shown.value = option.get_required() ? option.get_name() : "[" + option.get_name() + "]";
  } else if (option.get_items_expected_max() > 0 && option.get_type_size_max() > 0) {
    shown.value = option.get_type_name();
  }
  if (shown.value.find('|') != std::string::npos) shown.words = Split(shown.value, "|");
  shown.standard = option.get_default_str();
  shown.takes_file = shown.value == "FILE" || shown.value == "DIR" || shown.value == "OUT" || shown.value == "A" ||
                     shown.value == "B" || shown.value == "RESULTS" || shown.value == "ITEMS";
  if (!option.get_positional() && (shown.value == "A" || shown.value == "R")) shown.takes_file = false;
  return shown;
}

}  // namespace

const CLI::App* FindSubcommand(const CLI::App& app, std::string_view name) {
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_name() == name) return sub;
  }
  return nullptr;
}

ShownCommand DescribeCommand(const CLI::App& app, const std::string& name) {
  ShownCommand command;
  command.name = name;
  command.text = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? command.positionals : command.options).push_back(Shown(*option));
  }
  if (name.empty()) return command;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!sub->get_group().empty()) command.inner.push_back(sub->get_name());
  }
  return command;
}

std::vector<ShownCommand> DescribeProgram(const CLI::App& app) {
  std::vector<ShownCommand> commands = {DescribeCommand(app, "")};
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (sub->get_group().empty()) continue;
    commands.push_back(DescribeCommand(*sub, sub->get_name()));
    for (const std::string& inner : std::vector(commands.back().inner)) {
      commands.push_back(DescribeCommand(*sub->get_subcommand(inner), sub->get_name() + " " + inner));
    }
  }
  return commands;
}

std::string Synopsis(const ShownCommand& command) {
  std::string text = command.name.empty() ? "openmi SUBCOMMAND" : "openmi " + command.name;
  if (!command.inner.empty() && command.positionals.empty()) text += " SUBCOMMAND";
  for (const ShownOption& positional : command.positionals) {
    text += " " + (positional.value == "ITEMS" ? std::string("[COMPOSITION] FROM TO") : positional.value);
  }
  return text + " [OPTIONS]";
}

std::string ProgramFooter() {
  return "Exit codes:\n"
         "  0    success\n"
         "  1    an internal error\n"
         "  2    usage: an unknown sub-command or option, or an invalid value\n"
         "  3    a file on the command line does not exist\n"
         "  4    bad input: a file exists, but its content is wrong\n"
         "  5    the check found problems\n"
         "  6    a model failed, or the run did not reach its end\n"
         "  7    a file could not be written, or earlier results would be replaced\n"
         "  8    compare found differences\n"
         "  130  interrupted by Ctrl-C; the results up to then are kept\n"
         "\n"
         "Environment:\n"
         "  OPENMI_PATH  folders that are searched for component libraries, separated by colons\n"
         "  NO_COLOR     if it is not empty, the output has no colours\n"
         "\n"
         "Manual and completions:\n"
         "  man openmi, or without installation: openmi man | man -l -\n"
         "  openmi completions bash > ~/.local/share/bash-completion/completions/openmi (or zsh, fish)\n"
         "\n"
         "Examples:\n"
         "  openmi check upper-creek.xml\n"
         "  openmi run upper-creek.xml\n"
         "  openmi run --help";
}

}  // namespace openmi::tools
