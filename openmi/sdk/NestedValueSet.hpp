#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include "openmi/standard/IBaseValueSet.hpp"

namespace openmi {

/// Values of one type under any number of indices. Each list at each level has its own length.
///
/// Not for large numeric data: each value is a Value. Values that were never set are `initial`.
class NestedValueSet final : public IBaseValueSet {
 public:
  /// An empty set: every length is 0 until `Resize()`.
  /// \param number_of_indices  at least 1
  /// \param initial            the value of new entries; empty: false, 0, NaN, "", no bytes or no object, by the type
  /// \throws RangeError  the number of indices is 0
  /// \throws TypeError   the type is ValueKind::Empty, or `initial` has another type
  NestedValueSet(openmi::ValueType type, std::size_t number_of_indices, Value initial = {});
  /// A rectangular set: `counts[i]` is the length of dimension i.
  /// \throws RangeError  `counts` is empty
  /// \throws TypeError   as above
  NestedValueSet(openmi::ValueType type, std::span<const std::size_t> counts, Value initial = {});
  NestedValueSet(openmi::ValueType type, std::initializer_list<std::size_t> counts, Value initial = {});

  /// Sets the length of the list that the leading `indices` address.
  ///
  /// Existing entries within the new length keep their values. New lists are empty; new values are `initial`.
  /// \param indices  fewer than `NumberOfIndices()`; an empty list addresses the first dimension
  /// \throws RangeError  too many indices, or an index outside its dimension
  void Resize(std::span<const std::size_t> indices, std::size_t count);
  void Resize(std::initializer_list<std::size_t> indices, std::size_t count);

  std::size_t GetIndexCount(std::span<const std::size_t> indices) const override;
  Value GetValue(std::span<const std::size_t> indices) const override;
  std::size_t NumberOfIndices() const override { return number_of_indices_; }
  /// \throws TypeError  the value has another type; it may be empty only in a set of objects
  void SetValue(std::span<const std::size_t> indices, const Value& value) override;
  openmi::ValueType ValueType() const override { return type_; }

 private:
  struct Node {
    std::vector<Node> lists;    // above the last index
    std::vector<Value> values;  // at the last index
  };

  void Fill(Node& node, std::span<const std::size_t> counts);
  const Node& Find(std::span<const std::size_t> indices) const;
  std::size_t LengthOf(const Node& node, std::size_t level) const;
  const Value& At(std::span<const std::size_t> indices) const;

  openmi::ValueType type_;
  std::size_t number_of_indices_;
  Value initial_;
  Node root_;
};

}  // namespace openmi
