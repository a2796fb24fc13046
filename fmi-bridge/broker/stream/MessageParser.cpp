#include "fmi-bridge/broker/stream/MessageParser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace openmi::broker {
namespace {

/// Doubles hold all whole numbers up to here.
constexpr double kMostInteger = 9007199254740992.0;

bool IsPublishersOwn(std::string_view path) {
  return path.starts_with("internal_") || path.starts_with("simAtTime");
}

}  // namespace

/// Receives the events of the JSON reader, member by member, and keeps only the values.
class MessageParser::Events {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  Events(MessageParser& parser, Message& message, StreamCounts& counts)
      : parser_(parser), message_(message), counts_(counts) {}

  bool null() { return Other("null"); }
  bool boolean(bool value) {
    FieldValue* slot = Slot("a boolean", [](FieldType type) { return type == FieldType::Boolean; });
    if (slot != nullptr) slot->number = value ? 1.0 : 0.0;
    return Next();
  }
  bool number_integer(number_integer_t value) { return Number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) { return Number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) { return Number(value); }
  bool string(string_t& value) {
    if (IsStamp()) {
      stamp_is_text_ = true;
      stamp_ = ParseWallTime(value, parser_.zone_minutes_);
      if (!stamp_) stamp_text_ = value;
      return Next();
    }
    FieldValue* slot = Slot("a text", [](FieldType type) { return type == FieldType::String; });
    if (slot != nullptr) slot->text = std::move(value);
    return Next();
  }
  bool binary(binary_t&) { return Other("bytes"); }
  bool start_object(std::size_t) { return Enter(-1); }
  bool start_array(std::size_t) { return Enter(0); }
  bool key(string_t& name) {
    Level& level = parser_.levels_.back();
    parser_.path_.resize(level.path_size);
    if (level.path_size != 0) parser_.path_ += '.';
    parser_.path_ += name;
    return true;
  }
  bool end_object() { return Leave(); }
  bool end_array() { return Leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    parser_.complaint_ = error.what();
    return false;
  }

  const std::optional<Nanos>& Stamp() const { return stamp_; }
  bool StampIsText() const { return stamp_is_text_; }
  const std::string& StampText() const { return stamp_text_; }
  bool HasRoot() const { return is_object_; }

 private:
  bool IsStamp() const { return parser_.levels_.size() == 1 && parser_.path_ == parser_.stamp_member_; }

  bool Number(double value) {
    FieldValue* slot = Slot("a number", [value](FieldType type) {
      return type == FieldType::Real || (type == FieldType::Integer && std::fabs(value) <= kMostInteger);
    });
    if (slot != nullptr) {
      slot->number = parser_.types_[slot->field] == FieldType::Integer ? std::trunc(value) : value;
    }
    return Next();
  }
  bool Other(std::string_view found) {
    Slot(found, [](FieldType) { return false; });
    return Next();
  }

  /// The place for the value of the member; null where no field names it.
  template <class Fits>
  FieldValue* Slot(std::string_view found, Fits fits) {
    if (parser_.levels_.empty() || IsStamp()) return nullptr;
    const auto place = parser_.places_.find(parser_.path_);
    if (place == parser_.places_.end()) {
      if (IsPublishersOwn(parser_.path_)) return nullptr;
      ++counts_.unknown_members;
      parser_.KeepOther();
      return nullptr;
    }
    const FieldType type = parser_.types_[place->second];
    if (!fits(type)) {
      ++counts_.mismatched;
      if (parser_.misfits_[place->second].empty()) parser_.misfits_[place->second] = found;
      parser_.complaint_ =
          fmt::format("'{}': expected a value of type {}, found {}", parser_.path_, NameOf(type), found);
      return nullptr;
    }
    for (std::size_t i = 0; i < used_; ++i) {
      if (message_.values[i].field == place->second) return &message_.values[i];
    }
    if (used_ == message_.values.size()) message_.values.emplace_back();
    FieldValue& slot = message_.values[used_++];
    slot.field = place->second;
    slot.text.clear();
    return &slot;
  }

  bool Enter(long index) {
    if (parser_.levels_.empty()) {
      is_object_ = index < 0;
      if (!is_object_) {
        parser_.complaint_ = "an array in place of an object";
        return false;
      }
    }
    parser_.levels_.push_back({parser_.path_.size(), index});
    if (index >= 0) parser_.path_ += "[0]";
    return true;
  }
  bool Leave() {
    parser_.path_.resize(parser_.levels_.back().path_size);
    parser_.levels_.pop_back();
    return parser_.levels_.empty() || Next();
  }
  /// Called after a value: in an array moves to the next element. A value that is the whole body is no object.
  bool Next() {
    if (parser_.levels_.empty()) {
      parser_.complaint_ = "a bare value in place of an object";
      return false;
    }
    Level& level = parser_.levels_.back();
    if (level.index < 0) return true;
    parser_.path_.resize(level.path_size);
    parser_.path_ += fmt::format("[{}]", ++level.index);
    return true;
  }

  MessageParser& parser_;
  Message& message_;
  StreamCounts& counts_;
  std::size_t used_ = 0;
  bool is_object_ = false;
  bool stamp_is_text_ = false;
  std::optional<Nanos> stamp_;
  std::string stamp_text_;

 public:
  std::size_t Used() const { return used_; }
};

MessageParser::MessageParser(const std::vector<Field>& fields, std::string stamp_member,
                             std::optional<int> zone_minutes)
    : stamp_member_(std::move(stamp_member)), zone_minutes_(zone_minutes) {
  for (const Field& field : fields) {
    places_.emplace(field.source, types_.size());
    types_.push_back(field.type);
  }
  misfits_.resize(types_.size());
}

void MessageParser::KeepOther() {
  constexpr std::size_t kMost = 12;
  if (has_more_others_ || std::ranges::find(others_, path_) != others_.end()) return;
  const std::size_t index = path_.rfind('[');
  if (index != std::string::npos && path_.compare(index, 3, "[0]") != 0) return;
  if (others_.size() == kMost) {
    has_more_others_ = true;
  } else {
    others_.push_back(path_);
  }
}

Verdict MessageParser::Parse(std::string_view body, Message& message, StreamCounts& counts) {
  path_.clear();
  levels_.clear();
  complaint_.clear();
  Events events(*this, message, counts);
  const bool is_read = nlohmann::json::sax_parse(body.begin(), body.end(), &events);
  if (!is_read || !events.HasRoot()) {
    message.values.clear();
    return Verdict::Malformed;
  }
  message.values.resize(events.Used());
  if (!events.Stamp()) {
    complaint_ = events.StampIsText() ? fmt::format("'{}': expected an ISO 8601 date and time with a zone, found '{}'",
                                                    stamp_member_, events.StampText().substr(0, 80))
                                      : fmt::format("expected a text '{}' with the stamp, found none", stamp_member_);
    return Verdict::NoStamp;
  }
  message.stamp = *events.Stamp();
  if (message.values.empty()) {
    if (complaint_.empty()) complaint_ = "expected a member that a field names, found none";
    return Verdict::Foreign;
  }
  return Verdict::Good;
}

}  // namespace openmi::broker
