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

// The last line of each child of the root, by its first line.
std::map<int, int> LastLines(const SourceElement& root, const std::string& text) {
  std::map<int, int> last;
  std::size_t at = 0;
  int line = 1;
  const auto line_at = [&](std::size_t offset) {
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                        text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    at = offset;
    return line;
  };
  for (const SourceElement& child : root.children) {
    const int first = line_at(child.begin);
    last[first] = line_at(child.end);
  }
  return last;
}

// The attributes of the Run element as they are written.
Json RunOf(const SourceElement& root) {
  for (const SourceElement& child : root.children) {
    if (child.name != "Run") continue;
    Json run = Json::object();
    for (const SourceAttribute& attribute : child.attributes) run[attribute.name] = attribute.value;
    return run;
  }
  return nullptr;
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
  const GraphLayout layout = LayOutGraph(boxes, edges, {.between_layers = 30.0, .between_boxes = 30.0, .margin = 30.0});
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
  const std::map<int, int> last_lines = LastLines(root, document.Text());
  const auto last = [&last_lines](int line) {
    const auto found = last_lines.find(line);
    return found == last_lines.end() ? line : found->second;
  };
  json["components"] = Json::array();
  for (const ComponentSpec& component : file.components) {
    Json one = {{"id", component.id},
                {"line", component.line},
                {"last", last(component.line)},
                {"arguments", ArgumentsOf(component.arguments)}};
    const auto put = [&one](const char* key, const std::string& text) {
      if (!text.empty()) one[key] = text;
    };
    put("caption", component.caption);
    put("omi", component.omi);
    put("type", component.type);
    put("assembly", component.assembly);
    if (component.invented) one["invented"] = true;
    if (component.population) one["population"] = component.population->table.of;
    json["components"].push_back(std::move(one));
  }
  json["links"] = Json::array();
  for (const LinkSpec& link : file.links) {
    Json one = {{"from", link.from.Text()}, {"to", link.to.Text()}, {"line", link.line}, {"last", last(link.line)}};
    if (link.loop == LoopAnswer::Extrapolate) one["loop"] = "extrapolate";
    one["adaptors"] = Json::array();
    for (const AdaptorSpec& adaptor : link.adaptors) {
      one["adaptors"].push_back(
          {{"id", adaptor.id}, {"line", adaptor.line}, {"arguments", ArgumentsOf(adaptor.arguments)}});
    }
    json["links"].push_back(std::move(one));
  }
  json["observes"] = Json::array();
  for (const SourceElement& child : root.children) {
    if (child.name != "Observe") continue;
    Json one = Json::object();
    for (const SourceAttribute& attribute : child.attributes) one[attribute.name] = attribute.value;
    json["observes"].push_back(std::move(one));
  }
  json["loops"] = Json::array();
  for (const IterateSpec& iterate : file.iterates) json["loops"].push_back(iterate.components);
  json["run"] = RunOf(root);
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
