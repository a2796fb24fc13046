#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <utility>

#include "fmi-bridge/dcp/master/monitor/Relay.hpp"

namespace openmi::dcp::test {

/// How bad a link is. Probabilities of each PDU, either way.
struct Badness {
  double loss = 0.0;
  double duplication = 0.0;
  double reordering = 0.0;                 ///< held back for `delay`, so that later ones overtake it
  std::chrono::microseconds delay{2'000};  ///< of those
  std::chrono::microseconds latency{0};    ///< of all
  std::uint64_t seed = 1;
};

/// A relay that loses, doubles and reorders, on a thread of its own. The same seed and the same PDUs give the same
/// fates.
class LossyLink {
 public:
  /// \param slave  where the slave takes requests
  LossyLink(TransportProtocol protocol, Endpoint slave, const Badness& badness)
      : badness_(badness), random_(badness.seed), relay_(Options(protocol, slave)), thread_([this] { relay_.Run(); }) {}
  ~LossyLink() {
    relay_.Stop();
    thread_.join();
  }
  LossyLink(const LossyLink&) = delete;
  LossyLink& operator=(const LossyLink&) = delete;

  std::uint16_t Port() const { return port_; }
  /// From now on data are lost with this probability, and requests and answers pass.
  void LoseData(double loss) {
    loses_data_only_.store(true);
    loss_.store(loss);
  }
  /// From now on the n-th, 2 n-th, ... data PDU that the master sends is lost.
  void LoseEachInput(int n) {
    inputs_.store(0);
    each_.store(n);
  }
  /// Counts that many as if they had passed already.
  void SkipInputs(int count) { inputs_ += count; }
  /// From now on data of the slave are lost with this probability; all else passes.
  void LoseOutputs(double loss) {
    loses_outputs_only_.store(true);
    LoseData(loss);
  }
  /// The next PDU of that type is lost.
  void LoseNext(PduType type) { next_.at(static_cast<std::size_t>(type)).store(true); }
  /// From now on nothing passes.
  void Cut() { is_cut_.store(true); }
  std::uint64_t Lost() const { return lost_.load(); }

 private:
  RelayOptions Options(TransportProtocol protocol, Endpoint slave) {
    RelayOptions options;
    options.protocol = protocol;
    options.slave = slave;
    options.meddle = [this](bool to_slave, ByteView pdu, std::vector<std::chrono::microseconds>& delays) {
      std::uniform_real_distribution<double> chance(0.0, 1.0);
      // Always the same number of draws, so that fates do not depend on each other.
      const double loss = chance(random_), duplication = chance(random_), reordering = chance(random_);
      const bool is_data = !pdu.empty() && pdu[0] >= std::byte{0xF0};
      const bool is_spared = (loses_data_only_.load() && !is_data) || (loses_outputs_only_.load() && to_slave);
      const bool is_input = to_slave && is_data;
      const bool is_its_turn = is_input && each_.load() > 0 && ++inputs_ % each_.load() == 0;
      const bool is_the_next = !pdu.empty() && next_.at(static_cast<std::size_t>(pdu[0])).exchange(false);
      if (is_its_turn || is_the_next || is_cut_.load() || (!is_spared && loss < loss_.load())) {
        ++lost_;
        return;
      }
      delays.push_back(badness_.latency +
                       (reordering < badness_.reordering ? badness_.delay : std::chrono::microseconds(0)));
      if (duplication < badness_.duplication) delays.push_back(delays.front() + std::chrono::microseconds(500));
    };
    return options;
  }

  Badness badness_;
  std::mt19937_64 random_;
  std::atomic<bool> is_cut_ = false;
  std::atomic<bool> loses_data_only_ = false;
  std::atomic<bool> loses_outputs_only_ = false;
  std::array<std::atomic<bool>, 256> next_{};  // by type: the next one is lost
  std::atomic<int> each_ = 0;                  // input is lost
  std::atomic<int> inputs_ = 0;
  std::atomic<double> loss_ = badness_.loss;
  std::atomic<std::uint64_t> lost_ = 0;
  Relay relay_;
  std::uint16_t port_ = relay_.Listening().port;
  std::thread thread_;
};

}  // namespace openmi::dcp::test
