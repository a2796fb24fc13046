#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldTree.hpp"
#include "fmi-bridge/osmp/fields/ObjectShapes.hpp"

namespace openmi::osi {

/// Reads selected numbers of messages into columns: one column for each path, one row for each object of its list.
///
/// Fields without a path are skipped. Objects of a list mostly have the same fields in the same order. Where all tags
/// and sizes of an object equal those of an earlier one, its numbers are read at the same offsets without decoding it.
/// After the first messages nothing is allocated.
class FieldTable {
 public:
  static constexpr std::size_t kNoList = std::numeric_limits<std::size_t>::max();
  static constexpr std::uint64_t kNoId = std::numeric_limits<std::uint64_t>::max();

  /// \param message  type of the messages, such as "GroundTruth"
  /// \param paths  from FieldPath::Parse for that type
  FieldTable(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths);

  /// Reads one message. The columns show it until the next call.
  /// \throws WireError  the bytes are no message; the content of the columns is then undefined
  void Read(Message message);

  /// The numbers of a path; shape [objects of its list], or [1] without [*]. NaN where the message has none.
  std::span<const double> Column(std::size_t path) const {
    return {columns_[path].data(), list_of_[path] == kNoList ? 1 : lists_[list_of_[path]].count};
  }
  /// The list that a path goes through; kNoList without [*].
  std::size_t ListOf(std::size_t path) const { return list_of_[path]; }
  std::size_t ListCount() const { return lists_.size(); }
  const std::string& ListText(std::size_t list) const { return lists_[list].text; }
  /// Whether the objects of a list have ids; other objects are identified by their position.
  bool HasIds(std::size_t list) const { return lists_[list].has_ids; }
  /// The ids of the objects of a list, in the order of the message; kNoId for an object without one.
  std::span<const std::uint64_t> Ids(std::size_t list) const { return lists_[list].ids; }
  /// The number of objects in a list.
  std::size_t Count(std::size_t list) const { return lists_[list].count; }

 private:
  struct List {
    std::string text;
    bool has_ids = false;
    std::size_t count = 0;  // number of rows written
    std::vector<std::uint64_t> ids;
    std::vector<std::size_t> columns;
    ObjectShapes shapes;
  };

  void AddPath(const Schema& schema, const FieldPath& path, std::size_t column);
  template <bool kLearns>
  void Walk(int node, Message message);
  template <bool kLearns>
  void Follow(FieldTree::Edge& edge, WireType type, std::uint64_t bits, Message content, const std::byte* end);
  void TakeObject(List& list, int node, Message object);
  void BeginObject(List& list);
  /// Sets a value in the row of the object, or of the message, that is being read.
  void Take(const FieldTree::Edge& edge, double value) {
    columns_[static_cast<std::size_t>(edge.column)][edge.in_list ? row_ : 0] = value;
  }
  void TakeNumbers(FieldTree::Edge& edge, WireType type, std::uint64_t bits, Message content);
  /// Whether this entry of a repeated field is the selected one.
  bool IsWanted(FieldTree::Edge& edge);

  FieldTree tree_;
  std::vector<List> lists_;
  std::vector<std::size_t> list_of_;
  std::vector<std::vector<double>> columns_;
  std::size_t row_ = 0;               // of the object being read
  ObjectShapes* learning_ = nullptr;  // of the list whose object is being learned
  std::uint64_t scope_ = 0;
  std::uint64_t message_scope_ = 0;
  std::uint64_t object_scope_ = 0;
};

}  // namespace openmi::osi
