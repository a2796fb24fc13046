#include <fmt/format.h>

#include <algorithm>

#include "tools/CommandTree.hpp"

namespace openmi::tools {
namespace {

std::string Joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

// Escapes a text for single quotes of a shell.
std::string Quoted(const std::string& text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + quoted + "'";
}

std::vector<std::string> Names(const ShownCommand& command) {
  std::vector<std::string> names;
  for (const ShownOption& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::string Bash(const std::vector<ShownCommand>& commands) {
  std::vector<std::string> subs;
  for (const ShownCommand& command : commands) {
    if (!command.name.empty()) subs.push_back(command.name);
  }
  std::string text = "# bash completion of openmi, made by `openmi completions bash`\n_openmi() {\n";
  text += "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"\n";
  text += "  COMPREPLY=()\n";
  text += "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W '{} {}' -- \"$current\"))\n    return\n  fi\n", Joined(subs),
                      Joined(Names(commands.front())));
  text += "  case \"$COMP_CWORD ${COMP_WORDS[1]}\" in\n";
  for (const ShownCommand& command : commands) {
    if (command.inner.empty()) continue;
    // Where a file may be named instead, files are offered too.
    text += fmt::format("    '2 {}') COMPREPLY=($(compgen {}-W '{}' -- \"$current\")); return ;;\n", command.name,
                        command.positionals.empty() ? "" : "-f ", Joined(command.inner));
  }
  text += "  esac\n  case \"${COMP_WORDS[1]} $previous\" in\n";
  for (const ShownCommand& command : commands) {
    for (const ShownOption& option : command.options) {
      if (command.name.empty() || option.words.empty()) continue;
      std::vector<std::string> cases;
      for (const std::string& name : option.names) cases.push_back("'" + command.name + " " + name + "'");
      text += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n", Joined(cases, "|"),
                          Joined(option.words));
    }
  }
  text += "  esac\n  case \"$current\" in\n    -*)\n      case \"${COMP_WORDS[1]}\" in\n";
  for (const ShownCommand& command : commands) {
    if (command.name.empty()) continue;
    text += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n", command.name,
                        Joined(Names(command)));
  }
  text += "      esac ;;\n    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n  esac\n}\n";
  return text + "complete -o filenames -o bashdefault -F _openmi openmi\n";
}

std::string Zsh(const std::vector<ShownCommand>& commands) {
  const auto escaped = [](const std::string& text) {
    std::string safe;
    for (const char c : text) {
      if (c == '[' || c == ']' || c == ':' || c == '\\') safe += '\\';
      safe += c;
    }
    return safe;
  };
  std::string text = "#compdef openmi\n# zsh completion of openmi, made by `openmi completions zsh`\n_openmi() {\n";
  text += "  local -a commands\n  commands=(\n";
  for (const ShownCommand& command : commands) {
    if (!command.name.empty()) text += "    " + Quoted(command.name + ":" + escaped(command.text)) + "\n";
  }
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe 'sub-command' commands\n    return\n  fi\n";
  text += "  local command=${words[2]}\n  shift words\n  (( CURRENT-- ))\n  case $command in\n";
  for (const ShownCommand& command : commands) {
    if (command.name.empty()) continue;
    text += fmt::format("    {})\n      _arguments \\\n", command.name);
    for (const ShownOption& option : command.options) {
      std::string value;
      if (!option.value.empty()) {
        value = ":" + escaped(option.value) + ":";
        if (!option.words.empty()) {
          value += "(" + Joined(option.words) + ")";
        } else if (option.value == "DIR") {
          value += "_files -/";
        } else if (option.takes_file) {
          value += "_files";
        }
      }
      for (const std::string& name : option.names)
        text += "        " + Quoted(name + "[" + escaped(option.text) + "]" + value) + " \\\n";
    }
    if (!command.inner.empty()) text += "        '1:sub-command:(" + Joined(command.inner) + ")' \\\n";
    text += "        '*:file:_files' ;;\n";
  }
  return text + "  esac\n}\n_openmi \"$@\"\n";
}

std::string Fish(const std::vector<ShownCommand>& commands) {
  std::string text = "# fish completion of openmi, made by `openmi completions fish`\n";
  for (const ShownCommand& command : commands) {
    const std::string when =
        command.name.empty() ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + command.name;
    if (!command.name.empty()) {
      text += fmt::format("complete -c openmi -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                          Quoted(command.text));
    }
    if (!command.inner.empty()) {
      text += fmt::format("complete -c openmi -n {} -a {}\n", Quoted(when), Quoted(Joined(command.inner)));
    }
    for (const ShownOption& option : command.options) {
      text += fmt::format("complete -c openmi -n {}", Quoted(when));
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) text += " -r";
      if (!option.words.empty()) text += " -f -a " + Quoted(Joined(option.words));
      text += " -d " + Quoted(option.text) + "\n";
    }
  }
  return text;
}

// Commands of one word; a group gets the options of all its sub-commands.
std::vector<ShownCommand> OneWord(const std::vector<ShownCommand>& all) {
  std::vector<ShownCommand> commands;
  for (const ShownCommand& command : all) {
    if (command.name.find(' ') == std::string::npos) {
      commands.push_back(command);
      continue;
    }
    for (const ShownOption& option : command.options) {
      std::vector<ShownOption>& options = commands.back().options;
      const bool is_there =
          std::ranges::any_of(options, [&](const ShownOption& one) { return one.names == option.names; });
      if (!is_there) options.push_back(option);
    }
  }
  return commands;
}

}  // namespace

std::string CompletionScript(const CLI::App& app, const std::string& shell) {
  const std::vector<ShownCommand> commands = OneWord(DescribeProgram(app));
  if (shell == "zsh") return Zsh(commands);
  if (shell == "fish") return Fish(commands);
  return Bash(commands);
}

}  // namespace openmi::tools
