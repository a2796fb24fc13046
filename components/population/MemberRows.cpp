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

/// How many members ahead memory is fetched: the order of the steps jumps in ways that the processor cannot foresee.
constexpr std::size_t kAhead = 12;
constexpr std::ptrdiff_t kLine = 64;  // bytes of a line of the cache
/// How much is fetched of a member, from the interface IMember on: as far as the places of its items, within these.
constexpr std::ptrdiff_t kLeastOfMember = 256;
constexpr std::ptrdiff_t kMostOfMember = 1024;

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
                        fmt::format("expected a network without a cycle, found {}{} ({} row{})", path,
                                    keys[cycle.front()], cycle.size(), cycle.size() == 1 ? "" : "s"),
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

void MemberRows::Gather(std::size_t place) {
  const std::size_t member = order_.Members()[place];
  for (const std::size_t number : fed_) {
    Input& input = inputs_[number];
    const std::size_t width = input.width;
    double* const to = &input.row[member * width];
    bool is_first = input.linked.empty();
    if (!is_first) std::copy_n(&input.linked[member * width], width, to);
    for (const std::size_t network : input.networks) {
      const double* const from = outputs_[networks_[network].output].rows[1 - newest_].data();
      for (const auto& [source, weight] : in_order_upstream_[network].Of(place)) {
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
  in_order_.clear();
  for (const std::size_t member : order_.Members()) in_order_.push_back(members_[member]);
  in_order_upstream_.clear();
  for (const Upstream& upstream : upstream_) in_order_upstream_.push_back(upstream.InOrder(order_.Members()));
  // Members of one type are made alike, one after the other: their parts have the same distances.
  const IMember& first = *in_order_.front();
  const char* const begin = reinterpret_cast<const char*>(&first);
  std::ptrdiff_t end = kLeastOfMember;
  const auto include = [&](const auto& place) {
    const std::ptrdiff_t last = reinterpret_cast<const char*>(&place + 1) - begin;
    if (last > end && last <= kMostOfMember) end = last;
  };
  for (const NumericInput* input : first.MemberInputs()) include(input->StepPlace());
  for (const NumericOutput* output : first.MemberOutputs()) include(output->StepPlace());
  member_bytes_ = end;
  table_offset_ = static_cast<const char*>(dynamic_cast<const void*>(&first)) - begin;
}

void MemberRows::Fetch(std::size_t place) const {
  const char* const member = reinterpret_cast<const char*>(in_order_[place]);
  for (std::ptrdiff_t at = 0; at < member_bytes_; at += kLine) __builtin_prefetch(member + at);
  __builtin_prefetch(member + member_bytes_ - 1);
  __builtin_prefetch(member + table_offset_);
  const std::size_t row = order_.Members()[place];
  for (const Input& input : inputs_) {
    if (!input.row.empty()) __builtin_prefetch(&input.row[row * input.width]);
  }
  for (const Output& output : outputs_) __builtin_prefetch(&output.rows[1 - newest_][row * output.width]);
}

void MemberRows::StepPiece(const StepOrder::Piece& piece, Stamp to) {
  std::size_t place = piece.begin;
  try {
    for (; place < piece.end; ++place) {
      if (place + kAhead < piece.end) Fetch(place + kAhead);
      if (!fed_.empty()) Gather(place);
      in_order_[place]->StepTo(to);
    }
  } catch (const std::exception& error) {
    RethrowFor(*in_order_[place], error);
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
