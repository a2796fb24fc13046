#include "composition/joined/JoinedThreads.hpp"

#include <utility>

namespace openmi {
namespace {

thread_local const JoinedThreads* at_work = nullptr;  // whose thread this is

}  // namespace

JoinedThreads::JoinedThreads(std::size_t pieces, std::function<void()> end) : end_(std::move(end)) {
  for (std::size_t piece = 0; piece < pieces; ++piece) threads_.emplace_back([this, piece] { Work(piece); });
}

JoinedThreads::~JoinedThreads() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  for_pieces_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void JoinedThreads::Work(std::size_t piece) {
  at_work = this;
  std::unique_lock lock(mutex_);
  for (std::uint64_t done = 0;;) {
    for_pieces_.wait(lock, [&] { return is_over_ || round_ != done; });
    if (is_over_) return;
    done = round_;
    lock.unlock();
    std::exception_ptr error;
    try {
      (*job_)(piece);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) failures_.push_back({piece, std::move(error)});
    --left_;
    for_caller_.notify_one();
  }
}

std::vector<JoinedThreads::Failure> JoinedThreads::Run(const std::function<void(std::size_t)>& job, bool is_late) {
  std::unique_lock lock(mutex_);
  failures_.clear();
  job_ = &job;
  left_ = threads_.size();
  ++round_;
  for_pieces_.notify_all();
  auto until = std::chrono::steady_clock::time_point::max();  // when the others are ended
  const auto is_news = [&] { return left_ == 0 || !questions_.empty(); };
  while (left_ > 0) {
    if (!questions_.empty()) {
      Question& question = *questions_.front();
      questions_.pop_front();
      lock.unlock();
      try {
        question.work();
      } catch (...) {
        question.error = std::current_exception();
      }
      lock.lock();
      question.is_done = true;
      for_pieces_.notify_all();
      continue;
    }
    const bool is_limited = end_ && (is_late || !failures_.empty());
    if (is_limited && until == std::chrono::steady_clock::time_point::max()) {
      until = std::chrono::steady_clock::now() + kPatience;
    }
    if (!is_limited) {
      for_caller_.wait(lock, [&] { return is_news() || (end_ && !failures_.empty()); });
    } else if (!for_caller_.wait_until(lock, until, is_news)) {
      until += kPatience;
      lock.unlock();
      end_();
      lock.lock();
    }
  }
  return std::exchange(failures_, {});
}

void JoinedThreads::Ask(const std::function<void()>& work) {
  if (at_work != this) return work();
  Question question{work, nullptr};
  std::unique_lock lock(mutex_);
  questions_.push_back(&question);
  for_caller_.notify_one();
  for_pieces_.wait(lock, [&] { return question.is_done; });
  lock.unlock();
  if (question.error) std::rethrow_exception(question.error);
}

}  // namespace openmi
