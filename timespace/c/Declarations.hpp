#pragma once

#include <memory>
#include <string>

#include "openmi/c/openmi_component.h"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi::c {

/// A copy of a struct that a component gave.
/// \param name  of the struct, for messages
/// \throws ArgumentError  it is null, or its size is less than that of version 1 of the interface
template <class Struct>
Struct Taken(const Struct* given, const char* name);

/// A text of a component; empty for null.
inline std::string TextFrom(const char* text) {
  return text != nullptr ? std::string(text) : std::string();
}
/// A text that has to be there.
/// \param what  for messages: "the id of an item"
/// \throws ArgumentError  it is null, empty or no UTF-8
std::string RequiredText(const char* text, const char* what);

/// Declares an argument.
/// \throws Error  what is declared cannot be used
ArgumentItem& Declare(ArgumentList& arguments, const openmi_argument& declared);

/// The elements that a component describes.
/// \throws Error  counts that do not fit, or elements that break a rule of ElementSetBuilder
ElementSet ElementsOf(const openmi_elements& declared);

/// What the values of an item mean.
/// \throws Error  the unit cannot be read, or the type is unknown
std::unique_ptr<const IValueDefinition> DefinitionOf(const openmi_item& item);

}  // namespace openmi::c
