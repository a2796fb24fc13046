#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/pdu/TypedValue.hpp"

namespace openmi::dcp {

/// The variables of a slave with their values. Positions are those of the description; a value never moves.
class SlaveValues {
 public:
  static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 28;  ///< of one array

  /// All at their start values.
  /// \param description  borrowed
  /// \throws FormatError  an array too large
  explicit SlaveValues(const SlaveDescription& description);
  SlaveValues(const SlaveValues&) = delete;
  SlaveValues& operator=(const SlaveValues&) = delete;

  const SlaveDescription& Description() const { return description_; }
  /// kNowhere for none.
  Index Find(ValueReference reference) const;
  const Variable& VariableAt(Index index) const { return description_.variables[static_cast<std::size_t>(index)]; }
  TypedValue& At(Index index) { return values_[static_cast<std::size_t>(index)]; }
  const TypedValue& At(Index index) const { return values_[static_cast<std::size_t>(index)]; }
  /// \throws ArgumentError  there is none of that name
  TypedValue& Named(std::string_view name);
  std::span<const TypedValue> All() const { return values_; }

  /// Start values and start sizes again.
  void Reset();
  /// Gives arrays the sizes that structural parameters now say; one whose size changes is filled with its first start
  /// value.
  /// \returns false when an array would become too large, and then all stays
  bool FollowStructure();
  /// Whether all elements are within the limits that the description gives (NaN is not).
  bool IsWithinLimits(Index index) const;

 private:
  std::uint64_t SizeNow(const Variable& variable) const;
  void PutStart(std::size_t index);

  const SlaveDescription& description_;
  std::vector<TypedValue> values_;
  std::unordered_map<ValueReference, Index> by_reference_;
};

}  // namespace openmi::dcp
