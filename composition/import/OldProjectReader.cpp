#include "composition/import/OldProjectReader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

// "Oatc.OpenMI.Gui.Trigger", "org.OpenMI.Tools.GUI.Trigger": no OMI file, but a class of the editor.
bool IsTrigger(std::string_view omi) {
  return Lower(omi).ends_with(".gui.trigger");
}

// Before its user sets a time, the editor writes this one.
constexpr std::string_view kNoTime = "01/01/1900 00:00:00";

}  // namespace

void OldProjectReader::LeaveOut(const XmlElement& element, Names attributes, Names children) {
  for (const XmlAttribute& attribute : element.attributes) {
    if (std::ranges::find(attributes, attribute.name) != attributes.end()) continue;
    AddWarning(problems_, element.Place(attribute),
               fmt::format("left out: the attribute {} of {}, which no form of this file is known to have",
                           Quoted(attribute.name), element.name));
  }
  for (const XmlElement& child : element.children) {
    if (std::ranges::find(children, child.name) != children.end()) continue;
    AddWarning(problems_, child.Place(),
               fmt::format("left out: the element {} in {}, which no form of this file is known to have",
                           Quoted(child.name), element.name));
  }
  if (const std::string text = element.TrimmedText(); !text.empty()) {
    AddWarning(problems_, element.Place(), fmt::format("left out: the text {} in {}", Quoted(text), element.name));
  }
}

void OldProjectReader::ReadVersion1(const XmlElement& root) {
  LeaveOut(root, {"version"}, {"models", "links", "runproperties"});
  for (const XmlElement* models : root.Children("models")) {
    LeaveOut(*models, {}, {"model"});
    for (const XmlElement* model : models->Children("model")) ReadModel(*model);
  }
  for (const XmlElement* links : root.Children("links")) {
    LeaveOut(*links, {}, {"uilink"});
    for (const XmlElement* pair : links->Children("uilink")) ReadUiLink(*pair);
  }
  for (const XmlElement* properties : root.Children("runproperties")) ReadRunProperties(*properties);
}

void OldProjectReader::ReadModel(const XmlElement& element) {
  LeaveOut(element, {"omi", "rect_x", "rect_y", "rect_width", "rect_height", "is_trigger"}, {});
  OldModel model;
  model.line = element.line;
  model.omi = form_.Text(element, "omi");
  if (IsTrigger(model.omi) && old_.kind == OldComposition::Kind::Version1) {
    trigger_ = model.omi;
    return;
  }
  model.is_trigger = form_.Boolean(element, "is_trigger", false);
  old_.models.push_back(std::move(model));
}

void OldProjectReader::ReadUiLink(const XmlElement& element) {
  LeaveOut(element, {"model_providing", "model_accepting"}, {"link", "chain"});
  for (const XmlElement& child : element.children) {
    if (child.name == "link") ReadLink(child, element);
    if (child.name == "chain") ReadChain(child, element);
  }
}

void OldProjectReader::ReadLink(const XmlElement& element, const XmlElement& pair) {
  LeaveOut(element, {"id", "source_elementset", "source_quantity", "target_elementset", "target_quantity"},
           {"dataoperation"});
  OldLink link;
  link.line = element.line;
  link.from = {form_.Text(pair, "model_providing"),
               {},
               form_.Text(element, "source_quantity"),
               element.Get("source_elementset")};
  link.to = {form_.Text(pair, "model_accepting"),
             {},
             form_.Text(element, "target_quantity"),
             element.Get("target_elementset")};
  for (const XmlElement* operation : element.Children("dataoperation")) {
    link.operations.push_back(ReadOperation(*operation, "id", "key"));
  }
  Add(std::move(link));
}

void OldProjectReader::ReadChain(const XmlElement& element, const XmlElement& pair) {
  LeaveOut(element, {}, {"providerExchangeItem", "DataOperation", "acceptorExchangeItem"});
  OldLink link;
  link.line = element.line;
  link.from.model_name = form_.Text(pair, "model_providing");
  link.to.model_name = form_.Text(pair, "model_accepting");
  const auto read_item = [&](const char* name) -> std::string {
    const XmlElement* item = element.Child(name);
    if (item != nullptr) return form_.Text(*item, "id");
    AddError(problems_, element.Place(), fmt::format("expected the element {} in chain, found none", name),
             "write the exchange item at this end of the link");
    return {};
  };
  link.from.item = read_item("providerExchangeItem");
  link.to.item = read_item("acceptorExchangeItem");
  for (const XmlElement* operation : element.Children("DataOperation")) {
    link.operations.push_back(ReadOperation(*operation, "id", "key"));
  }
  Add(std::move(link));
}

