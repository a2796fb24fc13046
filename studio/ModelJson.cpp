#include "studio/ModelJson.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "composition/report/GraphLayout.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using Json = nlohmann::ordered_json;

// The size of a box, in pixels, as studio.css draws it.
constexpr double kBoxWidth = 200.0;
constexpr double kBoxHead = 46.0;
constexpr double kBoxRow = 22.0;
constexpr double kMostRows = 12.0;
constexpr double kPillWidth = 130.0;
constexpr double kPillHeight = 24.0;

Json ArgumentsOf(const std::vector<ArgumentSpec>& arguments) {
  Json json = Json::array();
  for (const ArgumentSpec& argument : arguments) json.push_back({{"key", argument.key}, {"value", argument.value}});
  return json;
}

// The lines at which the children of the root start and end, by their offsets.
std::map<std::size_t, int> LinesOf(const SourceElement& root, const std::string& text) {
  std::map<std::size_t, int> lines;
  std::size_t at = 0;
  int line = 1;
  for (const SourceElement& child : root.children) {
    for (const std::size_t offset : {child.begin, child.end}) {
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                          text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
      at = offset;
      lines[offset] = line;
    }
  }
  return lines;
}

// The attributes of an element as they are written.
Json AttributesOf(const SourceElement& element) {
  Json json = Json::object();
  for (const SourceAttribute& attribute : element.attributes) json[attribute.name] = attribute.value;
  return json;
}

// An element with its children, and the lines where it stands.
Json ElementJson(const SourceElement& element, const std::map<std::size_t, int>& lines) {
  Json json = {{"line", lines.at(element.begin)}, {"last", lines.at(element.end)}, {"is", AttributesOf(element)}};
  for (const SourceElement& child : element.children) json[child.name].push_back(AttributesOf(child));
  return json;
}

// The elements of the root with a name.
Json ElementsOf(const SourceElement& root, std::string_view name, const std::map<std::size_t, int>& lines) {
  Json list = Json::array();
  for (const SourceElement& child : root.children) {
    if (child.name == name) list.push_back(ElementJson(child, lines));
  }
  return list;
}

// Places for all boxes, by the layout that reports use.
Json AutomaticPlaces(const CompositionFile& file, const Json& described) {
  std::map<std::string, std::size_t> index;
  std::vector<LayoutSize> boxes;
  for (const ComponentSpec& component : file.components) {
    std::set<std::string> inputs;
    std::set<std::string> outputs;
    if (described.contains(component.id)) {
      for (const Json& item : described[component.id]["inputs"]) inputs.insert(item["id"].get<std::string>());
      for (const Json& item : described[component.id]["outputs"]) outputs.insert(item["id"].get<std::string>());
    } else {
      for (const LinkSpec& link : file.links) {
        if (link.from.component == component.id) outputs.insert(link.from.item);
        if (link.to.component == component.id) inputs.insert(link.to.item);
      }
    }
    const auto rows = static_cast<double>(std::max({inputs.size(), outputs.size(), std::size_t{1}}));
    index[component.id] = boxes.size();
    boxes.push_back({kBoxWidth, kBoxHead + kBoxRow * std::min(rows, kMostRows)});
  }
  std::vector<LayoutEdge> edges;
  for (const LinkSpec& link : file.links) {
    const auto from = index.find(link.from.component);
    const auto to = index.find(link.to.component);
    if (from == index.end() || to == index.end() || from == to) continue;
    LayoutEdge edge;
    edge.from = from->second;
    edge.to = to->second;
    if (!link.adaptors.empty()) {
      edge.label = {kPillWidth, kPillHeight * static_cast<double>(link.adaptors.size())};
    }
    edges.push_back(edge);
  }
  // Frames need room around their boxes, and a name above.
  const bool has_frames = !file.iterates.empty() || std::ranges::any_of(file.components, [](const ComponentSpec& one) {
    return !one.apart.group.empty();
  });
  const GraphLayout layout = LayOutGraph(
      boxes, edges,
      {.between_layers = has_frames ? 50.0 : 30.0, .between_boxes = has_frames ? 75.0 : 30.0, .margin = 30.0});
  Json places = Json::object();
  for (const auto& [id, box] : index) {
    const LayoutVertex& vertex = layout.vertices[box];
    places[id] = {std::round(vertex.along - boxes[box].along / 2.0),
                  std::round(vertex.across - boxes[box].across / 2.0)};
  }
  return places;
}

// An edit of the page, whose members are texts.
class Wish {
 public:
  explicit Wish(const nlohmann::json& json) : json_(json) {
    if (!json.is_object()) throw ArgumentError({}, "expected an edit as an object, found something else");
  }

