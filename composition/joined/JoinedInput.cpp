#include "composition/joined/JoinedInput.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/OutputOf.hpp"

namespace openmi {

/// What a piece sees as the provider of its input.
class JoinedInput::Provider final : public OutputOf<ITimeSpaceOutput> {
 public:
  Provider(JoinedInput& owner, std::size_t piece)
      : OutputOf(owner.whole_.Id(), nullptr, nullptr), owner_(owner), piece_(piece) {}

  const IValueDefinition& ValueDefinition() const override {
    const IBaseOutput* provider = owner_.whole_.Provider();
    return provider != nullptr ? provider->ValueDefinition() : owner_.whole_.ValueDefinition();
  }
  const openmi::ITimeSet* TimeSet() const override {
    const auto* provider = dynamic_cast<const ITimeSpaceOutput*>(owner_.whole_.Provider());
    return provider != nullptr ? provider->TimeSet() : nullptr;
  }
  const ISpatialDefinition* SpatialDefinition() const override { return owner_.pieces_[piece_]->SpatialDefinition(); }
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem&) override {
    owner_.threads_.Ask([this] { owner_.Answer(piece_, *this); });
    return view_;
  }
  const ITimeSpaceValueSet& Values() const override { return view_; }
  void Clear() { view_.Clear(); }
  /// Shows the next row of the answer.
  void Add(std::size_t number, std::span<const double> whole, std::span<const std::size_t> places) {
    if (rows_.size() <= number) rows_.resize(number + 1);
    std::vector<double>& row = rows_[number];
    row.resize(places.size());
    std::ranges::transform(places, row.begin(), [whole](std::size_t place) { return whole[place]; });
    view_.Add(row);
  }

 private:
  JoinedInput& owner_;
  std::size_t piece_;
  std::deque<std::vector<double>> rows_;  // they stay in place
  RowsView view_;
};

JoinedInput::JoinedInput(NumericInput& whole, std::vector<NumericInput*> pieces, JoinedElements elements,
                         JoinedThreads& threads)
    : whole_(whole), pieces_(std::move(pieces)), elements_(std::move(elements)), threads_(threads) {
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    providers_.push_back(std::make_unique<Provider>(*this, piece));
  }
}

JoinedInput::~JoinedInput() {
  for (std::size_t piece = 0; piece < pieces_.size(); ++piece) {
    if (pieces_[piece]->Provider() != nullptr) providers_[piece]->RemoveConsumer(*pieces_[piece]);
  }
}

void JoinedInput::BeginCall() {
  answer_ = nullptr;
  const bool is_linked = whole_.Provider() != nullptr;
  earliest_ = kFarFuture;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    NumericInput& piece = *pieces_[i];
    if (is_linked && piece.Provider() == nullptr) {
      providers_[i]->AddConsumer(piece);
    } else if (!is_linked && piece.Provider() != nullptr) {
      providers_[i]->RemoveConsumer(piece);
    }
    earliest_ = std::min(earliest_, piece.EarliestNeeded());
  }
  whole_.MoveHorizon(earliest_);
}

void JoinedInput::Answer(std::size_t piece, Provider& provider) {
  const std::span<const Time> asked = pieces_[piece]->EditTimeSet().OwnTimes();
  const bool has_durations = pieces_[piece]->EditTimeSet().HasDurations();
  TimeSet& times = whole_.EditTimeSet();
  const auto is_same = [](const Time& a, const Time& b) {
    return a.Begin() == b.Begin() && a.Duration() == b.Duration();
  };
  if (answer_ == nullptr || times.HasDurations() != has_durations ||
      !std::ranges::equal(asked, times.OwnTimes(), is_same)) {
    times.SetOffsetFromUtcInHours(0.0);
    times.SetHasDurations(has_durations);
    times.Assign(asked);
    times.MoveHorizonBegin(earliest_);
    answer_ = nullptr;
    const IBaseValueSet& values = whole_.Provider()->GetValues(whole_);
    whole_.SetValues(&values);
    answer_ = &values;
  }
  provider.Clear();
  const std::size_t count = rows_.Count(*answer_);
  for (std::size_t number = 0; number < count; ++number) {
    const std::span<const double> row = rows_.Row(*answer_, number);
    if (row.size() != whole_.ElementCount()) {
      throw LinkError({.item = whole_.Id()},
                      fmt::format("expected {} values, found {}", whole_.ElementCount(), row.size()),
                      "put a spatial adaptor on the link");
    }
    provider.Add(number, row, elements_.places[piece]);
  }
}

}  // namespace openmi