void OldProjectReader::Add(OldLink link) {
  const auto is_named = [this](const OldEnd& end) {
    return (end.model || !end.model_name.empty()) && !end.item.empty();
  };
  if (!trigger_.empty() && link.to.model_name == trigger_) {
    if (is_named(link.from)) old_.triggered.push_back(std::move(link.from));
  } else if (is_named(link.from) && is_named(link.to)) {
    old_.links.push_back(std::move(link));
  }  // else reported already
}

void OldProjectReader::ReadRunProperties(const XmlElement& element) {
  LeaveOut(element, {"listenedeventtypes", "triggerinvoke", "runinsamethread", "showeventsinlistbox", "logfilename"},
           {});
  const XmlAttribute* time = element.Attribute("triggerinvoke");
  if (time == nullptr || Trimmed(time->value).empty() || time->value == kNoTime) return;
  old_.asked_time = time->value;
  old_.asked_time_line = time->line;
}

AdaptorSpec OldProjectReader::ReadOperation(const XmlElement& element, std::string_view id_name,
                                            std::string_view key_name) {
  AdaptorSpec operation;
  operation.line = element.line;
  operation.id = form_.Text(element, id_name);
  const auto read_argument = [&](const XmlElement& argument) {
    LeaveOut(argument, {key_name, "value"}, {});
    const XmlAttribute* key = form_.Required(argument, key_name);
    const XmlAttribute* value = form_.Present(argument, "value");
    if (key != nullptr && value != nullptr) operation.arguments.push_back({key->value, value->value, argument.line});
  };
  for (const XmlElement& child : element.children) {
    if (child.name == "argument") read_argument(child);
    if (child.name != "arguments") continue;
    LeaveOut(child, {}, {"argument"});
    for (const XmlElement* argument : child.Children("argument")) read_argument(*argument);
  }
  return operation;
}

void OldProjectReader::ReadVersion2(const XmlElement& root) {
  LeaveOut(root, {"version"}, {"models", "connections", "model", "connection"});
  for (const XmlElement& child : root.children) {
    if (child.name == "model") ReadModel(child);
    if (child.name != "models") continue;
    LeaveOut(child, {}, {"model"});
    for (const XmlElement* model : child.Children("model")) ReadModel(*model);
  }
  for (const XmlElement& child : root.children) {
    if (child.name == "connection") ReadConnection(child);
    if (child.name != "connections") continue;
    LeaveOut(child, {}, {"connection"});
    for (const XmlElement* connection : child.Children("connection")) ReadConnection(*connection);
  }
}

void OldProjectReader::ReadConnection(const XmlElement& element) {
  LeaveOut(element, {"source_model_index", "target_model_index", "model_index_source", "model_index_target"},
           {"links", "decorators", "exchange"});
  const bool is_early = element.Attribute("model_index_source") != nullptr;
  const std::size_t count = old_.models.size();
  OldLink ends;
  ends.from.model = Index(element, is_early ? "model_index_source" : "source_model_index", count, "a model");
  ends.to.model = Index(element, is_early ? "model_index_target" : "target_model_index", count, "a model");
  if (!ends.from.model || !ends.to.model) return;
  for (const XmlElement* exchange : element.Children("exchange")) ReadExchange(*exchange, ends);
  std::vector<AdaptorSpec> adaptors;
  for (const XmlElement* list : element.Children("decorators")) {
    for (const XmlElement& decorator : list->children) {  // "decorator" or "adapted_outputs"
      LeaveOut(decorator, {"item_id"}, {"factory", "arguments"});
      adaptors.push_back(ReadOperation(decorator, "item_id", "id"));
      if (const XmlElement* factory = decorator.Child("factory")) {
        adaptors.back().factory = factory->Get("type", factory->Get("id"));
      }
    }
  }
  for (const XmlElement* links : element.Children("links")) {
    LeaveOut(*links, {}, {"link"});
    for (const XmlElement* link : links->Children("link")) ReadItemLink(*link, ends, adaptors);
  }
}

