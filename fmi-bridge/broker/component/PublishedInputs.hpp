#pragma once

#include <string>
#include <vector>

#include "fmi-bridge/broker/stream/Field.hpp"
#include "timespace/Handles.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::broker {

/// The inputs of a stream as members of the messages that it publishes.
class PublishedInputs {
 public:
  void Clear() { inputs_.clear(); }
  void Add(const Field& field, ScalarInput input);
  bool IsEmpty() const { return inputs_.empty(); }

  /// Begins a run, whose first message has all inputs.
  void Begin() { has_published_ = false; }
  /// Begins a message: writes the inputs whose values changed since the last one, each with a comma after it.
  /// \param all  writes all inputs
  /// \returns whether there are any
  bool Write(bool all, std::string& body);

  /// Saves and restores the values that were published last.
  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);

 private:
  struct Entry {
    std::string member;  // as written in JSON, with quotes
    FieldType type = FieldType::Real;
    ScalarInput input;
    double last = 0.0;
  };
  std::vector<Entry> inputs_;
  bool has_published_ = false;
};

}  // namespace openmi::broker
