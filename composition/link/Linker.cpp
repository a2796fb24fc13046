#include "composition/link/Linker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "adaptors/LinkAdvice.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/PlainDefinition.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuality.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/items/AdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

/// The problem of an error, with the file if an argument names one.
std::string TextOf(const Error& error) {
  return error.Place().file.empty()
             ? error.Problem()
             : Error::Format({.file = error.Place().file, .line = error.Place().line}, error.Problem(), {});
}

}  // namespace

Where Linker::Place(const LinkSpec& link, int line) const {
  return composition_.Place(line > 0 ? line : link.line, {}, fmt::format("link {}", link.Text()));
}

template <class Item>
Item* Linker::FindItem(const ItemSpec& spec, int line, const char* kind,
                       std::span<Item* const> (IBaseLinkableComponent::*list)() const) {
  const auto index = composition_.IndexOf(spec.component);
  if (!index) {
    if (spec.component.empty() || composition_.file_.unknown_components.contains(spec.component)) {
      return nullptr;  // reported when it was read
    }
    std::vector<std::string> ids;
    for (const Instance& instance : composition_.instances_) ids.push_back(instance.Id());
    AddError(problems_, composition_.Place(line), fmt::format("expected a component, found '{}'", spec.component),
             Suggest(spec.component, ids));
    return nullptr;
  }
  const Instance& instance = composition_.instances_[*index];
  if (!instance.IsThere()) return nullptr;  // reported when it was loaded
  const std::span<Item* const> items = (instance.Component().*list)();
  for (Item* item : items) {
    if (item->Id() == spec.item) return item;
  }
  std::vector<std::string> ids;
  for (const Item* item : items) ids.push_back(item->Id());
  const auto has_it = [&spec](const auto& others) {
    return std::ranges::any_of(others, [&spec](const auto* item) { return item->Id() == spec.item; });
  };
  const bool wants_input = std::is_same_v<Item, IBaseInput>;
  const bool is_other_way =
      wants_input ? has_it(instance.Component().Outputs()) : has_it(instance.Component().Inputs());
  if (is_other_way) {
    AddError(
        problems_, composition_.Place(line, spec.component),
        fmt::format("expected an {} of '{}', found its {} '{}'", kind, spec.component, wants_input ? "output" : "input",
                    spec.item),
        (is_link_ ? "a link leads from an output to an input: exchange 'From' and 'To', or name an " : "name an ") +
            fmt::format("{}; {}", kind, Suggest("", ids)));
    return nullptr;
  }
  AddError(problems_, composition_.Place(line, spec.component),
           fmt::format("expected an {} of '{}', found '{}'", kind, spec.component, spec.item), Suggest(spec.item, ids));
  return nullptr;
}

ITimeSpaceOutput* Linker::FindTimeSpaceOutput(const ItemSpec& item, int line) {
  if (const auto index = composition_.IndexOf(item.component)) {
    const Instance& instance = composition_.instances_[*index];
    if (const auto shown = instance.proxies.find(item.item); instance.IsFrozen() && shown != instance.proxies.end())
      return shown->second.get();
  }
  IBaseOutput* output = FindItem<IBaseOutput>(item, line, "output", &IBaseLinkableComponent::Outputs);
  if (output == nullptr) return nullptr;
  auto* time_space = dynamic_cast<ITimeSpaceOutput*>(output);
  if (time_space == nullptr) {
    AddError(problems_, composition_.Place(line, item.component, item.item),
             "expected an output with times and places, found one without");
  }
  return time_space;
}

ITimeSpaceInput* Linker::FindTimeSpaceInput(const ItemSpec& item, int line) {
  IBaseInput* input = FindItem<IBaseInput>(item, line, "input", &IBaseLinkableComponent::Inputs);
  auto* time_space = dynamic_cast<ITimeSpaceInput*>(input);
  if (input != nullptr && time_space == nullptr) {
    AddError(problems_, composition_.Place(line, item.component, item.item),
             "expected an input with times and places, found one without");
  }
  return time_space;
}

