// A sensor that lists the objects which it sees: those of the ground truth within its range and field of view that no
// nearer object hides, with noise on their places that a seed decides.
#include <algorithm>
#include <cstdint>
#include <mutex>
#include <numbers>

#include "Frame.hpp"
#include "Frames.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace osmp_fmu {
namespace {

namespace osi = openmi::osi;
namespace field = openmi::osi::field;

enum MessageIndex : std::size_t { kView, kData, kRequest, kConfig, kGround };
constexpr MessageVariable kMessages[] = {
    {"OSMPSensorViewIn", "SensorView", Port::Input},
    {"OSMPSensorDataOut", "SensorData", Port::Output},
    {"OSMPSensorViewInConfigRequest", "SensorViewConfiguration", Port::ConfigRequest},
    {"OSMPSensorViewInConfig", "SensorViewConfiguration", Port::Config},
    {"OSMPGroundTruthInit", "GroundTruth", Port::GroundTruth},
};
enum NumberIndex : std::size_t { kRange, kFieldOfView, kNoise, kSeed, kCount, kHidden };
constexpr NumberVariable kNumbers[] = {
    {"range", "m", "farthest distance at which an object is seen", 150.0, false},
    {"field_of_view", "rad", "horizontal, symmetric about the axis of the sensor", 1.0471975511965976, false},
    {"noise", "m", "standard deviation of each coordinate of a place", 0.0, false},
    {"seed", nullptr, "of the noise; the same seed gives the same noise", 1.0, false},
    {"count", nullptr, "objects in the list", 0.0, true},
    {"hidden", nullptr, "objects within range and field of view that others hide", 0.0, true},
};

/// An object as the sensor has it.
struct Seen {
  std::uint64_t id = 0;
  int type = 0;
  osi::Base base;  // in the frame of the sensor
  double distance = 0.0;
  double left = 0.0, right = 0.0;  // azimuths of its sides
  bool is_target = true;           // else it only hides others
};

/// What stands around and only hides others, in the global frame. Instances that got the same ground truth share it.
using Obstacles = std::vector<osi::Base>;

std::uint64_t HashOf(osi::Message bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u ^ bytes.size();
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    std::uint64_t word = 0;
    std::copy_n(bytes.begin(), 8, reinterpret_cast<std::byte*>(&word));
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  return hash;
}

std::shared_ptr<const Obstacles> ObstaclesOf(osi::Message ground_truth) {
  if (ground_truth.empty()) return std::make_shared<const Obstacles>();
  static std::mutex mutex;
  static std::weak_ptr<const Obstacles> last;
  static std::uint64_t last_hash = 0;
  const std::uint64_t hash = HashOf(ground_truth);
  const std::lock_guard lock(mutex);
  if (auto shared = last.lock(); shared != nullptr && hash == last_hash) return shared;
  auto obstacles = std::make_shared<Obstacles>();
  for (osi::FieldReader in(ground_truth); in.Next();) {
    if (in.Number() != field::ground_truth::kStationaryObject) continue;
    for (osi::FieldReader object(in.Content()); object.Next();) {
      if (object.Number() == field::stationary_object::kBase) {
        obstacles->push_back(osi::ReadAs<osi::Base>(object.Content()));
      }
    }
  }
  last_hash = hash;
  last = obstacles;
  return obstacles;
}

/// Three numbers of a normal distribution, which only seed, step and object decide.
class Noise {
 public:
  Noise(std::uint64_t seed, std::uint64_t step, std::uint64_t id)
      : state_(Mix(Mix(seed) ^ Mix(step + 0x51ed27) ^ id)) {}
  double Next() {
    const double u = (static_cast<double>(Draw() >> 11) + 1.0) * 0x1p-53;
    const double v = static_cast<double>(Draw() >> 11) * 0x1p-53;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  }

 private:
  static std::uint64_t Mix(std::uint64_t x) {  // splitmix64
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::uint64_t Draw() { return state_ = Mix(state_); }
  std::uint64_t state_;
};

/// The frame of the sensor in the global one.
struct Place {
  Vector position{};
  Rotation rotation;
};

class ObjectListSensor final : public Model {
 public:
  void Wish(std::size_t request) override {
    osi::MessageWriter& out = outputs[request].Begin();
    namespace config = field::sensor_view_configuration;
    osi::Write(out, field::kVersion, osi::InterfaceVersion{});
    out.Double(config::kFieldOfViewHorizontal, numbers[kFieldOfView]);
    out.Double(config::kRange, numbers[kRange]);
    osi::Write(out, config::kUpdateCycleTime, osi::TimestampOf(kDescription.step));
    out.Begin(config::kGeneric);  // the ground truth is enough
    out.End();
  }

