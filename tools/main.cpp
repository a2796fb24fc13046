// The command `openmi`: reads the command line, runs the sub-command, prints the result.

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <map>
#include <string_view>

#include "openmi/omi/BuildText.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/CommandPart.hpp"
#include "tools/CommandTree.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

int Complain(const std::string& text) {
  PrintLine(stderr, Painted(PrintableText(text), Colour::Red, stderr));
  return kUsage;
}

std::vector<std::string> SubcommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
    names.push_back(sub->get_name());
  }
  return names;
}

/// Whether a group such as `import` may be followed by a file in place of a sub-command.
bool TakesFiles(const CLI::App& app) {
  const auto options = app.get_options();
  return std::ranges::any_of(options, [](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// Rewords a message of CLI11 about too few or too many values of an option: "--threads: 1 required N missing".
std::string Mismatch(const std::string& text) {
  const std::size_t colon = text.find(": ");
  const std::size_t required = text.find(" required ");
  const std::size_t missing = text.rfind(" missing");
  const std::size_t received = text.rfind("but received ");
  if (colon == std::string::npos || required == std::string::npos) return "expected another number of values: " + text;
  const std::string name = text.substr(0, colon);
  const std::size_t after = required + std::string_view(" required ").size();
  if (missing != std::string::npos && missing > after) {
    return fmt::format("expected {} after {}, found none", text.substr(after, missing - after), name);
  }
  if (received == std::string::npos) return "expected another number of values: " + text;
  const std::string found = text.substr(received + std::string_view("but received ").size());
  const std::string count =
      text.substr(text.rfind(' ', required - 1) + 1, required - text.rfind(' ', required - 1) - 1);
  if (text.find("At least") != std::string::npos) {
    return fmt::format("expected at least {} values for {}, found {}", count, name, found);
  }
  return fmt::format("expected {} {}, found it {} times", name, count == "1" ? "once" : "at most " + count + " times",
                     found);
}

// A message of CLI11 in the wording of this project.
std::string Sentence(const CLI::ParseError& error) {
  const std::string text = error.what();
  const auto before = [&text](const char* part) { return text.substr(0, text.find(part)); };
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    if (text.find("subcommand is required") != std::string::npos) return "expected a sub-command, found none";
    if (text.find(" is required") != std::string::npos) return "expected " + before(" is required") + ", found none";
    return "expected more arguments, found that " + text;
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return Mismatch(text);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && text.find(" = ") != std::string::npos) {
    // "Could not convert: --stop-time = 3s"
    const std::size_t equals = text.find(" = ");
    const std::size_t name = text.find(": ") + 2;
    return fmt::format("expected a number for {}, found '{}'", text.substr(name, equals - name),
                       text.substr(equals + 3));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return "expected no further argument, found '" + text.substr(text.find(": ") + 2) + "'";
  }
  return text;
}

/// Options that share a word with `name`, or begin with it: "--start" for "--start-values". Of those that `name` begins
/// with, the longest alone.
std::vector<std::string> WithItsWords(const std::string& name, const std::vector<std::string>& options) {
  std::vector<std::string> alike;
  std::string begin;
  const std::vector<std::string> words = Split(name, "-");
  for (const std::string& option : options) {
    if (!option.starts_with("--")) continue;
    if (name.starts_with(option + "-") && option.size() > begin.size()) begin = option;
    const std::vector<std::string> its = Split(option, "-");
    const bool shares = std::ranges::any_of(
        words, [&](const std::string& word) { return word.size() > 2 && std::ranges::find(its, word) != its.end(); });
    if (shares || option.starts_with(name)) alike.push_back(option);
  }
  return begin.empty() ? alike : std::vector{begin};
}

/// What to do about an unknown option.
std::string SuggestOption(const std::string& name, const std::vector<std::string>& options) {
  if (const std::string nearest = Nearest(name, options); !nearest.empty()) return "did you mean '" + nearest + "'?";
  const std::vector<std::string> alike = WithItsWords(name, options);
  if (!alike.empty()) return fmt::format("did you mean '{}'?", fmt::join(alike, "' or '"));
  constexpr std::size_t kMostListed = 30;
  return options.size() > kMostListed ? Suggest(name, options) : fmt::format("there are: {}", fmt::join(options, ", "));
}

/// Sub-commands of nouns that may be meant by a word alone: "openmi fmu info" for "info". Those for a file by its
/// ending go first; empty: none.
std::string SuggestOfNouns(const CLI::App& app, const std::string& word, const std::string& file) {
  static const std::map<std::string, std::string, std::less<>> kMeanings = {
      {"validate", "check"}, {"verify", "check"}, {"simulate", "run"}, {"inspect", "info"}};
  const auto known = kMeanings.find(word);
  const std::string meant = known == kMeanings.end() ? word : known->second;
  std::vector<std::string> found;
  if (FindSubcommand(app, meant) != nullptr) found.push_back("openmi " + meant);
  for (const std::string& noun : SubcommandNames(app)) {
    if (FindSubcommand(*FindSubcommand(app, noun), meant) == nullptr) continue;
    const std::string whole = "openmi " + noun + " " + meant;
    if (file.ends_with("." + noun)) return "did you mean '" + whole + "'?";
    found.push_back(whole);
  }
  return found.empty() ? "" : fmt::format("did you mean '{}'?", fmt::join(found, "', '"));
}

// Explains why a command line was refused; most often a name is misspelt.
int ExplainUsage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const CLI::App* scope = &app;
  int first = 1;
  if (argc > 1 && argv[1][0] != '-') {
    scope = FindSubcommand(app, argv[1]);
    if (scope == nullptr) {
      const std::string of_nouns = SuggestOfNouns(app, argv[1], argc > 2 ? argv[2] : "");
      return Complain(fmt::format("openmi: expected a sub-command, found '{}'; {}", argv[1],
                                  of_nouns.empty() ? Suggest(argv[1], SubcommandNames(app)) : of_nouns));
    }
    first = 2;
  }
  std::string words = scope->get_name();
  if (scope != &app && argc > 2) {
    // In a group such as fmu, the next word names the sub-command.
    const std::vector<std::string> inner = SubcommandNames(*scope);
    if (std::find(inner.begin(), inner.end(), argv[2]) != inner.end()) {
      scope = scope->get_subcommand(argv[2]);
      words += " " + scope->get_name();
      first = 3;
    } else if (!inner.empty() && !TakesFiles(*scope) && argv[2][0] != '-') {
      return Complain(
          fmt::format("openmi {}: expected a sub-command, found '{}'; {}", words, argv[2], Suggest(argv[2], inner)));
    }
  }
  const std::string program = scope == &app ? "openmi" : "openmi " + words;
  const std::vector<std::string> options = OptionNames(*scope);
  for (int i = first; i < argc; ++i) {
    const std::string word(argv[i]);
    if (word == "--") break;
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::find(options.begin(), options.end(), name) != options.end()) continue;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr && word[1] != '-') continue;
    return Complain(fmt::format("{}: expected an option, found '{}'; {}", program, name, SuggestOption(name, options)));
  }
  if (argc == 1) return Complain("openmi: expected a sub-command, found none; see openmi --help");
  return Complain(fmt::format("{}: {}; see {} --help", program, Sentence(error), program));
}

