#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>

#include "composition/control/ControlClient.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct ControlArguments {
  std::string word;
  std::vector<std::string> rest;
  std::string at;
  std::string token;
  std::string patience = "0";
  bool json = false;
  bool all = false;
};

constexpr std::size_t kComponentsShown = 40;  // by 'status', without --all
constexpr std::size_t kMembersShown = 8;      // of a family

/// The arguments of a word, their names in a request, and its effect.
struct Form {
  const char* word;
  std::vector<const char*> names;
  std::size_t needed;
  const char* purpose;
};

const std::vector<Form> kForms = {
    {"list", {}, 0, "the families of components"},
    {"status", {}, 0, "the times that the run and its components have reached"},
    {"values", {"item"}, 1, "the latest values of an item"},
    {"balances", {}, 0, "what has left, arrived and stayed since the end of the warm-up"},
    {"pause", {}, 0, "pause after the present pass"},
    {"resume", {}, 0, "continue after a pause"},
    {"step", {"passes"}, 0, "make one pass, or this number of passes, and pause"},
    {"set", {"component", "key", "value"}, 3, "change an argument that may change during the run"},
    {"override", {"item", "values"}, 2, "give an input fixed values: one, or one per element; each may be 'missing'"},
    {"free", {"item"}, 1, "end the override of an input: its link delivers again"},
    {"disengage", {"family"}, 1, "take a family out of the run"},
    {"engage", {"family"}, 1, "return a family to the run, with the library that now exists"},
    {"family", {"family"}, 1, "one family, with the reports about it"},
    {"checkpoint", {}, 0, "save the state of the run now"},
    {"end", {"reason"}, 0, "end the run after this pass, with results and report"}};

/// "override ITEM VALUE...".
std::string FormText(const Form& form) {
  std::string text = form.word;
  for (std::size_t i = 0; i < form.names.size(); ++i) {
    const std::string name = form.names[i];
    std::string shown = name == "values" ? "VALUE..." : name;
    for (char& c : shown) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    text += i < form.needed ? " " + shown : " [" + shown + "]";
  }
  return text;
}

std::string FormsText() {
  std::string text;
  for (const Form& form : kForms) text += fmt::format("  {:<24}  {}\n", FormText(form), form.purpose);
  return text;
}

// States what to write after a word, and what was found.
std::string WrongCount(const Form& form, std::size_t found) {
  const bool takes_family = std::ranges::find(form.names, std::string_view("family")) != form.names.end();
  std::string text = fmt::format("openmi control: expected '{}', found ", FormText(form));
  text += found == 0 ? "nothing" : fmt::format("{} word{}", found, found == 1 ? "" : "s");
  text += fmt::format(" after '{}'", form.word);
  if (takes_family) {
    text += "; a family is named by any of its components, or by the file name of its library: 'openmi control list'";
  }
  return text;
}

Json RequestOf(const ControlArguments& arguments) {
  const auto form = std::ranges::find(kForms, arguments.word, &Form::word);
  const bool takes_more = arguments.word == "override";
  if (arguments.rest.size() < form->needed || (arguments.rest.size() > form->names.size() && !takes_more)) {
    throw UsageFault{WrongCount(*form, arguments.rest.size())};
  }
  Json request;
  request["do"] = arguments.word;
  for (std::size_t i = 0; i < std::min(arguments.rest.size(), form->names.size()); ++i) {
    const std::string name = form->names[i];
    const std::string& text = arguments.rest[i];
    if (name == "values") {
      request[name] = Json::array();
      for (std::size_t k = i; k < arguments.rest.size(); ++k) {
        request[name].push_back(
            arguments.rest[k] == "missing"
                ? Json(nullptr)
                : Json(ParseNumber(arguments.rest[k], "override", -std::numeric_limits<double>::infinity())));
      }
    } else if (name == "passes") {
      const double passes = ParseNumber(text, "step");
      if (!(passes >= 1.0) || passes != std::floor(passes)) {
        throw UsageFault{fmt::format("openmi control: expected a whole number of passes from 1 on, found '{}'", text)};
      }
      request[name] = static_cast<std::uint64_t>(std::min(passes, 1e15));
    } else {
      request[name] = text;
    }
  }
  return request;
}

