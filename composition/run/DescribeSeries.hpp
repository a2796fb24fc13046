#pragma once

#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/results/ResultSeries.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The remedy where something that needs fixed elements meets an item whose elements come and go.
inline constexpr char kNameElements[] =
    "name its elements beforehand, in an argument of the component (of openmi.osi.Fields: objects=\"10 11\")";

/// Whether an item holds numbers: only they become series.
bool HoldsNumbers(const IBaseExchangeItem& item);

/// The description of an observed item as results files keep it.
/// \param elements  indices of the observed elements; empty: all
ResultSeries DescribeSeries(const ObserveSpec& spec, const ITimeSpaceOutput& output,
                            const std::vector<std::size_t>& elements);

/// The id of an element; its number where it has none.
std::string ElementIdText(const IElementSet& elements, int index);
/// The element with that id, or with that number where it has no id; -1: none.
int FindElement(const IElementSet& elements, const std::string& id);

/// The item's value for "no value"; NaN where it has none that is a number.
double MissingOf(const IBaseExchangeItem& item);

}  // namespace openmi
