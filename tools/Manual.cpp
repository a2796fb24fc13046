#include <fmt/format.h>

#include <sstream>

#include "openmi/omi/SdkVersion.hpp"
#include "tools/CommandTree.hpp"

namespace openmi::tools {
namespace {

std::string Head(const ShownOption& option, const char* bold, const char* plain) {
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "" : ", ") + (bold + name) + plain;
  if (!option.value.empty()) text += (text.empty() ? "" : " ") + option.value;
  return text;
}

std::string Body(const ShownOption& option) {
  return option.text + (option.standard.empty() ? "" : fmt::format(" (default: {})", option.standard));
}

// A text for troff: backslashes are escaped, and no line starts as a request.
std::string Troff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

// A part of a footer: a line that ends in a colon, and the indented lines below it.
struct Part {
  std::string title;  // empty: prose
  std::string text;
};
std::vector<Part> Parts(const std::string& footer) {
  std::vector<Part> parts;
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      const bool is_title = line.back() == ':';
      parts.push_back({is_title ? line.substr(0, line.size() - 1) : "", is_title ? "" : line + "\n"});
    } else if (!parts.empty()) {
      parts.back().text += line.substr(std::min<std::size_t>(2, line.size())) + "\n";
    }
  }
  return parts;
}

void AddOptions(std::string& page, const ShownCommand& command) {
  for (const auto* list : {&command.positionals, &command.options}) {
    for (const ShownOption& option : *list) {
      page += ".TP\n" + Troff(Head(option, "\x01", "\x02")) + "\n" + Troff(Body(option)) + "\n";
    }
  }
  // The marks of bold names, inserted after dashes and backslashes were escaped.
  for (const auto& [mark, request] : {std::pair{'\x01', "\\fB"}, std::pair{'\x02', "\\fR"}}) {
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at))
      page.replace(at, 1, request);
  }
}

void AddParts(std::string& page, const std::string& footer, const char* macro) {
  for (const Part& part : Parts(footer)) {
    if (part.title.empty()) {
      page += ".PP\n" + Troff(part.text);
    } else {
      page += fmt::format("{} {}\n.nf\n{}.fi\n", macro, Troff(part.title), Troff(part.text));
    }
  }
}

}  // namespace

std::string ManualPage(const CLI::App& app) {
  const std::vector<ShownCommand> commands = DescribeProgram(app);
  std::string page = fmt::format(".TH OPENMI 1 \"\" \"openmi {}\" \"User Commands\"\n", kSdkVersion);
  page += ".SH NAME\nopenmi \\- " + Troff(commands.front().text) + "\n.SH SYNOPSIS\n";
  for (const ShownCommand& command : commands) page += ".B " + Troff(Synopsis(command)) + "\n.br\n";
  page += ".SH OPTIONS\n";
  AddOptions(page, commands.front());
  page += ".SH SUB\\-COMMANDS\n";
  for (const ShownCommand& command : commands) {
    if (command.name.empty()) continue;
    page += ".SS " + Troff(Synopsis(command)) + "\n" + Troff(command.text) + ".\n";
    AddOptions(page, command);
    AddParts(page, command.footer, ".PP\n.B");
  }
  AddParts(page, commands.front().footer, ".SH");
  return page;
}

std::string ManualMarkdown(const CLI::App& app) {
  const std::vector<ShownCommand> commands = DescribeProgram(app);
  std::string page = "# The command `openmi`\n\n<!-- Made by `openmi markdown`; a test compares the two. -->\n\n";
  page += commands.front().text + "\n";
  const auto add_options = [&page](const ShownCommand& command) {
    page += "\n";
    for (const auto* list : {&command.positionals, &command.options}) {
      for (const ShownOption& option : *list) page += fmt::format("- `{}`: {}\n", Head(option, "", ""), Body(option));
    }
  };
  const auto add_parts = [&page](const std::string& footer, bool as_sections) {
    for (const Part& part : Parts(footer)) {
      if (part.title.empty()) {
        page += "\n" + part.text;
      } else {
        const std::string title = as_sections ? "## " + part.title : part.title + ":";
        page += fmt::format("\n{}\n\n```\n{}```\n", title, part.text);
      }
    }
  };
  add_options(commands.front());
  add_parts(commands.front().footer, true);
  for (const ShownCommand& command : commands) {
    if (command.name.empty()) continue;
    page += fmt::format("\n## `{}`\n\n{}.\n", Synopsis(command), command.text);
    add_options(command);
    add_parts(command.footer, false);
  }
  return page;
}

}  // namespace openmi::tools