ControlAddress AddressOf(const ControlArguments& arguments) {
  if (!arguments.at.empty()) {
    ControlAddress address = ControlAddress::Parse(arguments.at);
    const char* token = std::getenv("OPENMI_CONTROL_TOKEN");
    address.token = !arguments.token.empty() ? arguments.token : token != nullptr ? token : "";
    return address;
  }
  const std::vector<std::filesystem::path> sockets = ControlSockets();
  if (sockets.size() == 1) return {.socket = sockets.front(), .port = 0, .token = {}};
  std::string names;
  for (const auto& socket : sockets) names += "\n  " + socket.string();
  throw FileError({.file = ControlFolder().string()},
                  sockets.empty() ? std::string("expected a run that listens to its operator, found none")
                                  : fmt::format("expected one run that listens, found {}:{}", sockets.size(), names),
                  sockets.empty() ? "start one with 'openmi run FILE --control'" : "name one with --at");
}

std::string Word(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return "-";
  return PrintableText(found->is_string() ? found->get<std::string>() : found->dump());
}

void PrintBalances(const Json& answer) {
  PrintLine(stdout, "at " + Word(answer, "now"));
  const auto print = [&answer](const char* list, const char* name, std::initializer_list<const char*> amounts) {
    for (const Json& one : answer.value(list, Json::array())) {
      std::string text;
      for (const char* amount : amounts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", amount, Word(one, amount));
      PrintLine(stdout, fmt::format("{}: {} {}, relative difference {}", Word(one, name), text, Word(one, "unit"),
                                    Word(one, "relative")));
    }
  };
  print("links", "link", {"left", "arrived", "outside"});
  print("components", "component", {"start", "in", "out", "losses", "held"});
}

/// \param all  prints every component and member
void PrintAnswer(const std::string& word, const Json& answer, bool all) {
  if (word == "balances") return PrintBalances(answer);
  if (answer.contains("state")) {
    PrintLine(stdout, fmt::format("{} at {} of {}, {} passes", Word(answer, "state"), Word(answer, "now"),
                                  Word(answer, "to"), Word(answer, "passes")));
  }
  if (const auto components = answer.find("components"); components != answer.end()) {
    std::size_t widest = 9;
    for (const Json& one : *components) widest = std::max(widest, Word(one, "id").size());
    const bool has_hosts = std::ranges::any_of(*components, [](const Json& one) { return one.contains("host"); });
    PrintLine(stdout, fmt::format("{:<{}}  {:<14}  {:<22}  {:>10}{}", "component", widest, "status", "time", "steps",
                                  has_hosts ? "  group, host" : ""));
    std::size_t shown = 0;
    for (const Json& one : *components) {
      if (!all && shown++ == kComponentsShown) {
        PrintLine(stdout,
                  fmt::format("and {} more components; --all lists them", components->size() - kComponentsShown));
        break;
      }
      const std::string place =
          one.contains("host") ? fmt::format("  {}, {}", Word(one, "group"), Word(one, "host")) : std::string();
      PrintLine(stdout, fmt::format("{:<{}}  {:<14}  {:<22}  {:>10}{}", Word(one, "id"), widest, Word(one, "status"),
                                    Word(one, "now"), Word(one, "steps"), place));
    }
  }
  const auto print_family = [&word, all](const Json& family) {
    const Json named = family.value("members", Json::array());
    std::string members;
    for (std::size_t i = 0; i < named.size() && (all || i < kMembersShown); ++i) {
      members += " " + PrintableText(named[i].get<std::string>());
    }
    if (!all && named.size() > kMembersShown) members += fmt::format(" and {} more", named.size() - kMembersShown);
    PrintLine(stdout, fmt::format("{}: {},{}", Word(family, "key"), Word(family, "status"), members));
    if (family.contains("problem")) PrintLine(stdout, "  " + Word(family, "problem"));
    if (word == "list") return;
    for (const Json& told : family.value("told", Json::array())) {
      PrintLine(stdout, "  " + PrintableText(told.get<std::string>()));
    }
  };
  if (const auto families = answer.find("families"); families != answer.end()) {
    for (const Json& family : *families) print_family(family);
  } else if (answer.contains("key")) {
    print_family(answer);
  }
  if (const auto values = answer.find("values"); values != answer.end()) {
    std::string text;
    for (const Json& value : *values) text += value.is_null() ? " missing" : " " + value.dump();
    if (values->empty()) text = " none yet";
    std::string time;  // empty until the first values
    if (!answer.value("begin", Json()).is_null()) {
      const std::string duration = Word(answer, "duration");
      time = Word(answer, "begin") + (duration == "PT0S" ? ", " : " for " + duration + ", ");
    }
    const char* note = answer.value("pending", false)
                           ? "  (overridden: the component gets this value from its next step on)"
                       : answer.value("overridden", false) ? "  (overridden)"
                       : answer.value("freed", false)
                           ? "  (was overridden: from its next step on the component gets the value of the link)"
                           : "";
    PrintLine(stdout, fmt::format("{}{}:{}{}", time, Word(answer, "unit"), text, note));
  }
  if (word == "checkpoint") {
    PrintLine(stdout, "saved at " + Word(answer, "now"));
  } else if (word == "end") {
    PrintLine(stdout, "the run ends after this pass, with results and report");
  } else if (answer.size() <= 2 && word != "list") {
    PrintLine(stdout, "done");
  }
}

int Execute(const ControlArguments& arguments) {
  const Json request = RequestOf(arguments);
  const double patience = ParseNumber(arguments.patience, "--patience");
  ControlClient client(AddressOf(arguments));
  const std::string line =
      client.Ask(request.dump(-1, ' ', false, Json::error_handler_t::replace),
                 std::chrono::milliseconds(static_cast<std::int64_t>(std::min(patience, 1e9) * 1000.0)));
  const Json answer = Json::parse(line, nullptr, false);
  const bool is_ok = answer.is_object() && answer.value("ok", false);
  if (arguments.json) {
    PrintLine(stdout, PrintableText(line));
  } else if (is_ok) {
    PrintAnswer(arguments.word, answer, arguments.all);
  } else {
    const std::string remedy = answer.is_object() && answer.contains("remedy") ? "; " + Word(answer, "remedy") : "";
    PrintLine(stderr, Painted((answer.is_object() ? Word(answer, "error") : PrintableText(line)) + remedy, Colour::Red,
                              stderr));
  }
  return is_ok ? kSuccess : kModelFailed;
}

}  // namespace

