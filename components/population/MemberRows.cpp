#include "components/population/MemberRows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi::population {
namespace {

/// Pieces for each thread: enough to even out members of different cost, few enough to cost nothing.
constexpr std::size_t kPiecesPerThread = 16;
constexpr std::size_t kLeastPiece = 64;  // members

/// How many members ahead memory is fetched: members are larger than what the processor fetches by itself.
constexpr std::size_t kAhead = 4;
/// What the base class of the SDK uses of a member in a step, beside the interface.
constexpr std::size_t kMemberBytes = 256;

/// Throws the present exception again, with the name of the member where it has none.
[[noreturn]] void RethrowFor(const IMember& member, const std::exception& error) {
  const auto* const own = dynamic_cast<const Error*>(&error);
  const auto* const component = dynamic_cast<const IBaseLinkableComponent*>(&member);
  if (component == nullptr || (own != nullptr && !own->Place().component.empty())) throw;
  const Where place{.component = component->Caption()};
  if (own == nullptr) {
    throw ModelError(place, fmt::format("expected the member to compute, found '{}'", error.what()),
                     "see the component's own manual");
  }
  Where whole = own->Place();
  whole.component = place.component;
  throw ModelError(whole, own->Problem(), own->Remedy());
}

}  // namespace

void MemberRows::Begin(std::vector<IMember*> members) {
  Clear();
  members_ = std::move(members);
  const IMember& first = *members_.front();
  for (const NumericInput* input : first.MemberInputs()) inputs_.emplace_back().width = input->ElementCount();
  for (const NumericOutput* output : first.MemberOutputs()) {
    Output& own = outputs_.emplace_back();
    own.width = output->ElementCount();
    for (auto& row : own.rows) row.resize(own.width * members_.size());
  }
  MakeOrder({});
}

void MemberRows::SetNetworks(std::vector<Network> networks, std::span<const std::string> keys) {
  networks_ = std::move(networks);
  upstream_.clear();
  fed_.clear();
  for (std::size_t i = 0; i < networks_.size(); ++i) {
    upstream_.emplace_back(members_.size(), networks_[i].edges);
    inputs_[networks_[i].input].networks.push_back(i);
    if (std::ranges::find(fed_, networks_[i].input) == fed_.end()) fed_.push_back(networks_[i].input);
  }
  MakeOrder(keys);
}

void MemberRows::MakeOrder(std::span<const std::string> keys) {
  std::vector<Edge> edges;
  for (const Network& network : networks_) edges.insert(edges.end(), network.edges.begin(), network.edges.end());
  const std::size_t most = std::max<std::size_t>(1, members_.size() / kLeastPiece);
  const std::size_t threads = threads_ != nullptr ? threads_->Count() : 1;
  const std::size_t pieces = threads == 1 ? 1 : std::min(most, threads * kPiecesPerThread);
  auto [order, cycle] = StepOrder::Of(members_.size(), edges, pieces);
  if (!cycle.empty()) {
    std::string path;
    for (std::size_t i = 0; i < std::min<std::size_t>(cycle.size(), 10); ++i) path += keys[cycle[i]] + " -> ";
    if (cycle.size() > 10) path += "... -> ";
    throw ArgumentError({},
                        fmt::format("expected a network without a cycle, found {}{} ({} rows)", path,
                                    keys[cycle.front()], cycle.size()),
                        "correct the connections of one of these rows");
  }
  order_ = std::move(order);
}

void MemberRows::SetThreads(std::size_t threads) {
  if (threads == (threads_ != nullptr ? threads_->Count() : 1)) return;
  threads_ = threads > 1 ? std::make_unique<PieceThreads>(threads) : nullptr;
  if (!members_.empty()) MakeOrder({});
}

void MemberRows::Lend(std::span<NumericOutput* const> feeders) {
  newest_ = 1;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Output& output = outputs_[i];
    for (std::size_t member = 0; member < members_.size(); ++member) {
      members_[member]->MemberOutputs()[i]->Lend(&output.rows[0][member * output.width],
                                                 &output.rows[1][member * output.width]);
    }
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Input& input = inputs_[i];
    input.linked.assign(feeders[i] != nullptr ? input.width * members_.size() : 0, 0.0);
    input.row.assign(input.networks.empty() ? 0 : input.width * members_.size(), 0.0);
    const std::vector<double>& read = input.networks.empty() ? input.linked : input.row;
    for (std::size_t member = 0; member < members_.size(); ++member) {
      const bool is_fed = std::ranges::any_of(
          input.networks, [&](std::size_t network) { return !upstream_[network].Of(member).empty(); });
      if (feeders[i] == nullptr && !is_fed) continue;
      NumericOutput* const seen = feeders[i] != nullptr
                                      ? feeders[i]
                                      : members_.front()->MemberOutputs()[networks_[input.networks.front()].output];
      members_[member]->MemberInputs()[i]->Lend({&read[member * input.width], input.width}, *seen);
    }
  }
}

