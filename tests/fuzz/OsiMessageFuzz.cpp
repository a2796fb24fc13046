#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldAssembly.hpp"
#include "fmi-bridge/osmp/fields/FieldTable.hpp"
#include "fmi-bridge/osmp/trace/TraceReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::osi {
namespace {

std::vector<FieldPath> Paths() {
  std::vector<FieldPath> paths;
  for (const char* text :
       {"moving_object[*].base.position.x", "moving_object[*].base.velocity.y", "moving_object[*].type",
        "moving_object[*].moving_object_classification.assigned_lane_percentage[1]",
        "moving_object[*].future_trajectory[0].position.x", "stationary_object[*].base.orientation.yaw",
        "timestamp.seconds", "timestamp.nanos", "host_vehicle_id.value", "moving_object[2].base.position.z"}) {
    paths.push_back(FieldPath::Parse(Schema::Subset(), "GroundTruth", text));
  }
  return paths;
}

/// Nothing wrong may be read, whatever the table learned of messages before: a new table reads the same.
void Compare(const FieldTable& one, const FieldTable& other) {
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  for (std::size_t path = 0; path < 10; ++path) {
    const auto a = one.Column(path);
    const auto b = other.Column(path);
    if (a.size() != b.size()) std::abort();
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i])) std::abort();
    }
  }
}

}  // namespace

// The bytes as one message for everything that reads one; cut in two, as two messages for a table that learns.
OPENMI_FUZZ_TARGET(osi_message) {
  const auto bytes = std::as_bytes(std::span(input));
  static FieldTable learned(Schema::Subset(), "GroundTruth", Paths());
  static MessageWriter writer;
  try {
    RequireFields(bytes);
    writer.Clear();
    for (FieldReader field(bytes); field.Next();) writer.Copy(field.Whole());
    if (writer.Written().size() != input.size()) std::abort();
    static_cast<void>(MessageTypeByContent(bytes));
    static_cast<void>(ReadAs<MovingObject>(bytes));
    static_cast<void>(TimeOf(bytes, "HostVehicleData"));
  } catch (const WireError&) {
  }
  for (const openmi::osi::Message part : {bytes, bytes.first(input.size() / 2)}) {
    try {
      FieldTable fresh(Schema::Subset(), "GroundTruth", Paths());
      bool is_message = true;
      try {
        fresh.Read(part);
      } catch (const WireError&) {
        is_message = false;
      }
      learned.Read(part);
      if (!is_message) std::abort();
      Compare(learned, fresh);
    } catch (const WireError&) {
    }
  }
  // The same bytes as the text of a table, and as a path.
  const std::string text(input);
  try {
    const Schema schema = Schema::Parse(text, "fuzz");
    if (Schema::Parse(schema.Text(), "again").Text() != schema.Text()) std::abort();
  } catch (const openmi::Error&) {
  }
  try {
    FieldPath::Parse(Schema::Subset(), "SensorView", text);
  } catch (const openmi::Error&) {
  }
}

}  // namespace openmi::osi
