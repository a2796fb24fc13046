// Every adaptor of the registry on a link of a composition, from files to a file, against answers computed here.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "adaptors/StandardAdaptors.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

constexpr const char* kLibrary = OPENMI_BINARY_DIR "/lib/openmi2/libopenmi-components.so";
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string Ready(const std::string& id, const std::string& type, const std::string& arguments) {
  return fmt::format(R"(<Component Id="{}" Type="openmi.{}" Assembly="{}">{}</Component>)", id, type, kLibrary,
                     arguments);
}

/// A composition of a series and a recorder with adaptors between them.
struct Question {
  std::string source;    ///< arguments of the series
  std::string target;    ///< arguments of the recorder
  std::string adaptors;  ///< of the link
  std::string from = "2020-01-01T00:00Z";
  std::string to = "2020-01-01T02:00Z";
};

std::string Body(const Question& question, const ScratchFolder& folder) {
  return Ready("s", "CsvSeries", Arg("file", folder / "s.csv") + Arg("utc-offset", "UTC") + question.source) +
         Ready("r", "Recorder",
               Arg("items", "q") + Arg("file", folder / "r.csv") + Arg("overwrite", "true") + question.target) +
         Lnk("s.q", "r.q", question.adaptors) + fmt::format(R"(<Run From="{}" To="{}"/>)", question.from, question.to);
}

/// The rows that the recorder wrote, or the problems in words.
std::vector<std::vector<double>> RowsOf(const Question& question, const ScratchFolder& folder, std::string& problems) {
  std::filesystem::remove(folder / "r.csv");
  Made made(Body(question, folder));
  problems = made.Text();
  if (!problems.empty()) return {};
  problems = ErrorsOf(made.Run());
  std::vector<std::vector<double>> rows;
  std::istringstream lines(folder.Read("r.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line.substr(line.find(',') + 1));
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');)
      rows.back().push_back(cell == "NaN" ? kNaN : std::stod(cell));
  }
  return rows;
}

void ExpectRows(const Question& question, const ScratchFolder& folder, const std::vector<std::vector<double>>& expected,
                const std::string& what) {
  std::string problems;
  const std::vector<std::vector<double>> rows = RowsOf(question, folder, problems);
  EXPECT_EQ(problems, "") << what;
  ASSERT_GE(rows.size(), expected.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(rows[i].size(), expected[i].size()) << what;
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      if (std::isnan(expected[i][k])) {
        EXPECT_TRUE(std::isnan(rows[i][k])) << what << ", row " << i << ", element " << k << ": " << rows[i][k];
      } else {
        EXPECT_NEAR(rows[i][k], expected[i][k], 1e-6 * std::max(1.0, std::abs(expected[i][k])))
            << what << ", row " << i << ", element " << k;
      }
    }
  }
}

// --- Places: 4 x 4 sources at multiples of 10, and two targets. ---

enum class Kind { Points, Lines, Polygons, PointsM, LinesM };
constexpr std::array kKinds{Kind::Points, Kind::Lines, Kind::Polygons, Kind::PointsM, Kind::LinesM};

std::string NameOf(Kind kind) {
  constexpr std::array kNames{"points", "lines", "polygons", "points-m", "lines-m"};
  return kNames[static_cast<std::size_t>(kind)];
}
bool IsLine(Kind kind) {
  return kind == Kind::Lines || kind == Kind::LinesM;
}
bool IsPoint(Kind kind) {
  return kind == Kind::Points || kind == Kind::PointsM;
}

struct Middle {
  std::string id;
  double x, y;
  double half;  ///< of the line's length, and of the polygon's sides
};

std::vector<Middle> Sources(Kind kind) {
  std::vector<Middle> places;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      places.push_back({fmt::format("s{}{}", i, j), 10.0 * i, 10.0 * j, IsLine(kind) ? 4.0 : 5.0});
  }
  return places;
}
std::vector<Middle> Targets() {
  return {{"s11", 10.0, 10.0, 8.0}, {"s12", 12.5, 20.0, 8.0}};
}

double Field(const Middle& at) {
  return 2.0 * at.x + 3.0 * at.y + 1.0;
}

/// M of an element's middle: apart from all others.
double Chainage(const Middle& at) {
  return 100.0 * at.y + at.x;
}