  void Initialize(double) override { obstacles_ = ObstaclesOf(inputs[kGround]); }

  void Step(double time, double step) override {
    const std::uint64_t cycle = cycle_++;
    numbers[kCount] = numbers[kHidden] = 0.0;
    if (inputs[kView].empty()) return outputs[kData].Clear();
    Read(inputs[kView]);
    Hide();
    Write(time + step, cycle);
  }

 private:
  void Read(osi::Message view) {
    objects_.clear();
    seen_.clear();
    ground_ = mounting_ = {};
    sensor_id_.reset();
    std::optional<std::uint64_t> host;
    measured_ = {};
    for (osi::FieldReader in(view); in.Next();) {
      switch (in.Number()) {
        case field::kTimestamp:
          osi::Merge(in.Content(), measured_);
          break;
        case field::sensor_view::kSensorId:
          sensor_id_ = osi::ReadIdentifier(in.Content());
          break;
        case field::sensor_view::kMountingPosition:
          mounting_ = in.Content();
          break;
        case field::sensor_view::kGlobalGroundTruth:
          ground_ = in.Content();
          break;
        case field::sensor_view::kHostVehicleId:
          host = osi::ReadIdentifier(in.Content());
          break;
        default:
          break;
      }
    }
    Place place;
    obstacles_now_.clear();
    for (osi::FieldReader in(ground_); in.Next();) {
      if (in.Number() == field::ground_truth::kHostVehicleId && !host) host = osi::ReadIdentifier(in.Content());
      if (in.Number() == field::ground_truth::kMovingObject) {
        objects_.push_back(osi::ReadAs<osi::MovingObject>(in.Content()));
        contents_.resize(std::max(contents_.size(), objects_.size()));
        contents_[objects_.size() - 1] = in.Content();
      }
      if (in.Number() != field::ground_truth::kStationaryObject) continue;
      for (osi::FieldReader object(in.Content()); object.Next();) {
        if (object.Number() == field::stationary_object::kBase) {
          obstacles_now_.push_back(osi::ReadAs<osi::Base>(object.Content()));
        }
      }
    }
    Vector host_velocity{};
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (!host || objects_[i].id != host) continue;
      const osi::Base& base = objects_[i].base;
      place.rotation = Rotation(base.orientation);
      place.position = VectorOf(base.position) + place.rotation.ToOuter(CentreToRear(contents_[i]));
      host_velocity = VectorOf(base.velocity);
    }
    for (osi::FieldReader in(mounting_); in.Next();) {
      if (in.Number() == field::mounting_position::kPosition) {
        place.position = place.position + place.rotation.ToOuter(VectorOf(osi::ReadAs<osi::Triple>(in.Content())));
      }
    }
    for (osi::FieldReader in(mounting_); in.Next();) {
      if (in.Number() == field::mounting_position::kOrientation) {
        place.rotation = place.rotation.Then(Rotation(osi::ReadAs<osi::Triple>(in.Content())));
      }
    }
    for (const osi::MovingObject& object : objects_) {
      if (!object.id || object.id == host) continue;
      Look(place, host_velocity, object.base, *object.id, object.type, true);
    }
    // A view without anything that stands leans on what came at initialization.
    for (const osi::Base& base : obstacles_now_.empty() ? *obstacles_ : obstacles_now_) {
      Look(place, host_velocity, base, 0, 0, false);
    }
  }

  static Vector CentreToRear(osi::Message object) {
    Vector rear{};
    for (osi::FieldReader in(object); in.Next();) {
      if (in.Number() != field::moving_object::kVehicleAttributes) continue;
      for (osi::FieldReader attribute(in.Content()); attribute.Next();) {
        if (attribute.Number() == field::vehicle_attributes::kCenterToRear) {
          rear = VectorOf(osi::ReadAs<osi::Triple>(attribute.Content()));
        }
      }
    }
    return rear;
  }

