#include "openmi/sdk/OutputOf.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Sanitizers.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {
namespace {

constexpr std::size_t kReserve = (kIsSanitized ? 2048 : 512) * 1024;

/// The part of this thread's stack that is kept free, from its lowest address on.
struct Reserve {
  std::uintptr_t begin;
  std::uintptr_t end;  // 0: not known yet
};

Reserve FindReserve() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {0, 0};
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const auto begin = reinterpret_cast<std::uintptr_t>(lowest);
  return {begin, begin + std::min(kReserve, size / 4)};
}

// The model saves a call when the library is loaded with the program. A library that is loaded later finds the sixteen
// bytes in the surplus of static thread storage.
[[gnu::tls_model("initial-exec")]] constinit thread_local Reserve reserve = {0, 0};

Where PlaceOf(const IBaseOutput& output) {
  return {.component = output.Component() ? output.Component()->Caption() : std::string(), .item = output.Id()};
}

}  // namespace

namespace detail {

void ConsumerLists::AddConsumer(IBaseOutput& self, IBaseInput& consumer) {
  if (consumer.Provider() != nullptr) {
    throw LinkError(PlaceOf(self),
                    fmt::format("expected input '{}' to be free, found it linked to '{}'", consumer.Id(),
                                consumer.Provider()->Id()),
                    "remove the other link first");
  }
  consumers_.push_back(&consumer);
  consumer.SetProvider(&self);
}

void ConsumerLists::RemoveConsumer(IBaseOutput& self, IBaseInput& consumer) {
  if (!consumers_.RemoveLast([&consumer](const IBaseInput* one) { return one == &consumer; })) {
    throw LinkError(PlaceOf(self), fmt::format("expected a registered consumer, found '{}'", consumer.Id()));
  }
  consumer.SetProvider(nullptr);
}

void ConsumerLists::AddAdaptedOutput(IBaseOutput& self, IBaseAdaptedOutput& adapted_output) {
  if (&adapted_output.Adaptee() != &self) {
    throw LinkError(PlaceOf(self),
                    fmt::format("expected an adapted output of this output, found '{}' which adapts '{}'",
                                adapted_output.Id(), adapted_output.Adaptee().Id()));
  }
  if (std::ranges::find(adapted_outputs_, &adapted_output) != adapted_outputs_.end()) return;
  adapted_outputs_.push_back(&adapted_output);
}

void ConsumerLists::RemoveAdaptedOutput(IBaseOutput& self, IBaseAdaptedOutput& adapted_output) {
  if (!adapted_outputs_.RemoveLast([&](const IBaseAdaptedOutput* one) { return one == &adapted_output; })) {
    throw LinkError(PlaceOf(self),
                    fmt::format("expected a registered adapted output, found '{}'", adapted_output.Id()));
  }
}

}  // namespace detail

const IBaseValueSet& BaseOutput::GetValues(const IBaseExchangeItem&) {
  GuardStack();
  return *values_;
}

void BaseOutput::Publish() {
  RaiseItemChanged("values");
  RefreshAdaptedOutputs();
}

void GuardStack() {
  if (reserve.end == 0) reserve = FindReserve();
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  // An address below the whole stack is on another stack: a coroutine of the host, whose size is not known here.
  if (here < reserve.end && here >= reserve.begin) [[unlikely]] {
    throw DepthError(
        {}, "expected a chain of links that fits the stack of this thread, found one that does not",
        "run the composition through the engine, which updates upstream first, or call from a thread with a "
        "larger stack");
  }
}

}  // namespace openmi