void Linker::MakeAll() {
  is_link_ = true;
  composition_.links_.reserve(composition_.file_.links.size());
  for (const LinkSpec& spec : composition_.file_.links) {
    composition_.Announce("making links");
    const std::size_t before = problems_.size();
    try {
      Make(spec);
    } catch (const Error& error) {
      AddError(problems_, Place(spec), error.Problem(), error.Remedy());
    } catch (const std::exception& error) {
      AddError(problems_, Place(spec), fmt::format("expected a link that can be made, found '{}'", error.what()));
    }
    for (std::size_t i = before; i < problems_.size(); ++i) {
      if (problems_[i].severity == Problem::Error) composition_.unlinked_by_error_.insert(spec.to.Text());
    }
  }
}

void Linker::Make(const LinkSpec& spec) {
  IBaseOutput* output = FindItem<IBaseOutput>(spec.from, spec.line, "output", &IBaseLinkableComponent::Outputs);
  IBaseInput* input = FindItem<IBaseInput>(spec.to, spec.line, "input", &IBaseLinkableComponent::Inputs);
  if (output == nullptr || input == nullptr) {
    composition_.unlinked_by_error_.insert(spec.to.Text());
    return;
  }
  const std::size_t from = composition_.IndexOf(spec.from.component).value();
  const std::size_t to = composition_.IndexOf(spec.to.component).value();
  if (input->Provider() != nullptr) {
    AddError(problems_, Place(spec),
             fmt::format("expected an input without provider, found '{}' linked already", spec.to.Text()),
             "an input takes one link: to fill the elements of one input from several outputs, put the component "
             "openmi.Gather between them; to compute one value from several outputs, use openmi.Expression");
    return;
  }
  composition_.links_.emplace_back(spec);
  Link& link = composition_.links_.back();
  link.SetInstances(from, to);
  composition_.graph_->AddLink(from, to);
  auto* source = dynamic_cast<ITimeSpaceOutput*>(output);
  auto* target = dynamic_cast<ITimeSpaceInput*>(input);
  if (source == nullptr || target == nullptr) {
    if (!spec.adaptors.empty()) {
      AddError(problems_, Place(spec), "expected no adaptors on a link without times and places, found some",
               "remove the Adaptor elements");
      return;
    }
    link.MakeDirect(*output, *input);
    return;
  }
  Instance& provider = composition_.instances_[from];
  link.Begin(provider.ProxyFor(*source), *target, composition_.instances_[to].host.get());
  if (!AddAdaptors(link, provider)) return;
  std::vector<std::string> ids;
  for (const AdaptorSpec& adaptor : spec.adaptors) ids.push_back(adaptor.id);
  for (const OrderWarning& warning : OrderWarnings(ids)) {
    AddWarning(problems_, Place(spec, spec.adaptors[warning.adaptor].line), warning.problem, warning.remedy);
  }
  const bool units = FitUnits(link);
  const bool times = FitTimes(link);
  const bool elements = FitElements(link);
  if (!units || !times || !elements || !CheckPlaces(link)) return;
  link.Finish();
  link.End()->SetPlace(spec, composition_.file_.path);
}

bool Linker::AddAdaptors(Link& link, Instance& from) {
  for (const AdaptorSpec& spec : link.Spec().adaptors) {
    bool of_component = false;
    HideRowsOutsideData(spec, link, from);
    std::unique_ptr<IBaseAdaptedOutput> adaptor = CreateAdaptor(spec, link, from, of_component);
    if (!adaptor) return false;
    IBaseAdaptedOutput& made = *adaptor;
    link.AddAdaptor(std::move(adaptor), of_component);
    if (!SetAdaptorArguments(made, spec, link.Spec())) return false;
    if (auto* own = dynamic_cast<AdaptedOutput*>(&made)) {
      try {
        own->Check();
        for (const std::string& note : own->Notes()) {
          AddNote(problems_, Place(link.Spec(), spec.line), fmt::format("adaptor '{}': {}", spec.id, note));
        }
        for (const std::string& warning : own->Warnings()) {
          AddWarning(problems_, Place(link.Spec(), spec.line), fmt::format("adaptor '{}': {}", spec.id, warning),
                     "check whether longitude and latitude (or x and y) are exchanged in one of the two files");
        }
      } catch (const Error& error) {
        AddError(problems_, Place(link.Spec(), spec.line), fmt::format("adaptor '{}': {}", spec.id, TextOf(error)),
                 error.Remedy());
        return false;
      }
    }
  }
  return true;
}

