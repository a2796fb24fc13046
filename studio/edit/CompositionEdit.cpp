#include "studio/edit/CompositionEdit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {
namespace {

constexpr std::string_view kBlanks = " \t";

bool IsComponent(const SourceElement& element) {
  return element.name == "Component" || element.name == "Population";
}

// The component of "component.item".
std::string_view OwnerOf(std::string_view item) {
  return item.substr(0, item.find('.'));
}

// Where elements name items or components: the attributes of an element, and whether they hold a list of ids.
struct Naming {
  std::string_view element;
  std::string_view attribute;
  bool is_list = false;
};
constexpr std::array kNamings = {Naming{"Link", "From"},         Naming{"Link", "To"},
                                 Naming{"Observe", "Item"},      Naming{"Compare", "Simulated"},
                                 Naming{"Compare", "Observed"},  Naming{"Tolerance", "Item"},
                                 Naming{"Run", "Trigger", true}, Naming{"Iterate", "Components", true}};

// The elements of a composition in the order in which new ones are written.
constexpr std::array<std::string_view, 9> kOrder = {"Component", "Population", "Link",        "Iterate", "Observe",
                                                    "Compare",   "Run",        "Checkpoints", "Results"};
const std::string kRoot = "Composition";

// What AddElement can add, and where.
struct Addable {
  std::string_view parent;
  std::string_view name;
};
constexpr std::array kAddable = {Addable{"Composition", "Iterate"},     Addable{"Composition", "Compare"},
                                 Addable{"Composition", "Checkpoints"}, Addable{"Composition", "Results"},
                                 Addable{"Iterate", "Tolerance"},       Addable{"Compare", "Window"},
                                 Addable{"Population", "Table"},        Addable{"Population", "Network"}};

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Calls `visit` with each element below `root` that names something, its naming and its attribute.
void EachNaming(const SourceElement& root,
                const std::function<void(const SourceElement&, const Naming&, const SourceAttribute&)>& visit) {
  for (const SourceElement& element : root.children) {
    for (const Naming& naming : kNamings) {
      const SourceAttribute* attribute = element.Attribute(naming.attribute);
      if (element.name == naming.element && attribute != nullptr) visit(element, naming, *attribute);
    }
    EachNaming(element, visit);
  }
}

}  // namespace

const SourceElement* CompositionEdit::Find(const SourceElement& root,
                                           const std::function<bool(const SourceElement&)>& is_it) const {
  const auto found = std::ranges::find_if(root.children, is_it);
  return found == root.children.end() ? nullptr : &*found;
}

const SourceElement& CompositionEdit::Component(const SourceElement& root, const std::string& id) const {
  const SourceElement* found =
      Find(root, [&](Element element) { return IsComponent(element) && element.Get("Id") == id; });
  if (found != nullptr) return *found;
  std::vector<std::string> ids;
  for (const SourceElement& child : root.children) {
    if (IsComponent(child)) ids.push_back(child.Get("Id"));
  }
  throw ArgumentError({.component = id}, fmt::format("expected a component of the composition, found '{}'", id),
                      Suggest(id, ids));
}

const SourceElement& CompositionEdit::Link(const SourceElement& root, const std::string& from,
                                           const std::string& to) const {
  const SourceElement* found = Find(root, [&](Element element) {
    return element.name == "Link" && element.Get("From") == from && element.Get("To") == to;
  });
  if (found != nullptr) return *found;
  throw ArgumentError({}, fmt::format("expected a link of the composition, found '{} -> {}'", from, to),
                      "it may have been removed elsewhere");
}

const SourceElement& CompositionEdit::Adaptor(const SourceElement& link, std::size_t at) const {
  std::size_t index = 0;
  for (const SourceElement& child : link.children) {
    if (child.name == "Adaptor" && index++ == at) return child;
  }
  throw ArgumentError({}, fmt::format("expected an adaptor of the link, found number {} of {}", at + 1, index),
                      "it may have been removed elsewhere");
}

void CompositionEdit::Replace(std::size_t begin, std::size_t end, std::string_view with) {
  text_.replace(begin, end - begin, with);
}

void CompositionEdit::SetAttribute(const SourceElement& element, std::string_view name,
                                   const std::optional<std::string>& value) {
  const SourceAttribute* attribute = element.Attribute(name);
  if (attribute != nullptr && value) {
    Replace(attribute->value_begin, attribute->value_end, EscapedFor(attribute->quote, *value));
  } else if (attribute != nullptr) {
    Replace(attribute->begin, attribute->value_end + 1, "");
  } else if (value) {
    const std::string written = fmt::format(" {}=\"{}\"", name, EscapedFor('"', *value));
    Replace(element.names_end, element.names_end, written);
  }
}

