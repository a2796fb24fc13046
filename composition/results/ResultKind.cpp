#include "composition/results/ResultKind.hpp"

#include <array>

namespace openmi {
namespace {

struct Names {
  ResultKind kind;
  std::string_view name;
  std::string_view cell_method;
};

constexpr std::array kNames = {
    Names{ResultKind::Instant, "instant", "point"},
    Names{ResultKind::Mean, "mean", "mean"},
    Names{ResultKind::Sum, "sum", "sum"},
    Names{ResultKind::Minimum, "minimum", "minimum"},
    Names{ResultKind::Maximum, "maximum", "maximum"},
};

const Names& Of(ResultKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view ResultKindName(ResultKind kind) {
  return Of(kind).name;
}

std::string_view CellMethod(ResultKind kind) {
  return Of(kind).cell_method;
}

std::optional<ResultKind> ResultKindNamed(std::string_view name) {
  for (const Names& names : kNames) {
    if (names.name == name) return names.kind;
  }
  return std::nullopt;
}

std::optional<ResultKind> ResultKindOfCellMethod(std::string_view method) {
  for (const Names& names : kNames) {
    if (names.cell_method == method) return names.kind;
  }
  return std::nullopt;
}

}  // namespace openmi