void OldProjectReader::ReadExchange(const XmlElement& element, const OldLink& ends) {
  LeaveOut(element, {"output_identifier", "input_identifier"}, {"decorator"});
  OldLink link = ends;
  link.line = element.line;
  link.from.item = form_.Text(element, "output_identifier");
  link.to.item = form_.Text(element, "input_identifier");
  for (const XmlElement* decorator : element.Children("decorator")) {
    LeaveOut(*decorator, {"identifer", "decorated_identifer"}, {"argument"});  // misspelt in these files
    link.operations.push_back(ReadOperation(*decorator, "identifer", "identifier"));
  }
  Add(std::move(link));
}

void OldProjectReader::ReadItemLink(const XmlElement& element, const OldLink& ends,
                                    const std::vector<AdaptorSpec>& adaptors) {
  LeaveOut(element, {"source_item_id", "target_item_id"},
           {"decorated", "source_item_id", "multi_input_exchangeitem_sources"});
  OldLink link = ends;
  link.line = element.line;
  link.to.item = form_.Text(element, "target_item_id");
  const XmlElement* sources = element.Child("multi_input_exchangeitem_sources");
  if (const XmlElement* source = element.Child("source_item_id");
      source != nullptr && (sources == nullptr || sources->children.empty())) {
    ReadSource(*source, adaptors, link);
  } else if (sources != nullptr && !sources->children.empty()) {
    for (const XmlElement& one : sources->children) {  // an input that takes several outputs
      OldLink each = link;
      ReadSource(one, adaptors, each);
      Add(std::move(each));
    }
    return;
  } else {
    link.from.item = form_.Text(element, "source_item_id");
    for (const XmlElement* decorated : element.Children("decorated")) ReadDecorated(*decorated, adaptors, link);
  }
  Add(std::move(link));
}

void OldProjectReader::ReadDecorated(const XmlElement& element, const std::vector<AdaptorSpec>& adaptors,
                                     OldLink& link) {
  LeaveOut(element, {"index"}, {});
  if (const auto index = Index(element, "index", adaptors.size(), "an adapted output of this connection")) {
    link.operations.push_back(adaptors[*index]);
  }
}

// The element names the last adapted output; those before it and the output are its parents.
void OldProjectReader::ReadSource(const XmlElement& element, const std::vector<AdaptorSpec>& adaptors, OldLink& link) {
  for (const XmlElement* item = &element; item != nullptr; item = item->Child("parent_item_id")) {
    LeaveOut(*item, {"source_item_id", "source_item_is_adaptedoutput", "source_item_adpatedoutput_index"},
             {"parent_item_id"});
    if (!form_.Boolean(*item, "source_item_is_adaptedoutput", false)) {
      link.from.item = form_.Text(*item, "source_item_id");
      break;
    }
    if (const auto index =
            Index(*item, "source_item_adpatedoutput_index", adaptors.size(), "an adapted output of this connection")) {
      link.operations.push_back(adaptors[*index]);
    }
  }
  std::ranges::reverse(link.operations);
  if (!link.from.item.empty()) return;
  AddError(problems_, element.Place(), "expected an output at the start of the adapted outputs, found none",
           "write the output as the last parent_item_id");
}

std::optional<std::size_t> OldProjectReader::Index(const XmlElement& element, std::string_view attribute_name,
                                                   std::size_t count, std::string_view what) {
  const XmlAttribute* attribute = form_.Required(element, attribute_name);
  if (attribute == nullptr) return std::nullopt;
  const std::optional<std::size_t> index = AsNumber<std::size_t>(attribute->value);
  if (index && *index < count) return index;
  AddError(problems_, element.Place(*attribute),
           fmt::format("expected the position of {} in '{}' of {}, found {}", what, attribute_name, element.name,
                       Quoted(attribute->value)),
           count == 0 ? "there is none" : fmt::format("positions go from 0 to {}", count - 1));
  return std::nullopt;
}

}  // namespace openmi
