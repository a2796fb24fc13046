#include "composition/import/ngen/GroupLinks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "composition/import/ngen/UnitPassing.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::ngen {
namespace {

template <class Map>
std::vector<std::string> KeysOf(const Map& map) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

}  // namespace

void GroupLinks::AddModule(std::string id, ModuleItems items) {
  members_.push_back(
      {.id = std::move(id), .items = std::move(items), .inputs = {}, .outputs = {}, .instants = {}, .unset = {}});
}

void GroupLinks::SetForcing(std::string id, const ForcingSource& source) {
  forcing_ = std::move(id);
  for (const auto& [name, variable] : source.variables) {
    available_[name] = {.module = -1, .item = {.id = variable.column, .unit = variable.unit, .count = 1}};
  }
}

std::string GroupLinks::PlaceOf(std::size_t module, const std::string& item) const {
  return members_[module].id + "." + item;
}

void GroupLinks::Connect(const std::string& file, Problems& problems) {
  file_ = file;
  problems_ = &problems;
  std::vector<Wanted> later;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const Module& module = formulation_.modules[m];
    for (const ModuleItem& input : members_[m].items.inputs) {
      Wanted wanted{m, input, module.AliasOf(input.id)};
      const auto found = available_.find(wanted.alias);
      if (found == available_.end()) {
        later.push_back(std::move(wanted));
      } else {
        LinkFrom(found->second, wanted, false);
      }
    }
    for (const ModuleItem& output : members_[m].items.outputs) {
      const std::string& alias = module.AliasOf(output.id);
      const bool is_new = available_.emplace(alias, Provider{static_cast<int>(m), output}).second;
      if (is_new || formulation_.modules.size() == 1) continue;
      AddError(
          problems, {.file = file_, .item = PlaceOf(m, output.id)},
          fmt::format("expected a name that no module before has, found {}, which ngen refuses too", Quoted(alias)),
          "give it another name in variables_names_map");
    }
  }
  for (const Wanted& wanted : later) LookBack(wanted);
  if (formulation_.outputs.empty()) {
    for (const ModuleItem& output : members_.back().items.outputs) {
      Observe(formulation_.modules.back().AliasOf(output.id));
    }
  } else {
    for (const std::string& name : formulation_.outputs) Observe(name);
  }
}

std::string GroupLinks::UnknownAlias(std::size_t module) const {
  const ModuleItems& items = members_[module].items;
  for (const auto& [name, alias] : formulation_.modules[module].aliases) {
    const auto is_it = [&own = name](const ModuleItem& item) { return item.id == own; };
    if (std::ranges::any_of(items.inputs, is_it) || std::ranges::any_of(items.outputs, is_it)) continue;
    return fmt::format("; variables_names_map has {}, which is no variable of the module", Quoted(name));
  }
  return {};
}

void GroupLinks::LookBack(const Wanted& wanted) {
  const Where where{.file = file_, .item = PlaceOf(wanted.module, wanted.item.id)};
  const auto found = available_.find(wanted.alias);
  if (found == available_.end()) {
    AddError(*problems_, where,
             fmt::format("expected {} in the forcing or in the outputs of modules, found none", Quoted(wanted.alias)),
             Suggest(wanted.alias, KeysOf(available_)) + UnknownAlias(wanted.module));
    return;
  }
  if (found->second.module == static_cast<int>(wanted.module)) {
    AddError(*problems_, where,
             fmt::format("expected another module that gives {}, found its own output", Quoted(wanted.alias)),
             "give the output another name in variables_names_map");
    return;
  }
  LinkFrom(found->second, wanted, true);
  const std::string& id = members_[static_cast<std::size_t>(found->second.module)].id;
  if (std::ranges::find(first_asked_, id) == first_asked_.end()) first_asked_.push_back(id);
  AddNote(*problems_, where,
          fmt::format("gets {} of the step before, from a module that runs after it", Quoted(wanted.alias)),
          "Trigger of Run lists that module first; keep it there");
}

void GroupLinks::LinkFrom(const Provider& provider, const Wanted& wanted, bool is_look_back) {
  Member& to = members_[wanted.module];
  LinkSpec link;
  link.to = {to.id, wanted.item.id};
  const Where where{.file = file_, .item = PlaceOf(wanted.module, wanted.item.id)};
  if (provider.item.count != wanted.item.count) {
    AddError(
        *problems_, where,
        fmt::format("expected {} values, found {} in {}", wanted.item.count, provider.item.count, Quoted(wanted.alias)),
        "ngen repeats a single value; write a module that gives as many");
    return;
  }
  to.inputs.insert(wanted.item.id);
  if (provider.module < 0) {
    link.from = {forcing_, provider.item.id};
    used_columns_.emplace(forcing_, provider.item.id);
    link.adaptors.push_back({.id = "by-id", .factory = {}, .arguments = {}, .line = 0});
    const auto is_wind = [](const std::string& name) { return name.starts_with("land_surface_wind__"); };
    if (std::ranges::any_of(NamesOf(provider.item.id), is_wind)) link.balance = false;  // a speed, not a depth of water
  } else {
    Member& from = members_[static_cast<std::size_t>(provider.module)];
    link.from = {from.id, provider.item.id};
    from.outputs.insert(provider.item.id);
    if (is_look_back) {
      // A loop of links needs a value before the first step: that of ngen, else what the model shows then.
      from.instants.insert(provider.item.id);
      const auto value = formulation_.defaults.find(wanted.alias);
      if (value != formulation_.defaults.end()) {
        from.unset.insert(provider.item.id);
        link.adaptors.push_back({.id = "fill-missing",
                                 .factory = {},
                                 .arguments = {{.key = "value", .value = fmt::format("{}", value->second), .line = 0}},
                                 .line = 0});
      }
    }
  }
  const Passing passing = PassingOf(provider.item.unit, wanted.item.unit);
  if (passing != Passing::Kept) {
    link.adaptors.push_back(AdaptorFor(passing, provider.item.unit, wanted.item.unit));
    const std::string units = fmt::format("{} in {} becomes {} in {}", Quoted(wanted.alias), Quoted(provider.item.unit),
                                          Quoted(wanted.item.id), Quoted(wanted.item.unit));
    if (passing == Passing::Plain) {
      AddNote(*problems_, where, "passed unconverted, as in ngen, because the input has no unit: " + units);
    } else if (passing == Passing::Failed) {
      AddWarning(*problems_, where, "passed unconverted, because ngen cannot convert it: " + units,
                 "see whether this is meant: the adaptor 'expression' on the link passes the number as it is");
    } else {
      AddWarning(*problems_, where, "passed as its reciprocal, as in ngen: " + units, "see whether this is meant");
    }
  }
  links_.push_back(std::move(link));
}