/// Well-known text of the elements; polygons as GeoJSON in metres, points as a table.
std::string WriteElements(const ScratchFolder& folder, const std::string& name, Kind kind,
                          const std::vector<Middle>& places) {
  std::string text;
  std::string file = folder / (name + ".wkt");
  for (const Middle& at : places) {
    const double w = at.x - at.half, e = at.x + at.half, s = at.y - at.half, n = at.y + at.half;
    switch (kind) {
      case Kind::Points:
        if (text.empty()) text = "id,x,y\n";
        text += fmt::format("{},{},{}\n", at.id, at.x, at.y);
        file = folder / (name + ".csv");
        break;
      case Kind::Lines:
        text += fmt::format("{};LINESTRING ({} {}, {} {})\n", at.id, w, at.y, e, at.y);
        break;
      case Kind::Polygons:
        text += fmt::format(R"({}{{"type":"Feature","id":"{}","properties":{{"area":{}}},"geometry":)"
                            R"({{"type":"Polygon","coordinates":[[[{},{}],[{},{}],[{},{}],[{},{}],[{},{}]]]}}}})",
                            text.empty() ? R"({"type":"FeatureCollection","features":[)" : ",", at.id,
                            4.0 * at.half * at.half, w, s, e, s, e, n, w, n, w, s);
        file = folder / (name + ".geojson");
        break;
      case Kind::PointsM:
        text += fmt::format("{};POINT M ({} {} {})\n", at.id, at.x, at.y, Chainage(at));
        break;
      case Kind::LinesM:
        text += fmt::format("{};LINESTRING M ({} {} {}, {} {} {})\n", at.id, w, at.y, Chainage(at) - at.half, e, at.y,
                            Chainage(at) + at.half);
        break;
    }
  }
  if (kind == Kind::Polygons) text += "]}";
  return folder.Write(file.substr(folder.Path().string().size() + 1), text);
}

// What two elements have in common along one axis.
double Common(double a, double half_a, double b, double half_b) {
  return std::max(0.0, std::min(a + half_a, b + half_b) - std::max(a - half_a, b - half_b));
}
double CommonArea(const Middle& s, const Middle& t) {
  return Common(s.x, s.half, t.x, t.half) * Common(s.y, s.half, t.y, t.half);
}
bool Inside(double x, double y, const Middle& t) {
  return std::abs(x - t.x) < t.half && std::abs(y - t.y) < t.half;
}
/// From middle to middle; between a point and a line, to the line.
double Distance(Kind source, const Middle& s, Kind target, const Middle& t) {
  double dx = std::abs(s.x - t.x);
  if (IsLine(source) && IsPoint(target)) dx = std::max(0.0, dx - s.half);
  if (IsPoint(source) && IsLine(target)) dx = std::max(0.0, dx - t.half);
  return std::hypot(dx, s.y - t.y);
}

using Weights = std::vector<std::vector<double>>;  // [target][source]

/// Weights of `weight`, each row divided by its sum where `mean`.
Weights Of(const std::vector<Middle>& sources, const std::function<double(const Middle&, const Middle&)>& weight,
           bool mean) {
  Weights weights;
  for (const Middle& t : Targets()) {
    std::vector<double>& row = weights.emplace_back();
    double sum = 0.0;
    for (const Middle& s : sources) sum += row.emplace_back(weight(s, t));
    for (double& value : row) value /= mean ? sum : 1.0;
  }
  return weights;
}

