#pragma once

#include <cstddef>
#include <vector>

#include "timespace/times/Stamp.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// A sum with the compensation of its rounding errors (Neumaier).
class CompensatedSum {
 public:
  void Add(double amount);
  double Total() const { return value_ + carry_; }
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  double value_ = 0.0;
  double carry_ = 0.0;
};

/// Adds up the amounts of both sides of a link, step by step. It stores steps for which the other side is not there
/// yet, at most a bounded number.
///
/// The steps of the consumer are added up. What the provider gave in one of them is cut out of its rows, in proportion
/// to time.
class LinkPieces {
 public:
  /// Amounts of the time that was balanced.
  struct Totals {
    double left = 0.0;
    double within = 0.0;  ///< the part of `left` that lies within the targets
    double arrived = 0.0;
    bool any = false;  ///< whether at least one step counts
  };

  /// \param begin  nothing before this time counts on either side
  explicit LinkPieces(Stamp begin) : begin_(begin) {}

  /// Notes that the provider gave `left` over (`from`, `to`], `within` of it to the targets. To be called in ascending
  /// order of time.
  void Give(Stamp from, Stamp to, double left, double within, bool has_missing);
  /// Notes that the consumer took `arrived` in a step that started at `from` (or where the step before ended) and ends
  /// at `to`.
  void Take(Stamp from, Stamp to, double arrived, bool has_missing);
  /// The amounts of all steps that were taken so far; what the provider has not given yet does not count.
  Totals Sums() const;
  /// How many steps wait for the other side.
  std::size_t Waiting() const { return given_.size() - first_given_ + taken_.size() - first_taken_; }

  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  /// An amount over a time, on either side.
  struct Piece {
    double from = 0.0;  // Modified Julian Day
    double to = 0.0;
    double amount = 0.0;
    double within = 0.0;
    bool has_missing = false;
  };
  /// Cuts what was given between two times out of the pieces from `first` on, and moves `first` past the pieces that
  /// are used up.
  Piece Cut(double from, double to, std::size_t& first) const;
  /// Where the step of `taken` starts, if all steps before `settled` are settled.
  double BeginOf(const Piece& taken, double settled) const;
  /// The part of a step that lies after the warm-up, 0 to 1.
  double PartOf(double from, double to) const;
  void Settle(const Piece& taken);
  bool IsGivenUntil(double time) const { return !Before(given_until_, Stamp{time}); }
  void ThinGiven();
  void ThinTaken();

  Stamp begin_;
  Stamp settled_ = kFarPast;
  Stamp given_until_ = kFarPast;
  std::vector<Piece> given_;  // from first_given_ on
  std::vector<Piece> taken_;  // from first_taken_ on
  std::size_t first_given_ = 0;
  std::size_t first_taken_ = 0;
  CompensatedSum left_, within_, arrived_;
  bool any_ = false;
};

}  // namespace openmi
