// LoadOnRanks, which RankedComponent.hpp declares.

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/ranks/RankedComponent.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/sdk/Error.hpp"

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

}  // namespace

LoadedComponent LoadOnRanks(ProcessPool& pool, const std::string& component, const OmiFile& omi,
                            const IsolationSpec& apart, Problems* problems) {
  try {
    RequireRanksFit(omi);
    const auto processes = pool.StartRanks(component, apart);
    auto threads = std::make_unique<RankThreads>(processes.size(), [processes] {
      processes[0]->Kill("was ended, since another rank failed and this one did not return");
    });
    std::vector<LoadedComponent> pieces(processes.size());
    std::vector<Problems> found(processes.size());
    threads->Run([&](std::size_t rank) { pieces[rank] = LoadIsolated(processes[rank], omi, &found[rank]); });
    bool has_balance = true;
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) {
      if (problems != nullptr && (rank == 0 || HasErrors(found[rank]))) {
        problems->insert(problems->end(), found[rank].begin(), found[rank].end());
      }
      if (problems == nullptr) ThrowIfErrors(found[rank]);
      if (pieces[rank].component == nullptr) {
        threads->Run([&](std::size_t other) { pieces[other].Reset(); }, true);
        return {};
      }
      has_balance = has_balance && dynamic_cast<const IBalance*>(pieces[rank].component.get()) != nullptr;
    }
    if (has_balance) return {nullptr, std::make_unique<RankedBalance>(std::move(threads), std::move(pieces))};
    return {nullptr, std::make_unique<RankedComponent>(std::move(threads), std::move(pieces))};
  } catch (const Error& error) {
    if (problems == nullptr) throw;
    AddError(*problems, error.Place(), error.Problem(), error.Remedy());
    return {};
  }
}

}  // namespace openmi