/// Gauss with the largest pivot.
std::vector<double> Solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i) best = std::abs(a[i][k]) > std::abs(a[best][k]) ? i : best;
    std::swap(a[k], a[best]);
    std::swap(b[k], b[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

/// Ordinary kriging: the variogram matrix bordered by ones. The last number of each row is the multiplier.
Weights Kriged(const std::vector<Middle>& sources, double range) {
  const auto gamma = [range](const Middle& a, const Middle& b) {
    const double h = std::hypot(a.x - b.x, a.y - b.y) / range;
    return h < 1.0 ? 1.5 * h - 0.5 * h * h * h : 1.0;
  };
  const std::size_t n = sources.size();
  Weights weights;
  for (const Middle& t : Targets()) {
    std::vector<std::vector<double>> a(n + 1, std::vector<double>(n + 1, 1.0));
    std::vector<double> b(n + 1, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) a[i][j] = gamma(sources[i], sources[j]);
      b[i] = gamma(sources[i], t);
    }
    a[n][n] = 0.0;
    weights.push_back(Solved(a, b));
    double variance = 0.0;
    for (std::size_t i = 0; i <= n; ++i) variance += weights.back()[i] * b[i];
    weights.back()[n] = variance;
  }
  return weights;
}

struct SpaceAnswer {
  std::vector<double> expected;  ///< of the field, at the targets
  std::string arguments = {};
  double scaled = 1.0;  ///< what the second row is times the first
  std::string target_unit = "m";
};

/// What an adaptor makes of the field; nothing where this table knows no answer.
/// \param folder  with a file of weights, made by the adaptor 'nearest' for points
std::optional<SpaceAnswer> AnswerOf(const std::string& id, Kind source, Kind target, const ScratchFolder& folder) {
  const std::vector<Middle> sources = Sources(source);
  const std::vector<Middle> targets = Targets();
  const auto applied = [&](const Weights& weights) {
    std::vector<double> values;
    for (const std::vector<double>& row : weights) {
      double sum = 0.0;
      for (std::size_t s = 0; s < sources.size(); ++s) sum += row[s] * Field(sources[s]);
      values.push_back(sum);
    }
    return values;
  };
  const auto distance = [&](const Middle& s, const Middle& t) { return Distance(source, s, target, t); };
  const auto nearest_of = [&](const Middle& t) {
    double least = std::numeric_limits<double>::infinity();
    for (const Middle& s : sources) least = std::min(least, distance(s, t));
    return least;
  };
  const auto nearest = [&](const Middle& s, const Middle& t) {
    return distance(s, t) < nearest_of(t) + 1e-9 ? 1.0 : 0.0;
  };
  const auto linear = [&] { return std::vector{Field(targets[0]), Field(targets[1])}; };
  const bool sum = id.ends_with("-sum");

  if (id == "by-id") {
    return SpaceAnswer{{Field({"", 10, 10, 0}), Field({"", 10, 20, 0})}};
  }
  if (id == "nearest") return SpaceAnswer{applied(Of(sources, nearest, true))};
  if (id == "weights-from-file") {
    return SpaceAnswer{{Field({"", 10, 10, 0}), Field({"", 10, 20, 0})}, Arg("file", folder / "weights.nc")};
  }
  if (id == "inverse-distance") {
    return SpaceAnswer{applied(Of(
                           sources,
                           [&](const Middle& s, const Middle& t) {
                             if (nearest_of(t) == 0.0) return distance(s, t) == 0.0 ? 1.0 : 0.0;
                             return 1.0 / (distance(s, t) * distance(s, t));
                           },
                           true)),
                       Arg("neighbours", "0")};
  }
  if (id == "bilinear" || id == "barycentric" || id == "moving-least-squares" || id == "radial-basis" ||
      id == "radial-basis-patches") {
    return SpaceAnswer{linear()};
  }
  if (id == "kriging") return SpaceAnswer{applied(Kriged(sources, 20.0)), Arg("range", "20")};
  if (id == "kriging-variance") {
    const Weights weights = Kriged(sources, 20.0);
    return SpaceAnswer{{weights[0].back(), weights[1].back()}, Arg("range", "20"), 0.0, "m2"};
  }
  if (id == "nearest-target-mean" || id == "nearest-target-sum") {
    const auto share = [&](const Middle& s, const Middle& t) {
      double least = std::numeric_limits<double>::infinity();
      for (const Middle& other : targets) least = std::min(least, distance(s, other));
      double equal = 0.0;
      for (const Middle& other : targets) equal += distance(s, other) < least + 1e-9 ? 1.0 : 0.0;
      return distance(s, t) < least + 1e-9 ? 1.0 / equal : 0.0;
    };
    return SpaceAnswer{applied(Of(sources, share, !sum))};
  }
  if (id == "times-element-area") {
    const double area = source == Kind::Polygons ? 100.0 : kNaN;
    return SpaceAnswer{{area * Field({"", 10, 10, 0}), area * Field({"", 10, 20, 0})}, {}, 1.0, "m3"};
  }
  if (id == "along-m") {
    // Chainages of the sources in order, the two about each target's.
    std::vector<std::pair<double, double>> known;
    for (const Middle& s : sources) known.emplace_back(Chainage(s), Field(s));
    std::ranges::sort(known);
    std::vector<double> values;
    for (const Middle& t : targets) {
      const auto after = std::ranges::lower_bound(known, std::pair{Chainage(t), -1e300});
      const auto before = after->first == Chainage(t) ? after : after - 1;
      const double part = after == before ? 0.0 : (Chainage(t) - before->first) / (after->first - before->first);
      values.push_back(before->second + part * (after->second - before->second));
    }
    return SpaceAnswer{values};
  }
  const bool from_polygons = source == Kind::Polygons;
  if (target == Kind::Polygons && from_polygons) {
    if (id == "area-weighted-mean") return SpaceAnswer{applied(Of(sources, CommonArea, true))};
    if (id == "area-weighted-second-order") return SpaceAnswer{linear()};
    if (id == "area-weighted-sum") {
      return SpaceAnswer{applied(Of(
          sources, [](const Middle& s, const Middle& t) { return CommonArea(s, t) / (4.0 * t.half * t.half); },
          false))};
    }
    if (id == "area-weighted-distribute") {
      return SpaceAnswer{applied(Of(
          sources, [](const Middle& s, const Middle& t) { return CommonArea(s, t) / (4.0 * s.half * s.half); },
          false))};
    }
  }
  if (id == "value-at" && from_polygons && IsPoint(target)) {
    return SpaceAnswer{applied(Of(
        sources, [](const Middle& s, const Middle& t) { return Inside(t.x, t.y, s) ? 1.0 : 0.0; }, false))};
  }
  if (id.starts_with("points-in-polygon") && IsPoint(source) && target == Kind::Polygons) {
    return SpaceAnswer{applied(Of(
        sources, [](const Middle& s, const Middle& t) { return Inside(s.x, s.y, t) ? 1.0 : 0.0; }, !sum))};
  }
  if (id.starts_with("lines-in-polygon") && IsLine(source) && target == Kind::Polygons) {
    return SpaceAnswer{applied(Of(
        sources,
        [&](const Middle& s, const Middle& t) {
          const double length = std::abs(s.y - t.y) < t.half ? Common(s.x, s.half, t.x, t.half) : 0.0;
          return sum ? length / (2.0 * s.half) : length;
        },
        !sum))};
  }
  if (id.starts_with("polygons-on-line") && from_polygons && IsLine(target)) {
    return SpaceAnswer{applied(Of(
        sources,
        [&](const Middle& s, const Middle& t) {
          const double length = std::abs(s.y - t.y) < s.half ? Common(s.x, s.half, t.x, t.half) : 0.0;
          return sum ? length / (2.0 * t.half) : length;
        },
        !sum))};
  }
  if (id.starts_with("lines-on-line") && IsLine(source) && IsLine(target)) {
    return SpaceAnswer{applied(Of(
        sources,
        [&](const Middle& s, const Middle& t) {
          const double length = s.y == t.y ? Common(s.x, s.half, t.x, t.half) : 0.0;
          return sum ? length / (2.0 * s.half) : length;
        },
        !sum))};
  }
  return std::nullopt;
}

/// Rows of the field over two hours, the second twice the first.
std::string FieldRows(const std::vector<Middle>& places) {
  std::string text = "time";
  for (const Middle& at : places) text += fmt::format(",{}", at.id);
  for (int hour = 0; hour < 4; ++hour) {
    text += fmt::format("\n2020-01-01T{:02}:00:00", hour);
    for (const Middle& at : places) text += fmt::format(",{}", (1.0 + hour) * Field(at));
  }
  return text + "\n";
}

/// The ids that the factory offers for the two items of a composition.
std::set<std::string> Offered(const Made& made) {
  const auto& instances = made.composition->Instances();
  StandardAdaptors factory;
  std::set<std::string> offered;
  for (const IIdentifiable* id : factory.GetAvailableAdaptedOutputIds(*instances[0].Component().Outputs()[0],
                                                                      instances[1].Component().Inputs()[0])) {
    offered.insert(id->Id());
  }
  return offered;
}

const std::set<std::string>& SpaceIds() {
  static const std::set<std::string> ids{"by-id",
                                         "area-weighted-mean",
                                         "area-weighted-sum",
                                         "area-weighted-second-order",
                                         "area-weighted-distribute",
                                         "value-at",
                                         "points-in-polygon-mean",
                                         "points-in-polygon-sum",
                                         "lines-in-polygon-mean",
                                         "lines-in-polygon-sum",
                                         "polygons-on-line-mean",
                                         "polygons-on-line-sum",
                                         "lines-on-line-mean",
                                         "lines-on-line-sum",
                                         "along-m",
                                         "nearest",
                                         "bilinear",
                                         "barycentric",
                                         "inverse-distance",
                                         "moving-least-squares",
                                         "radial-basis",
                                         "radial-basis-patches",
                                         "kriging",
                                         "kriging-variance",
                                         "nearest-target-mean",
                                         "nearest-target-sum",
                                         "weights-from-file",
                                         "times-element-area"};
  return ids;
}

TEST(EveryAdaptor, OfPlacesMapsWhatItClaimsThroughAComposition) {
  const ScratchFolder folder("adaptors");
  std::map<std::string, int> asked;
  const auto elements = [&](const std::string& file) {
    return Arg("elements-file", file) + Arg("elements-system", "local-metres");
  };
  const auto series = [&](const std::string& unit, bool spans) {
    return Arg("elements-from-columns", "true") + Arg("item", "q") + Arg("unit", unit) +
           (spans ? Arg("stamps", "begin") : std::string());
  };
  // Weights of the nearest source, for the adaptor that reads a file.
  folder.Write("s.csv", FieldRows(Sources(Kind::Points)));
  Question nearest{
      series("m", false) + elements(WriteElements(folder, "from", Kind::Points, Sources(Kind::Points))),
      Arg("unit", "m") + Arg("asks", "instant") + elements(WriteElements(folder, "to", Kind::Points, Targets())),
      Adapt("nearest", Arg("write-weights", folder / "weights.nc"))};
  std::string problems;
  EXPECT_EQ(RowsOf(nearest, folder, problems).size(), 2u) << problems;

  for (const Kind source : kKinds) {
    for (const Kind target : kKinds) {
      folder.Write("s.csv", FieldRows(Sources(source)));
      const std::string from = elements(WriteElements(folder, "from", source, Sources(source)));
      const std::string to = elements(WriteElements(folder, "to", target, Targets()));
      Question plain{series("m", false) + from, Arg("unit", "m") + Arg("asks", "instant") + to, {}};
      const std::set<std::string> offered = Offered(Made(Body(plain, folder)));
      for (const std::string& id : SpaceIds()) {
        if (!offered.contains(id)) continue;
        const std::string what = fmt::format("{} from {} to {}", id, NameOf(source), NameOf(target));
        const std::optional<SpaceAnswer> answer = AnswerOf(id, source, target, folder);
        if (!answer) {
          ADD_FAILURE() << what << " is offered, and this table has no answer";
          continue;
        }
        ++asked[id];
        for (const bool spans : {false, true}) {
          // The source's own areas, and then those of the two elements that are wanted.
          const std::string further = id == "times-element-area" ? Adapt("by-id") : std::string();
          const Question question{series("m", spans) + from,
                                  Arg("unit", answer->target_unit) + Arg("asks", spans ? "span" : "instant") + to,
                                  Adapt(id, answer->arguments) + further};
          std::vector<std::vector<double>> expected;
          for (const double row : spans ? std::vector{1.0, 2.0} : std::vector{2.0, 3.0}) {
            expected.push_back(answer->expected);
            for (double& value : expected.back()) value *= answer->scaled == 0.0 ? 1.0 : row;
          }
          ExpectRows(question, folder, expected, what + (spans ? ", spans" : ", instants"));
        }
      }
    }
  }
  for (const std::string& id : SpaceIds()) EXPECT_GT(asked[id], 0) << id << " was offered for no kinds of elements";
}

TEST(EveryAdaptor, OfPlacesMapsToElementsOfAFileForTheNextAdaptor) {
  const ScratchFolder folder("adaptors");
  folder.Write("s.csv", FieldRows(Sources(Kind::Points)));
  const std::string from = WriteElements(folder, "from", Kind::Points, Sources(Kind::Points));
  const std::string polygons = WriteElements(folder, "to", Kind::Polygons, Targets());
  const std::string metres = Arg("elements-system", "local-metres");
  const Question question{
      Arg("elements-from-columns", "true") + Arg("item", "q") + Arg("unit", "m") + Arg("elements-file", from) + metres,
      Arg("unit", "m") + Arg("elements", "s12"),
      Adapt("points-in-polygon-mean", Arg("elements-file", polygons) + metres) + Adapt("by-id")};
  const double mean = (Field({"", 10, 20, 0}) + Field({"", 20, 20, 0})) / 2.0;
  ExpectRows(question, folder, {{2.0 * mean}, {3.0 * mean}}, "by way of the polygons of a file");
}

TEST(EveryAdaptor, OneValueOfElementsOfEachKind) {
  const ScratchFolder folder("adaptors");
  for (const Kind source : kKinds) {
    folder.Write("s.csv", FieldRows(Sources(source)));
    const std::string from = WriteElements(folder, "from", source, Sources(source));
    const Question question{Arg("elements-from-columns", "true") + Arg("item", "q") + Arg("unit", "m") +
                                Arg("elements-file", from) + Arg("elements-system", "local-metres"),
                            Arg("unit", "m"), Adapt("one-value", Arg("of", "element") + Arg("element", "s12"))};
    EXPECT_TRUE(Offered(Made(Body(question, folder))).contains("one-value"));
    const double value = Field({"", 10, 20, 0});
    ExpectRows(question, folder, {{2.0 * value}, {3.0 * value}}, "one-value of " + NameOf(source));
  }
}

// --- Times: rows by the hour, asked for steps of an hour and a half from twenty past midnight on. The last of four
// steps is not looked at: what lies behind the run is no row of the series. ---

constexpr std::array kValues{1.0, 2.0, 4.0, 8.0, 5.0, 4.0, 3.0, 6.0};
using Values = std::vector<double>;
using Curve = std::function<double(double)>;

double TotalAt(const Values& v, int hour) {
  double total = 0.0;
  for (int i = 0; i < hour; ++i) total += v[static_cast<std::size_t>(i)];
  return total;
}

/// The cubic of Hermite between hours, with the slopes of Fritsch and Butland, and that of three points at the first
/// row (within the bounds that these values keep); its derivative where asked for.
double Pchip(const std::function<double(int)>& at, double t, bool derivative) {
  const int k = static_cast<int>(std::floor(t));
  const auto slope = [&](int i) {
    if (i == 0) return 0.5 * (3.0 * (at(1) - at(0)) - (at(2) - at(1)));
    const double before = at(i) - at(i - 1), after = at(i + 1) - at(i);
    return before * after > 0.0 ? 2.0 * before * after / (before + after) : 0.0;
  };
  const double u = t - k;
  if (derivative) {
    return 6.0 * u * (1.0 - u) * (at(k + 1) - at(k)) + (1.0 - u) * (1.0 - 3.0 * u) * slope(k) +
           u * (3.0 * u - 2.0) * slope(k + 1);
  }
  const double v = 1.0 - u;
  return v * v * (1.0 + 2.0 * u) * at(k) + u * u * (3.0 - 2.0 * u) * at(k + 1) + u * v * v * slope(k) -
         u * u * v * slope(k + 1);
}

Curve CurveOf(const std::string& id, bool spans, const Values& v) {
  const auto value = [v](double hour) { return v[static_cast<std::size_t>(hour)]; };
  if (id == "cubic" && spans) {
    return [v](double t) { return Pchip([&](int k) { return TotalAt(v, k); }, t, true); };
  }
  if (id == "cubic") {
    return [v](double t) { return Pchip([&](int k) { return v[static_cast<std::size_t>(k)]; }, t, false); };
  }
  if (spans || id == "previous") return [value](double t) { return value(std::floor(t)); };
  if (id == "next") return [value](double t) { return value(std::ceil(t)); };
  if (id == "nearest-in-time") return [value](double t) { return value(std::floor(t + 0.5)); };
  return [value](double t) {
    const double k = std::floor(t);
    return value(k) + (t - k) * (value(k + 1.0) - value(k));
  };
}

/// Calls `visit(begin, end)` for the pieces of ten minutes of a span, in hours.
void EachPiece(double begin, double end, const std::function<void(double, double)>& visit) {
  const int count = static_cast<int>(std::lround((end - begin) * 6.0));
  for (int i = 0; i < count; ++i) visit(begin + i / 6.0, begin + (i + 1) / 6.0);
}
/// By Gauss' formula with two points in each piece: exact for cubics.
double Integral(const Curve& curve, double begin, double end) {
  double sum = 0.0;
  EachPiece(begin, end, [&](double a, double b) {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a), at = half / std::sqrt(3.0);
    sum += half * (curve(middle - at) + curve(middle + at));
  });
  return sum;
}
double Extreme(const Curve& curve, double begin, double end, double sign) {
  double most = -std::numeric_limits<double>::infinity();
  EachPiece(begin, end, [&](double a, double b) {
    for (const double t : {a + 1e-9, b - 1e-9}) most = std::max(most, sign * curve(t));
  });
  return sign * most;
}