std::string CompositionEdit::LineEnd() const {
  const std::size_t first = text_.find('\n');
  return first != std::string::npos && first > 0 && text_[first - 1] == '\r' ? "\r\n" : "\n";
}

// The blanks between the start of the line and `begin`; nothing else may stand there.
std::string CompositionEdit::IndentOf(std::size_t begin) const {
  const std::size_t line = begin == 0 ? std::string::npos : text_.rfind('\n', begin - 1);
  const std::size_t start = line == std::string::npos ? 0 : line + 1;
  const std::string indent = text_.substr(start, begin - start);
  return indent.find_first_not_of(kBlanks) == std::string::npos ? indent : std::string();
}

void CompositionEdit::Remove(const SourceElement& element) {
  std::size_t begin = element.begin;
  std::size_t end = element.end;
  std::string kept;
  for (const auto& [at, size] : CommentsIn(text_, element.begin, element.end)) {
    kept += (kept.empty() ? "" : LineEnd() + IndentOf(element.begin)) + text_.substr(at, size);
  }
  if (kept.empty()) {
    // The whole line, if the element stands there alone.
    const std::size_t before = begin == 0 ? std::string::npos : text_.find_last_not_of(kBlanks, begin - 1);
    const std::size_t after = text_.find_first_not_of(" \t\r", end);
    if (before != std::string::npos && text_[before] == '\n' && after != std::string::npos && text_[after] == '\n') {
      begin = before + 1;
      end = after + 1;
    }
  }
  Replace(begin, end, kept);
}

void CompositionEdit::Insert(const SourceElement& parent, const SourceElement* after,
                             const std::vector<std::string>& lines) {
  const std::string line_end = LineEnd();
  const std::string outer = IndentOf(parent.begin);
  const SourceElement* like = after != nullptr ? after : parent.children.empty() ? nullptr : &parent.children.front();
  const std::string indent = like != nullptr ? IndentOf(like->begin) : outer + "  ";
  std::string written;
  for (const std::string& line : lines) written += line_end + indent + line;
  if (parent.is_empty) {  // "<a/>" becomes "<a>...</a>"
    Replace(parent.names_end, parent.tag_end,
            fmt::format(">{}{}{}</{}{}>", written, line_end, outer, parent.prefix, parent.name));
    return;
  }
  std::size_t at = after != nullptr ? after->end : parent.tag_end;
  // After a comment that stands on the same line.
  for (std::size_t next = at; next < parent.close;) {
    next = std::min(text_.find_first_not_of(" \t\r", next), parent.close);
    if (text_[next] == '\n') break;
    if (text_.compare(next, 4, "<!--") != 0) break;
    const std::size_t end = text_.find("-->", next) + 3;
    if (text_.substr(next, end - next).find('\n') != std::string::npos) break;
    at = next = end;
  }
  const std::string_view rest = std::string_view(text_).substr(at, parent.close - at);
  if (rest.find('\n') == std::string_view::npos && at + rest.size() == parent.close) written += line_end + outer;
  Replace(at, at, written);
}

void CompositionEdit::Append(const SourceElement& root, const std::vector<std::string_view>& names,
                             const std::vector<std::string>& lines) {
  const SourceElement* last = nullptr;
  for (const SourceElement& child : root.children) {
    if (std::ranges::find(names, child.name) != names.end()) last = &child;
  }
  Insert(root, last, lines);
}

std::vector<std::string> CompositionEdit::Lines(const std::string& prefix, std::string_view name,
                                                const std::vector<NamedValue>& attributes,
                                                const std::vector<std::vector<std::string>>& children) const {
  std::string tag = fmt::format("<{}{}", prefix, name);
  for (const auto& [key, value] : attributes) tag += fmt::format(" {}=\"{}\"", key, EscapedFor('"', value));
  if (children.empty()) return {tag + "/>"};
  std::vector<std::string> lines = {tag + ">"};
  for (const std::vector<std::string>& child : children) {
    for (const std::string& line : child) lines.push_back("  " + line);
  }
  lines.push_back(fmt::format("</{}{}>", prefix, name));
  return lines;
}