std::string CommandLine(int argc, char** argv) {
  std::string line = "openmi";
  for (int i = 1; i < argc; ++i) line += std::string(" ") + argv[i];
  return line;
}

// If a standard stream is closed, the next opened file gets its number, and printed text would go into that file. This
// function prevents it. Text for a closed standard error is lost; for a closed standard output it is an error, as
// before.
void HoldStandardStreams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    if (open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR) != stream) return;
  }
}

int Report(const std::string& text, ExitCode code) {
  PrintLine(stderr, Painted(PrintableText(text), Colour::Red, stderr));
  return code;
}

int Main(int argc, char** argv) {
  CLI::App app("OpenMI 2.0: link models, check them, run them, look at the results.", "openmi");
  app.footer(ProgramFooter());
  app.formatter_fn([&app](const CLI::App* part, std::string, CLI::AppFormatMode) { return HelpText(*part, app); });
  app.set_version_flag("--version", fmt::format("openmi {}\n{}", kSdkVersion, HostBuildText()));
  app.require_subcommand(1);
  app.set_help_flag("-h,--help", "Print this help and exit");
  Invocation invocation;
  invocation.command_line = CommandLine(argc, argv);
  AddRun(app, invocation);
  AddCheck(app, invocation);
  AddDescribe(app, invocation);
  AddAdaptors(app, invocation);
  AddGraph(app, invocation);
  AddPlot(app, invocation);
  AddNew(app, invocation);
  AddImport(app, invocation);
  AddCompare(app, invocation);
  AddControl(app, invocation);
  AddWorker(app, invocation);
  AddManual(app, invocation);
  try {
    AddParts(app, invocation, argc > 1 ? argv[1] : "");
  } catch (const UsageFault& fault) {
    return Complain(fault.text);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    // A sub-command that does not exist, or whose part this build leaves out, has no help.
    if (argc > 1 && argv[1][0] != '-' && FindSubcommand(app, argv[1]) == nullptr) {
      return ExplainUsage(app, success, argc, argv);
    }
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return ExplainUsage(app, error, argc, argv);
  }
  int code = kSuccess;
  try {
    code = invocation.execute();
  } catch (const UsageFault& fault) {
    std::string words = app.get_name();
    for (const CLI::App* scope = &app; !scope->get_subcommands().empty();) {
      scope = scope->get_subcommands().front();
      words += " " + scope->get_name();
    }
    return Report(fault.text + "; see " + words + " --help", kUsage);
  }
  // Output that could not be printed is missing, so the command fails.
  const bool is_printed = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (is_printed) return code;
  Complain("openmi: expected a standard output that takes the text, found it closed or full");
  return code == kSuccess ? kCannotWrite : code;
}

}  // namespace
}  // namespace openmi::tools

int main(int argc, char** argv) {
  using namespace openmi::tools;
  HoldStandardStreams();
  std::signal(SIGXFSZ, SIG_IGN);  // makes a limit on the size of files an error of write(2), reported like a full disk
  try {
    return Main(argc, argv);
  } catch (const MissingFile& missing) {
    return Report(missing.path + ": expected " + missing.kind + ", found none; check the path", kMissingFile);
  } catch (const CannotWrite& fault) {
    return Report(fault.text, kCannotWrite);
  } catch (const openmi::ModelError& error) {
    return Report(error.what(), kModelFailed);
  } catch (const openmi::Error& error) {
    return Report(error.what(), kBadInput);
  } catch (const std::exception& error) {
    return Report(std::string("openmi: ") + error.what(), kInternalError);
  }
}
