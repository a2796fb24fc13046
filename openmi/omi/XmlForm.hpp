#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Checks the form of elements, collects the errors and continues. All messages give the allowed content and the
/// nearest name.
class XmlForm {
 public:
  /// \param problems  borrowed; must outlive this object
  explicit XmlForm(Problems& problems) : problems_(problems) {}

  /// The attribute; null after an error was reported. Its value may be empty.
  const XmlAttribute* Present(const XmlElement& element, std::string_view attribute_name, std::string remedy = {});
  /// As `Present`; an empty value is also reported.
  const XmlAttribute* Required(const XmlElement& element, std::string_view attribute_name, std::string remedy = {});
  /// The value of a required attribute; empty after an error was reported.
  std::string Text(const XmlElement& element, std::string_view attribute_name);
  /// The value of a boolean attribute: true, false, 1 or 0.
  /// \returns `otherwise` when the attribute is absent, or has another value (which is an error)
  bool Boolean(const XmlElement& element, std::string_view attribute_name, bool otherwise);
  /// Reports attributes that are not listed. Schema instance attributes (xsi:) are left to a validator.
  void OnlyAttributes(const XmlElement& element, std::initializer_list<std::string_view> allowed);
  /// Reports children that are not listed, or have another namespace than their parent.
  void OnlyChildren(const XmlElement& element, std::initializer_list<std::string_view> allowed);
  /// Reports the second and further children with this name.
  void AtMostOne(const XmlElement& element, std::string_view child_name);
  /// Reports text that is not white space.
  void NoText(const XmlElement& element);
  /// OnlyAttributes, OnlyChildren and NoText, in this order.
  void Only(const XmlElement& element, std::initializer_list<std::string_view> attributes,
            std::initializer_list<std::string_view> children) {
    OnlyAttributes(element, attributes);
    OnlyChildren(element, children);
    NoText(element);
  }
  /// Sets `value` to what the attribute names; an absent attribute is ignored, and any other text is an error.
  template <class E, class V>
  void OneOf(const XmlElement& element, std::string_view attribute_name, const EnumNames<E>& names, V& value) {
    const XmlAttribute* attribute = element.Attribute(attribute_name);
    if (attribute == nullptr) return;
    if (const auto found = names.Find(attribute->value)) {
      value = *found;
    } else {
      RefuseName(element, *attribute, names.List());
    }
  }

 private:
  void RefuseName(const XmlElement& element, const XmlAttribute& attribute, const std::vector<std::string>& allowed);
  Problems& problems_;
};

}  // namespace openmi