  /// Takes an object up that is within range and before the sensor.
  void Look(const Place& place, const Vector& host_velocity, const osi::Base& base, std::uint64_t id, int type,
            bool is_target) {
    const Vector at = place.rotation.ToInner(VectorOf(base.position) - place.position);
    const double distance = std::hypot(at[0], at[1], at[2]);
    if (!(distance <= numbers[kRange])) return;
    const double azimuth = std::atan2(at[1], at[0]);
    Seen seen{.id = id,
              .type = type,
              .base = {},
              .distance = distance,
              .left = azimuth,
              .right = azimuth,
              .is_target = is_target};
    const Rotation turned = place.rotation.To(Rotation(base.orientation));
    seen.base.dimension = base.dimension;
    seen.base.position = TripleOf(at);
    seen.base.orientation = turned.Angles();
    if (base.velocity.IsSet()) {
      seen.base.velocity = TripleOf(place.rotation.ToInner(VectorOf(base.velocity) - host_velocity));
    }
    // The sides of its box, as azimuths about that of its centre.
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5}) {
        const Vector corner = at + turned.ToOuter({x * Known(base.dimension.a), y * Known(base.dimension.b), 0.0});
        const double off = std::remainder(std::atan2(corner[1], corner[0]) - azimuth, 2.0 * std::numbers::pi);
        seen.left = std::max(seen.left, azimuth + off);
        seen.right = std::min(seen.right, azimuth + off);
      }
    }
    seen.is_target = is_target && std::abs(azimuth) <= 0.5 * numbers[kFieldOfView];
    seen_.push_back(seen);
  }

  /// Leaves the targets of which the centre or a side can be seen past all that is nearer.
  void Hide() {
    std::ranges::sort(seen_, [](const Seen& a, const Seen& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
    });
    const auto is_hidden = [&](std::size_t target, double azimuth) {
      for (std::size_t i = 0; i < target; ++i) {
        if (azimuth > seen_[i].right && azimuth < seen_[i].left) return true;
      }
      return false;
    };
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      Seen& seen = seen_[i];
      if (!seen.is_target) continue;
      if (is_hidden(i, seen.left) && is_hidden(i, seen.right) && is_hidden(i, 0.5 * (seen.left + seen.right))) {
        seen.is_target = false;
        numbers[kHidden] += 1.0;
      } else {
        numbers[kCount] += 1.0;
      }
    }
  }

  void Write(double time, std::uint64_t cycle) {
    namespace data = field::sensor_data;
    osi::MessageWriter& out = outputs[kData].Begin();
    osi::WriteHead(out, osi::InterfaceVersion{}, osi::TimestampOf(time));
    if (sensor_id_) osi::WriteIdentifier(out, data::kSensorId, *sensor_id_);
    if (!mounting_.empty()) out.Length(data::kMountingPosition, mounting_);
    osi::Write(out, data::kLastMeasurementTime, measured_);
    out.Begin(data::kMovingObjectHeader);
    osi::Write(out, field::detected_entity_header::kMeasurementTime, measured_);
    out.Unsigned(field::detected_entity_header::kCycleCounter, cycle);
    out.Unsigned(field::detected_entity_header::kDataQualifier, 2);  // available
    out.End();
    for (const Seen& seen : seen_) {
      if (seen.is_target) WriteObject(out, seen, cycle);
    }
  }

  void WriteObject(osi::MessageWriter& out, Seen seen, std::uint64_t cycle) const {
    namespace item = field::detected_item_header;
    namespace detected = field::detected_moving_object;
    if (const double deviation = numbers[kNoise]; deviation > 0.0) {
      Noise noise(static_cast<std::uint64_t>(numbers[kSeed]), cycle, seen.id);
      for (double* one : {&seen.base.position.a, &seen.base.position.b, &seen.base.position.c}) {
        *one += deviation * noise.Next();
      }
    }
    out.Begin(field::sensor_data::kMovingObject);
    out.Begin(detected::kHeader);
    osi::WriteIdentifier(out, item::kTrackingId, seen.id);
    osi::WriteIdentifier(out, item::kGroundTruthId, seen.id);
    out.Double(item::kExistenceProbability, 1.0);
    out.Unsigned(item::kMeasurementState, 2);  // measured
    if (sensor_id_) osi::WriteIdentifier(out, item::kSensorId, *sensor_id_);
    out.End();
    osi::Write(out, detected::kBase, seen.base);
    out.Unsigned(detected::kReferencePoint, 2);  // centre
    out.Begin(detected::kCandidate);
    out.Double(detected::candidate::kProbability, 1.0);
    out.Integer(detected::candidate::kType, seen.type);
    out.End();
    out.End();
  }

  std::shared_ptr<const Obstacles> obstacles_ = std::make_shared<const Obstacles>();
  std::vector<osi::MovingObject> objects_;
  std::vector<osi::Message> contents_;  // of objects_, in the input
  Obstacles obstacles_now_;
  std::vector<Seen> seen_;
  osi::Message ground_, mounting_;
  std::optional<std::uint64_t> sensor_id_;
  osi::Timestamp measured_;
  std::uint64_t cycle_ = 0;
};

}  // namespace

const Description kDescription = {
    .identifier = "ObjectListSensor",
    .text = "lists the moving objects that are in sight, with noise",
    .step = 0.02,
    .messages = kMessages,
    .numbers = kNumbers,
};

std::unique_ptr<Model> MakeModel() {
  return std::make_unique<ObjectListSensor>();
}

}  // namespace osmp_fmu