std::vector<bool> MemberRows::EndStart() {
  std::vector<bool> have_value(outputs_.size(), true);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    for (IMember* member : members_) {
      if (!member->MemberOutputs()[i]->EndLentStart()) have_value[i] = false;
    }
  }
  newest_ = 0;
  FindStepPlaces();
  // Outputs over spans have no row yet; all outputs then write the same one of their two rows.
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (have_value[i]) continue;
    Output& output = outputs_[i];
    for (std::size_t member = 0; member < members_.size(); ++member) {
      members_[member]->MemberOutputs()[i]->Lend(&output.rows[1][member * output.width],
                                                 &output.rows[0][member * output.width]);
    }
  }
  return have_value;
}

void MemberRows::Restore(std::span<const std::vector<double>> rows, Stamp time) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    Output& output = outputs_[i];
    std::ranges::copy(rows[i], output.rows[newest_].begin());
    for (std::size_t member = 0; member < members_.size(); ++member) {
      const std::size_t at = member * output.width;
      members_[member]->MemberOutputs()[i]->Lend(&output.rows[1 - newest_][at], &output.rows[newest_][at]);
      if (!rows[i].empty()) members_[member]->MemberOutputs()[i]->ShowLent(time);
    }
  }
}

void MemberRows::Gather(std::size_t member) {
  for (const std::size_t number : fed_) {
    Input& input = inputs_[number];
    const std::size_t width = input.width;
    double* const to = &input.row[member * width];
    bool is_first = input.linked.empty();
    if (!is_first) std::copy_n(&input.linked[member * width], width, to);
    for (const std::size_t network : input.networks) {
      const double* const from = outputs_[networks_[network].output].rows[1 - newest_].data();
      for (const auto& [source, weight] : upstream_[network].Of(member)) {
        for (std::size_t k = 0; k < width; ++k) {
          const double value = weight * from[source * width + k];
          to[k] = is_first ? value : to[k] + value;
        }
        is_first = false;
      }
    }
  }
}

void MemberRows::FindStepPlaces() {
  step_places_.clear();
  for (const std::size_t member : order_.Members()) {
    const IMember& one = *members_[member];
    step_places_.push_back(reinterpret_cast<const char*>(&one));
    for (const NumericOutput* output : one.MemberOutputs()) {
      step_places_.push_back(static_cast<const char*>(output->StepPlace()));
    }
    for (const NumericInput* input : one.MemberInputs()) {
      step_places_.push_back(static_cast<const char*>(input->StepPlace()));
    }
  }
  places_each_ = step_places_.size() / members_.size();
}

void MemberRows::Fetch(std::size_t place) const {
  const char* const* const places = &step_places_[place * places_each_];
  for (std::size_t byte = 0; byte < kMemberBytes; byte += 64) __builtin_prefetch(places[0] + byte);
  for (std::size_t i = 1; i < places_each_; ++i) __builtin_prefetch(places[i]);
}

void MemberRows::StepPiece(const StepOrder::Piece& piece, Stamp to) {
  const std::span<const std::size_t> members = order_.Members().subspan(piece.begin, piece.end - piece.begin);
  std::size_t i = 0;
  try {
    for (; i < members.size(); ++i) {
      if (i + kAhead < members.size()) Fetch(piece.begin + i + kAhead);
      if (!fed_.empty()) Gather(members[i]);
      members_[members[i]]->StepTo(to);
    }
  } catch (const std::exception& error) {
    RethrowFor(*members_[members[i]], error);
  }
}

void MemberRows::Step(Stamp to) {
  const auto pieces = order_.Pieces();
  if (threads_ == nullptr) {
    for (const StepOrder::Piece& piece : pieces) StepPiece(piece, to);
  } else {
    threads_->Run(pieces, [&](std::size_t piece) { StepPiece(pieces[piece], to); });
  }
  newest_ = 1 - newest_;
}

}  // namespace openmi::population
