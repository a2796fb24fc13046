#include "openmi/omi/XmlForm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "openmi/sdk/Suggest.hpp"

namespace openmi {

namespace {

constexpr std::string_view kInstance = "http://www.w3.org/2001/XMLSchema-instance";

std::vector<std::string> Strings(std::initializer_list<std::string_view> names) {
  return std::vector<std::string>(names.begin(), names.end());
}

bool Contains(std::initializer_list<std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const XmlAttribute* XmlForm::Required(const XmlElement& element, std::string_view attribute_name, std::string remedy) {
  const XmlAttribute* attribute = Present(element, attribute_name, remedy);
  if (attribute == nullptr || !attribute->value.empty()) return attribute;
  AddError(problems_, element.Place(*attribute),
           fmt::format("expected a value for '{}' of {}, found an empty one", attribute_name, element.name),
           remedy.empty() ? fmt::format("write {}=\"...\"", attribute_name) : remedy);
  return nullptr;
}

const XmlAttribute* XmlForm::Present(const XmlElement& element, std::string_view attribute_name, std::string remedy) {
  if (const XmlAttribute* attribute = element.Attribute(attribute_name)) return attribute;
  std::vector<std::string> present;
  for (const XmlAttribute& other : element.attributes) present.push_back(other.name);
  const std::string nearest = Nearest(attribute_name, present);
  std::string found = "none";
  if (!nearest.empty()) found = fmt::format("'{}'", nearest);
  if (remedy.empty()) {
    remedy = nearest.empty() ? fmt::format("write {}=\"...\" into <{}>", attribute_name, element.name)
                             : fmt::format("write '{}' instead of '{}'", attribute_name, nearest);
  }
  AddError(problems_, element.Place(),
           fmt::format("expected the attribute '{}' in {}, found {}", attribute_name, element.name, found), remedy);
  return nullptr;
}

std::string XmlForm::Text(const XmlElement& element, std::string_view attribute_name) {
  const XmlAttribute* attribute = Required(element, attribute_name);
  return attribute == nullptr ? std::string() : attribute->value;
}

bool XmlForm::Boolean(const XmlElement& element, std::string_view attribute_name, bool otherwise) {
  const XmlAttribute* attribute = element.Attribute(attribute_name);
  if (attribute == nullptr) return otherwise;
  std::string_view value = attribute->value;
  constexpr std::string_view kBlank = " \t\r\n";  // xs:boolean collapses white space
  value.remove_prefix(std::min(value.find_first_not_of(kBlank), value.size()));
  value = value.substr(0, value.find_last_not_of(kBlank) + 1);
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  AddError(problems_, element.Place(*attribute),
           fmt::format("expected true or false for '{}' of {}, found {}", attribute_name, element.name,
                       Quoted(attribute->value)),
           fmt::format("write {}=\"true\" or {}=\"false\"", attribute_name, attribute_name));
  return otherwise;
}

void XmlForm::OnlyAttributes(const XmlElement& element, std::initializer_list<std::string_view> allowed) {
  for (const XmlAttribute& attribute : element.attributes) {
    if (attribute.namespace_uri == kInstance) continue;
    if (attribute.namespace_uri.empty() && Contains(allowed, attribute.name)) continue;
    if (!attribute.namespace_uri.empty()) {
      AddError(
          problems_, element.Place(attribute),
          fmt::format("expected attributes of {} without namespace, found {} in {}", element.name,
                      Quoted(attribute.name), Quoted(attribute.namespace_uri)),
          Contains(allowed, attribute.name) ? fmt::format("write '{}' without a prefix", attribute.name) : "remove it");
      continue;
    }
    AddError(problems_, element.Place(attribute),
             fmt::format("expected an attribute that {} knows, found {}", element.name, Quoted(attribute.name)),
             allowed.size() == 0 ? "it takes no attributes; remove it" : Suggest(attribute.name, Strings(allowed)));
  }
}

void XmlForm::OnlyChildren(const XmlElement& element, std::initializer_list<std::string_view> allowed) {
  for (const XmlElement& child : element.children) {
    if (!Contains(allowed, child.name)) {
      AddError(problems_, child.Place(),
               fmt::format("expected an element that is allowed in {}, found {}", element.name, Quoted(child.name)),
               allowed.size() == 0 ? "nothing is allowed in it; remove it" : Suggest(child.name, Strings(allowed)));
    } else if (child.namespace_uri != element.namespace_uri) {
      AddError(problems_, child.Place(),
               fmt::format("expected {} in namespace '{}', found it in '{}'", child.name, element.namespace_uri,
                           child.namespace_uri),
               "write it without prefix and without an xmlns of its own");
    }
  }
}

void XmlForm::AtMostOne(const XmlElement& element, std::string_view child_name) {
  const XmlElement* first = nullptr;
  for (const XmlElement& child : element.children) {
    if (child.name != child_name) continue;
    if (first != nullptr) {
      AddError(problems_, child.Place(),
               fmt::format("expected one {} in {}, found another; the first is on line {}", child_name, element.name,
                           first->line),
               "join the two into one");
    } else {
      first = &child;
    }
  }
}

void XmlForm::NoText(const XmlElement& element) {
  const std::string text = element.TrimmedText();
  if (text.empty()) return;
  AddError(problems_, element.Place(), fmt::format("expected no text in {}, found {}", element.name, Quoted(text)),
           "write it as an attribute, or remove it");
}

void XmlForm::RefuseName(const XmlElement& element, const XmlAttribute& attribute,
                         const std::vector<std::string>& allowed) {
  AddError(problems_, element.Place(attribute),
           fmt::format("expected one of {} for '{}' of {}, found {}", fmt::join(allowed, ", "), attribute.name,
                       element.name, Quoted(attribute.value)),
           Suggest(attribute.value, allowed));
}

}  // namespace openmi