bool Linker::CheckPlaces(const Link& link) {
  for (const auto& adaptor : link.Adaptors()) {
    auto* own = dynamic_cast<AdaptedOutput*>(adaptor.get());
    if (own == nullptr || !own->Traits().maps_places || own->AdaptedOutputs().empty()) continue;
    try {
      own->Check();
    } catch (const Error& error) {
      AddError(problems_, Place(link.Spec()), fmt::format("adaptor '{}': {}", adaptor->Id(), TextOf(error)),
               error.Remedy());
      return false;
    }
  }
  return true;
}

void Linker::HideRowsOutsideData(const AdaptorSpec& spec, Link& link, const Instance& from) {
  const auto setting = std::ranges::find(spec.arguments, "extrapolation", &ArgumentSpec::key);
  const bool extrapolates = setting != spec.arguments.end() &&
                            (setting->value == "hold" || setting->value == "linear" || setting->value == "relaxed");
  const auto* component = dynamic_cast<const ITimeSpaceComponent*>(&from.Component());
  auto* last = dynamic_cast<ITimeSpaceOutput*>(link.Last());
  if (!extrapolates || component == nullptr || last == nullptr || last->TimeSet() == nullptr) return;
  auto* rows = dynamic_cast<IHistoryProvider*>(last);
  if (rows == nullptr || rows->UseHistory() == nullptr) return;
  const ITime& data = last->TimeSet()->TimeHorizon();
  const ITime& steps = component->TimeExtent().TimeHorizon();
  const Days offset = Hours(last->TimeSet()->OffsetFromUtcInHours() - component->TimeExtent().OffsetFromUtcInHours());
  const bool goes_on =
      Before(Stamp{steps.StampAsModifiedJulianDay()}, Stamp{data.StampAsModifiedJulianDay()} - offset) ||
      Before(EndOf(data) - offset, EndOf(steps));
  if (!goes_on) return;
  link.AddAdaptor(composition_.standard_adaptors_.CreateWithinHorizon(*link.Last()));
  AddNote(problems_, Place(link.Spec(), spec.line),
          fmt::format("outside its data, '{}' is extrapolated by '{}' ({}) instead of missing", link.Spec().from.Text(),
                      spec.id, setting->value));
}

std::unique_ptr<IBaseAdaptedOutput> Linker::CreateAdaptor(const AdaptorSpec& spec, Link& link, Instance& from,
                                                          bool& of_component) {
  std::vector<IAdaptedOutputFactory*> factories = from.Component().AdaptedOutputFactories();
  factories.push_back(&composition_.standard_adaptors_);
  const Where place = Place(link.Spec(), spec.line);
  if (!spec.factory.empty()) {
    std::vector<std::string> ids;
    for (const IAdaptedOutputFactory* factory : factories) ids.push_back(factory->Id());
    std::erase_if(factories, [&spec](const IAdaptedOutputFactory* factory) { return factory->Id() != spec.factory; });
    if (factories.empty()) {
      AddError(problems_, place, fmt::format("expected an available factory, found '{}'", spec.factory),
               Suggest(spec.factory, ids));
      return nullptr;
    }
  }
  // Adaptors that fit the two ends of the link, and adaptors that fit the output alone: further adaptors may follow
  // before the input.
  std::vector<std::string> offered;
  for (IAdaptedOutputFactory* factory : factories) {
    for (const IBaseInput* target :
         {static_cast<const IBaseInput*>(link.Target()), static_cast<const IBaseInput*>(nullptr)}) {
      for (const IIdentifiable* id : factory->GetAvailableAdaptedOutputIds(*link.Last(), target)) {
        if (id->Id() != spec.id) {
          offered.push_back(id->Id());
          continue;
        }
        try {
          of_component = factory != &composition_.standard_adaptors_;
          return factory->CreateAdaptedOutput(*id, *link.Last(), link.Target());
        } catch (const Error& error) {
          AddError(problems_, place, fmt::format("adaptor '{}': {}", spec.id, TextOf(error)), error.Remedy());
          return nullptr;
        }
      }
    }
  }
  // An adaptor that exists but does not fit can best explain why.
  const auto known = composition_.standard_adaptors_.AllIds();
  const auto same = std::ranges::find_if(known, [&](const IIdentifiable* id) { return id->Id() == spec.id; });
  if (same != known.end() && std::ranges::find(factories, &composition_.standard_adaptors_) != factories.end()) {
    std::string reason = "its values, times or elements are not of the kind it takes";
    std::string remedy;
    try {
      const auto made = composition_.standard_adaptors_.CreateAdaptedOutput(**same, *link.Last(), link.Target());
      link.Last()->RemoveAdaptedOutput(*made);
      if (const auto* output = dynamic_cast<const ITimeSpaceOutput*>(link.Last())) {
        reason = MisfitOf(spec.id, *output, *link.Target());
        if (TraitsOf(*made).maps_places) remedy = SpatialAdvice(*output, *link.Target());
      }
    } catch (const Error& error) {
      reason = TextOf(error);
      remedy = error.Remedy();
    }
    AddError(problems_, place, fmt::format("adaptor '{}' does not fit '{}': {}", spec.id, link.Last()->Id(), reason),
             remedy);
    return nullptr;
  }
  std::string remedy = Suggest(spec.id, offered);
  if (from.spec->apart.isolation != Isolation::None) {
    remedy += fmt::format(
        "; if it is an adaptor of '{}' itself, do not run that in a process of its own (those of components of .NET "
        "are offered there)",
        from.spec->id);
  }
  AddError(problems_, place, fmt::format("expected an adaptor that fits '{}', found '{}'", link.Last()->Id(), spec.id),
           remedy);
  return nullptr;
}

