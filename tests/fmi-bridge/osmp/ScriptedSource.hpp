#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/items/ValueItems.hpp"

namespace openmi::osmp {

using Bytes8 = std::vector<std::byte>;

/// A component that gives one message after another; what it gave before is overwritten with 0xEE two steps later, as
/// the packaging allows.
class ScriptedSource final : public SteppingComponent {
 public:
  using Script = std::function<Bytes8(int step)>;
  ScriptedSource(std::string message, Script script)
      : SteppingComponent("source", "PT0.02S"), message_(std::move(message)), script_(std::move(script)) {}
  ValueOutput& Output() { return *output_; }

 private:
  void Setup() override {
    output_ = &AddItem<ValueOutput>(message_, items::PlainDefinitionOf(message_, ValueKind::Binary));
  }
  void Start(Stamp begin) override { Show(begin); }
  void Step(Stamp, Stamp to) override { Show(to); }
  void Show(Stamp time) {
    Bytes8& buffer = buffers_[static_cast<std::size_t>(step_ % 2)];
    std::ranges::fill(buffer, std::byte{0xEE});
    spent_.push_back(std::move(buffer));  // stays in memory, so that who looks there sees it
    buffer = script_(step_++);
    output_->ShowBytes(0, buffer);
    output_->Publish(time);
  }

  std::string message_;
  Script script_;
  ValueOutput* output_ = nullptr;
  Bytes8 buffers_[2];
  std::vector<Bytes8> spent_;
  int step_ = 0;
};

/// An object of a ground truth, as it is written.
struct Thing {
  std::uint64_t id = 0;
  double x = 0.0, y = 0.0, yaw = 0.0;
  double length = 4.0, width = 2.0;
  double speed = 0.0;
};

inline Bytes8 GroundTruthBytes(const std::vector<Thing>& moving, const std::vector<Thing>& standing = {},
                               std::uint64_t host = 0) {
  osi::MessageWriter out;
  osi::WriteHead(out, {}, {});
  if (host != 0) osi::WriteIdentifier(out, osi::field::ground_truth::kHostVehicleId, host);
  for (const Thing& one : standing) {
    out.Begin(osi::field::ground_truth::kStationaryObject);
    osi::WriteIdentifier(out, 1, one.id);
    osi::Base base;
    base.dimension = {one.length, one.width, 2.0};
    base.position = {one.x, one.y, 0.0};
    base.orientation = {0.0, 0.0, one.yaw};
    osi::Write(out, 2, base);
    out.End();
  }
  for (const Thing& one : moving) {
    osi::MovingObject object{.id = one.id, .base = {}, .type = 2};
    object.base.dimension = {one.length, one.width, 1.5};
    object.base.position = {one.x, one.y, 0.0};
    object.base.orientation = {0.0, 0.0, one.yaw};
    object.base.velocity = {one.speed, 0.0, 0.0};
    osi::Write(out, osi::field::ground_truth::kMovingObject, object);
  }
  const osi::Message written = out.Written();
  return {written.begin(), written.end()};
}

inline Bytes8 SensorViewBytes(double time, std::uint64_t host, const std::vector<Thing>& moving,
                              const std::vector<Thing>& standing = {}) {
  osi::MessageWriter out;
  osi::WriteHead(out, {}, osi::TimestampOf(time));
  out.Length(osi::field::sensor_view::kGlobalGroundTruth, GroundTruthBytes(moving, standing));
  osi::WriteIdentifier(out, osi::field::sensor_view::kHostVehicleId, host);
  const osi::Message written = out.Written();
  return {written.begin(), written.end()};
}

}  // namespace openmi::osmp
