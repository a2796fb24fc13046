#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "openmi/sdk/Dimension.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi {

/// The adaptee's quantity times a factor in SI units: same conversion factor, another dimension.
///
/// \param id  of the adaptor, for messages
/// \param powers  added to the adaptee's powers
/// \param factor_unit  the factor's unit as text, appended to the caption
/// \throws UnitError  the adaptee's values are no quantity, or its unit has an offset
std::unique_ptr<const IValueDefinition> DerivedQuantity(const std::string& id, const IBaseOutput& adaptee,
                                                        std::initializer_list<std::pair<DimensionBase, double>> powers,
                                                        const std::string& factor_unit);

/// The square of the adaptee's quantity, as a variance needs it. An offset of the unit has no effect on the square.
/// \throws UnitError  the adaptee's values are no quantity
std::unique_ptr<const IValueDefinition> SquaredQuantity(const std::string& id, const IBaseOutput& adaptee);

}  // namespace openmi