std::vector<std::vector<std::string>> CompositionEdit::ArgumentLines(const std::string& prefix,
                                                                     const std::vector<NamedValue>& arguments) const {
  std::vector<std::vector<std::string>> lines;
  for (const auto& [key, value] : arguments) {
    lines.push_back(Lines(prefix, "Argument", {{"Key", key}, {"Value", value}}, {}));
  }
  return lines;
}

void CompositionEdit::SetComposition(std::string_view attribute, const std::optional<std::string>& value) {
  SetAttribute(ReadXmlSource(text_), attribute, value);
}

void CompositionEdit::AddComponent(const std::string& id, const std::vector<NamedValue>& attributes,
                                   const std::vector<NamedValue>& arguments) {
  const SourceElement root = ReadXmlSource(text_);
  if (Find(root, [&](Element element) { return IsComponent(element) && element.Get("Id") == id; }) != nullptr) {
    throw ArgumentError({.component = id}, fmt::format("expected an id that no component has, found '{}'", id),
                        "choose another id");
  }
  std::vector<NamedValue> all = {{"Id", id}};
  all.insert(all.end(), attributes.begin(), attributes.end());
  Append(root, {"Component", "Population"},
         Lines(root.prefix, "Component", all, ArgumentLines(root.prefix, arguments)));
}

// Takes a component out of lists of ids; a Trigger without ids and an Iterate with less than two go away.
void CompositionEdit::DropFromList(const std::function<bool(const SourceElement&)>& is_it, std::string_view attribute,
                                   const std::string& id) {
  for (std::size_t index = 0;; ++index) {
    const SourceElement root = ReadXmlSource(text_);
    if (index >= root.children.size()) return;
    const SourceElement& element = root.children[index];
    if (!is_it(element)) continue;
    std::vector<std::string> words = Words(element.Get(attribute));
    if (std::erase(words, id) == 0) continue;
    if (element.name == "Iterate" && words.size() < 2) {
      Remove(element);
      --index;
    } else {
      SetAttribute(element, attribute, words.empty() ? std::nullopt : std::optional(Joined(words)));
    }
  }
}

void CompositionEdit::RemoveComponent(const std::string& id) {
  (void)Component(ReadXmlSource(text_), id);
  const auto names_it = [&](Element element) {
    if (element.name == "Link") return OwnerOf(element.Get("From")) == id || OwnerOf(element.Get("To")) == id;
    if (element.name == "Observe" || element.name == "Tolerance") return OwnerOf(element.Get("Item")) == id;
    if (element.name == "Compare") {
      return OwnerOf(element.Get("Simulated")) == id || OwnerOf(element.Get("Observed")) == id;
    }
    return IsComponent(element) && element.Get("Id") == id;
  };
  DropFromList([](Element element) { return element.name == "Run"; }, "Trigger", id);
  DropFromList([](Element element) { return element.name == "Iterate"; }, "Components", id);
  // From the back, so that offsets in front stay valid.
  const SourceElement root = ReadXmlSource(text_);
  // NOLINTNEXTLINE(modernize-loop-convert): clang 14 cannot compile views of this library
  for (auto element = root.children.rbegin(); element != root.children.rend(); ++element) {
    if (names_it(*element)) {
      Remove(*element);
      continue;
    }
    for (auto child = element->children.rbegin(); child != element->children.rend(); ++child) {
      if (child->name == "Tolerance" && names_it(*child)) Remove(*child);
    }
  }
}

void CompositionEdit::RenameComponent(const std::string& id, const std::string& to) {
  const SourceElement root = ReadXmlSource(text_);
  const SourceElement& component = Component(root, id);
  if (id == to) return;
  if (Find(root, [&](Element element) { return IsComponent(element) && element.Get("Id") == to; }) != nullptr) {
    throw ArgumentError({.component = id}, fmt::format("expected an id that no component has, found '{}'", to),
                        "choose another id");
  }
  std::vector<std::pair<const SourceAttribute*, std::string>> changes = {{component.Attribute("Id"), to}};
  EachNaming(root, [&](Element, const Naming& naming, const SourceAttribute& attribute) {
    if (naming.is_list) {
      std::vector<std::string> words = Words(attribute.value);
      if (std::ranges::find(words, id) == words.end()) return;
      std::ranges::replace(words, id, to);
      changes.emplace_back(&attribute, Joined(words));
    } else if (OwnerOf(attribute.value) == id) {
      changes.emplace_back(&attribute, to + attribute.value.substr(id.size()));
    }
  });
  std::ranges::sort(changes, std::greater<>(), [](const auto& change) { return change.first->value_begin; });
  for (const auto& [attribute, value] : changes) {
    Replace(attribute->value_begin, attribute->value_end, EscapedFor(attribute->quote, value));
  }
}

