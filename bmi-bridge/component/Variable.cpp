#include "bmi-bridge/component/Variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::bmi {

std::optional<NumberType> NumberTypeNamed(const std::string& type, int itemsize) {
  std::string lower;
  for (const char sign : type) {
    if (sign == '(' && lower != "real" && lower != "integer") break;  // an array shape follows; a kind is kept
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(sign)));
  }
  const auto has = [&lower](const char* part) { return lower.find(part) != std::string::npos; };
  if (has("char") || has("str")) return std::nullopt;
  const bool is_float = has("double") || has("float") || has("real");
  const bool is_whole = has("int") || has("long") || has("short") || has("logical") || has("bool") || has("byte");
  if (is_float) {
    if (itemsize == 0) itemsize = has("double") || has("8") || has("64") ? 8 : 4;
    if (itemsize == 8) return NumberType::Float64;
    return itemsize == 4 ? std::optional(NumberType::Float32) : std::nullopt;
  }
  if (is_whole) {
    if (itemsize == 0) itemsize = has("long") || has("8") || has("64") ? 8 : has("short") || has("16") ? 2 : 4;
    const bool is_unsigned = has("unsigned") || has("uint");
    if (itemsize != 8 && itemsize != 4 && itemsize != 2 && itemsize != 1) return std::nullopt;
    return IntegerType(static_cast<std::size_t>(itemsize), !is_unsigned);
  }
  return lower.empty() && itemsize == 8 ? std::optional(NumberType::Float64) : std::nullopt;
}

bool MeansNoUnit(const std::string& units) {
  return units.empty() || units == "none" || units == "unitless" || units == "dimensionless";
}

Variable ReadVariable(Model& model, const std::string& name, std::vector<std::string>& warnings) {
  Variable variable{.kind = {}, .grid = {}, .name = name, .type = {}, .units = {}, .location = {}};
  const int itemsize = model.VarItemsize(name).value_or(0);
  variable.type = model.VarType(name).value_or(std::string());
  variable.kind = NumberTypeNamed(variable.type, itemsize);
  if (!variable.kind) {
    warnings.push_back(fmt::format("variable {} is left out: its type {} of {} bytes is no number that is known",
                                   Quoted(name), Quoted(variable.type), itemsize));
    return variable;
  }
  variable.units = model.VarUnits(name).value_or(std::string());
  variable.location = model.VarLocation(name).value_or(std::string());
  std::ranges::transform(variable.location, variable.location.begin(),
                         [](unsigned char sign) { return static_cast<char>(std::tolower(sign)); });
  variable.grid = model.VarGrid(name);
  const std::size_t size = SizeOf(*variable.kind);
  if (const auto nbytes = model.VarNbytes(name)) {
    variable.count = static_cast<std::size_t>(*nbytes) / size;
  } else if (variable.grid) {
    variable.count = static_cast<std::size_t>(model.GridSize(*variable.grid).value_or(1));
  } else {
    variable.count = 1;
  }
  if (variable.count == 0) {
    warnings.push_back(
        fmt::format("variable {} is left out: it has no values (is the configuration what the model "
                    "expects?)",
                    Quoted(name)));
    variable.kind.reset();
  }
  return variable;
}

void GiveValues(NumberType type, std::span<const double> from, void* to) {
  const std::size_t given = WriteNumbers(type, from, to);
  if (given == from.size()) return;
  const double value = from[given];
  throw RangeError({}, fmt::format("expected a whole number of {} bytes for the model, found {}", SizeOf(type), value),
                   std::isnan(value) ? "put the adaptor 'fill-missing' on the link" : "limit the values on the link");
}

}  // namespace openmi::bmi
