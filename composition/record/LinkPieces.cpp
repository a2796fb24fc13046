#include "composition/record/LinkPieces.hpp"

#include <algorithm>
#include <cmath>

#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

// If one side is further ahead than this, its oldest steps are joined: amounts stay, times become coarser.
constexpr std::size_t kMostGiven = 1024;
constexpr std::size_t kMostTaken = 64;
constexpr std::size_t kFewUsedUp = 8;  // pieces at the front that may stay until they are removed

template <class Piece>
void Join(Piece& into, const Piece& next) {
  into.to = next.to;
  into.amount += next.amount;
  into.within += next.within;
  into.has_missing = into.has_missing || next.has_missing;
}

/// Removes what is used up, without releasing memory.
template <class Piece>
void Compact(std::vector<Piece>& pieces, std::size_t& first) {
  if (first == pieces.size()) {
    pieces.clear();
    first = 0;
  } else if (first >= kFewUsedUp && 2 * first >= pieces.size()) {
    pieces.erase(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(first));
    first = 0;
  }
}

}  // namespace

void CompensatedSum::Add(double amount) {
  const double next = value_ + amount;
  carry_ += std::fabs(value_) >= std::fabs(amount) ? (value_ - next) + amount : (amount - next) + value_;
  value_ = next;
}

void CompensatedSum::SaveState(StateWriter& writer) const {
  writer.Write(value_);
  writer.Write(carry_);
}

void CompensatedSum::LoadState(StateReader& reader) {
  value_ = reader.ReadDouble();
  carry_ = reader.ReadDouble();
}

void LinkPieces::Give(const Piece& given) {
  if (!Before(given_until_, given.to)) return;
  given_.push_back(given);
  given_.back().from = std::max(given.from, given_until_);
  given_until_ = given.to;
  while (first_taken_ < taken_.size() && IsGivenUntil(taken_[first_taken_].to)) Settle(taken_[first_taken_++]);
  Compact(taken_, first_taken_);
  if (given_.size() - first_given_ > kMostGiven) ThinGiven();
}

void LinkPieces::Take(const Piece& taken) {
  if (first_taken_ == taken_.size() && IsGivenUntil(taken.to)) {
    Settle(taken);
    return;
  }
  taken_.push_back(taken);
  if (taken_.size() - first_taken_ > kMostTaken) ThinTaken();
}

void LinkPieces::GiveAndTake(const Piece& given, const Piece& taken) {
  if (Waiting() == 0 && given.to == taken.to && Before(given_until_, given.to) &&
      std::max(given.from, given_until_) == BeginOf(taken, settled_)) {
    given_until_ = given.to;
    Count(given, taken, BeginOf(taken, settled_));
    return;
  }
  Give(given);
  Take(taken);
}

LinkPieces::Piece LinkPieces::Cut(Stamp from, Stamp to, std::size_t& first) const {
  Piece cut{from, to};
  for (; first < given_.size(); ++first) {
    const Piece& piece = given_[first];
    if (!Before(piece.from, to)) break;
    if (Before(from, piece.to)) {
      const Stamp begin = piece.from > from || SameTime(piece.from, from) ? piece.from : from;
      const Stamp end = piece.to < to || SameTime(piece.to, to) ? piece.to : to;
      const double part =
          begin == piece.from && end == piece.to ? 1.0 : (end - begin).count / (piece.to - piece.from).count;
      cut.amount += part * piece.amount;
      cut.within += part * piece.within;
      cut.has_missing = cut.has_missing || piece.has_missing;
    }
    if (Before(to, piece.to)) break;  // the rest is for the next step
  }
  return cut;
}

Stamp LinkPieces::BeginOf(const Piece& taken, Stamp settled) const {
  // Before the first step of the consumer, everything that was given since the warm-up counts.
  return settled == kFarPast ? std::min(taken.from, begin_) : settled;
}

