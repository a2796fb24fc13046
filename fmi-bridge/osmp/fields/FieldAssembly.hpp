#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldPath.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace openmi::osi {

/// Makes messages of columns of numbers, constants and whole messages: the reverse of FieldTable.
///
/// Fields are written in the order of their numbers. A NaN is omitted, and so is an object whose columns are all NaN.
/// Version and time stamp are written where the message type has them and no path sets them.
class FieldAssembly {
 public:
  /// A field with a constant value.
  struct Constant {
    FieldPath path;
    double value = 0.0;
    std::optional<std::uint64_t> whole;  ///< set for a whole number: exact above 2^53
  };

  /// \param paths  of the columns; a path that ends in a message takes a serialized message
  /// \throws ArgumentError  a path that cannot be written: an index such as [3], two paths for one field, or [*] over
  ///   different lists within a list
  FieldAssembly(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths,
                std::vector<Constant> constants);

  ~FieldAssembly();
  FieldAssembly(const FieldAssembly&) = delete;
  FieldAssembly& operator=(const FieldAssembly&) = delete;

  /// What one message is made of.
  struct Content {
    std::span<const std::span<const double>> columns;  ///< one per path; empty for a path that ends in a message
    std::span<const Message> messages;                 ///< one per path; empty for the others
    std::span<const std::uint64_t> ids;                ///< of the objects of every list; same shape as their columns
    Message base;  ///< its fields come first, merged with the rest; its version and time stamp are omitted
    Timestamp time;
    InterfaceVersion version;
  };
  /// Writes a message.
  /// \returns the bytes in `writer`; valid until it is used again
  /// \throws WireError  the message becomes too large, or the base is no message
  Message Write(const Content& content, MessageWriter& writer) const;

  /// Whether a path goes through a list.
  bool HasList() const;

 private:
  struct Node;
  class Writing;

  void Add(const Schema& schema, const FieldPath& path, int column, const Constant* constant);

  std::vector<Constant> constants_;
  std::vector<Node> fields_;  // of the message, sorted by their numbers
};

}  // namespace openmi::osi
