#include "composition/isolation/ProcessPool.hpp"

#include <filesystem>

#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/omi/LibrarySearch.hpp"

namespace openmi {
namespace {

IsolationLimits LimitsOf(const IsolationSpec& apart) {
  IsolationLimits limits;
  limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(apart.time_limit_seconds * 1000.0));
  limits.memory = apart.memory_limit_bytes;
  return limits;
}

/// What the components of one process have in common; components with different limits do not share a process.
std::string KeyOf(const OmiFile& omi, const IsolationSpec& apart) {
  const std::string found = LibrarySearch().Find(omi.assembly, omi.path.string(), omi.assembly_line);
  std::error_code error;
  const std::string real = std::filesystem::canonical(found, error).string();
  return (error ? found : real) + '\n' + std::to_string(apart.time_limit_seconds) + '\n' +
         std::to_string(apart.memory_limit_bytes);
}

}  // namespace

std::shared_ptr<IsolatedProcess> ProcessPool::ProcessFor(const OmiFile& omi, const IsolationSpec& apart) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<IsolatedProcess> process;
  if (apart.isolation == Isolation::Process) process = by_library_[KeyOf(omi, apart)].lock();
  if (!process || !process->IsAlive()) {
    process = IsolatedProcess::Start(LimitsOf(apart));
    std::erase_if(all_, [](const auto& one) { return one.expired(); });
    all_.push_back(process);
    if (apart.isolation == Isolation::Process) by_library_[KeyOf(omi, apart)] = process;
  }
  return process;
}

void ProcessPool::EndLate(const std::string& why) {
  std::vector<std::shared_ptr<IsolatedProcess>> there;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& one : all_) {
      if (std::shared_ptr<IsolatedProcess> process = one.lock()) there.push_back(std::move(process));
    }
  }
  for (const auto& process : there) process->EndIfLate(why);
}

LoadedComponent ProcessPool::Load(const OmiFile& omi, const IsolationSpec& apart, Problems* problems) {
  try {
    if (omi.assembly.empty()) {
      throw LoadError({.file = omi.path.string(), .line = omi.line},
                      "expected a component in a library, found one of this program itself",
                      "only components in libraries can run in another process");
    }
    return LoadIsolated(ProcessFor(omi, apart), omi, problems);
  } catch (const Error& error) {
    if (problems == nullptr) throw;
    AddError(*problems, error.Place(), error.Problem(), error.Remedy());
    return {};
  }
}

}  // namespace openmi