struct TimeAnswer {
  std::function<double(double begin, double end)> of;
  std::string before = {};     ///< adaptors in front of it
  std::string arguments = {};  ///< of itself
  std::string after = {};      ///< adaptors behind it
  std::string from = "m3 s-1";
  std::string to = "m3 s-1";
  Values values = {kValues.begin(), kValues.end()};
};

std::optional<TimeAnswer> TimeAnswerOf(const std::string& id, bool spans, bool asks_spans) {
  const Values v(kValues.begin(), kValues.end());
  const std::string second = asks_spans ? Adapt("mean-over-span") : Adapt("linear");
  const auto answered = [asks_spans](const Curve& curve) {
    return [asks_spans, curve](double a, double b) { return asks_spans ? Integral(curve, a, b) / (b - a) : curve(b); };
  };
  const Curve linear = CurveOf("linear", spans, v);
  const auto of_linear = [&](const std::function<double(double)>& f) {
    return [f, plain = answered(linear)](double a, double b) { return f(plain(a, b)); };
  };
  for (const char* curve : {"linear", "cubic", "previous", "next", "nearest-in-time"}) {
    if (id == curve) return TimeAnswer{answered(CurveOf(id, spans, v))};
  }
  if (id == "delay") {
    return TimeAnswer{[plain = answered(linear)](double a, double b) { return plain(a - 1.0 / 6.0, b - 1.0 / 6.0); },
                      {},
                      Arg("delay", "PT10M")};
  }
  if (id == "fill-gaps") {
    Values filled = v;
    filled[4] = 6.0;  // between 8 and 4
    TimeAnswer answer{answered(CurveOf("linear", spans, filled)), {}, Arg("by", "linear"), second};
    answer.values[4] = kNaN;
    return answer;
  }
  if (id == "resample") {
    return TimeAnswer{answered(linear), {}, Arg("step", "PT10M") + Arg("as", asks_spans ? "mean" : "instant"), second};
  }
  if (id == "accumulate" && !asks_spans) {
    const Values three(kValues.size(), 3.0);
    const Values& rows = spans ? v : three;
    return TimeAnswer{
        [curve = CurveOf("linear", spans, rows)](double, double b) { return 3600.0 * Integral(curve, 0.0, b); },
        {},
        {},
        {},
        "m3 s-1",
        "m3",
        rows};
  }
  // Adaptors of values, behind one in time.
  if (id == "unit-conversion") {
    return TimeAnswer{
        of_linear([](double x) { return 1000.0 * x; }), second, Arg("unit", "L s-1"), {}, "m3 s-1", "L s-1"};
  }
  if (id == "linear-operation") {
    return TimeAnswer{of_linear([](double x) { return 3.0 * x - 1.0; }), second, Arg("a", "3") + Arg("b", "-1")};
  }
  if (id == "expression") {
    return TimeAnswer{of_linear([](double x) { return x * x + 1.0; }),
                      second,
                      Arg("formula", "x^2 + 1") + Arg("unit", "kg"),
                      {},
                      "m3 s-1",
                      "kg"};
  }
  if (id == "clip") {
    return TimeAnswer{of_linear([](double x) { return std::clamp(x, 3.0, 5.0); }), second,
                      Arg("minimum", "3") + Arg("maximum", "5")};
  }
  if (id == "threshold") {
    return TimeAnswer{of_linear([](double x) { return x >= 4.0 ? 10.0 : -10.0; }),
                      second,
                      Arg("threshold", "4") + Arg("above", "10") + Arg("below", "-10"),
                      {},
                      "m3 s-1",
                      "1"};
  }
  if (id == "density") {
    return TimeAnswer{
        of_linear([](double x) { return x / 800.0; }), second, Arg("density", "800"), {}, "kg s-1", "m3 s-1"};
  }
  if (id == "fill-missing") {
    Values gap = v;
    gap[4] = kNaN;
    return TimeAnswer{[plain = answered(CurveOf("linear", spans, gap))](double a, double b) {
                        const double x = plain(a, b);
                        return std::isnan(x) ? -5.0 : x;
                      },
                      second,
                      Arg("value", "-5"),
                      {},
                      "m3 s-1",
                      "m3 s-1",
                      gap};
  }
  if (id == "numbers-to-categories" || id == "categories-to-numbers") {
    const std::string table = Arg("table", "dry=0; moist=3; wet=5");
    const auto numbers = of_linear([](double x) { return x >= 5.0 ? 9.0 : x >= 3.0 ? 7.0 : 1.0; });
    const std::string back = Arg("table", "dry=1; moist=7; wet=9");
    if (id == "numbers-to-categories") {
      return TimeAnswer{numbers, second, table, Adapt("categories-to-numbers", back), "m3 s-1", "1"};
    }
    return TimeAnswer{numbers, second + Adapt("numbers-to-categories", table), back, {}, "m3 s-1", "1"};
  }
  if (!asks_spans) return std::nullopt;
  const auto sum = [spans, v](double a, double b) {
    if (spans) return Integral(CurveOf("linear", true, v), a, b);
    double total = 0.0;
    for (int k = 0; k < static_cast<int>(v.size()); ++k)
      total += k > a && k <= b ? v[static_cast<std::size_t>(k)] : 0.0;
    return total;
  };
  if (id == "mean-over-span") return TimeAnswer{answered(linear)};
  if (id == "minimum-over-span")
    return TimeAnswer{[linear](double a, double b) { return Extreme(linear, a, b, -1.0); }};
  if (id == "maximum-over-span") return TimeAnswer{[linear](double a, double b) { return Extreme(linear, a, b, 1.0); }};
  if (id == "integral-over-span") {
    return TimeAnswer{
        [linear](double a, double b) { return 3600.0 * Integral(linear, a, b); }, {}, {}, {}, "m3 s-1", "m3"};
  }
  if (id == "sum-over-span") return TimeAnswer{sum, {}, {}, {}, "m3", "m3"};
  if (id == "disaggregate" && spans) {
    return TimeAnswer{[v](double a, double b) {
                        const auto total = [&](double t) {
                          return Pchip([&](int k) { return TotalAt(v, k); }, t, false);
                        };
                        return total(b) - total(a);
                      },
                      {},
                      {},
                      {},
                      "m3",
                      "m3"};
  }
  if (id == "divide-by-span") {
    return TimeAnswer{[sum](double a, double b) { return sum(a, b) / (3600.0 * (b - a)); },
                      Adapt("sum-over-span"),
                      {},
                      {},
                      "m3",
                      "m3 s-1"};
  }
  if (id == "multiply-by-span") {
    return TimeAnswer{[linear](double a, double b) { return 3600.0 * Integral(linear, a, b); },
                      Adapt("mean-over-span"),
                      {},
                      {},
                      "m3 s-1",
                      "m3"};
  }
  return std::nullopt;
}

