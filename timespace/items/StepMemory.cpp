#include "timespace/items/StepMemory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <utility>

namespace openmi {
namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kFirstBlock = 64U << 10;
constexpr std::size_t kHugePage =
    2U << 20;  // of most processors; elsewhere blocks are only aligned more than they need
constexpr std::size_t kLargestBlock = 32U << 20;

thread_local StepMemory* used = nullptr;

/// Stands before each component.
struct alignas(kAlignment) Header {
  StepMemory* memory;  // null: its own
};

}  // namespace

StepMemory::Use::Use(StepMemory& memory) : before_(std::exchange(used, &memory)) {}

StepMemory::Use::~Use() {
  used = before_;
}

void StepMemory::Free::operator()(void* memory) const noexcept {
  std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc): from aligned_alloc
}

void* StepMemory::TakeForComponent(std::size_t bytes) {
  const std::size_t all = sizeof(Header) + bytes;
  void* const memory = used != nullptr ? used->Take(all, kAlignment) : ::operator new(all);
  return new (memory) Header{used} + 1;
}

void StepMemory::GiveBack(void* component) noexcept {
  Header* const header = static_cast<Header*>(component) - 1;
  if (header->memory == nullptr) ::operator delete(header);
}

StepMemory* StepMemory::Holding(const void* component) {
  if (used == nullptr || used->blocks_.empty()) return nullptr;
  const std::less<const void*> before;
  const bool is_there = !before(component, used->blocks_.back().get()) && before(component, used->next_);
  return is_there ? used : nullptr;
}

void* StepMemory::Take(std::size_t bytes, std::size_t alignment) {
  auto left = static_cast<std::size_t>(end_ - next_);
  void* place = next_;
  if (next_ == nullptr || std::align(alignment, bytes, place, left) == nullptr) {
    AddBlock(bytes);
    place = next_;
  }
  next_ = static_cast<char*>(place) + bytes;
  return place;
}

void StepMemory::AddBlock(std::size_t least) {
  std::size_t size = std::max({kFirstBlock, std::min(taken_, kLargestBlock), least});
  const std::size_t alignment = size < kHugePage ? kAlignment : kHugePage;
  size = (size + alignment - 1) / alignment * alignment;
  // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): operator new may use more than the bytes of a whole page
  next_ = static_cast<char*>(std::aligned_alloc(alignment, size));
  if (next_ == nullptr) throw std::bad_alloc();
  blocks_.emplace_back(next_);
  end_ = next_ + size;
  taken_ += size;
  // The order of the steps jumps between pages; of large ones the processor finds all at once. Where they are refused,
  // steps are only slower.
  if (alignment == kHugePage) static_cast<void>(::madvise(next_, size, MADV_HUGEPAGE));
}

}  // namespace openmi
