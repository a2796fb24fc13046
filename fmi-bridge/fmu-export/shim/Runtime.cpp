#include "fmi-bridge/fmu-export/shim/Runtime.hpp"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <vector>

extern char** environ;

namespace openmi::fmu {
namespace {

constexpr char kFolder[] = "/" OPENMI_FMU_PLATFORM;
constexpr std::chrono::milliseconds kSlice{20};  // between two looks at whether the process still lives
constexpr int kPatienceMs = 2000;                // with a process that was let go

std::string ErrorText(const char* what) {
  return std::string(what) + ": " + std::strerror(errno);
}

bool IsFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

/// The loader that a program names for itself. Programs are started through it: it needs no permission to execute,
/// which many unpackers lose, and takes the folder of our libraries without handing it on to anybody else.
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
      loader = loader.c_str();  // up to the zero
      break;
    }
  }
  close(file);
  return loader;
}

/// The environment of this process without what bends the loading of libraries, and with where our data lie.
std::vector<std::string> EnvironmentFor(const std::string& resources) {
  std::vector<std::string> all;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string_view text(*one);
    const bool is_secret = text.starts_with("OPENMI_BROKER_PASSWORD=");  // is handed on: the FMU holds none
    const bool is_ours = text.starts_with("LD_") || (text.starts_with("OPENMI_") && !is_secret) ||
                         text.starts_with("UDUNITS2_XML_PATH=") || text.starts_with("PROJ_");
    if (!is_ours) all.emplace_back(text);
  }
  all.push_back("OPENMI_LOAD_IN_PLACE=1");  // the importer's folder is not ours to write in
  const std::string units = resources + "/udunits/udunits2.xml";
  if (IsFile(units)) all.push_back("UDUNITS2_XML_PATH=" + units);
  if (IsFile(resources + "/proj/proj.db")) all.push_back("PROJ_DATA=" + resources + "/proj");
  const std::string isolated = resources + kFolder + "/bin/openmi-component-host";
  if (IsFile(isolated)) all.push_back("OPENMI_COMPONENT_HOST=" + isolated);
  return all;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

bool Runtime::Spawn(const std::string& resources, int socket, std::string& problem) {
  const std::string folder = resources + kFolder;
  const std::string program = folder + "/bin/openmi-fmu-host";
  if (!IsFile(program)) {
    problem = "expected the runtime among the resources of the FMU, found no " + program +
              "; unpack the whole FMU, and keep it as long as there are instances";
    return false;
  }
  const std::string loader = LoaderOf(program);
  if (loader.empty() || access(loader.c_str(), R_OK) != 0) {
    problem = "expected a loader for " + program + ", found none at '" + loader + "'; this FMU is for Linux with glibc";
    return false;
  }
  std::vector<std::string> words = {loader, "--library-path", folder + "/lib", program, resources};
  std::vector<std::string> environment = EnvironmentFor(resources);
  const std::vector<char*> argv = Pointers(words);
  const std::vector<char*> envp = Pointers(environment);

  // Above the numbers that they get there, so that none is overwritten before it was handed over.
  const int socket_copy = fcntl(socket, F_DUPFD_CLOEXEC, 64);
  const int memory_copy = fcntl(memory_, F_DUPFD_CLOEXEC, 64);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, socket_copy, kSocketThere);
  posix_spawn_file_actions_adddup2(&files, memory_copy, kMemoryThere);
  posix_spawn_file_actions_addclosefrom_np(&files, kMemoryThere + 1);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&pid_, loader.c_str(), &files, &attributes, argv.data(), envp.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  close(socket_copy);
  close(memory_copy);
  if (error != 0) {
    pid_ = -1;
    errno = error;
    problem = ErrorText("expected a process for the FMU, found none can be started");
    return false;
  }
  pid_descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  return true;
}

bool Runtime::Start(const std::string& resources, std::string& problem) {
  Stop();
  spins_ = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2000 : 0;
  memory_ = memfd_create("openmi-fmu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory_ < 0 || ftruncate(memory_, kValuesAt) != 0 || fcntl(memory_, F_ADD_SEALS, F_SEAL_SHRINK) != 0) {
    problem = ErrorText("expected shared memory, found none");
    Stop();
    return false;
  }
  void* page = mmap(nullptr, kValuesAt, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0);
  int ends[2] = {-1, -1};
  if (page == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    problem = ErrorText("expected shared memory and a local socket, found none");
    if (page != MAP_FAILED) munmap(page, kValuesAt);
    Stop();
    return false;
  }
  page_ = static_cast<SharedPage*>(page);  // zeros are a valid page
  socket_ = ends[0];
  const bool is_started = Spawn(resources, ends[1], problem);
  close(ends[1]);
  if (!is_started || !WaitForAnswer(problem) || !MapValues(problem)) {
    Stop();
    return false;
  }
  return true;
}

