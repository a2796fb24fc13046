#include "fmi-bridge/osmp/component/MessagePorts.hpp"

#include <fmt/format.h>

#include <bit>

#include "openmi/sdk/Error.hpp"

namespace openmi::osmp {

void MessagePorts::Refuse(const BinaryVariable& variable, RuleId rule, const std::string& problem,
                          const std::string& remedy) {
  throw ModelError({.item = variable.name}, fmt::format("OSMP rule {}: {}", RuleOf(rule).Number(), problem), remedy);
}

std::size_t MessagePorts::Add(const BinaryVariable& variable, const fmi::ModelDescription& description) {
  const auto reference = [&](std::size_t part) {
    return description.variables[static_cast<std::size_t>(variable.parts[part])].value_reference;
  };
  Port port{.variable = &variable,
            .first = variable.is_triple ? integers_.size() : binaries_.size(),
            .message = {},
            .is_triple = variable.is_triple};
  if (variable.is_triple) {
    for (std::size_t part = 0; part < 3; ++part) integer_references_.push_back(reference(part));
    integers_.resize(integers_.size() + 3, 0);
  } else {
    binary_references_.push_back(reference(0));
    binaries_.emplace_back();
  }
  ports_.push_back(port);
  return ports_.size() - 1;
}

inline osi::Message MessagePorts::Decode(const BinaryVariable& variable, std::span<const std::int32_t, 3> parts) {
  const auto low = std::bit_cast<std::uint32_t>(parts[0]);
  const auto high = std::bit_cast<std::uint32_t>(parts[1]);
  const std::uint64_t address = std::uint64_t{high} << 32 | low;
  if (parts[2] < 0) [[unlikely]] {
    Refuse(variable, RuleId::SizeNotNegative, fmt::format("expected a size, found {}", parts[2]),
           "a message of 2 GiB or more cannot be announced; the model has a fault");
  }
  if (parts[2] == 0) return {};
  if (address == 0) [[unlikely]] {
    Refuse(variable, RuleId::AddressWithSize,
           fmt::format("expected an address with a size of {}, found none", parts[2]), "the model has a fault");
  }
  return {reinterpret_cast<const std::byte*>(static_cast<std::uintptr_t>(address)), static_cast<std::size_t>(parts[2])};
}

void MessagePorts::Get(fmi::Instance& instance) {
  if (!integers_.empty()) {
    instance.Get(fmi::VariableType::Int32, integer_references_, integers_.data(), integers_.size());
  }
  if (!binaries_.empty()) instance.ShowBinaries(binary_references_, binaries_);
  for (Port& port : ports_) {
    if (port.is_triple) {
      port.message = Decode(*port.variable, std::span<const std::int32_t, 3>(&integers_[port.first], 3));
      continue;
    }
    port.message = binaries_[port.first];
    if (port.message.data() == nullptr && !port.message.empty()) {
      Refuse(*port.variable, RuleId::AddressWithSize,
             fmt::format("expected an address with a size of {}, found none", port.message.size()),
             "the model has a fault");
    }
    if (port.message.size() > osi::kLargestMessage) {
      Refuse(*port.variable, RuleId::SizeBelowTwoGiB,
             fmt::format("expected a message below 2 GiB, found one of {} bytes", port.message.size()),
             "the model has a fault");
    }
  }
}

void MessagePorts::Edit(std::size_t index, osi::Message message) {
  Port& port = ports_[index];
  if (message.size() > osi::kLargestMessage) {
    Refuse(*port.variable, RuleId::SizeBelowTwoGiB,
           fmt::format("expected a message below 2 GiB, found one of {} bytes", message.size()),
           "leave out what the model does not need");
  }
  port.message = message;
  if (!port.is_triple) {
    binaries_[port.first] = message;
    return;
  }
  const auto address =
      static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(message.empty() ? nullptr : message.data()));
  integers_[port.first] = std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(address));
  integers_[port.first + 1] = std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(address >> 32));
  integers_[port.first + 2] = static_cast<std::int32_t>(message.size());
}

void MessagePorts::Set(fmi::Instance& instance) {
  if (!integers_.empty()) {
    instance.Set(fmi::VariableType::Int32, integer_references_, integers_.data(), integers_.size());
  }
  if (!binaries_.empty()) instance.PutBinaries(binary_references_, binaries_);
}

}  // namespace openmi::osmp
