#include "composition/record/MapLayers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "composition/results/NetcdfNames.hpp"
#include "openmi/sdk/Lists.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

/// A name that SQLite accepts for a table: small and capital letters are the same to it, and some beginnings are its
/// own.
std::string TableName(std::string name, std::set<std::string>& taken) {
  const std::string small = Lower(name);
  constexpr std::array kReserved{"gpkg_", "sqlite_", "rtree_"};
  if (std::ranges::any_of(kReserved, [&](const char* reserved) { return small.starts_with(reserved); })) {
    name.insert(0, "v_");
  }
  std::string unique = name;
  for (int i = 2; !taken.insert(Lower(unique)).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

std::string DescriptionOf(const RecordedSeries& recorded) {
  const ResultSeries& series = recorded.series;
  std::string text = series.id;
  if (!series.caption.empty()) text += ", " + series.caption;
  text += fmt::format(", {}", kResultKinds.NameOf(series.kind));
  if (!series.unit.empty()) text += " in " + series.unit;
  return text + fmt::format(", {} rows", recorded.figures->RowCount());
}

LayerToWrite LayerOf(const RecordedSeries& recorded) {
  using Kind = LayerColumn::Kind;
  LayerToWrite layer;
  layer.description = DescriptionOf(recorded);
  layer.ids = recorded.series.elements;
  if (layer.ids.empty()) layer.ids.push_back(recorded.series.id);
  if (!recorded.series.elements.empty()) layer.places = recorded.series.places;
  const auto add = [&](const char* name, Kind kind, auto&& value_of) {
    LayerColumn column{name, kind == Kind::Number ? recorded.series.unit : std::string(), kind, {}};
    for (const ElementFigures& element : recorded.figures->Elements()) {
      column.values.push_back(static_cast<double>(value_of(element)));
    }
    layer.columns.push_back(std::move(column));
  };
  if (recorded.series.kind == ResultKind::Sum) {
    add("total", Kind::Number, [](const ElementFigures& of) { return of.count > 0 ? of.sum : kNotANumber; });
  } else {
    add("mean", Kind::Number, [](const ElementFigures& of) { return of.Mean(); });
  }
  add("smallest", Kind::Number, [](const ElementFigures& of) { return of.smallest; });
  add("smallest_at", Kind::Time, [](const ElementFigures& of) { return of.smallest_time; });
  add("largest", Kind::Number, [](const ElementFigures& of) { return of.largest; });
  add("largest_at", Kind::Time, [](const ElementFigures& of) { return of.largest_time; });
  add("last", Kind::Number, [](const ElementFigures& of) { return of.last; });
  add("count", Kind::Count, [](const ElementFigures& of) { return of.count; });
  add("missing", Kind::Count, [](const ElementFigures& of) { return of.missing; });
  return layer;
}

}  // namespace

std::vector<LayerToWrite> MapLayersOf(const RunRecord& record) {
  std::vector<ResultSeries> described;
  for (const RecordedSeries& recorded : record.series) described.push_back(recorded.series);
  const std::vector<std::string> names = NetcdfNames().TakeForSeries(described);
  std::set<std::string> taken;
  std::vector<LayerToWrite> layers;
  for (std::size_t i = 0; i < record.series.size(); ++i) {
    layers.push_back(LayerOf(record.series[i]));
    layers.back().name = TableName(names[i], taken);
  }
  return layers;
}

}  // namespace openmi
