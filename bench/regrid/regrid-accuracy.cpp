// How exact the spatial methods are: fields of the regridding literature on rotated, refined, irregular triangular and
// lat-lon grids. For each method the error and its order under refinement against what theory says, the errors that
// regridding.md, section 3, gives for the same method, whether a constant is kept, and whether totals are.
//   regrid-accuracy                 prints a line for each case
//   regrid-accuracy --markdown FILE writes the table of docs/adaptors-accuracy.md, too
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include "adaptors/kernels/InterpolationMesh.hpp"
#include "adaptors/kernels/Kriging.hpp"
#include "adaptors/kernels/LinearFit.hpp"
#include "adaptors/kernels/NearestPlaces.hpp"
#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/kernels/RadialBasis.hpp"
#include "bench/regrid/Fields.hpp"
#include "bench/regrid/Grids.hpp"
#include "bench/support/Report.hpp"

namespace {

using namespace openmi;          // NOLINT: a program
using namespace openmi::regrid;  // NOLINT

/// Weights, and where values are means of cells, not values at centres.
struct Made {
  SparseRows weights;
  bool means = false;
  double condition = 0;
};

/// What theory says of a method: its order under refinement, with what is left of finite grids, and how far a constant
/// may be off. Methods that keep constants only are of order 1, those that keep planes of order 2. Where sources lie
/// evenly about a target (inverse distance, kriging on squares), more comes out, up to 2. The compact C6 functions have
/// 3.5 and more; thin plates without conditions at the rim 2.5 in the mean square.
struct Theory {
  double least_order;
  double most_order;
  double constant;
};
const std::map<std::string, Theory> kTheory = {{"nearest", {0.95, 1.05, 1e-14}},
                                               {"inverse distance", {0.95, 1.15, 1e-14}},
                                               {"bilinear", {1.9, 2.1, 1e-14}},
                                               {"barycentric", {1.9, 2.1, 1e-14}},
                                               {"least squares", {1.9, 2.1, 1e-14}},
                                               {"radial basis, patches", {3.0, 4.5, 1e-10}},
                                               {"radial basis, thin plate", {2.35, 3.1, 1e-10}},
                                               {"kriging, spherical", {1.1, 2.0, 1e-10}},
                                               {"conservative", {0.95, 1.1, 1e-14}},
                                               {"conservative, 2nd", {1.9, 2.2, 1e-14}}};
/// By how much the order of the last refinement may be above that of theory where the finest grid of the case is still
/// coarse for the field: errors fall faster until it is resolved. Harmonic has 16 waves round the sphere, vortex turns
/// several times; conservative means on meshes of 96 cells a side come from 24.
constexpr double kNotYetResolved = 0.6;
/// The gulf stream has kinks and details of less than a cell: no method shows its order on such grids. Over all its
/// refinements the error falls at least so fast.
constexpr double kLeastOverAll = 0.6;
/// What the tip of the sinusoid leaves of a higher order, see NearCone.
constexpr Theory kAtTip = {1.95, 2.5, 0.0};

struct Row {
  std::string grids, field, method;
  std::vector<std::size_t> sizes;
  std::vector<double> errors;
  double order = 0, constant = 0, conservation = -1, condition = 0;
};
std::vector<Row> rows;
const std::string kAwayFromTip = "sinusoid, 20 degrees and more from its tip";
bench::Report* report = nullptr;

/// At most the limit.
void AtMost(const std::string& name, double ours, double limit) {
  report->Line(name, ours, "", "limit", limit, bench::Bound::AtMost(1.0));
}

/// Relative error in the mean square over targets that count. One that has no source counts with its whole value.
double Error(const Made& made, const std::vector<double>& in, const std::vector<double>& exact,
             const std::vector<bool>& counts) {
  std::vector<double> out(exact.size());
  made.weights.Apply(in, out);
  double error = 0, size = 0;
  for (std::size_t t = 0; t < exact.size(); ++t) {
    if (!counts[t]) continue;
    error += (out[t] - exact[t]) * (out[t] - exact[t]);
    size += exact[t] * exact[t];
  }
  return std::sqrt(error / size);
}

double ConstantError(const SparseRows& weights) {
  double most = 0;
  for (std::size_t t = 0; t < weights.Rows(); ++t) {
    if (weights.WeightsOf(t).empty()) continue;
    double sum = 0;
    for (const double w : weights.WeightsOf(t)) sum += w;
    most = std::max(most, std::abs(sum - 1));
  }
  return most;
}

Row& RowOf(const std::string& grids, const std::string& field, const std::string& method) {
  for (Row& row : rows) {
    if (row.grids == grids && row.field == field && row.method == method) return row;
  }
  rows.push_back({grids, field, method, {}, {}});
  return rows.back();
}

void Note(const std::string& grids, const std::string& field, const std::string& method, std::size_t n, double error,
          const Made& made, double conservation = -1) {
  Row& row = RowOf(grids, field, method);
  row.sizes.push_back(n);
  row.errors.push_back(error);
  row.constant = std::max(row.constant, ConstantError(made.weights));
  row.condition = std::max(row.condition, made.condition);
  row.conservation = std::max(row.conservation, conservation);
}

/// Targets that count have to have a source.
void CountUntouched(const std::string& grids, const std::string& method, std::size_t n, const Made& made,
                    const std::vector<bool>& counts) {
  const auto untouched = made.weights.UntouchedRows();
  const auto found = std::ranges::count_if(untouched, [&](std::size_t target) { return counts[target]; });
  if (found > 0) {
    report->Count(fmt::format("untouched {} {} n={}", method, grids, n), static_cast<double>(found), "covered targets");
  }
}

/// All methods between two meshes in a plane. `counts`: the targets that sources cover.
void Plane(const std::string& grids, std::size_t n, const Mesh& source, const Mesh& target, bool averages_for_nearest) {
  const PolygonOverlaps overlaps = FindOverlaps(source.cells.View(), target.cells.View());
  std::vector<bool> counts;
  for (const double cover : overlaps.TargetCover()) counts.push_back(cover > 1 - 1e-9);
  std::map<std::string, Made> methods;
  methods["nearest"] = {NearestWeights(source.centres, target.centres), averages_for_nearest};
  methods["inverse distance"] = {InverseDistancePlaceWeights(source.places, target.places, {})};
  const InterpolationMesh triangles = InterpolationMesh::Triangles(source.places, Space::Plane, source.reach);
  const InterpolationMesh dual = InterpolationMesh::Dual(source.places, source.vertices, source.starts, Space::Plane);
  methods["bilinear"] = {dual.Weights(target.places, source.places.size(), &triangles)};
  methods["barycentric"] = {triangles.Weights(target.places, source.places.size())};
  methods["least squares"] = {LeastSquaresWeights(source.places, target.places, {})};
  if (n <= 100) {
    SolvedWeights patches = PartitionOfUnityWeights(source.places, target.places, {});
    methods["radial basis, patches"] = {std::move(patches.weights), false, patches.condition};
    KrigingWeights kriging =
        OrdinaryKriging(source.places, target.places, {.variogram = {.range = 0.5}, .neighbours = 16});
    methods["kriging, spherical"] = {std::move(kriging.solved.weights), false, kriging.solved.condition};
  }
  if (source.places.size() <= 2600) {
    SolvedWeights global = RadialBasisWeights(source.places, target.places, {});
    methods["radial basis, thin plate"] = {std::move(global.weights), false, global.condition};
  }
  std::vector<double> target_areas = overlaps.target_areas;
  std::vector<double> source_areas = overlaps.source_areas;
  methods["conservative"] = {MakePolygonWeights(overlaps, PolygonWeightKind::Mean), true};
  methods["conservative, 2nd"] = {SecondOrderWeights(source.cells.View(), target.cells.View()).weights, true};
  const bool all_covered = std::ranges::all_of(counts, [](bool c) { return c; }) &&
                           std::ranges::all_of(overlaps.SourceCover(), [](double c) { return c > 1 - 1e-9; });
  for (const auto& [method, made] : methods) CountUntouched(grids, method, n, made, counts);
  for (const Field& field : PlaneFields()) {
    const std::vector<double> in_means = source.Means(field), out_means = target.Means(field);
    const std::vector<double> in = source.AtCentres(field), out = target.AtCentres(field);
    for (const auto& [method, made] : methods) {
      double conservation = -1;
      if (all_covered && method.starts_with("conservative")) {
        std::vector<double> got(out.size());
        made.weights.Apply(in_means, got);
        double given = 0, taken = 0, size = 0;
        for (std::size_t s = 0; s < in.size(); ++s) {
          given += source_areas[s] * in_means[s];
          size += source_areas[s] * std::abs(in_means[s]);
        }
        for (std::size_t t = 0; t < out.size(); ++t) taken += target_areas[t] * got[t];
        conservation = std::abs(given - taken) / size;
      }
      Note(grids, field.name, method, n, Error(made, made.means ? in_means : in, made.means ? out_means : out, counts),
           made, conservation);
    }
  }
}

/// Within 20 degrees of the tip of the sinusoid's cone at 180 E 0 N. With a the angle from 0 E 0 N, the field is
/// 2 - cos(a / 1.2), whose slope at a = 180 degrees is sin(150 degrees) / 1.2 in every direction. About such a tip the
/// error of any method is of order h over an area of order h^2: no order above 2 in the mean square.
bool NearCone(double lon, double lat) {
  return std::cos(lon) * std::cos(lat) < -std::cos(20 * std::numbers::pi / 180);
}

/// All methods between places on the sphere.
void Sphere(const std::string& grids, std::size_t n, const std::vector<Point>& source, const std::vector<Point>& target,
            const Mesh* cells) {
  const auto places = [](const std::vector<Point>& points) {
    std::vector<Point3> result;
    for (const Point& p : points)
      result.push_back(OnSphere(p.x * 180 / std::numbers::pi, p.y * 180 / std::numbers::pi, 1));
    return result;
  };
  const std::vector<Point3> from = places(source), to = places(target);
  std::map<std::string, Made> methods;
  methods["nearest"] = {NearestPlaceWeights(from, to)};
  methods["inverse distance"] = {InverseDistancePlaceWeights(from, to, {.sphere = 1})};
  const InterpolationMesh triangles = InterpolationMesh::Triangles(from, Space::Sphere);
  methods["barycentric"] = {triangles.Weights(to, from.size())};
  if (cells != nullptr) {
    std::vector<Point3> vertices;
    for (const Point3& v : cells->vertices) {
      vertices.push_back(OnSphere(v.x * 180 / std::numbers::pi, v.y * 180 / std::numbers::pi, 1));
    }
    methods["bilinear"] = {
        InterpolationMesh::Dual(from, vertices, cells->starts, Space::Sphere).Weights(to, from.size())};
  }
  methods["least squares"] = {LeastSquaresWeights(from, to, {.space = Space::Sphere})};
  if (from.size() <= 70'000) {
    SolvedWeights patches = PartitionOfUnityWeights(from, to, {.space = Space::Sphere});
    methods["radial basis, patches"] = {std::move(patches.weights), false, patches.condition};
  }
  for (const auto& [method, made] : methods) {
    CountUntouched(grids, method, n, made, std::vector<bool>(target.size(), true));
  }
  std::vector<Field> fields = SphereFields();
  fields.push_back({kAwayFromTip, Sinusoid});
  for (const Field& field : fields) {
    std::vector<double> in, out;
    std::vector<bool> counts;
    for (const Point& p : target) counts.push_back(field.name != kAwayFromTip || !NearCone(p.x, p.y));
    for (const Point& p : source) in.push_back(field.at(p.x, p.y));
    for (const Point& p : target) out.push_back(field.at(p.x, p.y));
    for (const auto& [method, made] : methods) {
      // Only this method is of a higher order than the tip allows.
      if (field.name == kAwayFromTip && method != "radial basis, patches") continue;
      Note(grids, field.name, method, n, Error(made, in, out, counts), made);
    }
  }
}

/// Conservative means on the sphere: latitude and longitude in the plane of longitude and sine of latitude, where areas
/// are true.
void EqualArea(std::size_t n) {
  const auto place = [](double u, double v) {
    return Point{2 * std::numbers::pi * u, std::sin(std::numbers::pi * (v - 0.5))};
  };
  const Mesh source = SquareMesh(2 * n, n, place), target = SquareMesh(3 * n / 2 * 2, 3 * n / 2, place);
  const PolygonOverlaps overlaps = FindOverlaps(source.cells.View(), target.cells.View());
  std::map<std::string, Made> methods;
  methods["conservative"] = {MakePolygonWeights(overlaps, PolygonWeightKind::Mean), true};
  const EqualAreaSphere sphere{1, 1};
  Crew alone;
  methods["conservative, 2nd"] = {SecondOrderWeights(source.cells.View(), target.cells.View(), &sphere, alone).weights,
                                  true};
  const std::vector<bool> counts(target.centres.size(), true);
  for (const Field& on_sphere : SphereFields()) {
    const Field field{on_sphere.name,
                      [&](double x, double y) { return on_sphere.at(x, std::asin(std::clamp(y, -1.0, 1.0))); }};
    const std::vector<double> in = source.Means(field), out = target.Means(field);
    for (const auto& [method, made] : methods) {
      std::vector<double> got(out.size());
      made.weights.Apply(in, got);
      double given = 0, taken = 0;
      for (std::size_t s = 0; s < in.size(); ++s) given += overlaps.source_areas[s] * in[s];
      for (std::size_t t = 0; t < got.size(); ++t) taken += overlaps.target_areas[t] * got[t];
      Note("lat-lon to finer lat-lon", field.name, method, n, Error(made, in, out, counts), made,
           std::abs(given - taken) / std::abs(given));
    }
  }
}

/// The errors of regridding.md, section 3 (a), rounded there to three digits.
void CompareWithReference() {
  struct Reference {
    const char* method;
    const char* field;
    std::vector<double> errors;  // n = 25, 50, 100, 200, 400
  };
  const std::vector<Reference> references = {
      {"nearest", "wave", {8.88e-2, 4.41e-2, 2.21e-2, 1.11e-2, 5.53e-3}},
      {"nearest", "Franke", {3.78e-2, 1.89e-2, 9.41e-3, 4.71e-3, 2.36e-3}},
      {"conservative", "wave", {1.06e-2, 3.89e-3, 1.74e-3, 8.35e-4, 4.15e-4}},
      {"conservative", "Franke", {5.40e-3, 1.82e-3, 7.64e-4, 3.59e-4, 1.77e-4}},
      {"conservative, 2nd", "wave", {6.50e-4, 1.38e-4, 3.19e-5, 7.68e-6, 1.89e-6}},
      {"conservative, 2nd", "Franke", {3.81e-4, 6.31e-5, 1.39e-5, 3.34e-6, 8.13e-7}}};
  for (const Reference& reference : references) {
    const Row& row = RowOf("squares to squares turned by 30 degrees", reference.field, reference.method);
    for (std::size_t i = 0; i < row.errors.size() && i < reference.errors.size(); ++i) {
      const double rounding = 1.005;
      AtMost(fmt::format("reference {} {} n={}", reference.method, reference.field, row.sizes[i]), row.errors[i],
             rounding * reference.errors[i]);
    }
  }
}

/// Judges the rows that are new.
void Judge() {
  static std::size_t judged = 0;
  for (; judged < rows.size(); ++judged) {
    Row& row = rows[judged];
    const std::size_t last = row.errors.size() - 1;
    // How points of a spiral lie to each other changes with their number, and the size of the error with it: two
    // refinements together show the order.
    const std::size_t first = last >= 2 && row.grids.starts_with("spiral") ? last - 2 : last - 1;
    const auto order_since = [&](std::size_t from) {
      return std::log(row.errors[from] / row.errors[last]) /
             std::log(static_cast<double>(row.sizes[last]) / static_cast<double>(row.sizes[from]));
    };
    if (last > 0) row.order = order_since(first);
    const Theory& theory = kTheory.at(row.method);
    const std::string name = fmt::format("{} {} {}", row.method, row.grids, row.field);
    const auto least = [&](double order, double limit) {
      report->Line("order " + name, order, "", "theory", limit, bench::Bound::AtLeast(1.0));
    };
    if (last > 0 && row.field == "gulfstream") {
      least(order_since(0), kLeastOverAll);
    } else if (last > 0) {
      const bool is_tip = row.field == "sinusoid" && row.method == "radial basis, patches";
      const Theory& order = is_tip ? kAtTip : theory;
      const bool is_coarse = row.field == "harmonic" || row.field == "vortex" || row.sizes[last] < 100;
      least(row.order, order.least_order);
      AtMost("order-at-most " + name, row.order, order.most_order + (is_coarse ? kNotYetResolved : 0.0));
    }
    AtMost("constant " + name, row.constant, theory.constant);
    if (row.conservation >= 0) AtMost("conservation " + name, row.conservation, 1e-12);
  }
}

void WriteMarkdown(const char* path) {
  std::ofstream out(path);
  out << "# How exact the spatial adaptors are\n\n"
         "Made by `build/release/bench/regrid-accuracy --markdown docs/adaptors-accuracy.md`; do not edit.\n\n"
         "An error is the root mean square over the targets that sources cover, divided by the root mean square of the "
         "field. The columns are:\n"
         "\n"
         "- n: the number of source cells along a side. On the sphere it is the number of latitudes. On spirals there "
         "are 10 n^2 points.\n"
         "- order: the order of the last refinement, on spirals of the last two together.\n"
         "- constant: the largest difference between 1 and the sum of the weights of a target.\n"
         "- total: the relative difference of the integrals over sources and targets, where both cover the same "
         "region.\n"
         "- condition: the condition number of the equations, for methods that solve some.\n"
         "\n"
         "Conservative methods map means over cells to means over cells. On the turned squares, nearest does so too. "
         "All other methods map values at centres.\n"
         "\n"
         "The fields in the plane are the wave sin 6x cos 5y and Franke's function [Franke1979]. The fields on the "
         "sphere are those of [Valcke2022]. The gulf stream has kinks, which limit the order of every method.\n"
         "\n"
         "The sinusoid is 2 - cos(a / 1.2), where a is the angle from 0 E 0 N. At a = 180 degrees its slope is 0.42 in "
         "every direction: the field has the tip of a cone there. Within a cell of the tip the error of any method is "
         "of order h, over an area of order h^2. So no method has an order above 2 in the mean square. For radial "
         "basis functions, the only method of a higher order, a further row has only the targets at least 20 degrees "
         "away from the tip. All other rows have all targets that sources cover, the tip and the poles included.\n";
  std::string grids;
  for (const Row& row : rows) {
    if (row.grids != grids) {
      grids = row.grids;
      out << fmt::format(
          "\n## {}{}\n\n| field | method | n: error | order | constant | total | condition |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n",
          static_cast<char>(std::toupper(grids[0])), grids.substr(1));
    }
    std::string errors;
    for (std::size_t i = 0; i < row.errors.size(); ++i) {
      errors += fmt::format("{}{}: {:.2e}", i > 0 ? ", " : "", row.sizes[i], row.errors[i]);
    }
    out << fmt::format("| {} | {} | {} | {:.1f} | {:.0e} | {} | {} |\n", row.field, row.method, errors, row.order,
                       row.constant, row.conservation >= 0 ? fmt::format("{:.0e}", row.conservation) : "",
                       row.condition > 0 ? fmt::format("{:.0e}", row.condition) : "");
  }
}

void All() {
  const auto plain = [](double u, double v) { return Point{u, v}; };
  const auto turned = [](double u, double v) {
    const double c = std::cos(std::numbers::pi / 6), s = std::sin(std::numbers::pi / 6);
    return Point{0.5 + c * (u - 0.5) - s * (v - 0.5), 0.5 + s * (u - 0.5) + c * (v - 0.5)};
  };
  for (const std::size_t n : {25, 50, 100, 200, 400}) {
    Plane("squares to squares turned by 30 degrees", n, SquareMesh(n, n, plain), SquareMesh(n, n, turned), true);
  }
  CompareWithReference();
  Judge();
  for (const std::size_t n : {24, 48, 96}) {
    Plane("refined squares to turned squares", n, RefinedMesh(n), SquareMesh(n, n, turned), false);
  }
  Judge();
  for (const std::size_t n : {24, 48, 96}) {
    Plane("irregular triangles to squares", n, TriangleMesh(n), SquareMesh(3 * n / 4, 3 * n / 4, plain), false);
  }
  Judge();
  for (const std::size_t n : {45, 90, 180, 360}) {
    const auto degrees = [](double u, double v) {
      return Point{2 * std::numbers::pi * u, std::numbers::pi * (v - 0.5)};
    };
    const Mesh cells = SquareMesh(2 * n, n, degrees);
    Sphere("lat-lon to places on the sphere", n, cells.centres, SpiralPlaces(20011, 0.1), &cells);
  }
  Judge();
  for (const std::size_t n : {20, 40, 80, 160}) {
    Sphere("spiral points to lat-lon", n, SpiralPlaces(10 * n * n),
           SquareMesh(144, 72,
                      [](double u, double v) {
                        return Point{2 * std::numbers::pi * u, std::numbers::pi * (v - 0.5)};
                      })
               .centres,
           nullptr);
  }
  Judge();
  for (const std::size_t n : {40, 80, 160, 320}) EqualArea(n);
  Judge();
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("regrid-accuracy", count, words, [](bench::Report& lines) {
    report = &lines;
    All();
    if (lines.Words().size() == 2 && lines.Words()[0] == "--markdown") WriteMarkdown(lines.Words()[1].c_str());
  });
}
