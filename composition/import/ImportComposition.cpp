#include "composition/import/ImportComposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "composition/import/OldOperation.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

namespace {

/// The kind of a component that does not run here; null: it may run here.
const char* ForeignKind(const OmiFile& file) {
  const std::string assembly = Lower(file.assembly);
  if (!file.java_archive.empty() || assembly.ends_with(".jar")) return "a Java class";
  if (assembly.ends_with(".dll") || assembly.ends_with(".exe")) return "a class in a Windows or .NET library";
  const std::string name = std::filesystem::path(assembly).filename().string();
  // "DHI.OpenMI.Mike11, Version=1.0.0.0, Culture=neutral"
  if (name.find('.') != std::string::npos && name.find(".so") == std::string::npos) return "a .NET class";
  return nullptr;
}

class Importer {
 public:
  Importer(const OldComposition& old, const ImportOptions& options, Problems& problems)
      : old_(old), options_(options), problems_(problems), is_version_1_(old.kind == OldComposition::Kind::Version1) {
    file_.id = options.id;
  }

  CompositionFile Import() {
    for (const OldModel& model : old_.models) AddModel(model);
    RefuseUnusedReplacements();
    if (old_.models.empty()) {
      AddError(problems_, Place(0), "expected at least one model, found none", "a composition needs a component");
      return std::move(file_);
    }
    for (const OldLink& link : old_.links) AddLink(link);
    AddRun();
    if (is_version_1_ && !file_.links.empty()) {
      AddNote(problems_, Place(0),
              "each link has the adaptor 'linear', because each output of OpenMI 1.4's SDK interpolates in time",
              "remove it where the steps of both ends are equal");
    }
    if (old_.kind != OldComposition::Kind::Component) {
      AddNote(problems_, Place(0), "left out: the places of the boxes in the editor, events to show, log file",
              "openmi graph draws the composition");
    }
    return std::move(file_);
  }

 private:
  Where Place(int line, std::string component = {}) const {
    return {.file = old_.path.string(), .line = line, .component = std::move(component)};
  }

  std::string NewId(const OldModel& model) {
    const std::string id = AsComponentId(model.name.empty() ? model.path.stem().string() : model.name);
    std::string unique = id;
    for (int& number = used_[id]; !ids_.insert(unique).second;) unique = fmt::format("{}-{}", id, ++number + 1);
    return unique;
  }

  void AddModel(const OldModel& model) {
    ComponentSpec component;
    component.id = NewId(model);
    if (component.id != model.name) component.caption = model.name;
    component.omi = model.path.string();
    bool stays = false;
    if (const auto replacement = Replacement(component.id, model); replacement != options_.replacements.end()) {
      component.omi = replacement->second;
      used_replacements_.insert(replacement->first);
    } else {
      stays = KeepOrWant(component, model);
    }
    if (!stays && model.file && !model.file->arguments.empty()) {
      std::string list;
      for (const OmiArgument& argument : model.file->arguments) {
        list += fmt::format("{}{}={}", list.empty() ? "" : ", ", argument.key, Quoted(argument.value));
      }
      AddNote(problems_, Place(model.line, component.id),
              "the arguments of the old component are not carried over: " + list, "set those of its replacement");
    }
    file_.components.push_back(std::move(component));
  }

  std::map<std::string, std::string>::const_iterator Replacement(const std::string& id, const OldModel& model) const {
    for (const std::string& key : {id, model.name, model.omi}) {
      const auto found = options_.replacements.find(key);
      if (!key.empty() && found != options_.replacements.end()) return found;
    }
    return options_.replacements.end();
  }

  // Keeps a component that runs here; else states what the user has to name.
  // Returns whether it is kept.
  bool KeepOrWant(ComponentSpec& component, const OldModel& model) {
    const Where where = Place(model.line, component.id);
    const std::string remedy = fmt::format(
        "write the OMI file of a component that runs here in Omi, or import again with --replace '{}=FILE.omi'",
        component.id);
    if (component.omi.empty()) component.omi = (old_.path.parent_path() / (component.id + ".omi")).string();
    if (model.omi.empty()) {
      AddError(
          problems_, where,
          fmt::format("expected the OMI file of the model {} that links name, found none that certainly is its own",
                      Quoted(model.name)),
          remedy);
    } else if (!model.file) {
      AddError(problems_, where,
               fmt::format("expected the OMI file {}, found none that can be read", Quoted(model.omi)), remedy);
    } else if (const char* kind = ForeignKind(*model.file); kind != nullptr && !RunsInDotnet(*model.file)) {
      const bool may_run = !is_version_1_ && model.file->java_archive.empty();
      AddError(
          problems_, where,
          fmt::format("expected a component for this system, found {}: {} in {}", kind, Quoted(model.file->type),
                      Quoted(model.file->assembly.empty() ? model.file->java_archive : model.file->assembly)),
          may_run ? "if it is an assembly of .NET, put it there, and those that it refers to; or " + remedy : remedy);
    } else {
      return true;
    }
    return false;
  }

