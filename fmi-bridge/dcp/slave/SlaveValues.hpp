#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/protocol/pdu/TypedValue.hpp"

namespace openmi::dcp {

/// The variables of a slave with their values. Positions are those of the description. A TypedValue keeps its address.
class SlaveValues {
 public:
  static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 28;  ///< of one array

  /// All variables at their start values.
  /// \param description  borrowed
  /// \throws FormatError  an array is too large
  explicit SlaveValues(const SlaveDescription& description);
  SlaveValues(const SlaveValues&) = delete;
  SlaveValues& operator=(const SlaveValues&) = delete;

  const SlaveDescription& Description() const { return description_; }
  /// The position of a value reference; kNowhere for none.
  Index Find(ValueReference reference) const;
  const Variable& VariableAt(Index index) const { return description_.At(index); }
  TypedValue& At(Index index) { return values_[static_cast<std::size_t>(index)]; }
  const TypedValue& At(Index index) const { return values_[static_cast<std::size_t>(index)]; }
  /// The value of the variable with that name.
  /// \throws ArgumentError  there is no variable of that name
  TypedValue& Named(std::string_view name);
  std::span<const TypedValue> All() const { return values_; }

  /// Sets all variables to their start values and start sizes.
  void Reset();
  /// Gives arrays the sizes that the structural parameters now set. An array whose size changes is filled with its
  /// first start value.
  /// \returns false when an array would become too large; nothing changes then
  bool FollowStructure();
  /// Whether all elements are within the limits that the description states. NaN is outside any limit.
  bool IsWithinLimits(Index index) const;

 private:
  std::uint64_t SizeNow(const Variable& variable) const;
  void PutStart(std::size_t index);

  const SlaveDescription& description_;
  std::vector<TypedValue> values_;
  std::unordered_map<ValueReference, Index> by_reference_;
};

}  // namespace openmi::dcp
