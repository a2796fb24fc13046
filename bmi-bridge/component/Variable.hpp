#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {

/// What an item of a variable is in memory.
enum class ItemKind : std::uint8_t { None, Float64, Float32, Int64, Int32, Int16, Int8, Uint64, Uint32, Uint16, Uint8 };
std::size_t SizeOf(ItemKind kind);

/// By the name of the type in the model's own language together with the size of an item in bytes: "double",
/// "double precision", "real*8", "float64", "DOUBLE (5)", "integer", "long", ... ; None for texts and what nobody
/// knows. \param itemsize  0: unknown
ItemKind ItemKindOf(const std::string& type, int itemsize);

/// What a model says about one of its variables.
struct Variable {
  std::string name;
  ItemKind kind = ItemKind::None;
  std::string type;
  std::string units;
  std::string location;     ///< "node", "edge", "face", "none", or empty
  std::optional<int> grid;  ///< none: a scalar
  std::size_t count = 0;    ///< of its values
};

/// Asks a model for all of it. Warnings name what had to be guessed.
Variable ReadVariable(Model& model, const std::string& name, std::vector<std::string>& warnings);

/// Values of the model as doubles; `to` has as many as there are.
void TakeValues(ItemKind kind, const void* from, std::span<double> to);
/// The other way round; whole numbers are rounded to the nearest.
/// \throws RangeError  a value is missing or does not fit into an integer
void GiveValues(ItemKind kind, std::span<const double> from, void* to);

}  // namespace openmi::bmi
