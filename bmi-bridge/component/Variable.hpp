#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bmi-bridge/model/Model.hpp"
#include "openmi/sdk/NumberMemory.hpp"

namespace openmi::bmi {

/// Derives the type from its name in the language of the model and the size of an item in bytes.
///
/// Names are "double", "double precision", "real*8", "float64", "DOUBLE (5)", "integer", "long", ...; none for texts
/// and unknown names.
/// \param itemsize  0: unknown
std::optional<NumberType> NumberTypeNamed(const std::string& type, int itemsize);

/// The properties of a variable, as the model gives them.
struct Variable {
  std::optional<NumberType> kind;
  std::size_t count = 0;    ///< number of its values
  std::optional<int> grid;  ///< none: a scalar
  std::string name;
  std::string type;
  std::string units;
  std::string location;  ///< "node", "edge", "face", "none", or empty
};

/// Whether the text of a unit says that there is none: empty, "none", "unitless" or "dimensionless".
bool MeansNoUnit(const std::string& units);

/// Reads all properties of a variable from the model. Warnings name what had to be guessed.
Variable ReadVariable(Model& model, const std::string& name, std::vector<std::string>& warnings);

/// Copies doubles to values of the model; whole numbers are rounded to the nearest.
/// \throws RangeError  a value is missing or does not fit into an integer
void GiveValues(NumberType type, std::span<const double> from, void* to);

}  // namespace openmi::bmi