double LinkPieces::PartOf(Stamp from, Stamp to) const {
  if (!Before(begin_, to)) return 0.0;
  if (!Before(from, begin_)) return 1.0;
  return (to - begin_).count / (to - from).count;
}

void LinkPieces::Settle(const Piece& taken) {
  const Stamp from = BeginOf(taken, settled_);
  const Piece cut = Cut(from, taken.to, first_given_);
  Compact(given_, first_given_);
  Count(cut, taken, from);
}

void LinkPieces::Count(const Piece& given, const Piece& taken, Stamp from) {
  settled_ = taken.to;
  const double part = PartOf(from, taken.to);
  if (part == 0.0 || taken.has_missing || given.has_missing) return;
  any_ = true;
  left_.Add(part * given.amount);
  within_.Add(part * given.within);
  arrived_.Add(part * taken.amount);
}

LinkPieces::Totals LinkPieces::Sums() const {
  Totals totals{left_.Total(), within_.Total(), arrived_.Total(), any_};
  Stamp settled = settled_;
  std::size_t first_given = first_given_;
  for (std::size_t i = first_taken_; i < taken_.size(); ++i) {
    const Piece& taken = taken_[i];
    const Stamp from = BeginOf(taken, settled);
    const Piece cut = Cut(from, taken.to, first_given);
    settled = taken.to;
    const double part = PartOf(from, taken.to);
    if (part == 0.0 || taken.has_missing || cut.has_missing) continue;
    totals.any = true;
    totals.left += part * cut.amount;
    totals.within += part * cut.within;
    totals.arrived += part * taken.amount;
  }
  return totals;
}

void LinkPieces::ThinGiven() {
  std::size_t to = first_given_;
  std::size_t from = first_given_;
  for (; from + 1 < first_given_ + kMostGiven / 2; from += 2) {
    given_[to] = given_[from];
    Join(given_[to++], given_[from + 1]);
  }
  given_.erase(given_.begin() + static_cast<std::ptrdiff_t>(to), given_.begin() + static_cast<std::ptrdiff_t>(from));
}

void LinkPieces::ThinTaken() {
  std::size_t joined = first_taken_;
  while (joined + 2 < taken_.size() && taken_[joined].has_missing != taken_[joined + 1].has_missing) ++joined;
  Join(taken_[joined], taken_[joined + 1]);
  taken_.erase(taken_.begin() + static_cast<std::ptrdiff_t>(joined + 1));
}

void LinkPieces::SaveState(StateWriter& writer) const {
  for (const auto& [pieces, first] : {std::pair{&given_, first_given_}, std::pair{&taken_, first_taken_}}) {
    writer.Write(static_cast<std::int64_t>(pieces->size() - first));
    for (std::size_t i = first; i < pieces->size(); ++i) {
      const Piece& piece = (*pieces)[i];
      for (const double number : {piece.from.mjd, piece.to.mjd, piece.amount, piece.within}) writer.Write(number);
      writer.Write(piece.has_missing);
    }
  }
  for (const CompensatedSum* sum : {&left_, &within_, &arrived_}) sum->SaveState(writer);
  writer.Write(settled_.mjd);
  writer.Write(given_until_.mjd);
  writer.Write(any_);
}

void LinkPieces::LoadState(StateReader& reader) {
  for (std::vector<Piece>* pieces : {&given_, &taken_}) {
    pieces->clear();
    for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
      Piece& piece = pieces->emplace_back();
      for (double* number : {&piece.from.mjd, &piece.to.mjd, &piece.amount, &piece.within})
        *number = reader.ReadDouble();
      piece.has_missing = reader.ReadBool();
    }
  }
  first_given_ = first_taken_ = 0;
  for (CompensatedSum* sum : {&left_, &within_, &arrived_}) sum->LoadState(reader);
  settled_ = Stamp{reader.ReadDouble()};
  given_until_ = Stamp{reader.ReadDouble()};
  any_ = reader.ReadBool();
}

}  // namespace openmi
