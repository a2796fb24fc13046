#include "composition/check/DescribeComponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "adaptors/StandardAdaptors.hpp"
#include "composition/record/DescribeSeries.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/PlainDefinition.hpp"
#include "openmi/sdk/Status.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IQuality.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostElements = 1000;  // listed ids; the count gives the total

Json ToJson(const Value& value) {
  if (const auto* flag = value.As<bool>()) return *flag;
  if (const auto* integer = value.As<std::int64_t>()) return *integer;
  if (const auto* number = value.As<double>()) {
    if (std::isfinite(*number)) return *number;
    return std::isnan(*number) ? "nan" : (*number > 0.0 ? "inf" : "-inf");
  }
  if (const auto* text = value.As<std::string>()) return *text;
  return nullptr;
}

void PutText(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

void PutNames(Json& json, const IDescribable& describable) {
  PutText(json, "caption", describable.Caption());
  PutText(json, "description", describable.Description());
}

const char* NameOf(ElementType type) {
  switch (type) {
    case ElementType::IdBased:
      return "IdBased";
    case ElementType::Point:
      return "Point";
    case ElementType::PolyLine:
      return "PolyLine";
    case ElementType::Polygon:
      return "Polygon";
    case ElementType::Polyhedron:
      break;
  }
  return "Polyhedron";
}

Json DescribeValues(const IValueDefinition& definition) {
  Json json;
  json["type"] = definition.ValueType().Name();
  PutNames(json, definition);
  json["missing"] = ToJson(definition.MissingDataValue());
  if (const auto* quantity = dynamic_cast<const IQuantity*>(&definition)) {
    const IUnit& unit = quantity->Unit();
    json["kind"] = "quantity";
    json["unit"] = {{"caption", unit.Caption()},
                    {"dimension", DimensionText(unit.Dimension())},
                    {"factor_to_si", unit.ConversionFactorToSI()},
                    {"offset_to_si", unit.OffSetToSI()}};
    PutText(json["unit"], "description", unit.Description());
  } else if (const auto* quality = dynamic_cast<const IQuality*>(&definition)) {
    json["kind"] = "quality";
    json["is_ordered"] = quality->IsOrdered();
    json["categories"] = Json::array();
    for (const ICategory* category : quality->Categories()) {
      json["categories"].push_back({{"caption", category->Caption()}, {"value", ToJson(category->Value())}});
    }
  } else {
    json["kind"] = "values";
    PutText(json, "message", MessageTypeOf(definition));
  }
  return json;
}

Json DescribeElements(const ISpatialDefinition& places) {
  Json json;
  PutNames(json, places);
  json["count"] = places.ElementCount();
  PutText(json, "reference_system", places.SpatialReferenceSystemWkt());
  json["version"] = places.Version();
  const auto* elements = dynamic_cast<const IElementSet*>(&places);
  if (elements == nullptr) return json;
  json["type"] = NameOf(elements->ElementType());
  json["has_z"] = elements->HasZ();
  json["has_m"] = elements->HasM();
  json["ids"] = Json::array();
  for (int i = 0; i < std::min(elements->ElementCount(), kMostElements); ++i) {
    const IIdentifiable* id = elements->GetElementId(i);
    json["ids"].push_back(id != nullptr ? id->Id() : fmt::format("{}", i));
  }
  return json;
}

Json DescribeTimes(const ITimeSet& times) {
  Json json;
  json["has_durations"] = times.HasDurations();
  json["offset_from_utc_hours"] = times.OffsetFromUtcInHours();
  json["count"] = times.Times().size();
  const Days offset = Hours(times.OffsetFromUtcInHours());
  json["begin"] = FormatIsoTime(Stamp{times.TimeHorizon().StampAsModifiedJulianDay()} - offset);
  json["end"] = FormatIsoTime(EndOf(times.TimeHorizon()) - offset);
  return json;
}

Json DescribeItem(const IBaseExchangeItem& item) {
  Json json;
  json["id"] = item.Id();
  PutNames(json, item);
  json["values"] = DescribeValues(item.ValueDefinition());
  if (const auto* time_space = dynamic_cast<const ITimeSpaceExchangeItem*>(&item)) {
    if (time_space->SpatialDefinition() != nullptr)
      json["elements"] = DescribeElements(*time_space->SpatialDefinition());
    if (time_space->TimeSet() != nullptr) json["times"] = DescribeTimes(*time_space->TimeSet());
  }
  return json;
}

Json ArgumentToJson(const IArgument& argument) {
  const bool is_secret = IsSecret(argument);
  const auto shown = [&](const Value& value) {
    return is_secret && !value.IsEmpty() ? Json(DisplayText(argument)) : ToJson(value);
  };
  Json json;
  json["id"] = argument.Id();
  PutNames(json, argument);
  json["type"] = argument.ValueType().Name();
  const auto* own = dynamic_cast<const ArgumentItem*>(&argument);
  if (own != nullptr) PutText(json, "unit", own->Unit());
  json["value"] = is_secret ? Json(DisplayText(argument)) : ToJson(argument.Value());
  json["default"] = shown(argument.DefaultValue());
  json["is_optional"] = argument.IsOptional();
  json["is_read_only"] = argument.IsReadOnly();
  if (is_secret) json["is_secret"] = true;
  const auto* meant = dynamic_cast<const IArgumentMeaning*>(&argument);
  if (meant != nullptr && meant->Meaning() == ArgumentMeaning::Path) json["is_path"] = true;
  if (const auto possible = argument.PossibleValues()) {
    json["possible_values"] = Json::array();
    for (const Value& value : *possible) json["possible_values"].push_back(shown(value));
  }
  if (own != nullptr && !own->Minimum().IsEmpty()) json["minimum"] = ToJson(own->Minimum());
  if (own != nullptr && !own->Maximum().IsEmpty()) json["maximum"] = ToJson(own->Maximum());
  return json;
}

/// The seconds of a duration in text form; nothing if it is not a duration.
std::optional<double> SecondsWritten(const std::string& duration) {
  try {
    return std::round(ParseIsoDuration(duration).count * kSecondsPerDay * 1e9) / 1e9;
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

/// Replaces the default of `time-step` by the step that the component makes, if the argument is not set.
void ShowStep(Json& argument, const IBaseLinkableComponent& component) {
  if (!argument["value"].is_string() || argument["value"] != argument["default"]) return;
  const double seconds = StepSeconds(component);
  const std::optional<double> written = SecondsWritten(argument["value"].get<std::string>());
  if (seconds <= 0.0 || !std::isfinite(seconds) || (written && std::abs(*written - seconds) < 1e-6)) return;
  argument["value"] = argument["default"] = FormatIsoDuration(Seconds(seconds));
}

/// Replaces what is not UTF-8: texts of components may hold any bytes.
std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

using Json = nlohmann::ordered_json;

template <class Item>
Item* FindItem(std::span<Item* const> items, const ItemSpec& spec, const char* kind) {
  std::vector<std::string> ids;
  for (Item* item : items) {
    if (item->Id() == spec.item) return item;
    ids.push_back(item->Id());
  }
  throw RangeError({}, fmt::format("expected an {} of '{}', found '{}'", kind, spec.component, spec.item),
                   Suggest(spec.item, ids));
}

// The adapted outputs that a factory offers for `output`, with their arguments and whether they fit `input` as it is.
//
// Those that fit come first, in the order in which the factory ranks them for the two items.
std::vector<Json> Offers(IAdaptedOutputFactory& factory, IBaseOutput& output, IBaseInput& input) {
  std::vector<Json> offers;
  const auto of_both = factory.GetAvailableAdaptedOutputIds(output, &input);
  const std::vector<const IIdentifiable*> fitting(of_both.begin(), of_both.end());
  const auto fits = [&fitting](const IIdentifiable* id) {
    return std::ranges::any_of(fitting, [id](const IIdentifiable* one) { return one->Id() == id->Id(); });
  };
  std::vector<const IIdentifiable*> all = fitting;
  for (const IIdentifiable* id : factory.GetAvailableAdaptedOutputIds(output, nullptr)) {
    if (!fits(id)) all.push_back(id);
  }
  for (const IIdentifiable* id : all) {
    Json offer;
    offer["id"] = id->Id();
    offer["caption"] = id->Caption();
    offer["description"] = id->Description();
    offer["factory"] = factory.Id();
    offer["fits"] = fits(id);
    offer["arguments"] = Json::array();
    try {
      const std::unique_ptr<IBaseAdaptedOutput> made = factory.CreateAdaptedOutput(*id, output, &input);
      for (const IArgument* argument : made->Arguments())
        offer["arguments"].push_back(Json::parse(DescribeArgument(*argument)));
      const IUnit* given = UnitOf(*made);
      const IUnit* wanted = UnitOf(input);
      if (given != nullptr && wanted != nullptr && !Convertible(*given, *wanted)) {
        offer["fits"] = false;
        offer["reason"] =
            fmt::format("expected a unit that converts to '{}', found '{}'", wanted->Caption(), given->Caption());
      } else if (!fits(id)) {
        offer["reason"] = "expected values, times and elements that suit the input, found others";
      }
      output.RemoveAdaptedOutput(*made);
    } catch (const std::exception& error) {
      offer["fits"] = false;
      offer["reason"] = error.what();
    }
    offers.push_back(std::move(offer));
  }
  std::stable_partition(offers.begin(), offers.end(), [](const Json& offer) { return offer["fits"].get<bool>(); });
  return offers;
}

Json DescribeSide(const IBaseExchangeItem& item, const ItemSpec& spec) {
  Json json;
  json["item"] = spec.Text();
  json["unit"] = UnitText(item);
  if (const auto* time_space = dynamic_cast<const ITimeSpaceExchangeItem*>(&item)) {
    if (time_space->SpatialDefinition() != nullptr) json["elements"] = time_space->SpatialDefinition()->ElementCount();
    if (time_space->TimeSet() != nullptr) json["spans"] = time_space->TimeSet()->HasDurations();
  }
  return json;
}

Instance& FindInstance(Composition& composition, const std::string& id) {
  if (const auto index = composition.IndexOf(id)) return composition.Instances()[*index];
  std::vector<std::string> ids;
  for (const Instance& instance : composition.Instances()) ids.push_back(instance.Id());
  throw RangeError({}, fmt::format("expected a component of the composition, found '{}'", id), Suggest(id, ids));
}

}  // namespace

std::string DescribeArgument(const IArgument& argument) {
  return TextOf(ArgumentToJson(argument));
}

std::string DescribeComponent(IBaseLinkableComponent& component) {
  Json json;
  json["id"] = component.Id();
  PutNames(json, component);
  json["status"] = NameOf(component.Status());
  json["arguments"] = Json::array();
  for (const IArgument* argument : component.Arguments()) {
    json["arguments"].push_back(ArgumentToJson(*argument));
    if (argument->Id() == "time-step") ShowStep(json["arguments"].back(), component);
  }
  json["inputs"] = Json::array();
  for (const IBaseInput* input : component.Inputs()) {
    Json item = DescribeItem(*input);
    if (const auto* own = dynamic_cast<const NumericInput*>(input)) item["needs_link"] = !own->HasDefault();
    json["inputs"].push_back(std::move(item));
  }
  json["outputs"] = Json::array();
  std::vector<IAdaptedOutputFactory*> factories;
  try {
    factories = component.AdaptedOutputFactories();
  } catch (const ModelError& error) {  // one of another SDK may throw in place of an empty list; the rest is of use
    json["factories_problem"] = error.what();
  }
  for (const IBaseOutput* output : component.Outputs()) {
    Json item = DescribeItem(*output);
    for (IAdaptedOutputFactory* factory : factories) {
      for (const IIdentifiable* id : factory->GetAvailableAdaptedOutputIds(*output, nullptr)) {
        item["adaptors"].push_back(id->Id());
      }
    }
    json["outputs"].push_back(std::move(item));
  }
  json["factories"] = Json::array();
  for (const IAdaptedOutputFactory* factory : factories) {
    Json one;
    one["id"] = factory->Id();
    PutNames(one, *factory);
    json["factories"].push_back(std::move(one));
  }
  return TextOf(json);
}

double StepSeconds(const IBaseLinkableComponent& component) {
  std::optional<double> written;  // in the argument
  for (const IArgument* argument : component.Arguments()) {
    if (argument->Id() != "time-step") continue;
    written = SecondsWritten(argument->ValueAsString());
    const auto* item = dynamic_cast<const ArgumentItem*>(argument);
    if (written && item != nullptr && item->IsSet()) return *written;
  }
  // What a model reports about itself has priority over a default.
  if (const auto* steps = dynamic_cast<const ISteps*>(&component)) {
    const double seconds = ToSeconds(steps->NextTime() - steps->CurrentTime());
    if (seconds > 0.0) return std::round(seconds * 1e6) / 1e6;  // stamps are exact to a microsecond
  }
  return written.value_or(0.0);
}

std::string DescribeStatic(const OmiFile& omi) {
  Json json;
  json["file"] = omi.path.string();
  json["type"] = omi.type;
  json["assembly"] = omi.assembly;
  if (!omi.platforms.empty()) json["platforms"] = omi.platforms;
  json["omi_arguments"] = Json::array();
  for (const OmiArgument& argument : omi.arguments) {
    // Only the component knows which arguments are secret, and it is not loaded here.
    json["omi_arguments"].push_back({{"key", argument.key}, {"is_read_only", argument.read_only}});
  }
  if (omi.assembly.empty()) return TextOf(json);
  const std::string path = LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line);
  const LibraryFile library = InspectLibrary(path, {.file = omi.path.string(), .line = omi.assembly_line});
  Json& shown = json["library"];
  shown["path"] = path;
  shown["bytes"] = library.size;
  if (library.symbols_known) {
    shown["has_entry_point"] = library.has_entry_point;
    shown["build"] = library.build_text;
    if (!library.c_versions.empty()) shown["versions_of_c"] = library.c_versions;
    try {
      RequireComponents(library, {});
      shown["fits"] = true;
    } catch (const LoadError&) {
      shown["fits"] = false;
    }
  }
  shown["needs"] = library.needed;
  return TextOf(json);
}

CompliancyInfo CompliancyOf(std::string_view text) {
  const Json description = Json::parse(text);
  CompliancyInfo info;
  // XML cannot hold control characters, and the text of a component may hold any.
  const auto text_of = [](const Json& json, const char* key) { return PrintableText(json.value(key, "")); };
  const std::string caption = text_of(description, "caption");
  info.component_name = caption.empty() ? text_of(description, "id") : caption;
  info.component_description = text_of(description, "description");
  const auto convert = [&text_of](const Json& item) {
    CompliancyItem one;
    one.id = text_of(item, "id");
    const Json& values = item.at("values");
    one.quantity = PrintableText(values.value("caption", one.id));
    one.description = text_of(values, "description");
    if (values.contains("unit")) {
      one.unit = text_of(values["unit"], "caption");
      one.dimension = values["unit"].value("dimension", "");
    }
    if (item.contains("elements") && item["elements"].contains("type")) {
      const Json& elements = item["elements"];
      one.elements = CompliancyItem::Elements{.id = PrintableText(elements.value("caption", one.id)),
                                              .type = elements.value("type", ""),
                                              .count = elements.value("count", std::size_t{0}),
                                              .description = text_of(elements, "description")};
    }
    for (const Json& adaptor : item.value("adaptors", Json::array()))
      one.adaptors.push_back(PrintableText(adaptor.get<std::string>()));
    return one;
  };
  for (const Json& item : description.at("inputs")) info.inputs.push_back(convert(item));
  for (const Json& item : description.at("outputs")) info.outputs.push_back(convert(item));
  return info;
}

std::string OfferedAdaptors(Composition& composition, const ItemSpec& from, const ItemSpec& to) {
  Instance& provider = FindInstance(composition, from.component);
  Instance& consumer = FindInstance(composition, to.component);
  if (!provider.IsThere() || !consumer.IsThere()) return {};
  IBaseOutput* output = FindItem<IBaseOutput>(provider.Component().Outputs(), from, "output");
  IBaseInput* input = FindItem<IBaseInput>(consumer.Component().Inputs(), to, "input");
  Json json;
  json["from"] = DescribeSide(*output, from);
  json["to"] = DescribeSide(*input, to);
  const IUnit* given = UnitOf(*output);
  const IUnit* wanted = UnitOf(*input);
  if (given != nullptr && wanted != nullptr) {
    json["units_convert"] = Convertible(*given, *wanted);
    json["advice"] = ConversionAdvice(*given, *wanted);
  }
  // Adaptors are made on the proxy of the composition, as in a run.
  IBaseOutput* end = output;
  if (auto* time_space = dynamic_cast<ITimeSpaceOutput*>(output)) end = &provider.ProxyFor(*time_space);
  json["adaptors"] = Json::array();
  StandardAdaptors standard;
  std::vector<IAdaptedOutputFactory*> factories = provider.Component().AdaptedOutputFactories();
  factories.push_back(&standard);
  for (IAdaptedOutputFactory* factory : factories) {
    for (Json& offer : Offers(*factory, *end, *input)) json["adaptors"].push_back(std::move(offer));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace openmi
