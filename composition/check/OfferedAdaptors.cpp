#include "composition/check/OfferedAdaptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adaptors/StandardAdaptors.hpp"
#include "composition/check/DescribeComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi {
namespace {

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
      const auto* given = dynamic_cast<const IQuantity*>(&made->ValueDefinition());
      const auto* wanted = dynamic_cast<const IQuantity*>(&input.ValueDefinition());
      if (given != nullptr && wanted != nullptr && !Convertible(given->Unit(), wanted->Unit())) {
        offer["fits"] = false;
        offer["reason"] = fmt::format("expected a unit that converts to '{}', found '{}'", wanted->Unit().Caption(),
                                      given->Unit().Caption());
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
  std::ranges::stable_partition(offers, [](const Json& offer) { return offer["fits"].get<bool>(); });
  return offers;
}

Json DescribeSide(const IBaseExchangeItem& item, const ItemSpec& spec) {
  Json json;
  json["item"] = spec.Text();
  const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
  json["unit"] = quantity != nullptr ? quantity->Unit().Caption() : "";
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

std::string OfferedAdaptors(Composition& composition, const ItemSpec& from, const ItemSpec& to) {
  Instance& provider = FindInstance(composition, from.component);
  Instance& consumer = FindInstance(composition, to.component);
  if (!provider.IsThere() || !consumer.IsThere()) return {};
  IBaseOutput* output = FindItem<IBaseOutput>(provider.Component().Outputs(), from, "output");
  IBaseInput* input = FindItem<IBaseInput>(consumer.Component().Inputs(), to, "input");
  Json json;
  json["from"] = DescribeSide(*output, from);
  json["to"] = DescribeSide(*input, to);
  const auto* given = dynamic_cast<const IQuantity*>(&output->ValueDefinition());
  const auto* wanted = dynamic_cast<const IQuantity*>(&input->ValueDefinition());
  if (given != nullptr && wanted != nullptr) {
    json["units_convert"] = Convertible(given->Unit(), wanted->Unit());
    json["advice"] = ConversionAdvice(given->Unit(), wanted->Unit());
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
