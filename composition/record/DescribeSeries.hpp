#pragma once

#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/results/ResultSeries.hpp"
#include "openmi/standard/IUnit.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The description of an observed item for results files.
/// \param elements  indices of the observed elements; empty: all
ResultSeries DescribeSeries(const ObserveSpec& spec, const ITimeSpaceOutput& output,
                            const std::vector<std::size_t>& elements);

/// The id of an element; its number where it has none.
std::string ElementIdText(const IElementSet& elements, int index);
/// The index of the element with that id, or with that number where the element has no id; -1: there is none.
int FindElement(const IElementSet& elements, const std::string& id);

/// The item's missing value; NaN if it has none that is a number.
double MissingOf(const IBaseExchangeItem& item);
/// The unit of an item; null if its values are no quantity.
const IUnit* UnitOf(const IBaseExchangeItem& item);
/// The caption of that unit; empty if there is none.
std::string UnitText(const IBaseExchangeItem& item);

}  // namespace openmi
