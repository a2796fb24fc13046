#include "tools/new/WireParts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "composition/model/CompositionFile.hpp"
#include "composition/proxy/HostCopies.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"

namespace openmi::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSuggested = 3;   // outputs for one input
constexpr std::size_t kMostAsked = 100;     // links that need an adaptor; each takes a child process
constexpr std::size_t kMostObserved = 100;  // items of one component

/// The properties of an item that matter for links.
struct PartItem {
  std::string component;
  std::string id;
  std::string kind;       // quantity or quality
  std::string dimension;  // or the categories
  std::string message;    // the type of the messages; empty: unknown
  std::size_t elements = 1;
  bool has_durations = false;
  std::optional<double> step;  // of its component, days
  std::string Text() const { return component + "." + id; }
};

/// Whether values of the output can serve as values of the input, if necessary through an adaptor.
bool IsAlike(const PartItem& output, const PartItem& input) {
  return output.component != input.component && output.kind == input.kind && output.dimension == input.dimension &&
         !MessagesDiffer(output.message, input.message);
}

bool Fits(const PartItem& output, const PartItem& input) {
  return IsAlike(output, input) && output.elements == input.elements;
}

std::optional<double> StepOf(const Json& described) {
  for (const Json& argument : described.at("arguments")) {
    if (argument.at("id") != "time-step" || !argument.at("value").is_string()) continue;
    try {
      return ParseIsoDuration(argument.at("value").get<std::string>()).count;
    } catch (const FormatError&) {  // an unknown unit: links stay unchanged
    }
  }
  return std::nullopt;
}

std::vector<PartItem> ItemsOf(const std::vector<Part>& parts, const char* list) {
  std::vector<PartItem> items;
  for (const Part& part : parts) {
    const std::optional<double> step = StepOf(part.described);
    for (const Json& item : part.described.at(list)) {
      PartItem one{.component = part.id,
                   .id = item.at("id").get<std::string>(),
                   .kind = {},
                   .dimension = {},
                   .message = {},
                   .step = step};
      const Json values = item.value("values", Json::object());
      one.kind = values.value("kind", "");
      one.dimension = one.kind == "quantity" ? values.at("unit").value("dimension", "")
                                             : values.value("type", "") + values.value("categories", Json()).dump();
      one.message = values.value("message", "");
      one.elements = item.value("elements", Json::object()).value("count", std::size_t{1});
      one.has_durations = item.value("times", Json::object()).value("has_durations", false);
      items.push_back(std::move(one));
    }
  }
  return items;
}

LinkSpec LinkOf(const PartItem& output, const PartItem& input) {
  LinkSpec link;
  link.from = {output.component, output.id};
  link.to = {input.component, input.id};
  const double ratio = output.step && input.step && *output.step > 0.0 ? *input.step / *output.step : 1.0;
  const bool meets = std::abs(ratio - std::round(ratio)) <= 1e-9 && ratio >= 0.5;
  if (output.kind == "quantity" && !meets && !output.has_durations && !input.has_durations &&
      output.elements == input.elements) {
    link.adaptors.push_back({.id = "linear", .factory = {}, .arguments = {}});
  }
  return link;
}

/// Whether the two need another adaptor than `linear`.
bool NeedsAdaptor(const PartItem& output, const PartItem& input) {
  if (output.kind != "quantity") return false;
  const bool steps_differ =
      output.step && input.step && std::abs(*input.step - *output.step) > 1e-9 * std::abs(*output.step);
  return output.elements != input.elements || output.has_durations != input.has_durations ||
         (output.has_durations && steps_differ);
}

/// The adaptor that `openmi adaptors` ranks first between the ends of a link, and the alternatives.
struct Choice {
  std::string id;  // empty: no adaptor suits the pair
  std::vector<std::string> others;
};
using Ask = std::function<Choice(const LinkSpec& link)>;

