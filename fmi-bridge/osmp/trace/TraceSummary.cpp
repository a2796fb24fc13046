#include "fmi-bridge/osmp/trace/TraceSummary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "composition/report/SvgMap.hpp"
#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::osi {
namespace {

constexpr std::size_t kMostOutlines = 20'000;
constexpr std::size_t kMostPlaces = 4000;

std::array<MapPoint, 4> CornersOf(const Base& base) {
  const double half_length = std::isnan(base.dimension.a) ? 0.0 : base.dimension.a / 2.0;
  const double half_width = std::isnan(base.dimension.b) ? 0.0 : base.dimension.b / 2.0;
  const double yaw = std::isnan(base.orientation.c) ? 0.0 : base.orientation.c;
  std::array<MapPoint, 4> corners;
  constexpr int kSigns[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const double ahead = kSigns[i][0] * half_length;
    const double aside = kSigns[i][1] * half_width;
    corners[i] = {base.position.a + std::cos(yaw) * ahead - std::sin(yaw) * aside,
                  base.position.b + std::sin(yaw) * ahead + std::cos(yaw) * aside};
  }
  return corners;
}

class Gatherer {
 public:
  explicit Gatherer(TraceSummary& summary) : summary_(summary) {}

  void Add(Message message) {
    AddHead(message);
    objects_ = 0;
    if (summary_.type == "GroundTruth") AddTruth(message);
    for (FieldReader at(message); at.Next();) {
      const std::uint32_t number = at.Number();
      if (summary_.type == "SensorView" && number == field::sensor_view::kGlobalGroundTruth) AddTruth(at.Content());
      if (summary_.type == "TrafficUpdate" && number == field::traffic_update::kUpdate) AddObject(at.Content());
      if (summary_.type == "SensorData" && number == field::sensor_data::kMovingObject) AddDetected(at.Content());
    }
    if (summary_.messages == 1) summary_.fewest_objects = objects_;
    summary_.fewest_objects = std::min(summary_.fewest_objects, objects_);
    summary_.most_objects = std::max(summary_.most_objects, objects_);
    had_outlines_ |= !summary_.outlines.empty();
  }

 private:
  void AddHead(Message message) {
    const MessageHead head = HeadOf(message, summary_.type);
    if (head.version) ++summary_.versions[*head.version];
    if (!head.time) {
      ++summary_.untimed;
      return;
    }
    if (summary_.last) {
      const double step = static_cast<double>(head.time->seconds - summary_.last->seconds) +
                          1e-9 * (static_cast<double>(head.time->nanos) - summary_.last->nanos);
      if (step <= 0.0) {
        ++summary_.backwards;
      } else {
        summary_.shortest_step = summary_.shortest_step == 0.0 ? step : std::min(summary_.shortest_step, step);
        summary_.longest_step = std::max(summary_.longest_step, step);
      }
    }
    if (!summary_.first) summary_.first = head.time;
    summary_.last = head.time;
  }

  void AddTruth(Message truth) {
    for (FieldReader at(truth); at.Next();) {
      if (at.Number() == field::ground_truth::kMovingObject) AddObject(at.Content());
      if (had_outlines_ || summary_.outlines.size() >= kMostOutlines) continue;
      if (at.Number() == field::ground_truth::kStationaryObject) AddStationary(at.Content());
      if (at.Number() == field::ground_truth::kLaneBoundary) AddBoundary(at.Content());
    }
  }

  void AddObject(Message bytes) { Take(ReadAs<MovingObject>(bytes)); }

  void Take(const MovingObject& object) {
    ++objects_;
    if (!object.id) return;
    TraceSummary::Track& track = summary_.tracks[*object.id];
    ++track.count;
    track.type = object.type;
    track.last = object;
    const bool has_place = std::isfinite(object.base.position.a) && std::isfinite(object.base.position.b);
    if (has_place && track.count % track.stride == 0) {
      track.x.push_back(object.base.position.a);
      track.y.push_back(object.base.position.b);
      if (track.x.size() >= kMostPlaces) Thin(track);
    }
    const double speed = std::hypot(object.base.velocity.a, object.base.velocity.b);
    if (std::isfinite(speed)) track.fastest = std::max(track.fastest, speed);
  }

  static void Thin(TraceSummary::Track& track) {
    for (std::size_t i = 0; 2 * i < track.x.size(); ++i) {
      track.x[i] = track.x[2 * i];
      track.y[i] = track.y[2 * i];
    }
    track.x.resize((track.x.size() + 1) / 2);
    track.y.resize(track.x.size());
    track.stride *= 2;
  }

  // Positions are in the frame of the sensor.
  void AddDetected(Message bytes) {
    MovingObject object;
    for (FieldReader at(bytes); at.Next();) {
      if (at.Number() == field::detected_moving_object::kBase) Merge(at.Content(), object.base);
      if (at.Number() != field::detected_moving_object::kHeader) continue;
      for (FieldReader header(at.Content()); header.Next();) {
        if (header.Number() == field::detected_item_header::kTrackingId) object.id = ReadIdentifier(header.Content());
      }
    }
    Take(object);
  }