bool Runtime::MapValues(std::string& problem) {
  const std::uint64_t slots = page_->slots;
  struct stat status {};
  const std::uint64_t size = slots * sizeof(double);
  if (slots > kLargestLetter / sizeof(double) || fstat(memory_, &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) < kValuesAt + size) {
    problem = "expected memory for the values of the FMU, found less than the runtime speaks of";
    return false;
  }
  slots_ = static_cast<std::size_t>(slots);
  if (slots_ == 0) return true;
  void* values = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, kValuesAt);
  if (values == MAP_FAILED) {
    problem = ErrorText("expected memory for the values of the FMU, found none");
    slots_ = 0;
    return false;
  }
  values_ = static_cast<double*>(values);
  return true;
}

void Runtime::Stop() {
  if (socket_ >= 0) {
    shutdown(socket_, SHUT_RDWR);  // the process sees it and ends
    close(socket_);
    socket_ = -1;
  }
  if (pid_ > 0) {
    pollfd state{pid_descriptor_, POLLIN, 0};
    if (pid_descriptor_ < 0 || poll(&state, 1, kPatienceMs) <= 0) kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
  if (pid_descriptor_ >= 0) close(pid_descriptor_);
  pid_descriptor_ = -1;
  if (values_ != nullptr) munmap(values_, slots_ * sizeof(double));
  values_ = nullptr;
  slots_ = 0;
  if (page_ != nullptr) munmap(page_, kValuesAt);
  page_ = nullptr;
  if (memory_ >= 0) close(memory_);
  memory_ = -1;
  heard_ = 0;
}

bool Runtime::HasEnded() const {
  pollfd state{pid_descriptor_, POLLIN, 0};
  return pid_descriptor_ < 0 ? kill(pid_, 0) != 0 : poll(&state, 1, 0) > 0;
}

std::string Runtime::EndSentence() {
  std::string how = "ended";
  pollfd state{pid_descriptor_, POLLIN, 0};
  if (pid_descriptor_ >= 0 && poll(&state, 1, 200) <= 0) {  // its socket may be closed before it has ended
    kill(-pid_, SIGKILL);
    how = "broke off the talk and was ended";
  }
  int status = 0;
  pid_t ended = 0;
  do {
    ended = waitpid(pid_, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended == pid_ && how == "ended") {
    if (WIFEXITED(status)) how += " with exit code " + std::to_string(WEXITSTATUS(status));
    if (WIFSIGNALED(status)) {
      how = "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    }
  }
  pid_ = -1;
  return "expected the process of this FMU to answer, found that it " + how + "; reset the instance, or free it";
}

bool Runtime::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool Runtime::ReadAll(std::string& into, std::size_t size) {
  into.resize(size);
  for (std::size_t got = 0; got < size;) {
    const ssize_t count = recv(socket_, into.data() + got, size - got, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;  // a process that ends closes its end
    got += static_cast<std::size_t>(count);
  }
  return true;
}

bool Runtime::WaitForAnswer(std::string& problem) {
  for (int spins = spins_; !page_->to_library.Wait(heard_, kSlice, spins); spins = 0) {
    if (!HasEnded() || page_->to_library.Rings() != heard_) continue;
    problem = EndSentence();
    return false;
  }
  ++heard_;
  const std::uint64_t bytes = page_->bytes;
  if (bytes > kLargestLetter || !ReadAll(letter_, static_cast<std::size_t>(bytes))) {
    problem = EndSentence();
    return false;
  }
  return true;
}

bool Runtime::Call(Request request, std::string_view letter, std::string& problem) {
  if (page_ == nullptr) {
    problem = "expected the process of this FMU, found that it had ended before; reset the instance, or free it";
    return false;
  }
  page_->request = static_cast<std::uint32_t>(request);
  page_->bytes = letter.size();
  page_->to_host.Ring();
  if (!WriteAll(letter)) {
    problem = EndSentence();
  } else if (WaitForAnswer(problem)) {
    return true;
  }
  Stop();
  return false;
}

}  // namespace openmi::fmu
