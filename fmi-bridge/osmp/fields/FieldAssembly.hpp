#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldPath.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace openmi::osi {

/// Puts messages together out of columns of numbers, constants and whole messages: FieldTable the other way round.
///
/// Fields are written in the order of their numbers. A NaN is left out, and so is an object all of whose columns are
/// NaN; version and time stamp are written where the message has them and no path sets them.
class FieldAssembly {
 public:
  /// A field that is always the same.
  struct Constant {
    FieldPath path;
    double value = 0.0;
    std::optional<std::uint64_t> whole;  ///< where it is a whole number: exact beyond 2^53
  };

  /// \param paths  of the columns; a path that ends in a message takes a serialized one
  /// \throws ArgumentError  a path that cannot be written: [3], two for one field, [*] over different lists within a
  /// list
  FieldAssembly(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths,
                std::vector<Constant> constants);

  FieldAssembly(const FieldAssembly&) = delete;
  FieldAssembly& operator=(const FieldAssembly&) = delete;

  /// What goes into one message.
  struct Content {
    std::span<const std::span<const double>> columns;  ///< a path; empty for those that end in a message
    std::span<const Message> messages;                 ///< a path; none where empty
    std::span<const std::uint64_t> ids;                ///< of the objects of every list; shape as their columns
    Message base;  ///< fields that come first, merged with the rest; its version and time stamp are left out
    Timestamp time;
    InterfaceVersion version;
  };
  /// \throws WireError  the message grows too large, or the base is none
  Message Write(const Content& content, MessageWriter& writer) const;

  /// Whether a path goes through a list.
  bool HasList() const;

 private:
  struct Node {
    const FieldInfo* field = nullptr;
    std::vector<int> children;  // by the numbers of their fields
    int column = -1;            // of a number or a message that ends here
    const Constant* constant = nullptr;
    bool varies = false;  // whether a column stands in it
    bool is_list = false;
    bool is_id = false;
    bool is_version = false;
    bool is_time = false;
  };
  struct State {
    const Content& content;
    MessageWriter& writer;
    std::size_t row = 0;
  };

  int Child(int node, const FieldInfo& field);
  void Add(const Schema& schema, const FieldPath& path, int column, const Constant* constant);
  void Fields(const Node& node, State& state) const;
  void Field(const Node& node, State& state) const;
  bool IsThere(const Node& node, const State& state) const;
  bool IsEmpty(const Node& node, const State& state) const;
  void CopyBase(State& state) const;

  std::vector<Node> nodes_;
  std::vector<Constant> constants_;
};

}  // namespace openmi::osi
