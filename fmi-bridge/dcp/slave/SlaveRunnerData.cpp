#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"
#include "openmi/sdk/Error.hpp"

// The part of SlaveRunner that handles data: ports, targets, sending, and steps by the clock.

namespace openmi::dcp {
namespace {

using Clock = Transport::Clock;

constexpr std::chrono::seconds kConnectWithin{5};

}  // namespace

bool SlaveRunner::IsAllowedHost(std::uint32_t address) const {
  const std::uint32_t master = master_ ? master_->at.address : asker_.at.address;
  if (address == master || address == host_ || std::ranges::find(data_hosts_, address) != data_hosts_.end())
    return true;
  return IsOnLoopback(address) && IsOnLoopback(master);
}

bool SlaveRunner::Accepts(const CfgNetworkInformation& pdu) const {
  if (TransportOf(pdu.protocol) == nullptr) return false;
  if (pdu.type == PduType::CFG_target_network_information) {
    if (IsAllowedHost(pdu.address)) return true;
    Tell(fmt::format("refused to send data to {}: it is neither the master's host nor one that was listed",
                     ToText(Endpoint{.address = pdu.address, .port = pdu.port})));
    return false;
  }
  if (pdu.address == 0 || host_ == 0 || pdu.address == host_) return true;
  if (IsMulticast(pdu.address)) return std::ranges::find(data_hosts_, pdu.address) != data_hosts_.end();
  return IsOnLoopback(host_) && IsOnLoopback(pdu.address);
}

void SlaveRunner::OpenInputs() {
  const auto open = [&](const SlaveConfiguration::Groups& groups) {
    for (const auto& [id, group] : groups) {
      if (!group.source) continue;
      const NetworkPlace& place = *group.source;
      Transport* transport = TransportOf(place.protocol);
      const auto is_here = [&](Transport* other, Door door) {
        if (other != transport) return false;
        const Endpoint local = other->Local(door);
        return local.port == place.port && (local.address == 0 || place.address == 0 || local.address == place.address);
      };
      if (std::ranges::any_of(controls_, [&](const Control& one) { return is_here(one.transport, one.door); }))
        continue;
      if (std::ranges::any_of(data_doors_, [&](const auto& one) { return is_here(one.first, one.second); })) continue;
      const Endpoint local{.address = place.address == 0 ? host_ : place.address, .port = place.port};
      data_doors_.emplace_back(transport, transport->Open(local));
      has_other_senders_ = true;
    }
  };
  open(machine_.Configuration().Inputs());
  open(machine_.Configuration().Parameters());
}

void SlaveRunner::ConnectTargets() {
  SlaveConfiguration& configuration = machine_.Configuration();
  const auto deadline = Clock::now() + kConnectWithin;
  clock_steps_ = 0;
  for (auto& [id, group] : configuration.Outputs()) {
    if (group.layout.IsEmpty()) continue;
    Sending sending{.data_id = id,
                    .group = &group,
                    .at_initialization = configuration.IsInScope(id, true),
                    .in_run = configuration.IsInScope(id, false),
                    .every = configuration.StepsOf(id),
                    .targets = {}};
    for (const NetworkPlace& place : group.targets) {
      Transport* transport = TransportOf(place.protocol);
      const auto control = std::ranges::find(controls_, transport, &Control::transport);
      const Door from = control == controls_.end() ? 0 : control->door;
      const Endpoint to{.address = place.address, .port = place.port};
      const auto is_there = [&](const Target& target) { return target.transport == transport && target.to == to; };
      Target target{.transport = transport, .door = from, .to = to};
      const auto known = std::ranges::find_if(
          sendings_, [&](const Sending& other) { return std::ranges::any_of(other.targets, is_there); });
      if (known != sendings_.end()) {  // one connection carries all data to one address
        target = *std::ranges::find_if(known->targets, is_there);
      } else {
        target.door = transport->Connect(from, to, deadline);
        if (target.door != from) data_doors_.emplace_back(transport, target.door);
      }
      sending.targets.push_back(target);
    }
    if (sending.in_run) clock_steps_ = std::gcd(clock_steps_, sending.every);
    buffer_.resize(std::max(buffer_.size(), kDataHead + group.layout.LargestPayload().value_or(0)));
    sendings_.push_back(std::move(sending));
  }
  clock_steps_ = std::max(clock_steps_, 1U);
  machine_.Missing().Prepare();
  has_reported_missed_ = false;
  ChooseActive();
}

void SlaveRunner::ChooseActive() {
  active_.clear();
  const auto use = [&](Transport* transport) {
    if (std::ranges::find(active_, transport) == active_.end()) active_.push_back(transport);
  };
  if (master_) use(master_->transport);
  for (const auto& [transport, door] : data_doors_) use(transport);
  for (const SlaveConfiguration::Groups* groups :
       {&machine_.Configuration().Inputs(), &machine_.Configuration().Parameters()}) {
    for (const auto& [id, group] : *groups) {
      if (group.source) use(TransportOf(group.source->protocol));
    }
  }
  for (Transport* transport : options_.transports) use(transport);
  if (active_.empty()) active_ = transports_;
}

void SlaveRunner::CloseData() {
  for (const auto& [transport, door] : data_doors_) transport->Close(door);
  data_doors_.clear();
  sendings_.clear();
  active_ = transports_;
  is_started_ = has_other_senders_ = false;
}

void SlaveRunner::BeginExchangeLog() {
  exchanges_.reset();
  if (options_.exchange_log.empty()) return;
  std::vector<Index> variables;
  const auto add = [&](const DataLayout& layout) {
    for (const DataLayout::Place& place : layout.Places()) {
      const Index index = values_.Find(place.value_reference);  // a variable may be in several groups
      if (std::ranges::find(variables, index) == variables.end()) variables.push_back(index);
    }
  };
  for (const auto& [id, group] : machine_.Configuration().Inputs()) add(group.layout);
  for (const auto& [id, group] : machine_.Configuration().Outputs()) add(group.layout);
  exchanges_ = std::make_unique<ExchangeLog>(options_.exchange_log, values_, variables);
}

void SlaveRunner::LogExchange(VariableKind way, std::uint64_t ticks) {
  if (exchanges_ != nullptr) exchanges_->Write(way, SecondsOf(machine_.Configuration().TimeResolution(), ticks));
}

void SlaveRunner::SendOutputs(bool initialization, bool all) {
  const std::uint64_t since_start = ticks_ - run_ticks_;
  bool is_sent = false;
  for (Sending& sending : sendings_) {
    const bool is_wanted = initialization ? sending.at_initialization : sending.in_run;
    if (!is_wanted || (!all && since_start % sending.every != 0)) continue;
    Send(sending);
    is_sent = true;
  }
  if (is_sent) LogExchange(VariableKind::Output, ticks_);
}

void SlaveRunner::Send(Sending& sending) {
  OutputGroup& group = *sending.group;
  std::size_t size = EncodeData(PduType::DAT_input_output, group.sequence, sending.data_id, group.layout, buffer_);
  if (size == 0) {  // a text without a largest size is larger than the buffer
    buffer_.resize(kDataHead + group.layout.PayloadSize());
    size = EncodeData(PduType::DAT_input_output, group.sequence, sending.data_id, group.layout, buffer_);
  }
  ++group.sequence;
  const Bytes pdu = Bytes(buffer_).first(size);
  for (const Target& target : sending.targets) {
    if (options_.watch) options_.watch(true, target.to, pdu);
    if (master_ && master_->transport != target.transport) {  // what the other transport holds back leaves first
      for (Transport* one : transports_) one->Release();
    }
    if (target.transport->Send(target.door, target.to, pdu)) continue;
    if (unsent_++ == 0) {
      Tell(fmt::format("data {} of {} bytes could not be sent to {}: further losses are only counted", sending.data_id,
                       size, ToText(target.to)));
    }
    if (target.transport->Protocol() == TransportProtocol::TCP_IPv4) {
      Fail(ErrorCode::PROTOCOL_ERROR_GENERIC,
           fmt::format("the connection for data {} to {} is lost", sending.data_id, ToText(target.to)));
    }
  }
}

bool SlaveRunner::IsClocked() const {
  return machine_.Mode() != OpMode::NRT && kRun.Has(machine_.CurrentState()) && done_ == machine_.CurrentState();
}

void SlaveRunner::StartAt(std::int64_t unix_seconds) {
  is_started_ = false;
  start_ = Clock::now();
  if (unix_seconds == 0) return;
  const auto ahead =
      std::chrono::system_clock::time_point(std::chrono::seconds(unix_seconds)) - std::chrono::system_clock::now();
  start_ += std::chrono::duration_cast<Clock::duration>(ahead);
}

void SlaveRunner::StepOnTime() {
  if (!IsClocked()) return;
  const Clock::time_point now = Clock::now();
  if (!is_started_) {
    if (now < start_) return;
    is_started_ = true;
    clock_.Set(machine_.Configuration().TimeResolution(), clock_steps_);
    clock_.Start(start_);
    run_ticks_ = ticks_;
    if (machine_.CurrentState() == State::SYNCHRONIZING) {
      machine_.Raise(Signal::synchronized);
      return;
    }
  }
  if (options_.is_lock_step) {
    if (machine_.CurrentState() != State::RUNNING || !machine_.Missing().AllAreNew()) return;
    machine_.Missing().Mark();
  } else {
    if (now < clock_.Due()) return;
    lateness_.Add(clock_.SecondsDue(), std::chrono::duration<double>(now - clock_.Due()).count());
    clock_.Advance();
  }
  const Resolution resolution = machine_.Configuration().TimeResolution();
  const StepSpan span{.begin = SecondsOf(resolution, ticks_), .end = SecondsOf(resolution, ticks_ + clock_steps_)};
  LogExchange(VariableKind::Input, ticks_);
  if (!Guarded("Step", [&] { model_.Step(values_, span); })) return;
  ticks_ += clock_steps_;
  ++steps_done_;
  SendOutputs(false, false);
  if (options_.is_lock_step || Clock::now() <= clock_.Due()) return;
  lateness_.AddOverrun();
  if (machine_.Mode() == OpMode::HRT) {
    Fail(ErrorCode::PROTOCOL_ERROR_GENERIC,
         fmt::format("a step missed its deadline in hard real time, {} s after the start", span.end));
  }
}

}  // namespace openmi::dcp