  void AddStationary(Message bytes) {
    std::optional<std::uint64_t> id;
    Base base;
    for (FieldReader at(bytes); at.Next();) {
      if (at.Number() == field::stationary_object::kId) id = ReadIdentifier(at.Content());
      if (at.Number() == field::stationary_object::kBase) Merge(at.Content(), base);
    }
    if (!id || !std::isfinite(base.position.a) || !std::isfinite(base.position.b)) return;
    TraceSummary::Outline& outline = summary_.outlines[*id];
    outline.id = std::to_string(*id);
    for (const MapPoint& corner : CornersOf(base)) {
      outline.x.push_back(corner.x);
      outline.y.push_back(corner.y);
    }
  }

  void AddBoundary(Message bytes) {
    std::optional<std::uint64_t> id;
    TraceSummary::Outline outline;
    outline.is_line = true;
    for (FieldReader at(bytes); at.Next();) {
      if (at.Number() == field::lane_boundary::kId) id = ReadIdentifier(at.Content());
      if (at.Number() != field::lane_boundary::kBoundaryLine) continue;
      for (FieldReader point(at.Content()); point.Next();) {
        if (point.Number() != 1) continue;
        const auto place = ReadAs<Triple>(point.Content());
        outline.x.push_back(place.a);
        outline.y.push_back(place.b);
      }
    }
    if (!id) return;
    outline.id = std::to_string(*id);
    summary_.outlines[*id] = std::move(outline);
  }

  TraceSummary& summary_;
  std::size_t objects_ = 0;
  bool had_outlines_ = false;
};

// The content decides over the file's name. A type that the content cannot identify is taken from the name.
void TakeType(TraceSummary& summary, Message first) {
  constexpr std::array<std::string_view, 4> kReported = {"GroundTruth", "SensorView", "SensorData", "HostVehicleData"};
  const std::string found = MessageTypeByContent(first);
  if (found.empty() || found == summary.type) return;
  if (!summary.type.empty() && std::ranges::find(kReported, summary.type) == kReported.end()) return;
  summary.named = std::exchange(summary.type, found);
  summary.is_type_reported = false;
}

}  // namespace

TraceSummary Summarize(const std::string& file, const std::string& type, const std::string& channel) {
  if (!type.empty()) Schema::Subset().Require(type);
  const std::unique_ptr<TraceMessages> messages = OpenTrace(file, channel, type);
  TraceSummary summary;
  const std::string stated = messages->Type();
  summary.type = !type.empty() ? type : !stated.empty() ? stated : MessageTypeByName(file);
  summary.is_type_reported = !summary.type.empty();
  Gatherer gatherer(summary);
  try {
    while (const std::optional<Message> message = messages->Next()) {
      try {
        if (summary.messages == 0 && type.empty() && stated.empty()) TakeType(summary, *message);
        ++summary.messages;
        summary.bytes += message->size();
        summary.smallest = summary.messages == 1 ? message->size() : std::min(summary.smallest, message->size());
        summary.largest = std::max(summary.largest, message->size());
        gatherer.Add(*message);
      } catch (const WireError& error) {
        summary.problem =
            fmt::format("message {} of {} bytes is none: {}", messages->Count(), message->size(), error.what());
        break;
      }
    }
  } catch (const FormatError& error) {
    summary.problem = error.Problem() + "; " + error.Remedy();
  }
  if (summary.problem.empty()) summary.problem = messages->Problem();
  if (summary.messages == 0 && summary.problem.empty()) summary.problem = "expected messages, found an empty file";
  return summary;
}

std::string BirdsEyeSvg(const TraceSummary& summary) {
  ElementMap map;
  map.title = "moving objects from above, largest speed";
  map.unit = "m/s";
  map.low = 0.0;
  for (const auto& [id, outline] : summary.outlines) {
    MapElement& element = map.elements.emplace_back();
    element.id = outline.id;
    element.shape = outline.is_line ? MapShape::Line : MapShape::Polygon;
    std::vector<MapPoint>& part = element.parts.emplace_back();
    for (std::size_t i = 0; i < outline.x.size(); ++i) part.push_back({outline.x[i], outline.y[i]});
  }
  for (const auto& [id, track] : summary.tracks) {
    if (track.x.empty()) continue;
    if (track.x.size() > 1) {
      MapElement& line = map.elements.emplace_back();
      line.id = fmt::format("track of {}", id);
      line.shape = MapShape::Line;
      line.value = track.fastest;
      std::vector<MapPoint>& part = line.parts.emplace_back();
      for (std::size_t i = 0; i < track.x.size(); ++i) part.push_back({track.x[i], track.y[i]});
    }
    MapElement& box = map.elements.emplace_back();
    box.id = std::to_string(id);
    box.value = track.fastest;
    const auto corners = CornersOf(track.last.base);
    box.shape = track.last.base.dimension.IsSet() ? MapShape::Polygon : MapShape::Point;
    std::vector<MapPoint>& part = box.parts.emplace_back();
    if (box.shape == MapShape::Polygon) {
      part.assign(corners.begin(), corners.end());
    } else {
      part.push_back({track.x.back(), track.y.back()});
    }
  }
  return MapSvg(map, {.height = 520.0, .use = SvgUse::Standalone});
}

}  // namespace openmi::osi
