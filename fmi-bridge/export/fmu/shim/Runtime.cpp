#include "fmi-bridge/export/fmu/shim/Runtime.hpp"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/system/ChildTrial.hpp"

extern char** environ;

namespace openmi::fmu {
namespace {

constexpr char kFolder[] = "/" OPENMI_FMU_PLATFORM;
constexpr std::chrono::seconds kStartTime{30};  // from the greeting to the description
constexpr int kSpins = 2000;                    // polls before sleeping, if there is more than one core

// Counted in the copy, as reading values must not cost a system call. The C library forgets the handler when this
// library is unloaded.
std::atomic<unsigned> copies = 0;
[[maybe_unused]] const int kIsCounted =
    pthread_atfork(nullptr, nullptr, [] { copies.fetch_add(1, std::memory_order_relaxed); });

bool IsFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// The loader that a program names.
///
/// Programs are started through it: the program file then needs no execute permission, which many unpackers drop, and
/// the loader takes the folder of our libraries without passing it on to child processes.
std::string LoaderOf(const std::string& program) {
  const int file = open(program.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string loader;
  Elf64_Ehdr head{};
  if (pread(file, &head, sizeof head, 0) == static_cast<ssize_t>(sizeof head) &&
      std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_phentsize == sizeof(Elf64_Phdr)) {
    for (int i = 0; i < head.e_phnum; ++i) {
      Elf64_Phdr part{};
      const auto at = static_cast<off_t>(head.e_phoff) + i * static_cast<off_t>(sizeof part);
      if (pread(file, &part, sizeof part, at) != static_cast<ssize_t>(sizeof part)) break;
      if (part.p_type != PT_INTERP || part.p_filesz < 2 || part.p_filesz > 4096) continue;
      loader.resize(part.p_filesz);
      if (pread(file, loader.data(), loader.size(), static_cast<off_t>(part.p_offset)) !=
          static_cast<ssize_t>(loader.size())) {
        loader.clear();
      }
      loader = loader.c_str();  // cut at the zero
      break;
    }
  }
  close(file);
  return loader;
}

/// The environment of this process, without variables that change the loading of libraries, and with the folder of our
/// data.
std::vector<std::string> EnvironmentFor(const std::string& resources) {
  std::vector<std::string> all;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string_view text(*one);
    const bool is_secret = text.starts_with("OPENMI_BROKER_PASSWORD=");  // passed on: the FMU holds no password
    const bool is_ours = text.starts_with("LD_") || (text.starts_with("OPENMI_") && !is_secret) ||
                         text.starts_with("UDUNITS2_XML_PATH=") || text.starts_with("PROJ_");
    if (!is_ours) all.emplace_back(text);
  }
  all.push_back("OPENMI_LOAD_IN_PLACE=1");  // the importer's folder must not be written to
  const std::string units = resources + "/udunits/udunits2.xml";
  if (IsFile(units)) all.push_back("UDUNITS2_XML_PATH=" + units);
  if (IsFile(resources + "/proj/proj.db")) all.push_back("PROJ_DATA=" + resources + "/proj");
  const std::string isolated = resources + kFolder + "/bin/openmi-component-host";
  if (IsFile(isolated)) all.push_back("OPENMI_COMPONENT_HOST=" + isolated);
  return all;
}

}  // namespace

unsigned Runtime::CopiesMade() {
  return copies.load(std::memory_order_relaxed);
}

std::string Runtime::WhyGone() const {
  if (channel_ != nullptr) return "one that " + std::string(kServesNoCopy);
  return "that it had ended before; reset the instance, or free it";
}

void Runtime::StartThrowing(const std::string& resources) {
  copies_ = CopiesMade();
  const std::string folder = resources + kFolder;
  const std::string program = folder + "/bin/openmi-fmu-host";
  if (!IsFile(program)) {
    throw FileError({}, "expected the runtime among the resources of the FMU, found no " + program,
                    "unpack the whole FMU, and keep it as long as there are instances");
  }
  const std::string loader = LoaderOf(program);
  if (loader.empty() || access(loader.c_str(), R_OK) != 0) {
    throw FileError({}, "expected a loader for " + program + ", found none at '" + loader + "'",
                    "this FMU is for Linux with glibc");
  }
  SharedMemory page = SharedMemory::Create();
  page.Grow(Channel::PageSize());
  memory_ = std::make_unique<SharedMemory>(SharedMemory::Create());
  const std::vector<std::string> environment = EnvironmentFor(resources);
  worker_ = std::make_unique<WorkerProcess>(
      std::vector<std::string>{loader, "--library-path", folder + "/lib", program, resources}, &environment, page,
      *memory_, 0);
  const std::string ours = FmuGreeting();
  std::string theirs;
  if (!worker_->TakeGreeting(ours, theirs)) {
    throw LoadError({}, "expected the program of this FMU (" + std::string(ours.c_str()) + "), found " + theirs,
                    "unpack the whole FMU into an empty folder");
  }
  channel_ = std::make_unique<Channel>(
      Side::Parent, std::move(page), worker_->Socket(),
      [this](ByteView request, StateWriter&) {
        StateReader reader(request);
        server_(reader);
      },
      [this] { return worker_->IsAlive(); });
  channel_->SetSpins(sysconf(_SC_NPROCESSORS_ONLN) > 1 ? kSpins : 0);
  SetTimeLimit(kStartTime);
}

bool Runtime::Start(const std::string& resources, std::string& problem) {
  Stop();
  try {
    StartThrowing(resources);
    return true;
  } catch (const Channel::PeerGone&) {
    worker_->TakeEnd(false);
    problem = "expected the process of this FMU to start, found that it " + worker_->End();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  Stop();
  return false;
}

void Runtime::Stop() {
  const bool is_ours = copies_ == CopiesMade();
  channel_.reset();
  if (is_ours) worker_.reset();
  static_cast<void>(worker_.release());  // a copy does not end the process
  if (values_ != nullptr) SharedMemory::Unmap(reinterpret_cast<std::byte*>(values_), slots_ * sizeof(double));
  values_ = nullptr;
  slots_ = 0;
  memory_.reset();
}

void Runtime::SetTimeLimit(std::chrono::nanoseconds limit) {
  limit_ = limit;
  if (channel_) channel_->SetTimeLimit(limit);
}

bool Runtime::MapValues(std::size_t slots, std::string& problem) {
  try {
    if (slots > memory_->Size() / sizeof(double)) throw RangeError({}, "");
    if (slots > 0) values_ = reinterpret_cast<double*>(memory_->Map(0, slots * sizeof(double)));
    slots_ = slots;
    return true;
  } catch (const RangeError&) {
    problem = "expected memory for the values of the FMU, found less than the runtime speaks of";
  } catch (const std::exception& error) {
    problem = error.what();
  }
  return false;
}

std::optional<StateReader> Runtime::Call(const StateWriter& request, std::string& problem) {
  if (!IsThere()) {
    problem = "expected the process of this FMU, found " + WhyGone();
    return std::nullopt;
  }
  bool was_silent = false;
  try {
    return StateReader(channel_->Call(request.Bytes()));
  } catch (const Channel::PeerGone&) {
  } catch (const Channel::PeerSilent&) {
    was_silent = true;
  } catch (const std::exception& error) {
    problem = error.what();
    return std::nullopt;
  }
  worker_->TakeEnd(was_silent, limit_);
  problem = "expected the process of this FMU to answer, found that it " + worker_->End() +
            "; reset the instance, or free it";
  Stop();
  return std::nullopt;
}

}  // namespace openmi::fmu
