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

/// What a body turned out to be.
enum class Verdict {
  Good,
  Malformed,  ///< no JSON object
  NoStamp,    ///< no member of the stamp's name, none that is a text, or none that can be read
  Foreign     ///< no value of any field
};

/// Reads bodies of messages: one JSON object, whose member `time` is the stamp and whose other members are values, also
/// those of objects and arrays inside (`pose.x`, `axes[0]`). A member that stands twice has the last value.
///
/// A member of another type than its field's is passed over and counted; so are members that no field names, except
/// those that begin with `internal_` or `simAtTime`, which publishers send for themselves.
class MessageParser {
 public:
  /// \param fields        copied
  /// \param stamp_member  the member with the stamp
  /// \param zone_minutes  of stamps without a zone; nothing: such a message has no stamp
  explicit MessageParser(const std::vector<Field>& fields, std::string stamp_member = "time",
                         std::optional<int> zone_minutes = std::nullopt);

  /// Reads `body` into `message`, whose memory is used again, and counts members. The verdict is the caller's to count.
  Verdict Parse(std::string_view body, Message& message, StreamCounts& counts);
  /// What was wrong with the last body that was not Good, or had a member of another type; for a log.
  const std::string& Complaint() const { return complaint_; }
  /// The members that came and that no field names, the first dozen of them; of arrays the first element.
  const std::vector<std::string>& OtherMembers() const { return others_; }
  bool HasMoreOthers() const { return has_more_others_; }
  /// What came first in place of a value of the field's type: "a text". Empty: nothing did.
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
    std::size_t path_size;  // of what is before its members' names
    long index;             // of the element under way; -1: an object
  };
  std::vector<Level> levels_;
};

}  // namespace openmi::broker
