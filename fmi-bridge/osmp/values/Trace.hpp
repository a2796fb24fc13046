#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/McapTrace.hpp"
#include "fmi-bridge/osmp/values/OsiArguments.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi::osi {

/// A trace of OSI messages as a component: `openmi.osi.Trace` of the assembly `openmi-osmp-bridge`.
///
/// The output `message` holds the newest message whose time stamp is not after the end of the step; of an `.mcap` file
/// with several channels, each named one has an output. The first message is at the start of the run, unless the
/// argument `time-zero` sets another time. The last message stays. Of messages with the same time stamp the last one
/// counts.
class Trace final : public StatefulSteppingComponent {
 public:
  Trace();

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  int StateVersion() const override { return 3; }

 private:
  struct Entry {
    std::uint64_t place = 0;
    std::int64_t nanos = 0;  // of its time stamp
  };
  /// The messages of one output.
  struct Channel {
    std::string type;
    std::unique_ptr<TraceMessages> messages;
    std::vector<Entry> index;
    std::int64_t shown = -1;  // index of the message shown; -1: none yet
    std::array<Bytes, 2> buffers;
    std::size_t turn = 0;
    ValueOutput* output = nullptr;
  };

  void AddChannel(const std::string& item, const std::string& topic);
  void ReadIndex(Channel& channel) const;
  void AddTo(Channel& channel, std::uint64_t place, std::int64_t nanos) const;
  [[noreturn]] void Refuse(const Channel& channel, const std::string& problem, const std::string& remedy) const;
  void UseSpacing();
  void ShowUntil(std::int64_t nanos);
  static void Show(Channel& channel, std::int64_t entry);

  Argument<std::string> file_;
  Argument<std::string> message_;
  Argument<std::string> topics_;
  Argument<std::string> time_zero_;
  Argument<std::string> steps_;
  std::shared_ptr<McapReader> mcap_;  // null: an .osi file
  std::vector<Channel> channels_;
  std::int64_t zero_ = 0;  // the time stamp at the start of the run, ns
};

}  // namespace openmi::osi