std::string ElementOf(const LinkSpec& link) {
  const std::string ends =
      fmt::format("<Link From=\"{}\" To=\"{}\"", EscapeXml(link.from.Text()), EscapeXml(link.to.Text()));
  if (link.adaptors.empty()) return ends + "/>";
  return ends + fmt::format("><Adaptor Id=\"{}\"/></Link>", EscapeXml(link.adaptors[0].id));
}

/// The components from which a path along the links leads back to themselves, if they all form one loop.
std::vector<std::string> LoopOf(const CompositionFile& file) {
  const std::size_t count = file.components.size();
  const auto index = [&](const std::string& id) {
    return static_cast<std::size_t>(std::ranges::find(file.components, id, &ComponentSpec::id) -
                                    file.components.begin());
  };
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count, false));
  for (const LinkSpec& link : file.links) reaches[index(link.from.component)][index(link.to.component)] = true;
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
    }
  }
  std::vector<std::string> loop;
  for (std::size_t i = 0; i < count; ++i) {
    if (!reaches[i][i]) continue;
    if (!loop.empty() && !reaches[i][index(loop[0])]) return {};
    loop.push_back(file.components[i].id);
  }
  return loop;
}

/// The links and observers to start with, and the possible ones.
class Wiring {
 public:
  Wiring(const std::vector<Part>& parts, const PartsOptions& options) {
    file_.id = options.name;
    for (const Part& part : parts) {
      ComponentSpec component;
      component.id = part.id;
      component.omi = part.omi;
      file_.components.push_back(std::move(component));
    }
    file_.run.emplace();
    file_.run->from = ParseIsoTime(options.from, 0.0);
    file_.run->to = ParseIsoTime(options.to, 0.0);
    const std::vector<PartItem> outputs = ItemsOf(parts, "outputs");
    const std::vector<PartItem> inputs = ItemsOf(parts, "inputs");
    ExpectEnds(options.links, outputs, inputs);
    for (const PartItem& input : inputs) {
      if (!Connect(input, outputs, options.links)) Feed(input, outputs);
    }
    std::size_t observed = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      observed = i > 0 && outputs[i].component == outputs[i - 1].component ? observed + 1 : 0;
      if (outputs[i].kind != "quantity" || observed >= kMostObserved) continue;
      ObserveSpec observe;
      observe.id = outputs[i].Text();
      observe.item = {outputs[i].component, outputs[i].id};
      file_.observes.push_back(std::move(observe));
    }
  }

  std::string Text() const {
    std::string text = CompositionText(file_);
    std::string comments;
    const auto add_open = [&](bool is_needed, const char* heading) {
      std::string lines;
      for (const OpenInput& open : open_) {
        if (open.is_needed != is_needed) continue;
        for (const std::string& line : open.lines) lines += "  " + InComment(line) + "\n";
      }
      if (!lines.empty()) comments += fmt::format("  <!-- {}\n{}  -->\n", heading, lines);
    };
    add_open(true, "TO BE FILLED IN: inputs that need a link before the run, with the outputs that fit.");
    add_open(false, "Inputs without a link, with the outputs that fit; without a link each keeps its start value.");
    if (!chosen_.empty()) {
      comments += "  <!-- The most suitable adaptors, chosen automatically; openmi adaptors describes each adaptor:\n";
      for (const std::string& line : chosen_) comments += "  " + InComment(line) + "\n";
      comments += "  -->\n";
    }
    if (const std::vector<std::string> loop = LoopOf(file_); !loop.empty()) {
      comments += fmt::format(
          "  <!-- The links form a loop; one member lags by a step unless each step is iterated:\n"
          "  {}\n  -->\n",
          InComment(fmt::format("<Iterate Components=\"{}\"/>", EscapeXml(fmt::format("{}", fmt::join(loop, " "))))));
    }
    if (!refused_.empty()) {
      comments += "  <!-- Links and observers that openmi check refused:\n";
      for (const std::string& line : refused_) comments += "  " + InComment(line) + "\n";
      comments += "  -->\n";
    }
    const std::size_t place = std::min(text.find("  <Observe "), text.find("  <Run "));
    return text.insert(place, comments);
  }

  /// Puts adaptors on links whose ends do not fit each other.
  void Adapt(const Ask& ask) {
    for (LinkSpec& link : file_.links) {
      if (to_adapt_.contains(link.Text())) TakeAdaptor(link, ask);
    }
    for (OpenInput& open : open_) {
      for (LinkSpec& link : open.shown) {
        const Choice choice = to_adapt_.contains(link.Text()) ? ask(link) : Choice();
        if (!choice.id.empty()) link.adaptors = {{.id = choice.id, .factory = {}, .arguments = {}}};
        open.lines.push_back(ElementOf(link));
      }
      if (open.shown.size() == 1 && open.more == 0) open.only = open.shown[0];
      if (open.more > 0) open.lines.push_back(fmt::format("{}: {} more fit", open.item, open.more));
    }
  }

  /// Repairs or removes the links and observers that errors point to.
  /// \param problems  of the composition
  /// \param read  the composition as read from the text
  /// \param ask  finds an adaptor
  /// \returns whether anything changed
  bool Mend(const Problems& problems, const CompositionFile& read, const Ask& ask) {
    bool found = false;
    for (const Problem& problem : problems) {
      if (problem.severity != Problem::Error) continue;
      const auto at_line = [&](const auto& spec) { return spec.line == problem.where.line; };
      if (const auto refused = std::ranges::find_if(read.links, at_line); refused != read.links.end()) {
        const auto link =
            std::ranges::find_if(file_.links, [&](const LinkSpec& one) { return one.Text() == refused->Text(); });
        if (link == file_.links.end()) continue;
        found = true;
        if (to_adapt_.insert(link->Text()).second && TakeAdaptor(*link, ask)) continue;
        open_.push_back({.item = link->to.Text(), .lines = {ElementOf(*link) + "  " + problem.problem}});
        std::erase_if(chosen_, [&](const std::string& line) { return line.starts_with(link->Text() + ":"); });
        file_.links.erase(link);
      }
      if (const auto observe = std::ranges::find_if(read.observes, at_line); observe != read.observes.end()) {
        const std::string item = observe->item.Text();
        found =
            std::erase_if(file_.observes, [&](const ObserveSpec& one) { return one.item.Text() == item; }) > 0 || found;
        refused_.push_back(fmt::format("<Observe Item=\"{}\"/>  {}", EscapeXml(item), problem.problem));
      }
    }
    return found;
  }

  /// Links the inputs that errors point to, if exactly one output fits.
  /// \returns whether anything changed
  bool LinkNeeded(const Problems& problems) {
    MarkNeeded(problems);
    return std::erase_if(open_, [this](const OpenInput& open) {
             if (!open.is_needed || !open.only) return false;
             file_.links.push_back(*open.only);
             std::string line = open.only->Text() + ": linked because the input needs a link and nothing else fits";
             if (!open.only->adaptors.empty()) line += "; adaptor " + open.only->adaptors[0].id;
             chosen_.push_back(std::move(line));
             return true;
           }) > 0;
  }

  /// Marks the inputs that errors point to as those that need a link.
  /// \returns whether there are any
  bool MarkNeeded(const Problems& problems) {
    bool found = false;
    for (const Problem& problem : problems) {
      if (problem.severity != Problem::Error) continue;
      const std::string text = FormatProblem(problem);
      for (OpenInput& open : open_) {
        const bool is_named = text.find(open.item + ":") != std::string::npos;
        const bool is_it = is_named || problem.where.component + "." + problem.where.item == open.item;
        open.is_needed = open.is_needed || is_it;
        found = found || is_it;
      }
    }
    return found;
  }

 private:
  struct OpenInput {
    std::string item;
    std::vector<LinkSpec> shown = {};
    std::size_t more = 0;
    std::optional<LinkSpec> only = {};  // the only output to use
    std::vector<std::string> lines = {};
    bool is_needed = false;
  };

  /// \returns whether the link now has an adaptor
  bool TakeAdaptor(LinkSpec& link, const Ask& ask) {
    const Choice choice = ask(link);
    if (choice.id.empty()) return false;
    link.adaptors = {{.id = choice.id, .factory = {}, .arguments = {}}};
    std::string line = link.Text() + ": " + choice.id;
    if (!choice.others.empty()) line += fmt::format(" (others that fit: {})", fmt::join(choice.others, ", "));
    chosen_.push_back(std::move(line));
    return true;
  }

  /// \throws ArgumentError  an end of a link is no such item, or an input has two links; names each such link
  static void ExpectEnds(const std::vector<PartLink>& links, const std::vector<PartItem>& outputs,
                         const std::vector<PartItem>& inputs) {
    const auto names_of = [](const std::vector<PartItem>& items) {
      std::set<std::string> names;
      for (const PartItem& item : items) names.insert(item.Text());
      return names;
    };
    const std::set<std::string> givers = names_of(outputs);
    const std::set<std::string> takers = names_of(inputs);
    std::set<std::string> linked;
    std::vector<std::string> wrong;
    for (const PartLink& link : links) {
      const bool is_first = linked.insert(link.to).second;
      if (givers.contains(link.from) && takers.contains(link.to) && is_first) continue;
      const std::string why = !givers.contains(link.from) ? link.from + " is no output of its component"
                              : !takers.contains(link.to) ? link.to + " is no input of its component"
                                                          : link.to + " has another link";
      wrong.push_back(fmt::format("{} -> {} ({})", link.from, link.to, why));
    }
    if (wrong.empty()) return;
    throw ArgumentError({.item = "--connect"},
                        fmt::format("expected links that can all be made, found {} of {} that cannot: {}", wrong.size(),
                                    links.size(), fmt::join(wrong, "; ")),
                        "link other variables one by one in the composition; openmi describe lists the items");
  }

  /// Links an input as the user asks for.
  /// \returns false if the user does not
  bool Connect(const PartItem& input, const std::vector<PartItem>& outputs, const std::vector<PartLink>& links) {
    const auto asked = std::ranges::find(links, input.Text(), &PartLink::to);
    if (asked == links.end()) return false;
    const auto output = std::ranges::find(outputs, asked->from, &PartItem::Text);
    LinkSpec link = LinkOf(*output, input);
    if (asked->is_negated) {
      link.adaptors.push_back({.id = "linear-operation", .factory = {}, .arguments = {{"a", "-1"}}});
    } else if (NeedsAdaptor(*output, input)) {
      to_adapt_.insert(link.Text());
    }
    file_.links.push_back(std::move(link));
    return true;
  }

  void Feed(const PartItem& input, const std::vector<PartItem>& outputs) {
    std::vector<const PartItem*> fitting;
    std::vector<const PartItem*> same;     // with the same name
    std::vector<const PartItem*> adapted;  // with the same name and other elements
    for (const PartItem& output : outputs) {
      if (!IsAlike(output, input)) continue;
      const bool fits = Fits(output, input);
      if (fits) fitting.push_back(&output);
      if (output.id == input.id) (fits ? same : adapted).push_back(&output);
    }
    if (same.empty()) same = std::move(adapted);
    const bool is_same_message = fitting.size() == 1 && !fitting[0]->message.empty() && !input.message.empty();
    if (same.empty() && is_same_message) same = fitting;  // its messages do not differ, or it would not fit
    const auto link_of = [&](const PartItem& output) {
      LinkSpec link = LinkOf(output, input);
      if (NeedsAdaptor(output, input)) to_adapt_.insert(link.Text());
      return link;
    };
    if (same.size() == 1) {
      file_.links.push_back(link_of(*same[0]));
      return;
    }
    const std::vector<const PartItem*>& shown = same.empty() ? fitting : same;
    OpenInput open{.item = input.Text()};
    if (shown.empty()) open.lines.push_back(fmt::format("{}: none fits", input.Text()));
    for (std::size_t i = 0; i < std::min(shown.size(), kMostSuggested); ++i) open.shown.push_back(link_of(*shown[i]));
    open.more = shown.size() - open.shown.size();
    open_.push_back(std::move(open));
  }

  CompositionFile file_;
  std::vector<OpenInput> open_;
  std::set<std::string> to_adapt_;  // links whose ends do not fit each other
  std::vector<std::string> chosen_;
  std::vector<std::string> refused_;
};

