// A vehicle in traffic: it drives where it heads at the speed that it wants, keeps its distance to whoever is before it
// (Intelligent Driver Model: Treiber, Hennecke, Helbing, Phys. Rev. E 62, 1805), and does what it is told: speed, a
// trajectory, a place to be put at, the end of actions. What it cannot do it answers.
#include <algorithm>
#include <limits>

#include "Frame.hpp"
#include "Frames.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace osmp_fmu {
namespace {

namespace osi = openmi::osi;
namespace field = openmi::osi::field;
namespace action = openmi::osi::field::traffic_action;

enum MessageIndex : std::size_t { kView, kCommand, kUpdate, kCommandUpdate };
constexpr MessageVariable kMessages[] = {
    {"OSMPSensorViewIn", "SensorView", Port::Input},
    {"OSMPTrafficCommandIn", "TrafficCommand", Port::Input},
    {"OSMPTrafficUpdateOut", "TrafficUpdate", Port::Output},
    {"OSMPTrafficCommandUpdateOut", "TrafficCommandUpdate", Port::Output},
};
enum NumberIndex : std::size_t {
  kId,
  kX,
  kY,
  kHeading,
  kSpeed,
  kWanted,
  kHeadway,
  kGap,
  kAcceleration,
  kBraking,
  kNow
};
constexpr NumberVariable kNumbers[] = {
    {"id", nullptr, "of the vehicle in the ground truth; 0: that of the host vehicle of the sensor view", 0.0, false},
    {"x", "m", "where it begins, if no sensor view says so", 0.0, false},
    {"y", "m", "where it begins, if no sensor view says so", 0.0, false},
    {"heading", "rad", "where it heads, if no sensor view says so", 0.0, false},
    {"initial_speed", "m/s", "at the begin, if no sensor view says so", 0.0, false},
    {"wanted_speed", "m/s", "until a command says another", 13.9, false},
    {"headway", "s", "time to the vehicle before", 1.5, false},
    {"gap", "m", "to the vehicle before when both stand", 2.0, false},
    {"acceleration", "m/s2", "at most", 1.5, false},
    {"braking", "m/s2", "comfortable", 2.0, false},
    {"speed", "m/s", "speed", 0.0, true},
};

constexpr double kLaneHalf = 1.5;  // m: who is further aside is not in the way

struct Point {
  double time = 0.0;
  osi::Triple position, orientation;
};

struct Dismissed {
  std::uint64_t action = 0;
  const char* reason = "";
};

class TrafficParticipant final : public Model {
 public:
  void Initialize(double) override {
    self_.base.dimension = {4.5, 1.8, 1.5};
    self_.base.position = {numbers[kX], numbers[kY], 0.75};
    self_.base.orientation = {0.0, 0.0, numbers[kHeading]};
    self_.type = 2;
    speed_ = numbers[kSpeed];
    wanted_ = target_ = numbers[kWanted];
  }

  void Step(double time, double step) override {
    dismissed_.clear();
    if (!inputs[kView].empty()) ReadView(inputs[kView]);
    if (!inputs[kCommand].empty()) ReadCommand(inputs[kCommand], time);
    if (trajectory_.empty()) {
      Drive(step);
    } else {
      Follow(time + step, step);
    }
    numbers[kNow] = speed_;
    Write(time + step);
  }

 private:
  void ReadView(osi::Message view) {
    osi::Message ground;
    std::optional<std::uint64_t> host;
    for (osi::FieldReader in(view); in.Next();) {
      if (in.Number() == field::sensor_view::kGlobalGroundTruth) ground = in.Content();
      if (in.Number() == field::sensor_view::kHostVehicleId) host = osi::ReadIdentifier(in.Content());
    }
    others_.clear();
    const auto wanted = static_cast<std::uint64_t>(numbers[kId]);
    const std::optional<std::uint64_t> id = wanted != 0 ? std::optional(wanted) : host;
    for (osi::FieldReader in(ground); in.Next();) {
      if (in.Number() != field::ground_truth::kMovingObject) continue;
      osi::MovingObject object = osi::ReadAs<osi::MovingObject>(in.Content());
      if (!object.id || object.id != id) {
        others_.push_back(object);
        continue;
      }
      if (self_.id) continue;  // where it is, it knows itself from then on
      if (object.base.dimension.IsSet()) self_.base.dimension = object.base.dimension;
      if (object.base.position.IsSet()) self_.base.position = object.base.position;
      if (object.base.orientation.IsSet()) self_.base.orientation = object.base.orientation;
      if (object.base.velocity.IsSet())
        speed_ = std::hypot(Known(object.base.velocity.a), Known(object.base.velocity.b));
    }
    if (id) self_.id = id;
  }

