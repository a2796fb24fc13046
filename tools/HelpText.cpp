#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tools/CommandTree.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr std::size_t kColumn = 26;  // where texts start

// `text` wrapped at blanks, with all lines but the first indented.
std::string Wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
  std::istringstream words(text);
  std::string lines;
  std::size_t width = indent;
  for (std::string word; words >> word;) {
    if (width > indent && width + 1 + word.size() > columns) {
      lines += "\n" + std::string(indent, ' ');
      width = indent;
    } else if (width > indent) {
      lines += ' ';
      ++width;
    }
    lines += word;
    width += word.size();
  }
  return lines + "\n";
}

std::string Entry(const std::string& head, const std::string& text, std::size_t columns) {
  std::string line = "  " + head;
  if (line.size() + 2 > kColumn) {
    line += "\n" + std::string(kColumn, ' ');
  } else {
    line.resize(kColumn, ' ');
  }
  return line + Wrapped(text, kColumn, columns);
}

std::string Entry(const ShownOption& option, std::size_t columns) {
  std::string head;
  for (const std::string& name : option.names) head += (head.empty() ? "" : ", ") + name;
  if (!option.value.empty()) head += (head.empty() ? "" : " ") + option.value;
  return Entry(head, option.text + (option.standard.empty() ? "" : " (default: " + option.standard + ")"), columns);
}

// Wraps sentences; indented lines (commands, lists) stay unchanged.
std::string WrappedFooter(const std::string& footer, std::size_t columns) {
  std::istringstream lines(footer);
  std::string text;
  std::string sentence;
  const auto flush = [&] {
    if (!sentence.empty()) text += Wrapped(sentence, 0, columns);
    sentence.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const bool is_prose = !line.empty() && line.front() != ' ' && !line.ends_with(':');
    if (is_prose) {
      sentence += (sentence.empty() ? "" : " ") + line;
      continue;
    }
    flush();
    text += line + "\n";
  }
  flush();
  return text;
}

// "", "run" or "fmu info".
std::string NameOf(const CLI::App& app, const CLI::App& root) {
  if (&app == &root) return {};
  const CLI::App* parent = app.get_parent();
  return parent == nullptr || parent == &root ? app.get_name() : parent->get_name() + " " + app.get_name();
}

}  // namespace

std::string HelpText(const CLI::App& app, const CLI::App& root) {
  const auto columns = static_cast<std::size_t>(std::clamp(Columns(stdout), 60, 120));
  const std::vector<ShownCommand> commands = DescribeProgram(root);
  const ShownCommand command = DescribeCommand(app, NameOf(app, root));
  std::string text = Wrapped(command.text + (command.text.ends_with('.') ? "" : "."), 0, columns);
  text += "\nUsage: " + Synopsis(command) + "\n\n";
  if (command.name.empty()) {
    text += "Sub-commands:\n";
    for (const ShownCommand& one : commands) {
      if (!one.name.empty() && one.name.find(' ') == std::string::npos) text += Entry(one.name, one.text, columns);
    }
    text += "\n";
  }
  for (const std::string& inner : command.inner) {
    const auto one = std::ranges::find(commands, command.name + " " + inner, &ShownCommand::name);
    if (one != commands.end()) text += Entry(inner, one->text, columns);
  }
  if (!command.inner.empty()) text += "\n";
  for (const ShownOption& option : command.positionals) text += Entry(option, columns);
  if (!command.positionals.empty()) text += "\n";
  text += "Options:\n";
  for (const ShownOption& option : command.options) text += Entry(option, columns);
  return text + "\n" + WrappedFooter(command.footer, columns);
}

}  // namespace openmi::tools
