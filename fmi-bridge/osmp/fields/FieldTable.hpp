#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldPath.hpp"
#include "fmi-bridge/osmp/wire/FieldReader.hpp"

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
  struct Edge {
    std::uint32_t number = 0;
    int index = FieldPath::kOnly;
    FieldKind kind = FieldKind::Double;
    WireType type = WireType::Fixed64;
    int column = -1;  // of a number
    int list = -1;    // the list that starts here
    int node = -1;    // node of the content
    int id_of = -1;   // list whose id this number is
    int next = -1;    // next edge of the same number
    bool in_list = false;
    std::uint64_t scope = 0;  // in which `seen` counts
    int seen = 0;
  };
  struct Node {
    std::array<std::int16_t, 32> low;  // first edges of small field numbers
    std::vector<int> high;             // first edges of the other numbers
  };
  /// A number at a known offset in an object.
  struct Load {
    std::uint32_t offset = 0;
    FieldKind kind = FieldKind::Double;
    int column = -1;  // -1: the object's id
  };
  /// The layout of objects in a list: all bytes that define where fields start and how long they are.
  struct Shape {
    std::vector<std::byte> bytes;  // of one such object
    std::vector<std::byte> mask;   // the bits that every such object has
    std::vector<Load> doubles;
    std::vector<Load> others;
  };
  struct List {
    std::string text;
    bool has_ids = false;
    std::size_t count = 0;  // number of rows written
    std::vector<std::uint64_t> ids;
    std::vector<int> columns;
    std::array<Shape, 4> shapes;
    std::size_t next_shape = 0;  // the one to replace when another is learned
    int patience = 0;            // how many objects to decode before learning again
  };

  int AddNode();
  int AddEdge(int node, std::uint32_t number, int index, FieldKind kind, bool share);
  void AddPath(const Schema& schema, const FieldPath& path, int column);
  int FirstEdge(const Node& node, std::uint32_t number) const;
  template <bool kLearns>
  void Walk(int node, Message message);
  template <bool kLearns>
  void Follow(Edge& edge, WireType type, std::uint64_t bits, Message content, const std::byte* end);
  void TakeObject(List& list, int node, Message object);
  void BeginObject(List& list);
  /// Sets a value in the row of the object, or of the message, that is being read.
  void Put(int column, std::size_t row, double value) { columns_[static_cast<std::size_t>(column)][row] = value; }
  void Take(const Edge& edge, double value) { Put(edge.column, edge.in_list ? row_ : 0, value); }
  void TakeNumbers(Edge& edge, WireType type, std::uint64_t bits, Message content);
  bool TakeByShape(List& list, Message object);
  void LearnField(const FieldReader& field);
  void LearnNumber(FieldKind kind, int column, WireType type, const std::byte* end);
  /// Whether this entry of a repeated field is the selected one.
  bool IsWanted(Edge& edge);

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<List> lists_;
  std::vector<std::size_t> list_of_;
  std::vector<std::vector<double>> columns_;
  std::size_t row_ = 0;  // of the object being read
  Shape* learned_ = nullptr;
  const std::byte* object_begin_ = nullptr;  // of the object being learned
  bool is_learnable_ = false;
  std::uint64_t scope_ = 0;
  std::uint64_t message_scope_ = 0;
  std::uint64_t object_scope_ = 0;
};

}  // namespace openmi::osi
