#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fmi-bridge/broker/stream/Field.hpp"
#include "fmi-bridge/broker/stream/Message.hpp"
#include "fmi-bridge/broker/stream/StreamCounts.hpp"

namespace openmi::broker {

/// The result of parsing a body.
enum class Verdict {
  Good,
  Malformed,  ///< not a JSON object
  NoStamp,    ///< the stamp's member is missing, is no text, or cannot be read
  Foreign     ///< it has no value of any field
};

/// Parses the bodies of messages.
///
/// A body is one JSON object. Its member `time` is the stamp; its other members are values, including those of nested
/// objects and arrays (`pose.x`, `axes[0]`). A member that occurs twice has the last value.
///
/// A member of another type than its field is skipped and counted. So is a member that no field names, except those
/// that start with `internal_` or `simAtTime`, which publishers use themselves.
class MessageParser {
 public:
  /// \param fields  copied
  /// \param stamp_member  the member with the stamp
  /// \param zone_minutes  offset of stamps without a zone, minutes east of UTC; nothing: such a message has no stamp
  explicit MessageParser(const std::vector<Field>& fields, std::string stamp_member = "time",
                         std::optional<int> zone_minutes = std::nullopt);

  /// Parses `body` into `message`, whose memory is used again, and counts members. The caller counts the verdict.
  Verdict Parse(std::string_view body, Message& message, StreamCounts& counts);
  /// What was wrong with the last body, if it was not Good or had a member of another type; for a log.
  const std::string& Complaint() const { return complaint_; }
  /// The first dozen of the members that no field names; of arrays the first element.
  const std::vector<std::string>& OtherMembers() const { return others_; }
  bool HasMoreOthers() const { return has_more_others_; }
  /// The first value of another type that a field received, such as "a text"; empty: none.
  const std::string& MisfitOf(std::size_t field) const { return misfits_[field]; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  class Events;

  void KeepOther();

  std::vector<FieldType> types_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;
  std::string stamp_member_;
  std::optional<int> zone_minutes_;
  std::string complaint_;
  std::vector<std::string> others_;
  bool has_more_others_ = false;
  std::vector<std::string> misfits_;
  std::string path_;
  struct Level {
    std::size_t path_size;  // length of the path before the names of its members
    long index;             // of the current element; -1: an object
  };
  std::vector<Level> levels_;
};

}  // namespace openmi::broker
