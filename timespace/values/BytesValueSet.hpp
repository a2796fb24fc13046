#pragma once

#include <cstddef>
#include <vector>

#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// Contiguous access to a set of bytes: each value as it is in memory, without a Value that copies it.
///
/// A value set of kind Binary offers this optional interface beside ITimeSpaceValueSet. Callers find it with
/// `dynamic_cast`, once for each type of set. Callers that do not know it use `GetValue`.
class IBytesRows {
 public:
  virtual ~IBytesRows() = default;
  /// The bytes of one value; valid as long as the values of the set are.
  /// \throws RangeError  there is no such time or element
  virtual ByteView BytesAt(std::size_t time, std::size_t element) const = 0;
  /// The value of a set with one time and one element, the most common case, in one call.
  /// \returns null when the set has another shape
  virtual const ByteView* Only() const = 0;
};

/// Bytes by element at one time.
///
/// Each value is either copied into reused memory (`Keep`) or borrowed (`Show`). A value that was never set is empty.
class BytesValueSet final : public ValueSetBase, public IBytesRows {
 public:
  /// A set of one time and `elements` empty values.
  explicit BytesValueSet(std::size_t elements) : ValueSetBase({ValueKind::Binary}), values_(elements) {}

  ByteView BytesAt(std::size_t time, std::size_t element) const override;
  const ByteView* Only() const override { return values_.size() == 1 ? &values_[0].shown : nullptr; }
  /// Copies `bytes` into the set.
  void Keep(std::size_t element, ByteView bytes);
  /// Shows `bytes` without copying them.
  /// \param bytes  borrowed until the element is set again
  void Show(std::size_t element, ByteView bytes) {
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
    Bytes own;
    ByteView shown;
    bool is_set = false;
  };
  std::vector<Kept> values_;
};

}  // namespace openmi
