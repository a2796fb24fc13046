#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Checks of form that report into a list and go on. All sentences name what may stand there, and the nearest name.
class XmlForm {
 public:
  /// \param problems  borrowed; must outlive this object
  explicit XmlForm(Problems& problems) : problems_(problems) {}

  /// The attribute, or null after an error was reported. Its value may be empty.
  const XmlAttribute* Present(const XmlElement& element, std::string_view attribute_name, std::string remedy = {});
  /// The same, and an empty value is reported too.
  const XmlAttribute* Required(const XmlElement& element, std::string_view attribute_name, std::string remedy = {});
  /// Value of a required attribute, empty after an error was reported.
  std::string Text(const XmlElement& element, std::string_view attribute_name);
  /// true, false, 1 or 0; anything else is an error and gives `otherwise`, as does an absent attribute.
  bool Boolean(const XmlElement& element, std::string_view attribute_name, bool otherwise);
  /// Reports attributes that are not listed; those of a schema instance (xsi:) are left to a validator.
  void OnlyAttributes(const XmlElement& element, std::initializer_list<std::string_view> allowed);
  /// Reports children that are not listed, or in another namespace than their parent.
  void OnlyChildren(const XmlElement& element, std::initializer_list<std::string_view> allowed);
  /// Reports the second and further children of this name.
  void AtMostOne(const XmlElement& element, std::string_view child_name);
  /// Reports text that is not white space.
  void NoText(const XmlElement& element);
  /// Reports a value of the attribute that is none of `allowed`; an absent attribute is left alone.
  void OneOf(const XmlElement& element, std::string_view attribute_name,
             std::initializer_list<std::string_view> allowed);

 private:
  Problems& problems_;
};

}  // namespace openmi
