#include "composition/conformance/AnnexA.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr AnnexATest kTests[] = {
    {"1.1", "component-instantiation/ValidXML", "a valid OMI file that makes the component",
     "the OMI file is valid and the component was made", "no OMI file was given", false},
    {"2.1", "describable-identifiable/IDescribable", "captions and descriptions",
     "captions and descriptions could be set and read back", nullptr, false},
    {"2.2", "describable-identifiable/IIdentifiable", "ids", "ids are there, unique in their lists, and stayed",
     nullptr, false},
    {"3.1", "value-definition/IValueDefinition", "value definitions",
     "value definitions are quantities, qualities or types of the component's own",
     "the component has no exchange item", false},
    {"3.2", "value-definition/IUnit", "units", "units have a factor and an offset that convert",
     "the component has no quantity", false},
    {"3.3", "value-definition/IQuantity", "quantities", "quantities are numbers", "the component has no quantity",
     false},
    {"3.4", "value-definition/IQuality", "qualities", "qualities have categories that stay as they are",
     "the component has no quality", false},
    {"3.5", "value-definition/ICategory", "categories", "categories have a value", "the component has no quality",
     false},
    {"3.6", "value-definition/IDimension", "dimensions", "dimensions have finite powers that fit their units",
     "the component has no quantity", false},
    {"3.7", "value-definition/DimensionBase", "the eight base dimensions",
     "the enumeration has its eight members, in order", nullptr, true},
    {"4.1", "spatial-definition/ISpatialDefinition", "places",
     "spatial definitions have a reference system where they need one and a version that follows them",
     "no exchange item has a place", false},
    {"4.2", "spatial-definition/IElementSet", "element sets", "element sets are sound and refuse what is outside them",
     "no exchange item has an element set", false},
    {"4.3", "spatial-definition/ElementType", "element types", "element sets are of one of the five types",
     "no exchange item has an element set", false},
    {"5.1", "temporal-definition/ITime", "times", "times are stamps or spans", "no exchange item has times", false},
    {"5.2", "temporal-definition/ITimeSet", "time sets",
     "time sets are in order and agree with what they say about durations", "no exchange item has times", false},
    {"6.1", "value-set/IBaseValueSet", "value sets", "value sets answer for their indices and refuse all others",
     "the component has no output", false},
    {"6.2", "value-set/ITimeSpaceValueSet", "values by time and element",
     "value sets give the same values through every accessor", "the component has no output with times and places",
     false},
    {"7.1", "argument/IArgument", "arguments", "arguments keep to their type, their values and their text",
     "the component has no argument", false},
    {"8.1", "linkable-component-status/LinkableComponentStatus", "the fourteen states",
     "states were all of the enumeration", nullptr, false},
    {"8.2", "linkable-component-status/LinkableComponentBehaviour", "changes of status",
     "changes of status are all in the table", nullptr, false},
    {"8.3", "linkable-component-status/EventStatusChanged", "the status event",
     "changes of status were reported, each beginning where the last one ended", nullptr, false},
    {"9.1", "exchange-item/IBaseExchangeItem", "exchange items", "exchange items name their component or none",
     "the component has no exchange item", false},
    {"9.2", "exchange-item/IBaseInput", "inputs", "inputs take a provider and values and give them up again",
     "the component has no input", false},
    {"9.3", "exchange-item/IBaseOutput", "outputs",
     "outputs keep their lists of consumers and adapted outputs, answer, and refresh", "the component has no output",
     false},
    {"9.4", "exchange-item/ITimeSpaceExchangeItem", "items with times and places",
     "items have values that fit their times and elements", "no exchange item has times and places", false},
    {"9.5", "exchange-item/ITimeSpaceOutput", "outputs with times and places", "outputs answer for the times they have",
     "no output has times and places", false},
    {"9.6", "exchange-item/ITimeSpaceInput", "inputs with times and places",
     "inputs take values and ask within what they announced", "no input has times and places", false},
    {"9.7", "exchange-item/EventExchangeItemChanged", "the item event",
     "changes of outputs were reported, by the item that changed", "no output changed", false},
    {"10.1", "adapted-output/IBaseAdaptedOutput", "adapted outputs",
     "adapted outputs stand on their adaptee, refuse a refresh too early and pass it on",
     "the component makes no adapted output", false},
    {"10.2", "adapted-output/ITimeSpaceAdaptedOutput", "adapted outputs with times and places",
     "adapted outputs keep times and places", "the component makes no adapted output with times and places", false},
    {"10.3", "adapted-output/IAdaptedOutputFactory", "factories",
     "factories make what they offer, register it, and refuse other ids", "the component offers no factory", false},
    {"11.1", "manage-state/IManageState", "keeping and restoring states",
     "states were kept, restored, computed from again with the same result, and cleared",
     "the component does not manage states", false},
    {"11.2", "manage-state/IByteStateConverter", "states as bytes",
     "states went through bytes and back and gave the same result", "the component does not turn states into bytes",
     false},
    {"12.1", "linkable-component/IBaseLinkableComponent", "the component and the order of calls",
     "calls did what they should or were refused", nullptr, false},
    {"12.2", "linkable-component/ITimeSpaceComponent", "the component with times and places",
     "the component has times and is an ITimeSpaceComponent", "the component does not depend on time", false},
    {"12.3", "linkable-component/ITimeExtension", "the time the component can run in",
     "the time extent is there and the component stays in it", "the component does not depend on time", false},
};

}  // namespace

std::span<const AnnexATest> AnnexA() {
  return kTests;
}

const AnnexATest& AnnexATestOf(std::string_view number) {
  for (const AnnexATest& test : kTests) {
    if (number == test.number) return test;
  }
  throw RangeError({}, fmt::format("expected the number of a test of Annex A, 1.1 to 12.3, found '{}'", number));
}

}  // namespace openmi
