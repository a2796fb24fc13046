#include "tools/new/WireParts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"
#include "tools/ChildAnswer.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"

namespace openmi::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostSuggested = 3;   // outputs for one input
constexpr std::size_t kMostObserved = 100;  // items of one component

/// An item of a part, as far as linking looks at it.
struct PartItem {
  std::string component;
  std::string id;
  std::string kind;       // quantity or quality
  std::string dimension;  // or the categories
  std::size_t elements = 1;
  bool has_durations = false;
  std::optional<double> step;  // of its component, days
  std::string Text() const { return component + "." + id; }
};

bool Fits(const PartItem& output, const PartItem& input) {
  return output.component != input.component && output.kind == input.kind && output.dimension == input.dimension &&
         output.elements == input.elements;
}

std::optional<double> StepOf(const Json& described) {
  for (const Json& argument : described.at("arguments")) {
    if (argument.at("id") != "time-step" || !argument.at("value").is_string()) continue;
    try {
      return ParseIsoDuration(argument.at("value").get<std::string>());
    } catch (const FormatError&) {  // a unit of its own: links are left as they are
    }
  }
  return std::nullopt;
}

std::vector<PartItem> ItemsOf(const std::vector<Part>& parts, const char* list) {
  std::vector<PartItem> items;
  for (const Part& part : parts) {
    const std::optional<double> step = StepOf(part.described);
    for (const Json& item : part.described.at(list)) {
      PartItem one{
          .component = part.id, .id = item.at("id").get<std::string>(), .kind = {}, .dimension = {}, .step = step};
      const Json values = item.value("values", Json::object());
      one.kind = values.value("kind", "");
      one.dimension = one.kind == "quantity" ? values.at("unit").value("dimension", "")
                                             : values.value("type", "") + values.value("categories", Json()).dump();
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
  if (output.step && input.step && *output.step > 0.0 && !output.has_durations) {
    const double ratio = *input.step / *output.step;
    if (std::abs(ratio - std::round(ratio)) > 1e-9 || ratio < 0.5)
      link.adaptors.push_back({.id = "linear", .factory = {}, .arguments = {}});
  }
  return link;
}

std::string ElementOf(const LinkSpec& link) {
  const std::string ends =
      fmt::format("<Link From=\"{}\" To=\"{}\"", EscapeXml(link.from.Text()), EscapeXml(link.to.Text()));
  if (link.adaptors.empty()) return ends + "/>";
  return ends + fmt::format("><Adaptor Id=\"{}\"/></Link>", link.adaptors[0].id);
}

/// The components from which a way along the links leads back to themselves, if all of them are one loop.
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

/// What is linked and observed at first, and what might be.
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
    file_.run->from_mjd = ParseIsoTime(options.from, 0.0);
    file_.run->to_mjd = ParseIsoTime(options.to, 0.0);
    const std::vector<PartItem> outputs = ItemsOf(parts, "outputs");
    for (const PartItem& input : ItemsOf(parts, "inputs")) Feed(input, outputs);
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
    if (!suggestions_.empty()) {
      comments +=
          "  <!-- Inputs that nothing is linked to, with outputs that would fit; without a link each keeps its "
          "start value.\n";
      for (const std::string& line : suggestions_) comments += "  " + InComment(line) + "\n";
      comments += "  -->\n";
    }
    if (const std::vector<std::string> loop = LoopOf(file_); !loop.empty()) {
      comments += fmt::format(
          "  <!-- The links run in a circle; one member lags by a step unless each step is iterated:\n"
          "  {}\n  -->\n",
          InComment(fmt::format("<Iterate Components=\"{}\"/>", EscapeXml(fmt::format("{}", fmt::join(loop, " "))))));
    }
    if (!refused_.empty()) {
      comments += "  <!-- What openmi check had something against:\n";
      for (const std::string& line : refused_) comments += "  " + InComment(line) + "\n";
      comments += "  -->\n";
    }
    const std::size_t place = std::min(text.find("  <Observe "), text.find("  <Run "));
    return text.insert(place, comments);
  }

  /// Takes out what errors point to. \param read  the composition as it was read from the text
  /// \returns whether there was anything
  bool Drop(const Problems& problems, const CompositionFile& read) {
    bool found = false;
    for (const Problem& problem : problems) {
      if (problem.severity != Problem::Error) continue;
      const auto at_line = [&](const auto& spec) { return spec.line == problem.where.line; };
      if (const auto link = std::ranges::find_if(read.links, at_line); link != read.links.end()) {
        found =
            std::erase_if(file_.links, [&](const LinkSpec& one) { return one.Text() == link->Text(); }) > 0 || found;
        refused_.push_back(ElementOf(*link) + "  " + problem.problem);
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

 private:
  void Feed(const PartItem& input, const std::vector<PartItem>& outputs) {
    std::vector<const PartItem*> fitting;
    std::vector<const PartItem*> same;  // in name, too
    for (const PartItem& output : outputs) {
      if (!Fits(output, input)) continue;
      fitting.push_back(&output);
      if (output.id == input.id) same.push_back(&output);
    }
    if (same.size() == 1) {
      file_.links.push_back(LinkOf(*same[0], input));
      return;
    }
    const std::vector<const PartItem*>& shown = same.empty() ? fitting : same;
    if (shown.empty()) suggestions_.push_back(fmt::format("{}: none fits", input.Text()));
    for (std::size_t i = 0; i < std::min(shown.size(), kMostSuggested); ++i) {
      suggestions_.push_back(ElementOf(LinkOf(*shown[i], input)));
    }
    if (shown.size() > kMostSuggested) {
      suggestions_.push_back(fmt::format("{}: {} more fit", input.Text(), shown.size() - kMostSuggested));
    }
  }

  CompositionFile file_;
  std::vector<std::string> suggestions_;
  std::vector<std::string> refused_;
};

Problems Checked(const std::string& path, const std::string& timeout) {
  const ChildAnswer answer = AskChild({"check", path}, ParseNumber(timeout, "--timeout"));
  if (answer.IsThere()) return ProblemsFromJson(answer.value);
  return {DeathOf(answer, {.file = path})};
}

}  // namespace

void AddPartsOptions(CLI::App& app, NewPlace& place, PartsOptions& options, const std::string& from,
                     const std::string& to) {
  place.AddTo(app, "this one");
  app.add_option("--name", options.name, "Id of the composition, and name of its file")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--from", options.from, "Begin of the run (default: " + from + ")")->type_name("TIME");
  app.add_option("--to", options.to, "End of the run (default: " + to + ")")->type_name("TIME");
  AddTimeout(app, options.timeout);
}

Json DescribePart(const std::string& omi_path, const std::string& timeout, Problems& problems) {
  const ChildAnswer answer = AskChild({"describe", omi_path}, ParseNumber(timeout, "--timeout"));
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
  WriteOutput(path, wiring.Text(), false);
  Problems problems = Checked(path, options.timeout);
  Problems ignored;
  // Once is enough but where a link that is gone leaves another one wrong.
  for (int time = 0; time < 3 && HasErrors(problems); ++time) {
    if (!wiring.Drop(problems, ReadCompositionFile(path, ignored))) break;
    WriteOutput(path, wiring.Text(), false);
    problems = Checked(path, options.timeout);
  }
  return problems;
}

}  // namespace openmi::tools
