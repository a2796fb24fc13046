#include "fmi-bridge/fmi/MatchTerminals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {
namespace {

/// What one side of a bus sends (Tx_Data, Tx_Clock) the other receives (Rx_Data, Rx_Clock).
constexpr std::string_view kTransceiver = "org.fmi-ls-bus.transceiver";

std::string PartnerOf(const Terminal& terminal, const std::string& name) {
  if (terminal.rule != kTransceiver) return name;
  if (name.starts_with("Tx_")) return "Rx_" + name.substr(3);
  return name.starts_with("Rx_") ? "Tx_" + name.substr(3) : name;
}

/// What is matched in a terminal: its members, or the terminals inside it.
template <class Part>
const std::vector<Part>& PartsOf(const Terminal& terminal) {
  if constexpr (std::is_same_v<Part, Terminal>) {
    return terminal.terminals;
  } else {
    return terminal.members;
  }
}

class Matcher {
 public:
  std::vector<TerminalLink> links;

  void Match(const TerminalEnd& first, const TerminalEnd& second) {
    for (const TerminalEnd* end : {&first, &second}) {
      const std::string& rule = end->terminal.rule;
      if (rule == "plug" || rule == "bus" || rule == "sequence" || rule == kTransceiver) continue;
      Refuse(*end, "a terminal with the matching rule plug, bus, sequence or that of a bus", Quoted(rule),
             "link its variables one by one");
    }
    for (const std::string_view rule : {std::string_view("sequence"), kTransceiver}) {
      if ((first.terminal.rule == rule) == (second.terminal.rule == rule)) continue;
      Refuse(second,
             fmt::format("a terminal that is matched as {}.{} is ({})", first.component, first.terminal.name,
                         first.terminal.rule),
             second.terminal.rule, "link their variables one by one");
    }
    for (const TerminalEnd* end : {&first, &second}) {
      if (end->terminal.rule == kTransceiver) ExpectDirections(*end);
    }
    Pair<TerminalMember>(first, second, "member", [&](const TerminalMember& here, const TerminalMember& there) {
      Link(first, here, second, there);
    });
    Pair<Terminal>(first, second, "terminal", [&](const Terminal& here, const Terminal& there) {
      Match({first.component, first.model, here}, {second.component, second.model, there});
    });
  }

 private:
  [[noreturn]] static void Refuse(const TerminalEnd& end, const std::string& expected, const std::string& found,
                                  const std::string& remedy) {
    throw ArgumentError({.component = end.component, .item = end.terminal.name},
                        fmt::format("expected {}, found {}", expected, found), remedy);
  }

  /// A side of a bus gives what it sends and takes what it receives; a clock that is timed is an input though it sends.
  static void ExpectDirections(const TerminalEnd& end) {
    for (const TerminalMember& member : end.terminal.members) {
      const Variable& variable = end.model.At(member.variable);
      const bool sends = member.name.starts_with("Tx_");
      if (!sends && !member.name.starts_with("Rx_")) {
        Refuse(end, "members whose names start with Tx_ or Rx_", Quoted(member.name),
               "link its variables one by one, or export the FMU again");
      }
      const bool is_input = variable.causality == Causality::Input;
      const bool is_timed = sends && is_input && variable.type == VariableType::Clock;
      if (is_timed || (sends ? variable.causality == Causality::Output : is_input)) continue;
      Refuse(end, fmt::format("an {} for {}", sends ? "output" : "input", Quoted(member.name)),
             fmt::format("{} ({})", Quoted(variable.name), Name(variable.causality)),
             "link its variables one by one, or export the FMU again");
    }
  }

  template <class Part>
  static void Pair(const TerminalEnd& first, const TerminalEnd& second, const char* what, auto&& work) {
    const auto& here = PartsOf<Part>(first.terminal);
    const auto& there = PartsOf<Part>(second.terminal);
    if (first.terminal.rule == "sequence") {
      if (here.size() != there.size()) {
        Refuse(second,
               fmt::format("as many {}s as {}.{} has ({})", what, first.component, first.terminal.name, here.size()),
               std::to_string(there.size()), "link their variables one by one");
      }
      for (std::size_t i = 0; i < here.size(); ++i) work(here[i], there[i]);
      return;
    }
    for (const Part& part : here) {
      const auto found = std::ranges::find(there, PartnerOf(first.terminal, part.name), &Part::name);
      if (found != there.end()) work(part, *found);
      if (found == there.end() && NeedsAll(first.terminal)) RefuseWithout(first, part.name, second, what);
    }
    for (const Part& part : there) {
      const bool is_here = std::ranges::find(here, PartnerOf(second.terminal, part.name), &Part::name) != here.end();
      if (!is_here && NeedsAll(second.terminal)) RefuseWithout(second, part.name, first, what);
    }
  }

  [[noreturn]] static void RefuseWithout(const TerminalEnd& plug, const std::string& name, const TerminalEnd& other,
                                         const char* what) {
    Refuse(other, fmt::format("a {} {}, as {}.{} has", what, Quoted(name), plug.component, plug.terminal.name), "none",
           "link the variables that both have one by one");
  }

  static bool NeedsAll(const Terminal& terminal) { return terminal.rule == "plug" || terminal.rule == kTransceiver; }

  static bool IsFlow(const TerminalMember& member) { return member.kind == "inflow" || member.kind == "outflow"; }

  void Link(const TerminalEnd& first, const TerminalMember& here, const TerminalEnd& second,
            const TerminalMember& there) {
    const Variable& one = first.model.At(here.variable);
    const Variable& other = second.model.At(there.variable);
    const bool goes_on = one.causality == Causality::Output && other.causality == Causality::Input;
    const bool comes_back = one.causality == Causality::Input && other.causality == Causality::Output;
    const std::string both = fmt::format("{}.{} and {}.{}", first.component, one.name, second.component, other.name);
    if (first.terminal.rule == kTransceiver) {
      links.push_back({here.variable, there.variable, here.name.starts_with("Rx_"), false});
      return;
    }
    if (!goes_on && !comes_back) {
      Refuse(second, "an output and an input in each pair",
             fmt::format("{} and {} for {}", Name(one.causality), Name(other.causality), both),
             "connect only terminals of which one gives what the other takes");
    }
    if (IsFlow(here) != IsFlow(there) || (!IsFlow(here) && here.kind != there.kind)) {
      Refuse(second, "two variables of one kind", fmt::format("{} and {} for {}", here.kind, there.kind, both),
             "link the variables one by one");
    }
    links.push_back({here.variable, there.variable, comes_back, IsFlow(here) && here.kind == there.kind});
  }
};

}  // namespace

std::vector<TerminalLink> MatchTerminals(const TerminalEnd& first, const TerminalEnd& second) {
  Matcher matcher;
  matcher.Match(first, second);
  return std::move(matcher.links);
}

const Terminal& FindTerminal(const std::vector<Terminal>& terminals, const std::string& path,
                             const std::string& component) {
  std::vector<std::string> names;
  for (const Terminal& terminal : terminals) {
    if (terminal.name == path) return terminal;
    if (path.starts_with(terminal.name + ".")) {
      return FindTerminal(terminal.terminals, path.substr(terminal.name.size() + 1), component);
    }
    names.push_back(terminal.name);
  }
  throw ArgumentError({.component = component, .item = path}, "expected a terminal of the FMU, found none of that name",
                      names.empty() ? "link its variables one by one: it has no terminals" : Suggest(path, names));
}

}  // namespace openmi::fmi
