#pragma once

#include <string>
#include <vector>

namespace openmi {

/// A number for each element of a set, such as its area or its slope.
struct ElementAttribute {
  std::string name;
  std::string unit;            ///< as `Unit::Parse` reads it
  std::vector<double> values;  ///< shape [elements]; NaN: unknown
};

}  // namespace openmi
