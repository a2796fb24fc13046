#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osmp {

/// Reads and writes the messages of binary variables, of either encoding, each encoding in one call for all: the three
/// integers of a message belong together only if they are read and set together.
class MessagePorts {
 public:
  /// Adds a variable. \returns its position in Messages()
  std::size_t Add(const BinaryVariable& variable, const fmi::ModelDescription& description);
  std::size_t Count() const { return ports_.size(); }

  /// Reads all. What is shown lies in the FMU: of a triple to the begin of the second step from now, of a binary
  /// variable to the next call. \throws ModelError  rule 51, 52: a negative size, a size without an address
  void Get(fmi::Instance& instance);
  /// Sets all to what Edit gave. What a triple points at is not copied: it has to stay as long as the rules say.
  void Set(fmi::Instance& instance);

  osi::Message Message(std::size_t port) const { return ports_[port].message; }
  /// \throws ModelError  rule 53: 2 GiB or more
  void Edit(std::size_t port, osi::Message message);
  const BinaryVariable& Variable(std::size_t port) const { return *ports_[port].variable; }
  /// Whether what was read is good longer than to the next call.
  bool Stays(std::size_t port) const { return ports_[port].is_triple; }

  /// Says the rule that was broken. \throws ModelError  always
  [[noreturn]] static void Refuse(const BinaryVariable& variable, RuleId rule, const std::string& problem,
                                  const std::string& remedy);

 private:
  struct Port {
    const BinaryVariable* variable = nullptr;
    std::size_t first = 0;  // in integers_, or in binaries_
    osi::Message message;
    bool is_triple = false;
  };
  static osi::Message Decode(const BinaryVariable& variable, std::span<const std::int32_t, 3> parts);

  std::vector<Port> ports_;
  std::vector<fmi::ValueReference> integer_references_;
  std::vector<std::int32_t> integers_;
  std::vector<fmi::ValueReference> binary_references_;
  std::vector<osi::Message> binaries_;
};

}  // namespace openmi::osmp
