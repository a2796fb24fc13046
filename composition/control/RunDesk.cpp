#include "composition/control/RunDesk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Status.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/NumberRows.hpp"

namespace openmi {
namespace {

template <class Item>
Item* Named(std::span<Item* const> items, const std::string& id, std::vector<std::string>& names) {
  Item* found = nullptr;
  for (Item* item : items) {
    names.push_back(item->Id());
    if (item->Id() == id) found = item;
  }
  return found;
}

std::string UnitCaption(const IBaseExchangeItem& item) {
  const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
  return quantity != nullptr ? quantity->Unit().Caption() : std::string();
}

std::vector<double> Numbers(const IBaseValueSet& values, double missing) {
  NumberRows rows;
  const std::span<const double> last = rows.Last(values);
  std::vector<double> row(last.begin(), last.end());
  for (double& value : row) value = IsMissing(value, missing) ? kNotANumber : value;
  return row;
}

}  // namespace

ItemSpec RunDesk::Cut(const std::string& item) {
  const std::size_t dot = item.find('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == item.size()) {
    throw ArgumentError({.item = item}, fmt::format("expected \"component.item\", found '{}'", item),
                        "name the component, a dot, and the item");
  }
  return {item.substr(0, dot), item.substr(dot + 1)};
}

std::span<const Family> RunDesk::AllFamilies() const {
  if (run_.State() == RunState::Created) return {};
  return run_.TheFamilies().All();
}

Instance& RunDesk::Find(const std::string& component) const {
  if (const auto index = run_.Model().IndexOf(component)) return run_.Model().Instances()[*index];
  std::vector<std::string> ids;
  for (const Instance& instance : run_.Model().Instances()) ids.push_back(instance.Id());
  throw ArgumentError({.component = component}, fmt::format("expected a component, found '{}'", component),
                      Suggest(component, ids));
}

std::vector<DeskComponent> RunDesk::Components() const {
  std::vector<DeskComponent> all;
  for (const Instance& instance : run_.Model().Instances()) {
    DeskComponent one;
    one.id = instance.Id();
    for (const std::string& group : GroupsOf(*instance.spec)) {
      const std::string host = run_.Model().Processes().HostOf(instance.Id(), group);
      if (host.empty()) break;
      one.group += (one.group.empty() ? "" : " ") + group;
      one.host += (one.host.empty() ? "" : " ") + host;
    }
    one.status = instance.IsFrozen() ? "disengaged" : NameOf(instance.Component().Status());
    const Stamp now = instance.CurrentTime();
    if (now != kFarPast) one.now = now;
    one.steps = instance.host != nullptr ? instance.host->StepCount() : 0;
    all.push_back(std::move(one));
  }
  for (const Family& family : AllFamilies()) {
    for (std::size_t member : family.members) all[member].family = family.key;
  }
  return all;
}

void RunDesk::SetArgument(const std::string& component, const std::string& key, const std::string& value) {
  Instance& instance = Find(component);
  if (instance.IsFrozen()) return run_.SetArgument(component, key, value);
  std::vector<std::string> names;
  IArgument* argument = Named(instance.Component().Arguments(), key, names);
  if (argument == nullptr) {
    throw ArgumentError({.component = component, .item = key}, fmt::format("expected an argument, found '{}'", key),
                        Suggest(key, names));
  }
  const auto* tunable = dynamic_cast<const ITunable*>(&instance.Component());
  if (tunable == nullptr || !tunable->IsTunable(key)) {
    throw ArgumentError(
        {.component = component, .item = key},
        "expected an argument that may change while the component runs, found one that the component reads only once, "
        "when it starts",
        "disengage the family of the component, set the argument, and engage the family again");
  }
  argument->SetValueAsString(value);
  instance.Change(key, argument->ValueAsString());
  run_.ReportChange(component, key, fmt::format("set to {}", IsSecret(*argument) ? "a secret" : Quoted(value)));
}

RunDesk::Found RunDesk::FindItem(const std::string& item) const {
  const auto [component, id] = Cut(item);
  Instance& instance = Find(component);
  if (const auto proxy = instance.proxies.find(id); proxy != instance.proxies.end()) {
    return {proxy->second.get(), &proxy->second->Values(), true};
  }
  std::vector<std::string> names;
  Found found;
  if (!instance.IsFrozen()) {
    if (auto* output = Named(instance.Component().Outputs(), id, names)) {
      found = {dynamic_cast<const ITimeSpaceExchangeItem*>(output), &output->Values(), true};
    } else if (auto* input = Named(instance.Component().Inputs(), id, names)) {
      found = {dynamic_cast<const ITimeSpaceExchangeItem*>(input), input->Values(), false};
      for (Link* link : run_.Model().EveryLink()) {
        if (link->End() != nullptr && link->Spec().to.Text() == item) found.values = link->End()->Received();
      }
    }
  } else {
    for (Link* link : run_.Model().EveryLink()) {
      if (link->End() != nullptr && link->Spec().to.Text() == item) found = {&link->End()->Consumer(), nullptr, false};
    }
  }
  if (found.item == nullptr) {
    throw ArgumentError({.component = component, .item = id},
                        fmt::format("expected an item with times and places, found '{}'", item), Suggest(id, names));
  }
  return found;
}

std::size_t RunDesk::ElementCount(const std::string& item) const {
  const ISpatialDefinition* where = FindItem(item).item->SpatialDefinition();
  return where != nullptr ? static_cast<std::size_t>(where->ElementCount()) : 1;
}

std::vector<std::string> RunDesk::ElementIds(const std::string& item) const {
  const ITimeSpaceExchangeItem& found = *FindItem(item).item;
  std::vector<std::string> ids;
  const auto* elements = dynamic_cast<const IElementSet*>(found.SpatialDefinition());
  for (int i = 0; elements != nullptr && i < elements->ElementCount(); ++i) {
    const IIdentifiable* id = elements->GetElementId(i);
    ids.push_back(id != nullptr ? id->Id() : "");
  }
  return ids;
}

OutputProxy& RunDesk::ProxyOf(const std::string& item) const {
  const auto [component, id] = Cut(item);
  Instance& instance = Find(component);
  if (const auto proxy = instance.proxies.find(id); proxy != instance.proxies.end()) return *proxy->second;
  std::vector<std::string> names;
  auto* output =
      instance.IsFrozen() ? nullptr : dynamic_cast<ITimeSpaceOutput*>(Named(instance.Component().Outputs(), id, names));
  if (output == nullptr) {
    throw ArgumentError({.component = component, .item = id},
                        fmt::format("expected an output with times and places, found '{}'", item), Suggest(id, names));
  }
  return instance.ProxyFor(*output);
}

std::vector<double> RunDesk::Row(const std::string& item) const {
  const Found found = FindItem(item);
  if (!found.is_output) return Values(item).values;  // a fixed row may be in force
  return Numbers(*found.values, found.item->ValueDefinition().MissingDataValue().Number().value_or(kNotANumber));
}

DeskValues RunDesk::Values(const std::string& item) const {
  const auto [found, values, is_output] = FindItem(item);
  DeskValues last;
  last.unit = UnitCaption(*found);
  const ITimeSet* times = found->TimeSet();
  if (times != nullptr && !times->Times().empty()) {
    last.begin = Stamp{times->Times().back()->StampAsModifiedJulianDay()} - Hours(times->OffsetFromUtcInHours());
    last.duration = Days{times->Times().back()->DurationInDays()};
  }
  if (values != nullptr) {
    last.values = Numbers(*values, found->ValueDefinition().MissingDataValue().Number().value_or(kNotANumber));
  }
  for (Link* link : run_.Model().EveryLink()) {
    if (link->End() == nullptr || link->Spec().to.Text() != item) continue;
    const std::span<const double> fixed = link->End()->Override();
    const bool was_overridden = link->End()->WasOverridden();
    last.is_overridden = !fixed.empty();
    last.is_freed = fixed.empty() && was_overridden;
    if (!last.is_overridden) continue;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    last.is_pending = !was_overridden || !std::ranges::equal(last.values, fixed, same);
    if (!last.is_pending) continue;
    last.values.assign(fixed.begin(), fixed.end());
    last.begin.reset();
  }
  return last;
}

void RunDesk::Override(const std::string& item, std::span<const double> values) {
  const auto [component, id] = Cut(item);
  Find(component);
  overrides_.Set({component, id}, values);
  run_.ReportChange(component, id, fmt::format("overridden with {}", RowText(values)));
}

void RunDesk::Free(const std::string& item) {
  const auto [component, id] = Cut(item);
  Find(component);
  const std::size_t before = overrides_.All().size();
  overrides_.Free({component, id});
  if (overrides_.All().size() == before) {
    throw ArgumentError({.component = component, .item = id}, "expected an item with an override, found one without",
                        "there is nothing to free");
  }
  run_.ReportChange(component, id, "freed, so that its link delivers again,");
}

}  // namespace openmi