  std::string Text(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_string()) {
      throw ArgumentError({.item = key}, fmt::format("expected a text '{}' in the edit, found none", key));
    }
    return found->get<std::string>();
  }
  /// A text, or nothing for null: an attribute that is removed.
  std::optional<std::string> Value(const char* key = "value") const {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return std::nullopt;
    return Text(key);
  }
  /// The name of an attribute: letters only, so that nothing else gets into a tag.
  std::string Name(const char* key) const { return Checked(Text(key)); }
  std::vector<NamedValue> Attributes() const {
    std::vector<NamedValue> pairs = Pairs("attributes");
    for (const auto& [name, value] : pairs) (void)Checked(name);
    return pairs;
  }
  std::size_t Index(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_number_unsigned()) {
      throw ArgumentError({.item = key}, fmt::format("expected a whole number '{}' in the edit, found none", key));
    }
    return found->get<std::size_t>();
  }
  /// Where an element stands: pairs of a name and a number.
  ElementPath Path(const char* key) const {
    ElementPath path;
    for (const nlohmann::json& step : List(key)) {
      if (!step.is_array() || step.size() != 2 || !step[0].is_string() || !step[1].is_number_unsigned()) {
        throw ArgumentError({.item = key}, fmt::format("expected pairs of a name and a number in '{}'", key));
      }
      path.emplace_back(step[0].get<std::string>(), step[1].get<std::size_t>());
    }
    return path;
  }
  int Pixel(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end() || !found->is_number() || !(std::abs(found->get<double>()) < 1e6)) {
      throw ArgumentError({.item = key}, fmt::format("expected a number of pixels '{}' in the edit, found none", key));
    }
    return static_cast<int>(std::lround(found->get<double>()));
  }
  /// An array of pairs of texts.
  std::vector<NamedValue> Pairs(const char* key) const {
    std::vector<NamedValue> pairs;
    for (const nlohmann::json& pair : List(key)) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string()) {
        throw ArgumentError({.item = key}, fmt::format("expected pairs of texts in '{}', found others", key));
      }
      pairs.emplace_back(pair[0].get<std::string>(), pair[1].get<std::string>());
    }
    return pairs;
  }
  std::vector<NewAdaptor> Adaptors() const {
    std::vector<NewAdaptor> adaptors;
    for (const nlohmann::json& one : List("adaptors")) {
      const Wish adaptor(one);
      adaptors.push_back({adaptor.Text("id"), adaptor.Pairs("arguments")});
    }
    return adaptors;
  }

 private:
  static std::string Checked(std::string name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (!name.empty() && std::ranges::all_of(name, is_letter)) return name;
    throw ArgumentError({}, fmt::format("expected the name of an attribute, found '{}'", name));
  }
  const nlohmann::json& List(const char* key) const {
    static const nlohmann::json kNone = nlohmann::json::array();
    const auto found = json_.find(key);
    if (found == json_.end()) return kNone;
    if (!found->is_array()) throw ArgumentError({.item = key}, fmt::format("expected a list '{}', found none", key));
    return *found;
  }
  const nlohmann::json& json_;
};

void Apply(const Wish& wish, CompositionEdit& edit, BoxPlaces& places) {
  const std::string op = wish.Text("op");
  if (op == "place") {
    places[wish.Text("id")] = {wish.Pixel("x"), wish.Pixel("y")};
  } else if (op == "unplace") {
    places.clear();
  } else if (op == "add-component") {
    edit.AddComponent(wish.Text("id"), wish.Attributes(), wish.Pairs("arguments"));
  } else if (op == "remove-component") {
    edit.RemoveComponent(wish.Text("id"));
    places.erase(wish.Text("id"));
  } else if (op == "rename-component") {
    edit.RenameComponent(wish.Text("id"), wish.Text("to"));
    if (auto node = places.extract(wish.Text("id"))) {
      node.key() = wish.Text("to");
      places.insert(std::move(node));
    }
  } else if (op == "set-component") {
    edit.SetComponent(wish.Text("id"), wish.Name("attribute"), wish.Value());
  } else if (op == "set-argument") {
    edit.SetArgument(wish.Text("id"), wish.Text("key"), wish.Value());
  } else if (op == "add-link") {
    edit.AddLink(wish.Text("from"), wish.Text("to"), wish.Adaptors());
  } else if (op == "remove-link") {
    edit.RemoveLink(wish.Text("from"), wish.Text("to"));
  } else if (op == "set-link") {
    edit.SetLink(wish.Text("from"), wish.Text("to"), wish.Name("attribute"), wish.Value());
  } else if (op == "add-adaptor") {
    edit.AddAdaptor(wish.Text("from"), wish.Text("to"), wish.Index("at"), {wish.Text("id"), wish.Pairs("arguments")});
  } else if (op == "remove-adaptor") {
    edit.RemoveAdaptor(wish.Text("from"), wish.Text("to"), wish.Index("at"));
  } else if (op == "set-adaptor-argument") {
    edit.SetAdaptorArgument(wish.Text("from"), wish.Text("to"), wish.Index("at"), wish.Text("key"), wish.Value());
  } else if (op == "add-observe") {
    edit.AddObserve(wish.Text("item"), wish.Attributes());
  } else if (op == "remove-observe") {
    edit.RemoveObserve(wish.Text("item"));
  } else if (op == "set-observe") {
    edit.SetObserve(wish.Text("item"), wish.Name("attribute"), wish.Value());
  } else if (op == "add-element") {
    edit.AddElement(wish.Path("parent"), wish.Text("name"), wish.Attributes());
  } else if (op == "remove-element") {
    edit.RemoveElement(wish.Path("path"));
  } else if (op == "set-element") {
    edit.SetElement(wish.Path("path"), wish.Name("attribute"), wish.Value());
  } else if (op == "make-population") {
    edit.MakePopulation(wish.Text("id"), wish.Text("of"));
  } else if (op == "make-component") {
    edit.MakeComponent(wish.Text("id"));
  } else if (op == "set-run") {
    std::vector<std::pair<std::string, std::optional<std::string>>> attributes;
    for (auto& [name, value] : wish.Attributes()) {
      attributes.emplace_back(name, value.empty() ? std::nullopt : std::optional(value));
    }
    edit.SetRun(attributes);
  } else if (op == "set-composition") {
    edit.SetComposition(wish.Name("attribute"), wish.Value());
  } else {
    throw ArgumentError({.item = "op"}, fmt::format("expected an edit, found '{}'", op), "reload the page");
  }
}

}  // namespace

