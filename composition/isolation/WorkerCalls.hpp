#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/isolation/Protocol.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {

/// The requests of the protocol that concern one component in a worker.
class WorkerCalls {
 public:
  /// \param instance  see IsolatedProcess::AddInstance
  WorkerCalls(std::shared_ptr<IsolatedProcess> process, std::int64_t instance)
      : process_(std::move(process)), instance_(instance) {}

  const std::shared_ptr<IsolatedProcess>& Process() const { return process_; }
  /// Starts a request. What it needs is written to the result.
  StateWriter& Begin(HostRequest request) {
    process_->DropRows();
    request_.Clear();
    request_.Write(static_cast<std::int64_t>(request));
    request_.Write(instance_);
    return request_;
  }
  /// Sends the request and waits for the reply; see IsolatedProcess::Call.
  StateReader Call() { return process_->Call(request_); }
  /// Sends the request; see IsolatedProcess::Post.
  void Post(std::function<void()> take_reply) { process_->Post(request_, std::move(take_reply)); }
  /// Destroys the component in the worker.
  void Drop() { process_->RemoveInstance(instance_); }

 private:
  std::shared_ptr<IsolatedProcess> process_;
  std::int64_t instance_;
  StateWriter request_;
};

}  // namespace openmi
