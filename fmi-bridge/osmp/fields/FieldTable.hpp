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

/// Reads chosen numbers out of messages into columns: one column a path, one row an object of its list.
///
/// What no path asks for is stepped over. Objects of a list mostly have the same fields in the same order: where all
/// tags and sizes of one are those of another before it, its numbers are taken from the same places without a walk
/// through it. After the first messages nothing is allocated.
class FieldTable {
 public:
  static constexpr std::size_t kNoList = std::numeric_limits<std::size_t>::max();
  static constexpr std::uint64_t kNoId = std::numeric_limits<std::uint64_t>::max();

  /// \param message  the type of the messages ("GroundTruth")
  /// \param paths    as FieldPath::Parse made them for that type
  FieldTable(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths);

  /// Reads one message; the columns show it until the next.
  /// \throws WireError  it is no message; what the columns show then is undefined
  void Read(Message message);

  /// The numbers of a path; shape [objects of its list], or [1] without [*]. NaN where the message has none.
  std::span<const double> Column(std::size_t path) const {
    return {columns_[path].data(), list_of_[path] == kNoList ? 1 : lists_[list_of_[path]].count};
  }
  /// Which list a path goes through; kNoList without [*].
  std::size_t ListOf(std::size_t path) const { return list_of_[path]; }
  std::size_t ListCount() const { return lists_.size(); }
  const std::string& ListText(std::size_t list) const { return lists_[list].text; }
  /// Whether objects of that list have ids; others are known by their place.
  bool HasIds(std::size_t list) const { return lists_[list].has_ids; }
  /// The ids of the objects of a list, in the order of the message; kNoId where one has none.
  std::span<const std::uint64_t> Ids(std::size_t list) const { return lists_[list].ids; }
  /// How many objects there are.
  std::size_t Count(std::size_t list) const { return lists_[list].count; }

 private:
  struct Edge {
    std::uint32_t number = 0;
    int index = FieldPath::kOnly;
    FieldKind kind = FieldKind::Double;
    WireType type = WireType::Fixed64;
    int column = -1;  // of a number
    int list = -1;    // which begins here
    int node = -1;    // of what is inside
    int id_of = -1;   // the list whose id this number is
    int next = -1;    // another edge of the same number
    bool in_list = false;
    std::uint64_t scope = 0;  // in which `seen` counts
    int seen = 0;
  };
  struct Node {
    std::array<std::int16_t, 32> low;  // the first edge of a small number
    std::vector<int> high;             // first edges of others
  };
  /// A number at a known place of an object.
  struct Load {
    std::uint32_t offset = 0;
    FieldKind kind = FieldKind::Double;
    int column = -1;  // the id where there is none
  };
  /// How the objects of a list looked: all bytes that say where fields begin and how long they are.
  struct Shape {
    std::vector<std::byte> bytes;  // of one such object
    std::vector<std::byte> mask;   // which of their bits every such object has
    std::vector<Load> doubles;
    std::vector<Load> others;
  };
  struct List {
    std::string text;
    bool has_ids = false;
    std::size_t count = 0;  // of which rows are written
    std::vector<std::uint64_t> ids;
    std::vector<int> columns;
    std::array<Shape, 4> shapes;
    std::size_t next_shape = 0;  // to be forgotten when another is learned
    int patience = 0;            // objects to come that are walked through without learning
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
  /// The row of an object, or of the message, that is being read.
  void Put(int column, std::size_t row, double value) { columns_[static_cast<std::size_t>(column)][row] = value; }
  void Take(const Edge& edge, double value) { Put(edge.column, edge.in_list ? row_ : 0, value); }
  void TakeNumbers(Edge& edge, WireType type, std::uint64_t bits, Message content);
  bool TakeByShape(List& list, Message object);
  void LearnField(const FieldReader& field);
  void LearnNumber(FieldKind kind, int column, WireType type, const std::byte* end);
  /// Whether this one of a repeated field is the one wanted.
  bool IsWanted(Edge& edge);

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<List> lists_;
  std::vector<std::size_t> list_of_;
  std::vector<std::vector<double>> columns_;
  std::size_t row_ = 0;  // of the object that is being read
  Shape* learned_ = nullptr;
  const std::byte* object_begin_ = nullptr;  // of the one that is learned
  bool is_learnable_ = false;
  std::uint64_t scope_ = 0;
  std::uint64_t message_scope_ = 0;
  std::uint64_t object_scope_ = 0;
};

}  // namespace openmi::osi
