#include "adaptors/kernels/Crew.hpp"

#include <algorithm>
#include <utility>

namespace openmi {

Crew::Crew(std::size_t size) : failures_(std::max<std::size_t>(size, 1)) {
  try {
    for (std::size_t part = 1; part < size; ++part) helpers_.emplace_back([this, part] { Serve(part); });
  } catch (const std::system_error&) {
    // If the machine gives no more threads, the existing ones do the work.
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  begun_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void Crew::Do(std::size_t part) {
  try {
    (*work_)(part);
  } catch (...) {
    failures_[part] = std::current_exception();
  }
}

void Crew::Serve(std::size_t part) {
  std::uint64_t served = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return ends_ || round_ != served; });
      if (ends_) return;
      served = round_;
    }
    Do(part);
    const std::lock_guard lock(mutex_);
    if (--missing_ == 0) done_.notify_one();
  }
}

void Crew::Run(FunctionView<void(std::size_t)> work) {
  if (helpers_.empty()) return work(0);
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    missing_ = helpers_.size();
    ++round_;
  }
  begun_.notify_all();
  Do(0);
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return missing_ == 0; });
  }
  std::exception_ptr first;
  for (std::exception_ptr& failure : failures_) {
    std::exception_ptr taken = std::exchange(failure, nullptr);
    if (!first) first = std::move(taken);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace openmi