void CompositionEdit::SetComponent(const std::string& id, std::string_view attribute,
                                   const std::optional<std::string>& value) {
  const SourceElement root = ReadXmlSource(text_);
  SetAttribute(Component(root, id), attribute, value);
}

void CompositionEdit::SetArgumentOf(const SourceElement& owner, const std::string& key,
                                    const std::optional<std::string>& value) {
  const SourceElement* last = nullptr;
  for (const SourceElement& child : owner.children) {
    if (child.name != "Argument") continue;
    last = &child;
    if (child.Get("Key") != key) continue;
    if (value) return SetAttribute(child, "Value", value);
    return Remove(child);
  }
  if (value) Insert(owner, last, ArgumentLines(owner.prefix, {{key, *value}}).front());
}

void CompositionEdit::SetArgument(const std::string& id, const std::string& key,
                                  const std::optional<std::string>& value) {
  const SourceElement root = ReadXmlSource(text_);
  SetArgumentOf(Component(root, id), key, value);
}

void CompositionEdit::AddLink(const std::string& from, const std::string& to, const std::vector<NewAdaptor>& adaptors) {
  const SourceElement root = ReadXmlSource(text_);
  if (Find(root, [&](Element element) {
        return element.name == "Link" && element.Get("From") == from && element.Get("To") == to;
      }) != nullptr) {
    throw ArgumentError({}, fmt::format("expected items that are not linked, found '{} -> {}'", from, to),
                        "put adaptors on the link that is there");
  }
  std::vector<std::vector<std::string>> children;
  for (const NewAdaptor& adaptor : adaptors) {
    children.push_back(
        Lines(root.prefix, "Adaptor", {{"Id", adaptor.id}}, ArgumentLines(root.prefix, adaptor.arguments)));
  }
  Append(root, {"Component", "Population", "Link"}, Lines(root.prefix, "Link", {{"From", from}, {"To", to}}, children));
}

void CompositionEdit::RemoveLink(const std::string& from, const std::string& to) {
  const SourceElement root = ReadXmlSource(text_);
  Remove(Link(root, from, to));
}

void CompositionEdit::SetLink(const std::string& from, const std::string& to, std::string_view attribute,
                              const std::optional<std::string>& value) {
  const SourceElement root = ReadXmlSource(text_);
  SetAttribute(Link(root, from, to), attribute, value);
}

void CompositionEdit::AddAdaptor(const std::string& from, const std::string& to, std::size_t at,
                                 const NewAdaptor& adaptor) {
  const SourceElement root = ReadXmlSource(text_);
  const SourceElement& link = Link(root, from, to);
  Insert(link, at == 0 ? nullptr : &Adaptor(link, at - 1),
         Lines(link.prefix, "Adaptor", {{"Id", adaptor.id}}, ArgumentLines(link.prefix, adaptor.arguments)));
}

void CompositionEdit::RemoveAdaptor(const std::string& from, const std::string& to, std::size_t at) {
  const SourceElement root = ReadXmlSource(text_);
  Remove(Adaptor(Link(root, from, to), at));
}

void CompositionEdit::SetAdaptorArgument(const std::string& from, const std::string& to, std::size_t at,
                                         const std::string& key, const std::optional<std::string>& value) {
  const SourceElement root = ReadXmlSource(text_);
  SetArgumentOf(Adaptor(Link(root, from, to), at), key, value);
}

void CompositionEdit::AddObserve(const std::string& item, const std::vector<NamedValue>& attributes) {
  const SourceElement root = ReadXmlSource(text_);
  std::vector<NamedValue> all = {{"Item", item}};
  all.insert(all.end(), attributes.begin(), attributes.end());
  Append(root, {"Component", "Population", "Link", "Iterate", "Observe"}, Lines(root.prefix, "Observe", all, {}));
}

void CompositionEdit::RemoveObserve(const std::string& item) {
  const SourceElement root = ReadXmlSource(text_);
  const SourceElement* found =
      Find(root, [&](Element element) { return element.name == "Observe" && element.Get("Item") == item; });
  if (found == nullptr) {
    throw ArgumentError({}, fmt::format("expected an item that is observed, found '{}'", item), "observe it first");
  }
  Remove(*found);
}