TEST(EveryAdaptor, OfTimesAndValuesAnswersWhatItClaimsThroughAComposition) {
  const ScratchFolder folder("adaptors");
  std::map<std::string, int> asked;
  StandardAdaptors factory;
  for (const bool spans : {false, true}) {
    for (const bool asks_spans : {false, true}) {
      for (const IIdentifiable* one : factory.AllIds()) {
        const std::string id = one->Id();
        if (SpaceIds().contains(id) || id == "one-value") continue;
        const std::string what =
            fmt::format("{} from {} to {}", id, spans ? "spans" : "instants", asks_spans ? "spans" : "instants");
        const std::optional<TimeAnswer> answer = TimeAnswerOf(id, spans, asks_spans);
        std::string rows = "time,q\n";
        const Values values = answer ? answer->values : Values(kValues.begin(), kValues.end());
        for (std::size_t hour = 0; hour < values.size(); ++hour) {
          rows += fmt::format("2020-01-01T{:02}:00:00,{}\n", hour, values[hour]);
        }
        folder.Write("s.csv", rows);
        Question question{
            .source = Arg("unit", answer ? answer->from : "m3 s-1") + (spans ? Arg("stamps", "begin") : std::string()),
            .target = Arg("unit", answer ? answer->to : "m3 s-1") + Arg("asks", asks_spans ? "span" : "instant") +
                      Arg("time-step", "PT1H30M"),
            .adaptors = {},
            .from = "2020-01-01T00:20Z",
            .to = "2020-01-01T06:20Z"};
        if (!answer) {
          if (Offered(Made(Body(question, folder))).contains(id)) {
            // A factor of the span alone: what it is for are spans, and a question for a stamp is refused.
            const bool needs_span = id == "divide-by-span" || id == "multiply-by-span";
            EXPECT_TRUE(needs_span && !asks_spans) << what << " is offered, and this table has no answer";
          }
          continue;
        }
        ++asked[id];
        question.adaptors = answer->before + Adapt(id, answer->arguments) + answer->after;
        std::vector<std::vector<double>> expected;
        for (int step = 0; step < 3; ++step) {
          expected.push_back({answer->of(1.0 / 3.0 + 1.5 * step, 1.0 / 3.0 + 1.5 * (step + 1))});
        }
        ExpectRows(question, folder, expected, what);
      }
    }
  }
  for (const IIdentifiable* one : factory.AllIds()) {
    const bool of_places = SpaceIds().contains(one->Id()) || one->Id() == "one-value";
    EXPECT_TRUE(of_places || asked[one->Id()] > 0) << one->Id() << ": a new adaptor needs a known answer here";
  }
}

}  // namespace
}  // namespace openmi::testing
