#include "fmi-bridge/dcp/master/Requests.hpp"

#include <type_traits>
#include <variant>

namespace openmi::dcp {

void Requests::PutNumber() {
  bytes_[1] = static_cast<std::byte>(sequence_ & 0xFFU);
  bytes_[2] = static_cast<std::byte>(sequence_ >> 8U);
}

void Requests::Send(const Pdu& request) {
  if (const std::size_t size = EncodedSize(request); bytes_.size() < size) bytes_.resize(size);
  size_ = Encode(request, bytes_);
  PutNumber();
  bytes_[3] = static_cast<std::byte>(options_.id);
  Repeat();
}

void Requests::Repeat() {
  answer_.reset();
  sent_at_ = Clock::now();
  sockets_.SendRequest(ByteView(bytes_).first(size_));
}

bool Requests::Take(const Pdu& pdu) {
  return std::visit(
      [this]<class Response>(const Response& response) {
        if constexpr (requires { response.sender, response.sequence; }) {
          if (response.sequence != sequence_ || response.sender != options_.id || answer_) return true;
          Answer answer{.is_ack = !std::is_same_v<Response, RspNack>};
          if constexpr (requires { response.error; }) answer.error = response.error;
          if constexpr (requires { response.expected_sequence; }) answer.expected = response.expected_sequence;
          if constexpr (requires { response.entries; }) answer.entries = response.entries;
          if constexpr (requires { response.state; }) {
            if (!IsState(static_cast<std::uint8_t>(response.state))) return true;
            answer.state = response.state;
          }
          answer_ = answer;
          return true;
        }
        return false;
      },
      pdu);
}

std::optional<Answer> Requests::Settle(bool was_repeated) {
  if (answer_->is_ack || answer_->error != ErrorCode::INVALID_SEQUENCE_ID || Type() == PduType::STC_register) {
    ++sequence_;
    return answer_;
  }
  const auto next = static_cast<std::uint16_t>(sequence_ + 1);
  const bool was_taken = answer_->expected == next && was_repeated;  // and its answer was lost
  sequence_ = answer_->expected;
  if (was_taken) return Answer{.was_received = true};
  PutNumber();
  return std::nullopt;
}

}  // namespace openmi::dcp
