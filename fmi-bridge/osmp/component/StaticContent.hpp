#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/wire/FieldReader.hpp"

/// \file
/// What does not change in a ground truth during a run, and whether later messages agree with it.

namespace openmi::osmp {

/// Reduces a ground truth to what cannot change.
///
/// Moving objects keep id, type, attributes and model. Traffic lights lose colour and mode. Time, occupants and the
/// environment are omitted.
/// \param message  a GroundTruth, or a SensorView that contains one
/// \param is_view  whether the message is a SensorView
/// \param left_out  if not null, gets the names of the omitted fields, each once: "timestamp", "moving_object.base"
/// \throws osi::WireError  the message is malformed
Bytes ReduceToStatic(osi::Message message, bool is_view, std::set<std::string>* left_out = nullptr);

/// A difference between a later message and the ground truth that a model was initialized with.
struct StaticDifference {
  bool is_id = false;   ///< the id is unknown, or that of another kind of object; else a value differs
  std::string object;   ///< "stationary_object 17"
  std::string field;    ///< "base.position.x"; empty for an id
  std::string problem;  ///< "expected ..., found ..."
};

/// An index of the objects in a ground truth, by id. The bytes are read once.
class StaticContent {
 public:
  /// \param ground_truth  borrowed
  /// \throws osi::WireError  the message is malformed, or two objects have the same id
  explicit StaticContent(osi::Message ground_truth);

  std::size_t ObjectCount() const { return objects_.size(); }
  /// Compares a later message with the ground truth. Objects and fields may be missing in it: static content need not
  /// be repeated.
  /// \param is_view  whether the message is a SensorView; else it is a GroundTruth
  /// \returns the first difference, if there is one
  /// \throws osi::WireError  the message is malformed
  std::optional<StaticDifference> Compare(osi::Message message, bool is_view) const;

 private:
  struct Object {
    std::uint64_t id = 0;
    std::uint32_t kind = 0;  // field number in GroundTruth
    std::uint32_t size = 0;
    const std::byte* bytes = nullptr;
  };
  const Object* Find(std::uint64_t id) const;

  std::vector<Object> objects_;  // sorted by id
  std::uint64_t kinds_ = 0;      // bit n: the ground truth has objects in its field n
};

}  // namespace openmi::osmp