Json ModelJson(const Document& document, const Json& described) {
  const CompositionFile& file = document.File();
  const SourceElement root = ReadXmlSource(document.Text());
  Json json = {{"id", file.id},
               {"caption", file.caption},
               {"revision", document.Revision()},
               {"undo", document.CanUndo()},
               {"redo", document.CanRedo()},
               {"changed", document.IsChanged()}};
  const std::map<std::size_t, int> lines = LinesOf(root, document.Text());
  // Components and links stand in the file in the order in which they were read.
  std::vector<const SourceElement*> written;
  std::vector<const SourceElement*> written_links;
  for (const SourceElement& child : root.children) {
    if (child.name == "Component" || child.name == "Population") written.push_back(&child);
    if (child.name == "Link") written_links.push_back(&child);
  }
  json["components"] = Json::array();
  std::size_t populations = 0;
  for (std::size_t i = 0; i < file.components.size(); ++i) {
    const ComponentSpec& component = file.components[i];
    const SourceElement& element = *written.at(i);
    Json one = {{"id", component.id},
                {"line", lines.at(element.begin)},
                {"last", lines.at(element.end)},
                {"is", AttributesOf(element)},
                {"arguments", ArgumentsOf(component.arguments)}};
    const auto put = [&one](const char* key, const std::string& text) {
      if (!text.empty()) one[key] = text;
    };
    put("caption", component.caption);
    put("omi", component.omi);
    put("type", component.type);
    put("assembly", component.assembly);
    if (component.invented) one["invented"] = true;
    put("group", component.apart.group);
    if (component.population) {
      one["population"] = ElementJson(element, lines);
      one["population"]["at"] = populations++;
    }
    json["components"].push_back(std::move(one));
  }
  json["links"] = Json::array();
  for (std::size_t i = 0; i < file.links.size(); ++i) {
    const LinkSpec& link = file.links[i];
    const SourceElement& element = *written_links.at(i);
    Json one = {{"from", link.from.Text()},
                {"to", link.to.Text()},
                {"line", lines.at(element.begin)},
                {"last", lines.at(element.end)},
                {"is", AttributesOf(element)}};
    if (link.loop == LoopAnswer::Extrapolate) one["loop"] = "extrapolate";
    one["adaptors"] = Json::array();
    for (const AdaptorSpec& adaptor : link.adaptors) {
      one["adaptors"].push_back(
          {{"id", adaptor.id}, {"line", adaptor.line}, {"arguments", ArgumentsOf(adaptor.arguments)}});
    }
    json["links"].push_back(std::move(one));
  }
  json["observes"] = ElementsOf(root, "Observe", lines);
  json["loops"] = ElementsOf(root, "Iterate", lines);
  json["comparisons"] = ElementsOf(root, "Compare", lines);
  // What a composition has once.
  for (const auto& [key, name] : {std::pair{"run", "Run"}, {"checkpoints", "Checkpoints"}, {"results", "Results"}}) {
    const Json found = ElementsOf(root, name, lines);
    json[key] = found.empty() ? Json(nullptr) : found[0];
    for (std::size_t i = 1; i < found.size(); ++i) json[key]["again"].push_back(found[i]);  // a problem says so
  }
  json["places"] = Json::object();
  for (const auto& [id, place] : document.Places()) json["places"][id] = {place.x, place.y};
  json["automatic"] = AutomaticPlaces(file, described);
  return json;
}

void ApplyEdits(Document& document, const nlohmann::json& edits) {
  if (!edits.is_array()) throw ArgumentError({}, "expected a list of edits, found something else");
  document.Edit([&](CompositionEdit& edit, BoxPlaces& places) {
    for (const nlohmann::json& one : edits) Apply(Wish(one), edit, places);
  });
}

}  // namespace openmi