const GroupLinks::Provider* GroupLinks::Find(const std::string& name) const {
  auto found = available_.find(name);
  // The last module of which it is a variable that has another name in ngen.
  for (std::size_t m = members_.size(); m-- > 0 && found == available_.end();) {
    found = available_.find(formulation_.modules[m].AliasOf(name));
  }
  return found == available_.end() ? nullptr : &found->second;
}

void GroupLinks::Observe(const std::string& name) {
  const Provider* found = Find(name);
  if (found == nullptr) {
    AddError(*problems_, {.file = file_, .item = formulation_.place + ".output_variables"},
             fmt::format("expected an output of a module, found {}", Quoted(name)), Suggest(name, KeysOf(available_)));
    return;
  }
  const Provider& provider = *found;
  if (provider.module < 0) {
    used_columns_.emplace(forcing_, provider.item.id);
    observed_.push_back({forcing_, provider.item.id});
    return;
  }
  Member& member = members_[static_cast<std::size_t>(provider.module)];
  member.outputs.insert(provider.item.id);
  observed_.push_back({member.id, provider.item.id});
}

void GroupLinks::AddArguments(std::size_t module, std::vector<ArgumentSpec>& arguments) const {
  const Member& member = members_[module];
  std::set<std::string> outputs = member.outputs;
  if (const Provider* runoff = Find(formulation_.main_output)) {
    if (runoff->module == static_cast<int>(module)) outputs.insert(runoff->item.id);
  }
  std::set<std::string> spans;
  for (const std::string& output : outputs) {
    if (!member.instants.contains(output)) spans.insert(output);
  }
  for (const std::string& input : member.inputs) {
    const auto link = std::ranges::find_if(
        links_, [&](const LinkSpec& one) { return one.to.component == member.id && one.to.item == input; });
    const auto from = std::ranges::find(members_, link->from.component, &Member::id);
    if (from == members_.end() || !from->instants.contains(link->from.item)) spans.insert(input);
  }
  const auto list = [](const std::set<std::string>& names) {
    return names.empty() ? std::string("none") : fmt::format("{}", fmt::join(names, ";"));
  };
  arguments.push_back({.key = "inputs", .value = list(member.inputs), .line = 0});
  arguments.push_back({.key = "outputs", .value = list(outputs), .line = 0});
  if (!spans.empty()) arguments.push_back({.key = "spans", .value = list(spans), .line = 0});
  if (!member.instants.empty()) arguments.push_back({.key = "unset-at-start", .value = list(member.unset), .line = 0});
}

std::optional<CatchmentFlow> GroupLinks::Flow(const std::string& file, Problems& problems) const {
  const Where where{.file = file, .item = formulation_.place + ".main_output_variable"};
  const std::string& name = formulation_.main_output;
  const Provider* found = Find(name);
  if (found == nullptr || found->module < 0) {
    AddError(problems, where, fmt::format("expected an output of a module, found {}", Quoted(name)),
             Suggest(name, KeysOf(available_)));
    return std::nullopt;
  }
  const Member& member = members_[static_cast<std::size_t>(found->module)];
  const ModuleItem& item = found->item;
  if (member.instants.contains(item.id) || item.count != 1) {
    AddError(
        problems, where,
        fmt::format("expected one runoff of each step, found {}, {}", Quoted(name),
                    item.count != 1 ? "which has several values" : "which another module has from the step before"),
        "write the link to 'catchments' yourself");
    return std::nullopt;
  }
  CatchmentFlow flow{.from = {member.id, item.id}, .adaptors = {}, .table = {}};
  const Passing passing = PassingOf(item.unit, "m");
  if (passing == Passing::Failed || passing == Passing::Inverted) {
    AddWarning(
        problems, where,
        fmt::format("taken as a depth in m of each step, as in ngen, although its unit is {}", Quoted(item.unit)),
        "see whether this is meant: flows in nexuses and rivers are computed from it");
    flow.adaptors.push_back(AdaptorFor(Passing::Failed, item.unit, "m"));
  } else if (item.unit != "m") {
    flow.adaptors.push_back(
        {.id = "unit-conversion", .factory = {}, .arguments = {{.key = "unit", .value = "m", .line = 0}}, .line = 0});
  }
  return flow;
}

}  // namespace openmi::ngen