  /// Whether a component is of OpenMI 2.0 in an assembly of .NET, which is there.
  bool RunsInDotnet(const OmiFile& file) const {
    return !is_version_1_ && DotnetAssembly::IsNamedBy(file.assembly, file.path.string());
  }

  void RefuseUnusedReplacements() const {
    std::vector<std::string> ids(ids_.begin(), ids_.end());
    for (const auto& [key, omi] : options_.replacements) {
      if (used_replacements_.contains(key)) continue;
      throw ArgumentError(Place(0), fmt::format("expected the id of a component to replace, found {}", Quoted(key)),
                          Suggest(key, ids));
    }
  }

  /// The item of an end. In 1.4 an item is a quantity on an element set; where links use the quantity of a model on
  /// several, the element set is part of the id.
  ItemSpec Item(const OldEnd& end, bool is_output) {
    ItemSpec item{file_.components[*end.model].id, std::string(Trimmed(end.item))};
    std::set<std::string> sets;
    for (const OldLink& link : old_.links) {
      const OldEnd& other = is_output ? link.from : link.to;
      if (other.model == end.model && other.item == end.item) sets.insert(other.element_set);
    }
    if (is_output) {
      for (const OldEnd& other : old_.triggered) {
        if (other.model == end.model && other.item == end.item) sets.insert(other.element_set);
      }
    }
    if (sets.size() > 1) item.item = std::string(Trimmed(end.element_set + "." + item.item));
    return item;
  }

  void AddLink(const OldLink& old) {
    LinkSpec link;
    link.from = Item(old.from, true);
    link.to = Item(old.to, false);
    const Where where{.file = old_.path.string(), .line = old.line, .component = {}, .item = link.Text()};
    if (link.from.item.empty() || link.to.item.empty() || link.from.Text() == link.to.Text()) {
      AddError(problems_, where, "expected an output and an input of another name, found no link that can be written",
               "write the link yourself");
      return;
    }
    if (!links_.insert(link.Text()).second) {
      AddWarning(problems_, where, "left out: a second link between the same items");
      return;
    }
    if (!inputs_.insert(link.to.Text()).second) {
      AddError(problems_, where, fmt::format("expected one link to each input, found another to {}", link.to.Text()),
               "put openmi.Gather or openmi.Expression between the outputs and the input");
    }
    for (const AdaptorSpec& operation : old.operations) {
      Where place = where;
      place.line = operation.line;
      AddOldOperation(operation, place, link, problems_);
    }
    if (is_version_1_) CompleteVersion1(link);
    if (!old.from.element_set.empty() || !old.to.element_set.empty()) {
      AddNote(problems_, where,
              fmt::format("its items are named after the quantities; the element sets were {} and {}",
                          Quoted(old.from.element_set), Quoted(old.to.element_set)),
              "write the ids of the items of the replacements");
    }
    file_.links.push_back(std::move(link));
  }