void AddControl(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<ControlArguments>();
  CLI::App* control = app.add_subcommand("control", "Control a run that listens: show its status, pause it, change it");
  std::vector<std::string> words;
  for (const Form& form : kForms) words.emplace_back(form.word);
  control
      ->add_option(
          "WORD", arguments->word,
          "Request: list, status, values, balances, pause, resume, step, set, override, free, disengage, engage, "
          "family, checkpoint or end, with the arguments listed below")
      ->required()
      ->check(OneOf(words));
  control->add_option("ARGUMENTS", arguments->rest, "Arguments of the request; any of its components names a family");
  AddValue(*control, "--at", arguments->at, "PATH or tcp:PORT",
           "Address where the run listens; needed if several runs listen");
  AddValue(*control, "--token", arguments->token, "TOKEN",
           "Token of a run that listens at a port (default: OPENMI_CONTROL_TOKEN)");
  AddShown(*control, "--patience", arguments->patience, "SECONDS", "Seconds to wait for an answer; 0: no limit");
  control->add_flag("--json", arguments->json, "Print the answer unchanged");
  control->add_flag("--all", arguments->all, "Print every component and every member of a family");
  control->footer("Requests and their arguments:\n" + FormsText() +
                  "\nExamples:\n"
                  "  openmi run upper-creek.xml --control\n"
                  "  openmi control list\n"
                  "  openmi control override creek.inflow 12.5\n"
                  "  openmi control disengage runoff && make && openmi control engage runoff");
  control->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