Choice Chosen(const std::string& path, const LinkSpec& link, const PartsOptions& options) {
  const ChildAnswer answer =
      AskThisProgram({"adaptors", path, link.from.Text(), link.to.Text()}, ParseNumber(options.timeout, "--timeout"));
  Choice choice;
  if (!answer.IsThere() || !answer.value.value("answer", Json()).is_object()) return choice;
  for (const Json& offer : answer.value.at("answer").value("adaptors", Json::array())) {
    if (!offer.value("fits", false)) continue;
    (choice.id.empty() ? choice.id : choice.others.emplace_back()) = offer.value("id", "");
  }
  return choice;
}

Problems Checked(const std::string& path, const std::string& timeout) {
  const ChildAnswer answer = AskThisProgram({"check", path}, ParseNumber(timeout, "--timeout"));
  if (answer.IsThere()) return ProblemsFromJson(answer.value);
  return {DeathOf(answer, {.file = path})};
}

}  // namespace

void AddPartsOptions(CLI::App& app, NewPlace& place, PartsOptions& options, const std::string& from,
                     const std::string& to) {
  place.AddTo(app, "the current folder");
  AddShown(app, "--name", options.name, "NAME", "Id of the composition and name of its file");
  AddValue(app, "--from", options.from, "TIME", "Start of the run (default: " + from + ")");
  AddValue(app, "--to", options.to, "TIME", "End of the run (default: " + to + ")");
  AddTimeout(app, options.timeout);
}

