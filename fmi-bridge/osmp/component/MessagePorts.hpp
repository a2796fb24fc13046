#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/run/Instance.hpp"
#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

namespace openmi::osmp {

/// Reads and writes the messages of binary variables in both encodings.
///
/// Each encoding needs one call for all variables: the three integers of a message belong together only if they are
/// read and set together.
class MessagePorts {
 public:
  /// Adds a variable.
  /// \param variable  borrowed
  /// \returns its position, see Message
  std::size_t Add(const BinaryVariable& variable, const fmi::ModelDescription& description);
  std::size_t Count() const { return ports_.size(); }

  /// Reads all variables. The messages are in the memory of the FMU: a triple is valid until the second step from now,
  /// a binary variable until the next call.
  /// \throws ModelError  a negative size (rule 51), a size without an address (52), 2 GiB or more (53)
  void Get(fmi::Instance& instance);
  /// Sets all variables to the messages of Edit. What a triple points at is not copied: it has to stay valid as long as
  /// the rules require.
  void Set(fmi::Instance& instance);

  /// The message of a variable: the last one of Get or Edit.
  osi::Message Message(std::size_t port) const { return ports_[port].message; }
  /// Sets the message of a variable; Set sends it to the FMU.
  /// \throws ModelError  2 GiB or more (rule 53)
  void Edit(std::size_t port, osi::Message message);
  const BinaryVariable& Variable(std::size_t port) const { return *ports_[port].variable; }
  /// Whether the message read is valid longer than until the next call.
  bool Stays(std::size_t port) const { return ports_[port].is_triple; }

  /// Reports a broken rule.
  /// \throws ModelError  always
  [[noreturn]] static void Refuse(const BinaryVariable& variable, RuleId rule, const std::string& problem,
                                  const std::string& remedy);

 private:
  struct Port {
    const BinaryVariable* variable = nullptr;
    std::size_t first = 0;  // position in integers_ or binaries_
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
