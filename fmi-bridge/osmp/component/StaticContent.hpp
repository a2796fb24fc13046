#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/wire/FieldReader.hpp"

/// \file
/// What of a ground truth does not change during a run, and whether later messages agree with it.

namespace openmi::osmp {

/// The ground truth without what may change: moving objects keep id, type, attributes and model; traffic lights lose
/// colour and mode; time, occupants and the environment are left out.
/// \param message  a GroundTruth, or a SensorView (`is_view`) that holds one
/// \param left_out  if not null, gets the names of what was left out, each once: "timestamp", "moving_object.base"
/// \throws osi::WireError  malformed
std::vector<std::byte> ReduceToStatic(osi::Message message, bool is_view, std::set<std::string>* left_out = nullptr);

/// Where a later message says other than the ground truth that a model was initialized with.
struct StaticDifference {
  bool is_id = false;   ///< an id that is not there, or is that of another thing; else a value
  std::string object;   ///< "stationary_object 17"
  std::string field;    ///< "base.position.x"; empty for an id
  std::string problem;  ///< "expected ..., found ..."
};

/// An index of the objects in a ground truth, by id. The bytes are looked at once.
class StaticContent {
 public:
  /// \param ground_truth  borrowed \throws osi::WireError  malformed; two objects of one id
  explicit StaticContent(osi::Message ground_truth);

  std::size_t ObjectCount() const { return objects_.size(); }
  /// The first difference in a SensorView (`is_view`) or GroundTruth, if there is one. An object may be missing there,
  /// and fields too: what is static need not be said again.
  /// \throws osi::WireError  malformed
  std::optional<StaticDifference> Compare(osi::Message message, bool is_view) const;

 private:
  struct Object {
    std::uint64_t id = 0;
    std::uint32_t kind = 0;  // field number in GroundTruth
    std::uint32_t size = 0;
    const std::byte* bytes = nullptr;
  };
  const Object* Find(std::uint64_t id) const;

  std::vector<Object> objects_;  // by id
  std::uint64_t kinds_ = 0;      // bit: field number in GroundTruth
};

}  // namespace openmi::osmp
