// Every adaptor of places on a link of a composition, from files to a file, with every kind of elements that it claims,
// against answers computed here.

#include <array>
#include <functional>
#include <map>
#include <optional>

#include "tests/composition/run/AdaptorQuestion.hpp"
#include "tests/support/LoopProblems.hpp"

namespace openmi::testing {
namespace {

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
    weights.push_back(loops::Solve(a, b));
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
    return SpaceAnswer{{Field({"", 10, 10, 0}), Field({"", 10, 20, 0})}, ArgumentXml("file", folder / "weights.nc")};
  }
  if (id == "inverse-distance") {
    return SpaceAnswer{applied(Of(
                           sources,
                           [&](const Middle& s, const Middle& t) {
                             if (nearest_of(t) == 0.0) return distance(s, t) == 0.0 ? 1.0 : 0.0;
                             return 1.0 / (distance(s, t) * distance(s, t));
                           },
                           true)),
                       ArgumentXml("neighbours", "0")};
  }
  if (id == "bilinear" || id == "barycentric" || id == "moving-least-squares" || id == "radial-basis" ||
      id == "radial-basis-patches") {
    return SpaceAnswer{linear()};
  }
  if (id == "kriging") return SpaceAnswer{applied(Kriged(sources, 20.0)), ArgumentXml("range", "20")};
  if (id == "kriging-variance") {
    const Weights weights = Kriged(sources, 20.0);
    return SpaceAnswer{{weights[0].back(), weights[1].back()}, ArgumentXml("range", "20"), 0.0, "m2"};
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

TEST(EveryAdaptor, OfPlacesMapsWhatItClaimsThroughAComposition) {
  const ScratchFolder folder("adaptors");
  std::map<std::string, int> asked;
  const auto elements = [&](const std::string& file) {
    return ArgumentXml("elements-file", file) + ArgumentXml("elements-system", "local-metres");
  };
  const auto series = [&](const std::string& unit, bool spans) {
    return ArgumentXml("elements-from-columns", "true") + ArgumentXml("item", "q") + ArgumentXml("unit", unit) +
           (spans ? ArgumentXml("stamps", "begin") : std::string());
  };
  // Weights of the nearest source, for the adaptor that reads a file.
  folder.Write("s.csv", FieldRows(Sources(Kind::Points)));
  Question nearest{series("m", false) + elements(WriteElements(folder, "from", Kind::Points, Sources(Kind::Points))),
                   ArgumentXml("unit", "m") + ArgumentXml("asks", "instant") +
                       elements(WriteElements(folder, "to", Kind::Points, Targets())),
                   AdaptorXml("nearest", ArgumentXml("write-weights", folder / "weights.nc"))};
  std::string problems;
  EXPECT_EQ(RowsOf(nearest, folder, problems).size(), 2u) << problems;

  for (const Kind source : kKinds) {
    for (const Kind target : kKinds) {
      folder.Write("s.csv", FieldRows(Sources(source)));
      const std::string from = elements(WriteElements(folder, "from", source, Sources(source)));
      const std::string to = elements(WriteElements(folder, "to", target, Targets()));
      Question plain{series("m", false) + from, ArgumentXml("unit", "m") + ArgumentXml("asks", "instant") + to, {}};
      const std::set<std::string> offered = Offered(Made(Body(plain, folder)));
      for (const std::string& id : SpaceIds()) {
        if (!offered.contains(id) || id == "one-value") continue;  // that has a test of its own
        const std::string what = fmt::format("{} from {} to {}", id, NameOf(source), NameOf(target));
        const std::optional<SpaceAnswer> answer = AnswerOf(id, source, target, folder);
        if (!answer) {
          ADD_FAILURE() << what << " is offered, and this table has no answer";
          continue;
        }
        ++asked[id];
        for (const bool spans : {false, true}) {
          // The source's own areas, and then those of the two elements that are wanted.
          const std::string further = id == "times-element-area" ? AdaptorXml("by-id") : std::string();
          const Question question{
              series("m", spans) + from,
              ArgumentXml("unit", answer->target_unit) + ArgumentXml("asks", spans ? "span" : "instant") + to,
              AdaptorXml(id, answer->arguments) + further};
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
  for (const std::string& id : SpaceIds()) {
    EXPECT_TRUE(asked[id] > 0 || id == "one-value") << id << " was offered for no kinds of elements";
  }
}

TEST(EveryAdaptor, OfPlacesMapsToElementsOfAFileForTheNextAdaptor) {
  const ScratchFolder folder("adaptors");
  folder.Write("s.csv", FieldRows(Sources(Kind::Points)));
  const std::string from = WriteElements(folder, "from", Kind::Points, Sources(Kind::Points));
  const std::string polygons = WriteElements(folder, "to", Kind::Polygons, Targets());
  const std::string metres = ArgumentXml("elements-system", "local-metres");
  const Question question{
      ArgumentXml("elements-from-columns", "true") + ArgumentXml("item", "q") + ArgumentXml("unit", "m") +
          ArgumentXml("elements-file", from) + metres,
      ArgumentXml("unit", "m") + ArgumentXml("elements", "s12"),
      AdaptorXml("points-in-polygon-mean", ArgumentXml("elements-file", polygons) + metres) + AdaptorXml("by-id")};
  const double mean = (Field({"", 10, 20, 0}) + Field({"", 20, 20, 0})) / 2.0;
  ExpectRows(question, folder, {{2.0 * mean}, {3.0 * mean}}, "by way of the polygons of a file");
}

TEST(EveryAdaptor, OneValueOfElementsOfEachKind) {
  const ScratchFolder folder("adaptors");
  for (const Kind source : kKinds) {
    folder.Write("s.csv", FieldRows(Sources(source)));
    const std::string from = WriteElements(folder, "from", source, Sources(source));
    const Question question{ArgumentXml("elements-from-columns", "true") + ArgumentXml("item", "q") +
                                ArgumentXml("unit", "m") + ArgumentXml("elements-file", from) +
                                ArgumentXml("elements-system", "local-metres"),
                            ArgumentXml("unit", "m"),
                            AdaptorXml("one-value", ArgumentXml("of", "element") + ArgumentXml("element", "s12"))};
    EXPECT_TRUE(Offered(Made(Body(question, folder))).contains("one-value"));
    const double value = Field({"", 10, 20, 0});
    ExpectRows(question, folder, {{2.0 * value}, {3.0 * value}}, "one-value of " + NameOf(source));
  }
}

}  // namespace
}  // namespace openmi::testing
