#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace openmi {

/// Memory in which many components lie one after the other, each together with what its items read and write in a step.
///
/// For the owner of many components that step at once (a population): its steps then use few and neighbouring lines of
/// the cache, and few pages. It must live longer than the components.
class StepMemory {
 public:
  StepMemory() = default;
  StepMemory(const StepMemory&) = delete;
  StepMemory& operator=(const StepMemory&) = delete;

  /// As long as it lives, the components that this thread makes lie in a memory.
  class Use {
   public:
    explicit Use(StepMemory& memory);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    StepMemory* before_;
  };

  /// Memory for a component: in the memory that this thread uses, else of its own.
  static void* TakeForComponent(std::size_t bytes);
  static void GiveBack(void* component) noexcept;
  /// The memory that this thread uses, if a component that is just being made lies there; else null.
  static StepMemory* Holding(const void* component);

  /// \returns memory after what was taken before; it is not given back one by one
  void* Take(std::size_t bytes, std::size_t alignment);

 private:
  struct Free {
    void operator()(void* memory) const noexcept;
  };
  void AddBlock(std::size_t least);
  std::vector<std::unique_ptr<void, Free>> blocks_;
  char* next_ = nullptr;
  char* end_ = nullptr;
  std::size_t taken_ = 0;  // bytes of all blocks
};

}  // namespace openmi
