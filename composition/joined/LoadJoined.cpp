// LoadOnRanks and LoadInParts, which JoinedComponent.hpp declares.

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/joined/JoinedComponent.hpp"
#include "composition/joined/PartedPopulation.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/optional/IBalance.hpp"

namespace openmi {
namespace {

void RequireRanksFit(const OmiFile& omi) {
  const char* found = omi.assembly.empty()                                ? "one of this program itself"
                      : DotnetAssembly::IsNamedBy(omi.assembly, omi.path) ? "one of .NET"
                                                                          : nullptr;
  if (found == nullptr) return;
  throw LoadError({.file = omi.path.string(), .line = omi.line},
                  fmt::format("expected a component in a library for several ranks, found {}", found),
                  "leave out Ranks");
}

/// The same, for a component that states its storage: the sum of its pieces.
template <class Base>
class BalanceOf final : public Base, public IBalance {
 public:
  using Base::Base;
  BalanceTerms Balance() const override {
    BalanceTerms sum;
    for (std::size_t piece = 0; piece < this->Pieces().size(); ++piece) {
      const BalanceTerms terms = Of(piece).Balance();
      sum.storage += terms.storage;
      sum.in += terms.in;
      sum.out += terms.out;
      sum.losses += terms.losses;
    }
    return sum;
  }
  std::string BalanceUnit() const override { return Of(0).BalanceUnit(); }
  double BalanceArea() const override {
    double area = 0.0;
    for (std::size_t piece = 0; piece < this->Pieces().size(); ++piece) area += Of(piece).BalanceArea();
    return area;
  }

 private:
  const IBalance& Of(std::size_t piece) const { return dynamic_cast<const IBalance&>(*this->Pieces()[piece]); }
};

/// Makes all pieces at the same time.
/// \param load  makes one
/// \returns empty if one of them cannot be made
std::vector<LoadedComponent> LoadPieces(
    JoinedThreads& threads, Problems* problems,
    const std::function<LoadedComponent(std::size_t piece, Problems& problems)>& load) {
  std::vector<LoadedComponent> pieces(threads.Count());
  std::vector<Problems> found(pieces.size());
  const auto failures = threads.Run([&](std::size_t piece) { pieces[piece] = load(piece, found[piece]); });
  if (!failures.empty()) std::rethrow_exception(failures.front().error);
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    if (problems != nullptr && (piece == 0 || HasErrors(found[piece]))) {
      problems->insert(problems->end(), found[piece].begin(), found[piece].end());
    }
    if (problems == nullptr) ThrowIfErrors(found[piece]);
    if (pieces[piece].component != nullptr) continue;
    threads.Run([&](std::size_t other) { pieces[other].Reset(); }, true);
    return {};
  }
  return pieces;
}

/// \param given  for the constructor of Whole, beside threads and pieces
template <class Whole, class... Given>
LoadedComponent Joined(std::unique_ptr<JoinedThreads> threads, std::vector<LoadedComponent> pieces, Given&&... given) {
  if (pieces.empty()) return {};
  for (const LoadedComponent& piece : pieces) {
    if (dynamic_cast<const IBalance*>(piece.component.get()) != nullptr) continue;
    return {nullptr, std::make_unique<Whole>(std::move(threads), std::move(pieces), std::forward<Given>(given)...)};
  }
  return {nullptr,
          std::make_unique<BalanceOf<Whole>>(std::move(threads), std::move(pieces), std::forward<Given>(given)...)};
}

/// What `load` returns; its errors become problems.
LoadedComponent Reporting(Problems* problems, const std::function<LoadedComponent()>& load) {
  try {
    return load();
  } catch (const Error& error) {
    if (problems == nullptr) throw;
    AddError(*problems, error.Place(), error.Problem(), error.Remedy());
    return {};
  }
}

class Ranked : public JoinedComponent {
 public:
  Ranked(std::unique_ptr<JoinedThreads> threads, std::vector<LoadedComponent> pieces)
      : JoinedComponent(kRankNames, std::move(threads), std::move(pieces)) {}
};

}  // namespace

LoadedComponent LoadOnRanks(ProcessPool& pool, const std::string& component, const OmiFile& omi,
                            const IsolationSpec& apart, Problems* problems) {
  return Reporting(problems, [&] {
    RequireRanksFit(omi);
    const auto processes = pool.StartRanks(component, apart);
    auto threads = std::make_unique<JoinedThreads>(processes.size(), [processes] {
      processes[0]->Kill("was ended, since another rank failed and this one did not return");
    });
    auto pieces = LoadPieces(*threads, problems, [&](std::size_t rank, Problems& found) {
      return LoadIsolated(processes[rank], omi, &found);
    });
    return Joined<Ranked>(std::move(threads), std::move(pieces));
  });
}

LoadedComponent LoadInParts(ProcessPool& pool, const ComponentSpec& component, const OmiFile& omi, Problems* problems) {
  return Reporting(problems, [&] {
    std::vector<std::string> groups = GroupsOf(component);
    auto threads = std::make_unique<JoinedThreads>(groups.size(), nullptr);
    auto pieces = LoadPieces(*threads, problems, [&](std::size_t part, Problems& found) {
      OmiFile own = omi;
      own.arguments.push_back({.key = "member-part", .value = std::to_string(part + 1), .line = omi.line});
      IsolationSpec apart = component.apart;
      apart.group = groups[part];
      return pool.Load(own, apart, &found);
    });
    return Joined<PartedPopulation>(std::move(threads), std::move(pieces), std::move(groups));
  });
}

}  // namespace openmi
