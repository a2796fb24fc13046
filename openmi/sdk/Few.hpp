#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace openmi {

/// A contiguous list that usually holds one element, which needs no heap memory.
///
/// Elements move when the list grows or shrinks. Filling the list again up to an earlier length allocates nothing.
///
/// \tparam T  small, cheap to copy, default constructible
template <class T>
class Few {
 public:
  Few() = default;
  Few(const Few& other) { Assign(other.Items()); }
  Few& operator=(const Few& other) {
    if (this != &other) Assign(other.Items());
    return *this;
  }
  Few(Few&& other) noexcept
      : first_(std::move(other.first_)), count_(std::exchange(other.count_, 0)), many_(std::move(other.many_)) {}
  Few& operator=(Few&& other) noexcept {
    first_ = std::move(other.first_);
    count_ = std::exchange(other.count_, 0);
    many_ = std::move(other.many_);
    return *this;
  }
  ~Few() = default;

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T* data() const { return count_ < 2 ? &first_ : many_->data(); }
  T* data() { return count_ < 2 ? &first_ : many_->data(); }
  std::span<const T> Items() const { return {data(), count_}; }
  const T& operator[](std::size_t index) const { return data()[index]; }
  T& operator[](std::size_t index) { return data()[index]; }
  const T& front() const { return *data(); }
  T& front() { return *data(); }
  const T& back() const { return data()[count_ - 1]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + count_; }

  void clear() { count_ = 0; }
  void push_back(const T& element) {
    if (count_ == 0) {
      first_ = element;
    } else {
      if (count_ == 1) Spill();
      many_->push_back(element);
    }
    ++count_;
  }
  /// Makes `element` the only element.
  void SetOnly(const T& element) {
    first_ = element;
    count_ = 1;
  }
  /// Replaces all elements.
  void Assign(std::span<const T> elements) {
    if (elements.size() > 1) {
      if (!many_) many_ = std::make_unique<std::vector<T>>();
      many_->assign(elements.begin(), elements.end());
    } else if (!elements.empty()) {
      first_ = elements[0];
    }
    count_ = elements.size();
  }
  /// Removes the last element for which `predicate` holds. Searches from the end, where most removals happen.
  /// \returns whether there was such an element
  template <class Predicate>
  bool RemoveLast(const Predicate& predicate) {
    std::size_t place = count_;
    while (place > 0 && !predicate(data()[place - 1])) --place;
    if (place == 0) return false;
    if (count_ > 1) {
      many_->erase(many_->begin() + static_cast<std::ptrdiff_t>(place - 1));
      if (count_ == 2) first_ = many_->front();
    }
    --count_;
    return true;
  }
  /// Removes all elements for which `predicate` holds.
  template <class Predicate>
  void RemoveIf(const Predicate& predicate) {
    T* const kept = std::remove_if(data(), data() + count_, predicate);
    const auto count = static_cast<std::size_t>(kept - data());
    if (count_ < 2) {
      count_ = count;
      return;
    }
    many_->resize(count);
    if (count == 1) first_ = many_->front();
    count_ = count;
  }

 private:
  void Spill() {
    if (!many_) many_ = std::make_unique<std::vector<T>>();
    many_->assign(1, first_);
  }
  T first_{};
  std::size_t count_ = 0;
  std::unique_ptr<std::vector<T>> many_;  // all elements when there are two or more
};

}  // namespace openmi
