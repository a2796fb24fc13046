#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {

/// The type of an item of a variable in memory.
enum class ItemKind : std::uint8_t { None, Float64, Float32, Int64, Int32, Int16, Int8, Uint64, Uint32, Uint16, Uint8 };
/// The bytes of an item; 0 for None.
std::size_t SizeOf(ItemKind kind);

/// Derives the type from its name in the language of the model and the size of an item in bytes.
///
/// Names are "double", "double precision", "real*8", "float64", "DOUBLE (5)", "integer", "long", ...; None for texts
/// and unknown names.
/// \param itemsize  0: unknown
ItemKind ItemKindOf(const std::string& type, int itemsize);

/// The properties of a variable, as the model gives them.
struct Variable {
  std::string name;
  ItemKind kind = ItemKind::None;
  std::string type;
  std::string units;
  std::string location;     ///< "node", "edge", "face", "none", or empty
  std::optional<int> grid;  ///< none: a scalar
  std::size_t count = 0;    ///< number of its values
};

/// Reads all properties of a variable from the model. Warnings name what had to be guessed.
Variable ReadVariable(Model& model, const std::string& name, std::vector<std::string>& warnings);

/// Copies values of the model as doubles.
/// \param from  as many values of type `kind` as `to` has
void TakeValues(ItemKind kind, const void* from, std::span<double> to);
/// Copies doubles to values of the model; whole numbers are rounded to the nearest.
/// \throws RangeError  a value is missing or does not fit into an integer
void GiveValues(ItemKind kind, std::span<const double> from, void* to);

}  // namespace openmi::bmi