Json DescribePart(const std::string& omi_path, const std::string& timeout, Problems& problems) {
  const ChildAnswer answer = AskThisProgram({"describe", omi_path}, ParseNumber(timeout, "--timeout"));
  if (!answer.IsThere()) {
    problems.push_back(DeathOf(answer, {.file = omi_path}));
    return {};
  }
  const Problems found = ProblemsFromJson(answer.value.at("problems"));
  problems.insert(problems.end(), found.begin(), found.end());
  return answer.value.value("description", Json());
}

std::string CompositionPath(const NewPlace& place, const PartsOptions& options) {
  return (fs::path(place.folder.empty() ? "." : place.folder) / (options.name + ".xml")).lexically_normal().string();
}

Problems WriteComposition(const std::string& path, const std::vector<Part>& parts, const PartsOptions& options) {
  Wiring wiring(parts, options);
  WriteOutput(path, wiring.Text(), {.says_so = false});
  std::size_t asked = 0;
  const Ask ask = [&](const LinkSpec& link) { return asked++ < kMostAsked ? Chosen(path, link, options) : Choice(); };
  wiring.Adapt(ask);
  WriteOutput(path, wiring.Text(), {.says_so = false});
  Problems problems = Checked(path, options.timeout);
  Problems ignored;
  // A link may be repaired, and removed if that did not help. A removed link may leave another one wrong.
  for (int time = 0; time < 4 && HasErrors(problems); ++time) {
    const bool is_mended = wiring.Mend(problems, ReadCompositionFile(path, ignored), ask);
    if (!wiring.LinkNeeded(problems) && !is_mended) break;
    WriteOutput(path, wiring.Text(), {.says_so = false});
    problems = Checked(path, options.timeout);
  }
  if (wiring.MarkNeeded(problems)) {
    WriteOutput(path, wiring.Text(), {.says_so = false});
    problems = Checked(path, options.timeout);  // with line numbers of the present text
  }
  return problems;
}

}  // namespace openmi::tools