  void ReadCommand(osi::Message command, double now) {
    const std::uint64_t own = self_.id.value_or(static_cast<std::uint64_t>(numbers[kId]));
    for (osi::FieldReader in(command); in.Next();) {  // it may come after the actions
      if (in.Number() != field::traffic_command::kParticipantId) continue;
      const auto addressed = osi::ReadIdentifier(in.Content());
      if (addressed && own != 0 && *addressed != own) return;
    }
    for (osi::FieldReader in(command); in.Next();) {
      if (in.Number() != field::traffic_command::kAction) continue;
      for (osi::FieldReader one(in.Content()); one.Next();) Obey(one.Number(), one.Content(), now);
    }
  }

  void Obey(std::uint32_t kind, osi::Message content, double now) {
    std::uint64_t id = 0;
    for (osi::FieldReader in(content); in.Next();) {
      if (in.Number() != action::kHeader) continue;
      for (osi::FieldReader header(in.Content()); header.Next();) {
        if (header.Number() == action::kActionId) id = osi::ReadIdentifier(header.Content()).value_or(0);
      }
    }
    switch (kind) {
      case action::kSpeed:
        return TakeSpeed(content);
      case action::kFollowTrajectory:
        return TakeTrajectory(content, now, id);
      case action::kTeleport:
        for (osi::FieldReader in(content); in.Next();) {
          if (in.Number() == action::position::kPosition) osi::Merge(in.Content(), self_.base.position);
          if (in.Number() == action::position::kOrientation) osi::Merge(in.Content(), self_.base.orientation);
        }
        return;
      case action::kAbortActions:
      case action::kEndActions:
        trajectory_.clear();
        target_ = wanted_;
        return;
      default:
        dismissed_.push_back({id, "this model does not do such actions"});
    }
  }

  void TakeSpeed(osi::Message content) {
    for (osi::FieldReader in(content); in.Next();) {
      if (in.Number() == action::speed::kTarget) in.Read(target_);
    }
    target_ = std::max(0.0, target_);
  }

  /// Times of its points count from the command on.
  void TakeTrajectory(osi::Message content, double now, std::uint64_t id) {
    std::vector<Point> points;
    for (osi::FieldReader in(content); in.Next();) {
      if (in.Number() != action::follow::kPoint) continue;
      Point point;
      for (osi::FieldReader part(in.Content()); part.Next();) {
        namespace state = field::state_point;
        if (part.Number() == state::kTimestamp)
          point.time = now + osi::ReadAs<osi::Timestamp>(part.Content()).Seconds();
        if (part.Number() == state::kPosition) osi::Merge(part.Content(), point.position);
        if (part.Number() == state::kOrientation) osi::Merge(part.Content(), point.orientation);
      }
      points.push_back(point);
    }
    const bool is_ordered = std::ranges::is_sorted(points, {}, &Point::time);
    if (points.empty() || !is_ordered) {
      dismissed_.push_back({id, "a trajectory has points in the order of their times"});
      return;
    }
    points.insert(points.begin(), {now, self_.base.position, self_.base.orientation});
    trajectory_ = std::move(points);
  }