bool Linker::SetAdaptorArguments(IBaseAdaptedOutput& adaptor, const AdaptorSpec& spec, const LinkSpec& link) {
  bool good = true;
  for (const ArgumentSpec& setting : spec.arguments) {
    const auto arguments = adaptor.Arguments();
    const auto found = std::ranges::find_if(arguments, [&](const IArgument* a) { return a->Id() == setting.key; });
    if (found == arguments.end()) {
      std::vector<std::string> ids;
      for (const IArgument* argument : arguments) ids.push_back(argument->Id());
      AddError(problems_, Place(link, setting.line),
               fmt::format("expected an argument of adaptor '{}', found '{}'", spec.id, setting.key),
               ids.empty() ? "the adaptor has no arguments" : Suggest(setting.key, ids));
      good = false;
      continue;
    }
    try {
      const bool names_file = setting.key == "file" || setting.key.ends_with("-file");
      (*found)->SetValueAsString(names_file ? BesideFile(composition_.file_.Folder(), setting.value) : setting.value);
    } catch (const Error& error) {
      AddError(problems_, Place(link, setting.line),
               fmt::format("argument '{}' of adaptor '{}': {}", setting.key, spec.id, error.Problem()), error.Remedy());
      good = false;
    }
  }
  return good;
}

bool Linker::FitUnits(Link& link) {
  const IValueDefinition& given = link.Last()->ValueDefinition();
  const IValueDefinition& wanted = link.Target()->ValueDefinition();
  const auto* from = dynamic_cast<const IQuantity*>(&given);
  const auto* to = dynamic_cast<const IQuantity*>(&wanted);
  if ((from != nullptr) != (to != nullptr) &&
      (dynamic_cast<const IQuality*>(&given) != nullptr || dynamic_cast<const IQuality*>(&wanted) != nullptr)) {
    AddError(problems_, Place(link.Spec()), "expected two quantities or two qualities, found one of each",
             "put an adaptor from categories to numbers on the link");
    return false;
  }
  if (HoldsNumbers(given) != HoldsNumbers(wanted)) {
    AddError(
        problems_, Place(link.Spec()),
        fmt::format("expected values of type {}, found type {}", wanted.ValueType().Name(), given.ValueType().Name()),
        "link items of the same type");
    return false;
  }
  const std::string sent = MessageTypeOf(given);
  const std::string expected = MessageTypeOf(wanted);
  if (MessagesDiffer(sent, expected)) {
    AddError(problems_, Place(link.Spec()), fmt::format("expected messages {}, found {}", expected, sent),
             "link items with the same messages");
    return false;
  }
  if (from == nullptr || to == nullptr) return true;
  if (!Convertible(from->Unit(), to->Unit())) {
    const std::string advice = ConversionAdvice(from->Unit(), to->Unit());
    AddError(
        problems_, Place(link.Spec()),
        fmt::format("expected a unit that converts to '{}', found '{}'", to->Unit().Caption(), from->Unit().Caption()),
        advice.empty() ? "link items of the same dimension" : advice);
    return false;
  }
  if (ConversionBetween(from->Unit(), to->Unit()).IsIdentity()) return true;
  AddNote(problems_, Place(link.Spec()),
          fmt::format("{} becomes {} (conversion inserted)", from->Unit().Caption(), to->Unit().Caption()));
  link.AddAdaptor(composition_.standard_adaptors_.CreateUnitConversion(*link.Last(), *link.Target()));
  return true;
}

