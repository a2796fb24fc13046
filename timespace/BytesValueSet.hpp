#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "timespace/ValueSets.hpp"

namespace openmi {

/// The contiguous door of a set of bytes: each value as it lies in memory, without a Value that copies it.
///
/// A value set of kind Binary offers it beside ITimeSpaceValueSet. Whoever finds the door (by dynamic_cast, once for a
/// type of set) uses it; whoever does not goes through GetValue.
class IBytesRows {
 public:
  virtual ~IBytesRows() = default;
  /// Good as long as the values of the set are. \throws RangeError  there is no such time or element
  virtual std::span<const std::byte> BytesAt(std::size_t time, std::size_t element) const = 0;
  /// The one value of a set of one time and one element, as most are: all in one call. \returns null  it has others
  virtual const std::span<const std::byte>* Only() const = 0;
};

/// Bytes at one time by element: copied into memory that is used again, or shown where somebody else keeps them. What
/// was never set is an empty value.
class BytesValueSet final : public ValueSetBase, public IBytesRows {
 public:
  explicit BytesValueSet(std::size_t elements) : ValueSetBase({ValueKind::Binary}), values_(elements) {}

  std::span<const std::byte> BytesAt(std::size_t time, std::size_t element) const override;
  const std::span<const std::byte>* Only() const override { return values_.size() == 1 ? &values_[0].shown : nullptr; }
  /// Copies.
  void Keep(std::size_t element, std::span<const std::byte> bytes);
  /// \param bytes  borrowed until the element is set again
  void Show(std::size_t element, std::span<const std::byte> bytes) {
    values_.at(element).shown = bytes;
    values_[element].is_set = true;
  }

 protected:
  std::size_t Times() const override { return 1; }
  std::size_t Elements(std::size_t) const override { return values_.size(); }
  Value At(std::size_t time, std::size_t element) const override;
  void Put(std::size_t time, std::size_t element, const Value& value) override;
  void Resize(std::size_t, std::size_t elements) override { values_.resize(elements); }
  void ResizeTimes(std::size_t times) override;

 private:
  struct Kept {
    std::vector<std::byte> own;
    std::span<const std::byte> shown;
    bool is_set = false;
  };
  std::vector<Kept> values_;
};

}  // namespace openmi
