#include <string>

#include "fmi-bridge/broker/recording/RecordingLine.hpp"
#include "fmi-bridge/broker/stream/MessageParser.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are a message whose values belong to fields, or one that is counted as what it is. A recording gives back
// every body that it was given.
OPENMI_FUZZ_TARGET(broker_json) {
  using namespace openmi::broker;
  static const std::vector<Field> fields = ParseFields(
      "level[m],count:integer,open:boolean,name:string,pose.x,\"axes[0]\"=first,\"a,b\"=comma,\"deep.er.still[1].x\"="
      "deep");
  static MessageParser parser(fields, "time", 0);
  static Message message;
  StreamCounts counts;
  if (parser.Parse(input, message, counts) == Verdict::Good) {
    Require(!message.values.empty());
    for (const FieldValue& value : message.values) Require(value.field < fields.size());
  } else {
    Require(!parser.Complaint().empty());
  }

  RecordingCodec codec;
  const std::string line(codec.Encode({.received = 1, .id = "7", .body = input}));
  Require(line.find('\n') == std::string::npos);
  Require(RecordingCodec().Decode(line).body == input);
  static_cast<void>(codec.Decode(input));
  try {
    for (const Field& field : ParseFields(input)) Require(!field.name.empty() && !field.source.empty());
  } catch (const FormatError&) {
  }
}

}  // namespace openmi::fuzz