void CompositionEdit::SetObserve(const std::string& item, std::string_view attribute,
                                 const std::optional<std::string>& value) {
  const SourceElement root = ReadXmlSource(text_);
  const SourceElement* found =
      Find(root, [&](Element element) { return element.name == "Observe" && element.Get("Item") == item; });
  if (found == nullptr) {
    throw ArgumentError({}, fmt::format("expected an item that is observed, found '{}'", item), "observe it first");
  }
  SetAttribute(*found, attribute, value);
}

const SourceElement& CompositionEdit::At(const SourceElement& root, const ElementPath& path) const {
  const SourceElement* at = &root;
  for (const auto& step : path) {
    std::size_t index = 0;
    const SourceElement* found =
        Find(*at, [&](Element child) { return child.name == step.first && index++ == step.second; });
    if (found == nullptr) {
      throw ArgumentError(
          {}, fmt::format("expected an element {} with the number {}, found {}", step.first, step.second, index),
          "it may have been removed elsewhere");
    }
    at = found;
  }
  return *at;
}

void CompositionEdit::AddElement(const ElementPath& parent, const std::string& name,
                                 const std::vector<NamedValue>& attributes) {
  const std::string& into = parent.empty() ? kRoot : parent.back().first;
  const auto* place =
      std::ranges::find_if(kAddable, [&](const Addable& one) { return one.parent == into && one.name == name; });
  if (place == kAddable.end()) {
    throw ArgumentError({}, fmt::format("expected an element that {} can have, found {}", into, name));
  }
  const SourceElement root = ReadXmlSource(text_);
  const SourceElement& at = At(root, parent);
  const std::vector<std::string> lines = Lines(root.prefix, name, attributes, {});
  if (parent.empty()) return Append(root, {kOrder.begin(), std::ranges::find(kOrder, name) + 1}, lines);
  Insert(at, at.children.empty() ? nullptr : &at.children.back(), lines);
}

void CompositionEdit::RemoveElement(const ElementPath& path) {
  const SourceElement root = ReadXmlSource(text_);
  if (path.empty()) throw ArgumentError({}, "expected an element of the composition, found the composition");
  Remove(At(root, path));
}

void CompositionEdit::SetElement(const ElementPath& path, std::string_view attribute,
                                 const std::optional<std::string>& value) {
  const SourceElement root = ReadXmlSource(text_);
  SetAttribute(At(root, path), attribute, value);
}

void CompositionEdit::Rename(const SourceElement& element, const std::string& name) {
  const std::string tag = element.prefix + element.name;
  if (!element.is_empty) Replace(element.close + 2, element.close + 2 + tag.size(), element.prefix + name);
  Replace(element.begin + 1, element.begin + 1 + tag.size(), element.prefix + name);
}

void CompositionEdit::MakePopulation(const std::string& id, const std::string& of) {
  SourceElement root = ReadXmlSource(text_);
  const SourceElement& component = Component(root, id);
  if (component.name != "Component") {
    throw ArgumentError({.component = id}, "expected a single component, found a population");
  }
  SetAttribute(component, "Of", of);
  root = ReadXmlSource(text_);
  Rename(Component(root, id), "Population");
}

void CompositionEdit::MakeComponent(const std::string& id) {
  if (Component(ReadXmlSource(text_), id).name != "Population") {
    throw ArgumentError({.component = id}, "expected a population, found a single component");
  }
  const auto is_of_tables = [](Element child) { return child.name == "Table" || child.name == "Network"; };
  while (true) {
    const SourceElement root = ReadXmlSource(text_);
    const SourceElement* child = Find(Component(root, id), is_of_tables);
    if (child == nullptr) break;
    Remove(*child);
  }
  for (const char* attribute : {"Of", "Layer", "Key"}) SetComponent(id, attribute, std::nullopt);
  const SourceElement root = ReadXmlSource(text_);
  Rename(Component(root, id), "Component");
}

void CompositionEdit::SetRun(const std::vector<std::pair<std::string, std::optional<std::string>>>& attributes) {
  const auto is_run = [](Element element) { return element.name == "Run"; };
  SourceElement root = ReadXmlSource(text_);
  if (Find(root, is_run) == nullptr) {
    std::vector<NamedValue> given;
    for (const auto& [name, value] : attributes) {
      if (value) given.emplace_back(name, *value);
    }
    Insert(root, root.children.empty() ? nullptr : &root.children.back(), Lines(root.prefix, "Run", given, {}));
    return;
  }
  for (const auto& [name, value] : attributes) {
    root = ReadXmlSource(text_);
    SetAttribute(*Find(root, is_run), name, value);
  }
}

}  // namespace openmi
