#include "composition/import/ngen/UnitPassing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::ngen {
namespace {

bool MeansNone(const std::string& unit) {
  return unit.empty() || unit == "none" || unit == "unitless" || unit == "dimensionless" || unit == "-";
}

std::optional<Unit> Read(const std::string& unit) {
  try {
    return Unit::Parse(unit);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::string UnitText(const std::string& unit) {
  return MeansNone(unit) || !Read(unit) ? "1" : unit;
}

Passing PassingOf(const std::string& from, const std::string& to) {
  const std::string source = MeansNone(from) ? "1" : from;
  if (MeansNone(to)) return UnitText(source) == "1" ? Passing::Kept : Passing::Plain;
  if (source == to) return Passing::Kept;
  const std::optional<Unit> a = Read(source);
  const std::optional<Unit> b = Read(to);
  if (!a || !b) return Passing::Failed;
  if (a->Dimension() == b->Dimension()) return Passing::Kept;
  const auto& one = dynamic_cast<const Dimension&>(a->Dimension()).Powers();
  const auto& other = dynamic_cast<const Dimension&>(b->Dimension()).Powers();
  const bool is_reciprocal = std::ranges::equal(one, other, [](double x, double y) { return x == -y; });
  return is_reciprocal ? Passing::Inverted : Passing::Failed;
}

AdaptorSpec AdaptorFor(Passing passing, const std::string& from, const std::string& to) {
  std::string formula = "x";
  if (passing == Passing::Inverted) {
    formula =
        fmt::format("1/({}*x)", Unit::Parse(from).ConversionFactorToSI() * Unit::Parse(to).ConversionFactorToSI());
  }
  AdaptorSpec adaptor{.id = "expression", .factory = {}, .arguments = {}, .line = 0};
  adaptor.arguments = {{.key = "formula", .value = formula, .line = 0},
                       {.key = "unit", .value = UnitText(to), .line = 0}};
  return adaptor;
}

}  // namespace openmi::ngen