  void Drive(double step) {
    const Rotation heading(self_.base.orientation);
    const Vector position = VectorOf(self_.base.position);
    double gap = std::numeric_limits<double>::infinity();
    double closing = 0.0;
    for (const osi::MovingObject& other : others_) {
      const Vector at = heading.ToInner(VectorOf(other.base.position) - position);
      if (at[0] <= 0.0 || std::abs(at[1]) > kLaneHalf) continue;
      const double free = at[0] - 0.5 * (Known(other.base.dimension.a) + Known(self_.base.dimension.a));
      if (free >= gap) continue;
      gap = free;
      closing = speed_ - heading.ToInner(VectorOf(other.base.velocity))[0];
    }
    const double most = numbers[kAcceleration];
    const double comfortable = numbers[kBraking];
    double acceleration = target_ > 0.0 ? most * (1.0 - std::pow(speed_ / target_, 4.0)) : -comfortable;
    acceleration = std::max(acceleration, -comfortable);  // down to a lower wish, comfortably
    if (std::isfinite(gap)) {
      const double kept = numbers[kGap] + std::max(0.0, speed_ * numbers[kHeadway] +
                                                            0.5 * speed_ * closing / std::sqrt(most * comfortable));
      acceleration -= most * (kept / std::max(gap, 0.1)) * (kept / std::max(gap, 0.1));
    }
    const double before = speed_;
    speed_ = std::max(0.0, speed_ + acceleration * step);
    const Vector moved = heading.ToOuter({0.5 * (before + speed_) * step, 0.0, 0.0});
    self_.base.position = TripleOf(position + moved);
    self_.base.velocity = TripleOf(heading.ToOuter({speed_, 0.0, 0.0}));
    self_.base.acceleration = TripleOf(heading.ToOuter({(speed_ - before) / step, 0.0, 0.0}));
  }

  void Follow(double time, double step) {
    const Vector before = VectorOf(self_.base.position);
    const auto next = std::ranges::find_if(trajectory_, [&](const Point& point) { return point.time >= time; });
    if (next == trajectory_.end() || next == trajectory_.begin()) {
      const Point& last = trajectory_.back();
      self_.base.position = last.position;
      if (last.orientation.IsSet()) self_.base.orientation = last.orientation;
    } else {
      const Point& from = *(next - 1);
      const double part = (time - from.time) / (next->time - from.time);
      const Vector a = VectorOf(from.position);
      const Vector way = VectorOf(next->position) - a;
      self_.base.position = TripleOf(a + Vector{part * way[0], part * way[1], part * way[2]});
      if (next->orientation.IsSet()) {
        self_.base.orientation = next->orientation;
      } else if (std::hypot(way[0], way[1]) > 0.0) {
        self_.base.orientation = {0.0, 0.0, std::atan2(way[1], way[0])};
      }
    }
    const Vector moved = VectorOf(self_.base.position) - before;
    speed_ = std::hypot(moved[0], moved[1]) / step;
    self_.base.velocity = {moved[0] / step, moved[1] / step, moved[2] / step};
    self_.base.acceleration = {};
    if (trajectory_.back().time <= time) trajectory_.clear();
  }

  void Write(double time) {
    const osi::Timestamp stamp = osi::TimestampOf(time);
    osi::MovingObject self = self_;
    if (!self.id && numbers[kId] > 0.0) self.id = static_cast<std::uint64_t>(numbers[kId]);
    osi::MessageWriter& out = outputs[kUpdate].Begin();
    osi::WriteHead(out, osi::InterfaceVersion{}, stamp);
    osi::Write(out, field::traffic_update::kUpdate, self);
    if (dismissed_.empty()) return outputs[kCommandUpdate].Clear();
    osi::MessageWriter& answer = outputs[kCommandUpdate].Begin();
    osi::WriteHead(answer, osi::InterfaceVersion{}, stamp);
    if (self.id) osi::WriteIdentifier(answer, field::traffic_command_update::kParticipantId, *self.id);
    for (const Dismissed& one : dismissed_) {
      answer.Begin(field::traffic_command_update::kDismissedAction);
      osi::WriteIdentifier(answer, field::traffic_command_update::dismissed::kActionId, one.action);
      answer.Text(field::traffic_command_update::dismissed::kReason, one.reason);
      answer.End();
    }
  }

  osi::MovingObject self_;
  double speed_ = 0.0;
  double wanted_ = 0.0;
  double target_ = 0.0;
  std::vector<osi::MovingObject> others_;
  std::vector<Point> trajectory_;
  std::vector<Dismissed> dismissed_;
};

}  // namespace

const Description kDescription = {
    .identifier = "TrafficParticipant",
    .text = "a vehicle that follows others and commands",
    .step = 0.02,
    .messages = kMessages,
    .numbers = kNumbers,
};

std::unique_ptr<Model> MakeModel() {
  return std::make_unique<TrafficParticipant>();
}

}  // namespace osmp_fmu
