#pragma once

#include <string>
#include <string_view>

#include "composition/model/CompositionFile.hpp"

namespace openmi::ngen {

/// How ngen passes a value in one unit to a variable in another one.
enum class Passing {
  Kept,      ///< the same unit, or one that this engine converts as ngen does
  Plain,     ///< unconverted, because the receiver has no unit; ngen says nothing
  Failed,    ///< unconverted, because ngen cannot convert; it warns and goes on
  Inverted,  ///< by the reciprocal, as between s and s-1, which this engine refuses
};

/// Source: `UnitsHelper::get_converted_value` of NOAA-OWP/ngen, over UDUNITS-2.
Passing PassingOf(const std::string& from, const std::string& to);

/// The adaptor that passes a value so; `Kept` needs none.
AdaptorSpec AdaptorFor(Passing passing, const std::string& from, const std::string& to);

/// A unit as a composition writes it: "1" where a module says "none" or nothing, or what no unit is.
std::string UnitText(const std::string& unit);

}  // namespace openmi::ngen