bool Linker::FitTimes(const Link& link) {
  const ITimeSet* asked = link.Target()->TimeSet();
  if (asked == nullptr || link.Source()->TimeSet() == nullptr) return true;
  const bool spans = asked->HasDurations();
  bool answers = false;
  if (const auto* adapted = dynamic_cast<const AdaptedOutput*>(link.Last())) {
    answers = spans ? adapted->AnswersSpans() : adapted->AnswersStamps();
  } else {
    answers = true;  // a third-party adaptor answers for itself
  }
  if (answers) return true;
  AddError(problems_, Place(link.Spec()),
           spans ? "expected values over spans, found values at stamps"
                 : "expected values at stamps, found values over spans",
           TimeAdvice(spans));
  return false;
}

bool Linker::FitElements(const Link& link) {
  const auto* last = dynamic_cast<const ITimeSpaceOutput*>(link.Last());
  const ISpatialDefinition* given = last != nullptr ? last->SpatialDefinition() : nullptr;
  const ISpatialDefinition* wanted = link.Target()->SpatialDefinition();
  const int from = given != nullptr ? given->ElementCount() : 1;
  const int to = wanted != nullptr ? wanted->ElementCount() : 1;
  if (from != to) {
    AddError(
        problems_, Place(link.Spec()), fmt::format("expected {} element{}, found {}", to, to == 1 ? "" : "s", from),
        from == 0 ? kNameElements
        : wanted != nullptr && dynamic_cast<const IElementSet*>(given) == nullptr
            ? "an output without elements fills one element: put the component openmi.Gather between, which takes an "
              "output for each element"
        : wanted != nullptr ? SpatialAdvice(*last, *link.Target())
                            : fmt::format("{}; or give the input an element set", kOneValueAdvice));
    return false;
  }
  const auto* a = dynamic_cast<const IElementSet*>(given);
  const auto* b = dynamic_cast<const IElementSet*>(wanted);
  if (a == nullptr || b == nullptr || a == b) return true;
  int moved = -1;
  int unknown = -1;
  for (int i = 0; i < to; ++i) {
    const IIdentifiable* id_a = a->GetElementId(i);
    const IIdentifiable* id_b = b->GetElementId(i);
    if (id_a == nullptr || id_b == nullptr || id_a->Id() == id_b->Id()) continue;
    int& first = a->GetElementIndex(*id_b) >= 0 ? moved : unknown;
    if (first < 0) first = i;
  }
  if (moved >= 0) {
    AddError(
        problems_, Place(link.Spec()),
        fmt::format("expected the elements in one order, found element {} to be '{}' on one side and '{}' on the other",
                    moved + 1, a->GetElementId(moved)->Id(), b->GetElementId(moved)->Id()),
        kOrderAdvice);
    return false;
  }
  if (unknown >= 0) {
    AddWarning(
        problems_, Place(link.Spec()),
        fmt::format("element {} is '{}' on one side and '{}' on the other: values go from one to the other in order",
                    unknown + 1, a->GetElementId(unknown)->Id(), b->GetElementId(unknown)->Id()),
        fmt::format("{} if the ids should match", kOrderAdvice));
  }
  return true;
}

}  // namespace openmi