  void AddRun() {
    RunSpec run;
    std::set<std::string> observed;
    const auto ask = [&](const std::string& id) {
      if (std::ranges::find(run.trigger, id) == run.trigger.end()) run.trigger.push_back(id);
    };
    for (const OldEnd& end : old_.triggered) {
      const ItemSpec item = Item(end, true);
      if (item.item.empty()) continue;
      ask(item.component);
      if (!observed.insert(item.Text()).second) continue;
      ObserveSpec observe;
      observe.item = item;
      file_.observes.push_back(std::move(observe));
      AddNote(problems_, Place(0), fmt::format("the trigger asked for {}, which is observed now", item.Text()));
    }
    for (std::size_t i = 0; i < old_.models.size(); ++i) {
      if (old_.models[i].is_trigger) ask(file_.components[i].id);
    }
    for (const std::string& id : Listeners(run.trigger)) {
      ask(id);
      AddNote(problems_, Place(0, id), "it took values by the events of OpenMI 1.4; now the run asks it too");
    }
    run.from = options_.from ? options_.from : StatedTime({"simulationstart", "startdatetime"}, true);
    run.to = options_.to ? options_.to : AskedTime();
    if (!run.to) run.to = StatedTime({"simulationend", "enddatetime"}, false);
    if (!run.from || !run.to) {
      const std::string known = run.from ? ", but its start, " + FormatIsoTime(*run.from)
                                : run.to ? ", but its end, " + FormatIsoTime(*run.to)
                                         : "";
      AddError(problems_, Place(0),
               fmt::format("expected the {} of the run, found none{}; no Run is written",
                           run.from ? "end"
                           : run.to ? "start"
                                    : "start and end",
                           known),
               run.from ? "add --to"
               : run.to ? "add --from"
                        : "add --from and --to");
    } else if (*run.to <= *run.from) {
      AddError(problems_, Place(old_.asked_time_line),
               fmt::format("expected an end of the run after its start {}, found {}; no Run is written",
                           FormatIsoTime(*run.from), FormatIsoTime(*run.to)),
               "add --from and --to");
    } else {
      file_.run = std::move(run);
      return;
    }
    if (!run.trigger.empty()) {
      AddNote(problems_, Place(0),
              fmt::format("the run asked {}: Trigger=\"{}\" of Run", fmt::join(run.trigger, ", "),
                          fmt::join(run.trigger, " ")));
    }
  }

  /// The components of 1.4 at the end of links from which the trigger gets nothing, not even through others.
  std::vector<std::string> Listeners(const std::vector<std::string>& triggered) const {
    std::vector<std::string> listeners;
    if (triggered.empty() || !is_version_1_) return listeners;
    std::set<std::string_view> asked(triggered.begin(), triggered.end());
    for (std::size_t before = 0; before != asked.size();) {
      before = asked.size();
      for (const LinkSpec& link : file_.links) {
        if (asked.contains(link.to.component)) asked.insert(link.from.component);
      }
    }
    for (const LinkSpec& link : file_.links) {
      const std::string& id = link.to.component;
      const bool gives =
          std::ranges::any_of(file_.links, [&](const LinkSpec& one) { return one.from.component == id; });
      if (!gives && asked.insert(id).second) listeners.push_back(id);
    }
    return listeners;
  }

  std::optional<Stamp> AskedTime() {
    if (old_.asked_time.empty()) return std::nullopt;
    const std::optional<Stamp> time = ParseEditorTime(old_.asked_time);
    if (!time) {
      AddError(problems_, Place(old_.asked_time_line),
               fmt::format("expected a time as month/day/year hour:minute:second, found {}", Quoted(old_.asked_time)),
               "state the end of the run with --to");
      return std::nullopt;
    }
    AddNote(problems_, Place(old_.asked_time_line),
            fmt::format("the run ends at {}, the time {} for which the trigger asks, read as month/day/year in UTC",
                        FormatIsoTime(*time), Quoted(old_.asked_time)));
    return time;
  }

  // The latest start or the earliest end that the OMI files state.
  std::optional<Stamp> StatedTime(const std::vector<std::string_view>& keys, bool is_start) {
    std::optional<Stamp> best;
    std::string source;
    for (const OldModel& model : old_.models) {
      if (!model.file) continue;
      for (const OmiArgument& argument : model.file->arguments) {
        if (std::ranges::find(keys, Lower(argument.key)) == keys.end()) continue;
        const std::optional<Stamp> time = ParseArgumentTime(argument.value);
        if (!time || (best && (is_start ? *time <= *best : *time >= *best))) continue;
        best = time;
        source = fmt::format("{} of {}", Quoted(argument.key), Quoted(model.omi));
      }
    }
    if (best) {
      AddNote(
          problems_, Place(0),
          fmt::format("the run {} at {}, the argument {}", is_start ? "starts" : "ends", FormatIsoTime(*best), source));
    }
    return best;
  }

  const OldComposition& old_;
  const ImportOptions& options_;
  Problems& problems_;
  const bool is_version_1_;
  CompositionFile file_;
  std::set<std::string> ids_;
  std::map<std::string, int> used_;  // how often an id was wanted again
  std::set<std::string> used_replacements_;
  std::set<std::string> links_;
  std::set<std::string> inputs_;
};

}  // namespace

CompositionFile ImportComposition(const OldComposition& old, const ImportOptions& options, Problems& problems) {
  return Importer(old, options, problems).Import();
}

}  // namespace openmi
