#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "composition/link/Composition.hpp"
#include "timespace/optional/ILiveSource.hpp"

namespace openmi {

/// The components of a run that draw on something outside it, such as a stream of messages. A component that leaves
/// the run with its family is asked no more; one that comes back is asked again.
class LiveSources final : public IExchangeListener {
 public:
  /// Receives the id of a component that waits, and what it waits for. May throw, to give up.
  using Waiting = std::function<void(const std::string& id, const std::string& sentence)>;

  /// \param composition  loaded; borrowed
  LiveSources(Composition& composition, Waiting waiting);
  LiveSources(const LiveSources&) = delete;
  LiveSources& operator=(const LiveSources&) = delete;
  ~LiveSources() override;

  /// How the sources are, each with its id; empty if none of them reports anything.
  std::string Text() const;

  void OnLeaving(std::size_t component) override;
  void OnExchanged() override;

 private:
  Composition& composition_;
  Waiting waiting_;
  std::vector<std::pair<const Instance*, ILiveSource*>> sources_;
};

}  // namespace openmi
