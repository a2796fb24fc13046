#pragma once

#include <cstdint>
#include <utility>

#include "composition/channel/RowStream.hpp"
#include "composition/isolation/RowArena.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {

/// Room for an answer in shared memory, on the side that asks. It is given back when this object ends. An answer that
/// came from another host is elsewhere.
class AnswerRow {
 public:
  /// \param arena  borrowed
  explicit AnswerRow(RowArena& arena) : arena_(&arena) {}
  AnswerRow(AnswerRow&& other) noexcept
      : arena_(other.arena_),
        row_(std::exchange(other.row_, nullptr)),
        capacity_(std::exchange(other.capacity_, 0)),
        held_(std::move(other.held_)) {}
  AnswerRow& operator=(AnswerRow&& other) noexcept {
    std::swap(row_, other.row_);
    std::swap(capacity_, other.capacity_);
    std::swap(held_, other.held_);
    return *this;
  }
  ~AnswerRow() { Give(); }

  bool IsThere() const { return row_ != nullptr; }
  /// In numbers of 8 bytes.
  std::size_t Capacity() const { return capacity_; }
  std::span<double> Room(std::size_t count) const { return {row_, count}; }
  std::span<const double> Numbers(std::size_t count) const { return {held_ != nullptr ? held_->data() : row_, count}; }
  /// The row that is elsewhere; null: it is in this room.
  HeldRow& Held() { return held_; }
  ByteView Bytes(std::size_t count) const { return {reinterpret_cast<const std::byte*>(row_), count}; }
  /// Takes other room; what was there is gone.
  void Renew(std::size_t capacity) {
    Give();
    row_ = arena_->Take(capacity);
    capacity_ = capacity;
  }
  /// Writes where it is, for the side that answers.
  void Write(StateWriter& writer) const {
    writer.Write(static_cast<std::int64_t>(IsThere() ? arena_->OffsetOf(row_).value_or(0) : 0));
    writer.Write(static_cast<std::int64_t>(capacity_));
  }

 private:
  void Give() {
    if (IsThere()) arena_->Give(std::exchange(row_, nullptr), std::exchange(capacity_, 0));
  }

  RowArena* arena_;
  double* row_ = nullptr;
  std::size_t capacity_ = 0;
  HeldRow held_;
};

/// An answer that was sent ahead of its question.
class AheadAnswer {
 public:
  /// See RemoteProvider::TakeAhead.
  void Take(bool has_durations, const Time& asked, std::size_t size) {
    has_durations_ = has_durations;
    asked_ = asked;
    size_ = size;
    is_there_ = true;
  }
  bool IsThere() const { return is_there_; }
  /// The number of values of the row, or of bytes.
  std::size_t Size() const { return size_; }
  /// Whether it answers the question for `times`; null: the question is for no times.
  bool Fits(const ITimeSet* times) const {
    if (times == nullptr || times->Times().size() != 1 || times->HasDurations() != has_durations_) return false;
    const ITime& asked = *times->Times()[0];
    return asked.StampAsModifiedJulianDay() - times->OffsetFromUtcInHours() / 24.0 ==
               asked_.StampAsModifiedJulianDay() &&
           asked.DurationInDays() == asked_.DurationInDays();
  }
  /// Notes that it was used.
  void Use() { is_there_ = false; }
  /// Notes that the component asked another question.
  void Miss() { was_missed_ = std::exchange(is_there_, false); }
  /// \returns whether there was one that the component did not ask for
  bool Drop() {
    const bool was_there = std::exchange(is_there_, false);
    return std::exchange(was_missed_, false) || was_there;
  }

 private:
  Time asked_;
  std::size_t size_ = 0;
  bool has_durations_ = false;
  bool is_there_ = false;
  bool was_missed_ = false;
};

}  // namespace openmi
