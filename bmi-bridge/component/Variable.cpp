#include "bmi-bridge/component/Variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::bmi {
namespace {

/// Calls `work` with a value of the type that `kind` names.
template <class Work>
void WithType(ItemKind kind, const Work& work) {
  switch (kind) {
    case ItemKind::Float64:
      return work(double{});
    case ItemKind::Float32:
      return work(float{});
    case ItemKind::Int64:
      return work(std::int64_t{});
    case ItemKind::Int32:
      return work(std::int32_t{});
    case ItemKind::Int16:
      return work(std::int16_t{});
    case ItemKind::Int8:
      return work(std::int8_t{});
    case ItemKind::Uint64:
      return work(std::uint64_t{});
    case ItemKind::Uint32:
      return work(std::uint32_t{});
    case ItemKind::Uint16:
      return work(std::uint16_t{});
    case ItemKind::Uint8:
      return work(std::uint8_t{});
    case ItemKind::None:
      return;
  }
}

template <class T>
T WholeNumber(double value) {
  const double whole = std::round(value);
  // The upper limit of 64 bits is not a double; the next power of two is.
  const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
  if (!(whole >= static_cast<double>(std::numeric_limits<T>::min()) && whole < above)) {
    throw RangeError({}, fmt::format("expected a whole number of {} bytes for the model, found {}", sizeof(T), value),
                     std::isnan(value) ? "put the adaptor 'fill-missing' on the link" : "limit the values on the link");
  }
  return static_cast<T>(whole);
}

}  // namespace

std::size_t SizeOf(ItemKind kind) {
  std::size_t size = 0;
  WithType(kind, [&size](auto value) { size = sizeof(value); });
  return size;
}

ItemKind ItemKindOf(const std::string& type, int itemsize) {
  std::string lower;
  for (const char sign : type) {
    if (sign == '(' && lower != "real" && lower != "integer") break;  // an array shape follows; a kind is kept
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(sign)));
  }
  const auto has = [&lower](const char* part) { return lower.find(part) != std::string::npos; };
  if (has("char") || has("str")) return ItemKind::None;
  const bool is_float = has("double") || has("float") || has("real");
  const bool is_whole = has("int") || has("long") || has("short") || has("logical") || has("bool") || has("byte");
  if (is_float) {
    if (itemsize == 0) itemsize = has("double") || has("8") || has("64") ? 8 : 4;
    return itemsize == 8 ? ItemKind::Float64 : itemsize == 4 ? ItemKind::Float32 : ItemKind::None;
  }
  if (is_whole) {
    if (itemsize == 0) itemsize = has("long") || has("8") || has("64") ? 8 : has("short") || has("16") ? 2 : 4;
    const bool is_unsigned = has("unsigned") || has("uint");
    switch (itemsize) {
      case 8:
        return is_unsigned ? ItemKind::Uint64 : ItemKind::Int64;
      case 4:
        return is_unsigned ? ItemKind::Uint32 : ItemKind::Int32;
      case 2:
        return is_unsigned ? ItemKind::Uint16 : ItemKind::Int16;
      case 1:
        return is_unsigned ? ItemKind::Uint8 : ItemKind::Int8;
      default:
        return ItemKind::None;
    }
  }
  return lower.empty() && itemsize == 8 ? ItemKind::Float64 : ItemKind::None;
}

Variable ReadVariable(Model& model, const std::string& name, std::vector<std::string>& warnings) {
  Variable variable{.name = name, .type = {}, .units = {}, .location = {}, .grid = {}};
  const int itemsize = model.VarItemsize(name).value_or(0);
  variable.type = model.VarType(name).value_or(std::string());
  variable.kind = ItemKindOf(variable.type, itemsize);
  if (variable.kind == ItemKind::None) {
    warnings.push_back(fmt::format("variable {} is left out: its type {} of {} bytes is no number that is known",
                                   Quoted(name), Quoted(variable.type), itemsize));
    return variable;
  }
  variable.units = model.VarUnits(name).value_or(std::string());
  variable.location = model.VarLocation(name).value_or(std::string());
  std::ranges::transform(variable.location, variable.location.begin(),
                         [](unsigned char sign) { return static_cast<char>(std::tolower(sign)); });
  variable.grid = model.VarGrid(name);
  const std::size_t size = SizeOf(variable.kind);
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
    variable.kind = ItemKind::None;
  }
  return variable;
}

void TakeValues(ItemKind kind, const void* from, std::span<double> to) {
  WithType(kind, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_same_v<T, double>) {
      if (!to.empty()) std::memcpy(to.data(), from, to.size_bytes());
    } else {
      const T* const values = static_cast<const T*>(from);
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<double>(values[i]);
    }
  });
}

void GiveValues(ItemKind kind, std::span<const double> from, void* to) {
  WithType(kind, [&](auto type) {
    using T = decltype(type);
    T* const values = static_cast<T*>(to);
    for (std::size_t i = 0; i < from.size(); ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        values[i] = static_cast<T>(from[i]);
      } else {
        values[i] = WholeNumber<T>(from[i]);
      }
    }
  });
}

}  // namespace openmi::bmi
