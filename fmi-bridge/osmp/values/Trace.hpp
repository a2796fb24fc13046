#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/TraceReader.hpp"
#include "fmi-bridge/osmp/values/OsiArguments.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi::osi {

/// A trace of OSI messages as a component: `openmi.osi.Trace` of the assembly `openmi-osmp-bridge`.
///
/// The output `message` holds the newest message whose time stamp is not after the end of the step. The first message
/// is at the start of the run, unless the argument `time-zero` sets another time. The last message stays. Of messages
/// with the same time stamp the last one counts.
class Trace final : public StatefulSteppingComponent {
 public:
  Trace();

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  int StateVersion() const override { return 2; }

 private:
  struct Entry {
    std::uint64_t offset = 0;
    std::int64_t nanos = 0;  // since the start of the run
  };

  void ReadIndex();
  void UseSpacing();
  void ShowUntil(std::int64_t nanos);
  void Show(std::int64_t entry);

  Argument<std::string> file_;
  Argument<std::string> message_;
  Argument<std::string> time_zero_;
  Argument<std::string> steps_;
  std::string type_;
  std::unique_ptr<TraceReader> reader_;
  std::vector<Entry> index_;
  std::int64_t shown_ = -1;  // index of the message shown; -1: none yet
  std::array<Bytes, 2> buffers_;
  std::size_t turn_ = 0;
  ValueOutput* output_ = nullptr;
};

}  // namespace openmi::osi
