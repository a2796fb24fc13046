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

/// Adds up the amounts of both sides of a link, step by step. It stores steps that wait for the other side,
/// up to a limit.
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

  /// An amount over a time, on either side.
  struct Piece {
    Stamp from;
    Stamp to;
    double amount = 0.0;
    double within = 0.0;
    bool has_missing = false;
  };

  /// \param begin  nothing before this time counts on either side
  explicit LinkPieces(Stamp begin) : begin_(begin) {}

  /// Notes what the provider gave. To be called in ascending order of time.
  void Give(const Piece& given);
  /// Notes what the consumer took in a step; `taken.within` is ignored. A step starts where the one before ended.
  void Take(const Piece& taken);
  /// Give and Take, faster where both are of the same time.
  void GiveAndTake(const Piece& given, const Piece& taken);
  /// The amounts of all steps that were taken so far; what the provider has not given yet does not count.
  Totals Sums() const;
  /// How many steps wait for the other side.
  std::size_t Waiting() const { return given_.size() - first_given_ + taken_.size() - first_taken_; }

  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  /// Cuts what was given between two times out of the pieces from `first` on, and moves `first` past the pieces that
  /// are used up.
  Piece Cut(Stamp from, Stamp to, std::size_t& first) const;
  /// Where the step of `taken` starts, if all steps before `settled` are settled.
  Stamp BeginOf(const Piece& taken, Stamp settled) const;
  /// The part of a step that lies after the warm-up, 0 to 1.
  double PartOf(Stamp from, Stamp to) const;
  void Settle(const Piece& taken);
  /// Counts what was given and taken between `from` and the end of `taken`.
  void Count(const Piece& given, const Piece& taken, Stamp from);
  bool IsGivenUntil(Stamp time) const { return !Before(given_until_, time); }
  void ThinGiven();
  void ThinTaken();

  // Members that are needed while neither side is ahead come first.
  Stamp begin_;
  Stamp settled_ = kFarPast;
  Stamp given_until_ = kFarPast;
  CompensatedSum left_, within_, arrived_;
  bool any_ = false;
  std::vector<Piece> given_;  // from first_given_ on
  std::vector<Piece> taken_;  // from first_taken_ on
  std::size_t first_given_ = 0;
  std::size_t first_taken_ = 0;
};

}  // namespace openmi
