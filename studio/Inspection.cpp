#include "studio/Inspection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "adaptors/space/SpatialAdaptor.hpp"
#include "composition/check/CheckComposition.hpp"
#include "composition/check/DescribeComponent.hpp"
#include "composition/link/Composition.hpp"
#include "composition/report/RunReport.hpp"
#include "composition/report/SvgMap.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"

namespace openmi {
namespace {

using Json = nlohmann::ordered_json;

ItemSpec ItemOf(const std::string& text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  return {text.substr(0, point), text.substr(std::min(point + 1, text.size()))};
}

/// The composition of a request, with the components that are named and no others; with none named, all of them.
/// \param keeps  which links stay where components are named
CompositionFile Read(
    const nlohmann::json& request, const std::set<std::string>& only, Problems& problems,
    const std::function<bool(const LinkSpec&)>& keeps = [](const LinkSpec&) { return false; }) {
  CompositionFile file =
      ReadCompositionText(request.at("text").get<std::string>(), request.at("path").get<std::string>(), problems);
  if (only.empty()) return file;
  std::erase_if(file.components, [&](const ComponentSpec& one) { return !only.contains(one.id); });
  std::erase_if(file.links, [&](const LinkSpec& link) { return !keeps(link); });
  file.observes.clear();
  file.compares.clear();
  file.iterates.clear();
  return file;
}

/// A component that could not be made as the composition wants it, such as one whose file is not named yet: its
/// arguments, and the items that it has without.
Json DescribeUnready(const Instance& instance) {
  OmiFile omi = instance.omi;
  if (omi.type.empty() || instance.spec->population) return nullptr;
  for (const ArgumentSpec& argument : instance.spec->arguments) omi.arguments.push_back({argument.key, argument.value});
  Problems reported;  // by the attempt before
  ComponentLoader loader;
  const LoadedComponent loaded = LoadOmi(loader, omi, &reported);
  if (!loaded.component) return nullptr;
  TryInitialize(*loaded.component, omi, reported);
  try {
    return Json::parse(DescribeComponent(*loaded.component));
  } catch (const Error&) {  // it has no items before it is initialized
  }
  Json described = {{"id", loaded.component->Id()}, {"description", loaded.component->Description()}};
  for (const IArgument* argument : loaded.component->Arguments()) {
    described["arguments"].push_back(Json::parse(DescribeArgument(*argument)));
  }
  described["inputs"] = described["outputs"] = Json::array();
  return described;
}

/// Adds the icon of a component to its description: the address, or the id of an earlier component with the same icon.
void AddIcon(const Instance& instance, std::map<std::string, std::string>& owners, Json& described) {
  std::string icon;
  RunOn(instance.thread, [&] { icon = IconAddress(instance.Component()); });
  if (icon.empty()) return;
  const auto [owner, is_new] = owners.emplace(icon, instance.Id());
  described[is_new ? "icon" : "icon_of"] = is_new ? icon : owner->second;
}

Json Checked(const nlohmann::json& request, AnswerStream& answer) {
  Problems problems;
  answer.Announce("reading the composition");
  CompositionFile file = Read(request, {}, problems);
  std::set<std::string> without;
  for (const auto& id : request.value("without", nlohmann::json::array())) without.insert(id.get<std::string>());
  std::erase_if(file.components, [&](const ComponentSpec& one) { return without.contains(one.id); });
  Composition composition(std::move(file));
  composition.SetOnStep(
      [&](const std::string& what, const std::string& component) { answer.Announce(what, component); });
  composition.Load(problems);
  Json described = Json::object();
  std::map<std::string, std::string> owners;
  for (Instance& instance : composition.Instances()) {
    if (instance.IsThere()) {
      answer.Announce("describing '" + instance.Id() + "'", instance.Id());
      Json& one = described[instance.Id()] = Json::parse(DescribeComponent(instance.Component()));
      AddIcon(instance, owners, one);
    } else if (Json one = DescribeUnready(instance); !one.is_null()) {
      described[instance.Id()] = std::move(one);
    }
  }
  if (without.empty()) {
    composition.Connect(problems);
    CheckComposition(composition, problems);
  }
  return {{"components", std::move(described)}, {"problems", ToJson(problems)}};
}

Json Adaptors(const nlohmann::json& request) {
  const ItemSpec from = ItemOf(request.at("from").get<std::string>());
  const ItemSpec to = ItemOf(request.at("to").get<std::string>());
  Problems problems;
  Composition composition(Read(request, {from.component, to.component}, problems));
  composition.Load(problems);
  const std::string offers = OfferedAdaptors(composition, from, to);
  if (!offers.empty()) return Json::parse(offers);
  return {{"error", "expected two components that can be loaded; the check says what is wrong with them"}};
}

/// The elements of a set, as many as are drawn.
std::vector<MapElement> Drawn(const IElementSet& set) {
  std::vector<MapElement> elements;
  const int most = std::min(set.ElementCount(), static_cast<int>(kMostMapShapes));
  for (int i = 0; i < most; ++i) elements.push_back(DescribeElement(set, i));
  return elements;
}

Json IdsOf(const std::vector<MapElement>& elements) {
  Json ids = Json::array();
  for (const MapElement& element : elements) ids.push_back(element.id);
  return ids;
}

bool HasPlaces(const IElementSet* set) {
  return set != nullptr && set->ElementType() != ElementType::IdBased && set->ElementCount() > 0;
}

PlotStyle StyleOfMaps() {
  return {.width = 520.0, .height = 420.0};
}

Json Map(const nlohmann::json& request) {
  const ItemSpec spec = ItemOf(request.at("item").get<std::string>());
  Problems problems;
  Composition composition(Read(request, {spec.component}, problems));
  composition.Load(problems);
  const auto index = composition.IndexOf(spec.component);
  if (!index || !composition.Instances()[*index].IsThere())
    return {{"error", "expected a component that can be loaded"}};
  IBaseLinkableComponent& component = composition.Instances()[*index].Component();
  const IBaseExchangeItem* item = nullptr;
  for (const IBaseOutput* output : component.Outputs()) item = output->Id() == spec.item ? output : item;
  for (const IBaseInput* input : component.Inputs()) item = input->Id() == spec.item ? input : item;
  const auto* placed = dynamic_cast<const ITimeSpaceExchangeItem*>(item);
  const auto* set = placed == nullptr ? nullptr : dynamic_cast<const IElementSet*>(placed->SpatialDefinition());
  if (!HasPlaces(set)) return {{"error", "its elements have ids and no places"}};
  ElementMap map;
  map.title = spec.Text();
  map.is_geographic = IsGeographic(set->SpatialReferenceSystemWkt());
  map.is_numbered = true;
  map.elements = Drawn(*set);
  return {{"svg", MapSvg(map, StyleOfMaps())},
          {"ids", IdsOf(map.elements)},
          {"elements", set->ElementCount()},
          {"drawn", map.elements.size()}};
}

Json Weights(const nlohmann::json& request) {
  const ItemSpec from = ItemOf(request.at("from").get<std::string>());
  const ItemSpec to = ItemOf(request.at("to").get<std::string>());
  const auto at = request.at("at").get<std::size_t>();
  Problems problems;
  Composition composition(Read(request, {from.component, to.component}, problems, [&](const LinkSpec& link) {
    return link.from.Text() == from.Text() && link.to.Text() == to.Text();
  }));
  composition.Load(problems);
  composition.Connect(problems);
  const auto links = composition.EveryLink();
  if (std::ranges::empty(links) || at >= (*links.begin())->Adaptors().size()) {
    return {{"error", "expected a link that can be made; the check says what is wrong with it"}};
  }
  const auto* adaptor = dynamic_cast<const SpatialAdaptor*>((*links.begin())->Adaptors()[at].get());
  if (adaptor == nullptr) return {{"error", "this adaptor does not map places"}};
  const SparseRows& weights = adaptor->Weights();
  const IElementSet& sources = adaptor->PlacedSource();
  const auto* targets = dynamic_cast<const IElementSet*>(adaptor->SpatialDefinition());
  ElementMap map;
  map.title = "weights of " + adaptor->Id();
  map.is_numbered = true;
  if (targets != nullptr) map.elements = Drawn(*targets);
  map.context = Drawn(sources);
  Json rows = Json::array();
  for (std::size_t row = 0; row < std::min(weights.Rows(), map.elements.size()); ++row) {
    Json& pairs = rows.emplace_back(Json::array());
    const auto columns = weights.ColumnsOf(row);
    for (std::size_t k = 0; k < columns.size(); ++k) pairs.push_back({columns[k], weights.WeightsOf(row)[k]});
  }
  Json answer = {{"adaptor", adaptor->Id()}, {"targets", IdsOf(map.elements)}, {"sources", IdsOf(map.context)}};
  answer["weights"] = std::move(rows);
  answer["elements"] = targets != nullptr ? targets->ElementCount() : 0;
  answer["source_elements"] = sources.ElementCount();
  if (HasPlaces(targets) && HasPlaces(&sources)) {
    map.is_geographic = IsGeographic(targets->SpatialReferenceSystemWkt());
    answer["svg"] = MapSvg(map, StyleOfMaps());
  }
  return answer;
}

Json OfOmi(const nlohmann::json& request) {
  DotnetAssembly::AllowHere();
  Problems problems;
  const OmiFile omi = ReadOmiFile(request.at("file").get<std::string>(), &problems);
  ComponentLoader loader;
  const LoadedComponent loaded = LoadOmi(loader, omi, &problems);
  if (!loaded.component) return {{"problems", ToJson(problems)}};
  TryInitialize(*loaded.component, omi, problems);
  return {{"component", Json::parse(DescribeComponent(*loaded.component))}, {"problems", ToJson(problems)}};
}

}  // namespace

Json Inspect(const nlohmann::json& request, AnswerStream& answer) {
  try {
    const std::string word = request.at("do").get<std::string>();
    if (word == "inspect") return Checked(request, answer);
    if (word == "adaptors") return Adaptors(request);
    if (word == "map") return Map(request);
    if (word == "weights") return Weights(request);
    return OfOmi(request);
  } catch (const Error& error) {
    Problems problems;
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
    return {{"error", error.what()}, {"problems", ToJson(problems)}};
  }
}

Json InspectSafely(const std::filesystem::path& path, const std::string& text, const AskInspection& ask) {
  Json components = Json::object();
  const Problems problems = CheckInChildren(
      path.string(),
      [&](const std::set<std::string>& without) {
        ChildAnswer child = ask({{"do", "inspect"}, {"path", path.string()}, {"text", text}, {"without", without}});
        if (!child.IsThere()) return child;
        if (child.value.contains("components")) components = child.value["components"];
        child.value = Json(child.value.value("problems", Json::array()));
        return child;
      },
      [&] {
        Problems ignored;  // reported by the child
        return ReadCompositionText(text, path, ignored);
      });
  return {{"components", std::move(components)}, {"problems", ToJson(problems)}};
}

}  // namespace openmi
