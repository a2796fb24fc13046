#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "tests/fuzz/DcpFuzzSlave.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::dcp {
namespace {

class Silent final : public ISlaveOutlet {
 public:
  void Reply(ByteView pdu) override { Look(pdu); }
  void Notify(ByteView pdu) override { Look(pdu); }

 private:
  // What a slave says is always a PDU.
  static void Look(ByteView pdu) {
    if (Decode(pdu).fault != DecodeFault::None) std::abort();
  }
};

}  // namespace

// The first byte of each piece says how long it is; the rest is a PDU for a decoder and for a slave that is walked on
// through its states. Requests get the sequence number that comes next, or none would pass.
OPENMI_FUZZ_TARGET(dcp_pdu) {
  const auto bytes = std::as_bytes(std::span(input));
  const Decoded whole = Decode(bytes);
  if (whole.fault == DecodeFault::None) {
    std::vector<std::byte> again(EncodedSize(whole.pdu));
    if (Encode(whole.pdu, again) != again.size() || !std::ranges::equal(again, bytes)) std::abort();
  }
  if (Describe(bytes).empty()) std::abort();

  SlaveValues values(fuzz::Description());
  Silent silent;
  SlaveMachine machine(fuzz::Description(), values, silent);
  std::uint16_t sequence = 0;
  for (std::size_t at = 0; at < input.size();) {
    const std::size_t length = std::min<std::size_t>(static_cast<std::uint8_t>(input[at]), input.size() - at - 1);
    std::vector<std::byte> pdu(bytes.begin() + static_cast<std::ptrdiff_t>(at + 1),
                               bytes.begin() + static_cast<std::ptrdiff_t>(at + 1 + length));
    at += 1 + length;
    if (length == 0) {  // the work of a state is done
      for (int signal = 1; signal <= static_cast<int>(Signal::resolved); ++signal) {
        if (static_cast<Signal>(signal) != Signal::error) machine.Raise(static_cast<Signal>(signal));
      }
    }
    if (pdu.size() >= 4 && IsRequest(static_cast<std::uint8_t>(pdu[0]))) {
      pdu[1] = static_cast<std::byte>((sequence + 1) & 0xFF);
      pdu[2] = static_cast<std::byte>((sequence + 1) >> 8);
      pdu[3] = std::byte{1};
      if (machine.CurrentState() == State::ALIVE || machine.IsNextRequest(pdu)) ++sequence;
    }
    machine.Receive(pdu, {});
    if (!IsState(static_cast<std::uint8_t>(machine.CurrentState()))) std::abort();
  }
}

}  // namespace openmi::dcp
