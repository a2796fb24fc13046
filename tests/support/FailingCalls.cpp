// A library for LD_PRELOAD that lets calls to the file system fail, as a disk does that is full or broken.
//
// OPENMI_FAIL_BELOW   the folder whose files are meant; calls for others are made as ever
// OPENMI_FAIL_CALL    write, sync, rename, truncate or open
// OPENMI_FAIL_AT      which of these calls fails, counted from 1; 0: none
// OPENMI_FAIL_FOREVER if set, those after it fail as well
// OPENMI_FAIL_ERROR   errno of the failure
// OPENMI_FAIL_COUNTS  a file of five numbers of 64 bit that the calls of each kind are counted in
//
// A write that fails for want of room writes the half of its bytes first where its number is even. Syncs that do not
// fail are not made: a test is no power failure. Files that the C library writes for a stream are counted where they
// are flushed.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind { kWrite, kSync, kRename, kTruncate, kOpen, kKinds };
constexpr const char* kNames[kKinds] = {"write", "sync", "rename", "truncate", "open"};

/// The function of that name in the libraries after this one.
template <class Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Plan {
  const char* below = std::getenv("OPENMI_FAIL_BELOW");
  int kind = kKinds;
  std::uint64_t at = 0;
  bool forever = std::getenv("OPENMI_FAIL_FOREVER") != nullptr;
  int error = EIO;
  std::uint64_t own[kKinds] = {};
  std::uint64_t* counts = own;  // shared with the processes that this one starts

  Plan() {
    const char* call = std::getenv("OPENMI_FAIL_CALL");
    for (int i = 0; call != nullptr && i < kKinds; ++i) {
      if (std::strcmp(call, kNames[i]) == 0) kind = i;
    }
    if (const char* text = std::getenv("OPENMI_FAIL_AT")) at = std::strtoull(text, nullptr, 10);
    if (const char* text = std::getenv("OPENMI_FAIL_ERROR")) error = std::atoi(text);
    const char* file = std::getenv("OPENMI_FAIL_COUNTS");
    const int number = file == nullptr ? -1 : Next<int(const char*, int, ...)>("open")(file, O_RDWR | O_CLOEXEC);
    if (number < 0) return;
    void* shared = mmap(nullptr, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    if (shared != MAP_FAILED) counts = static_cast<std::uint64_t*>(shared);
    close(number);
  }
};

Plan& ThePlan() {
  static Plan plan;
  return plan;
}

/// Counts the call and says whether it is to fail. \param half  receives whether a part of it succeeds
bool Fails(Kind kind, const char* path, bool* half = nullptr) {
  const int before = errno;
  Plan& plan = ThePlan();
  errno = before;
  if (plan.below == nullptr || path == nullptr || std::strstr(path, plan.below) == nullptr) return false;
  const std::uint64_t number = std::atomic_ref(plan.counts[kind]).fetch_add(1) + 1;
  if (kind != plan.kind || plan.at == 0 || (plan.forever ? number < plan.at : number != plan.at)) return false;
  if (half != nullptr) *half = plan.error == ENOSPC && number % 2 == 0;
  errno = plan.error;
  return true;
}

struct PathOf {
  explicit PathOf(int file) {
    const int before = errno;
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    errno = before;
  }
  char text[PATH_MAX];
};

/// The path that a name stands for, which may be relative to the working folder.
struct WholePath {
  explicit WholePath(const char* name) {
    const int before = errno;
    if (name[0] == '/' || getcwd(text, sizeof text) == nullptr) text[0] = '\0';
    std::size_t length = std::strlen(text);
    std::snprintf(text + length, sizeof text - length, "/%s", name);
    errno = before;
  }
  char text[2 * PATH_MAX];
};

bool Creates(int flags) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0;
}

int OpenBy(const char* name, const char* path, int flags, mode_t mode) {
  if (Fails(kOpen, WholePath(path).text)) return -1;
  return Next<int(const char*, int, ...)>(name)(path, flags, mode);
}

std::FILE* StreamBy(const char* name, const char* path, const char* mode) {
  if (Fails(kOpen, WholePath(path).text)) return nullptr;
  return Next<std::FILE*(const char*, const char*)>(name)(path, mode);
}

}  // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t count) {
  auto* const next = Next<ssize_t(int, const void*, size_t)>("write");
  bool half = false;
  if (!Fails(kWrite, PathOf(file).text, &half)) return next(file, bytes, count);
  return half && count > 1 ? next(file, bytes, count / 2) : -1;
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) {
  if (Fails(kWrite, PathOf(file).text)) return -1;
  return Next<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at) {
  if (Fails(kWrite, PathOf(file).text)) return -1;
  return Next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64")(file, bytes, count, at);
}

ssize_t writev(int file, const iovec* parts, int count) {
  if (Fails(kWrite, PathOf(file).text)) return -1;
  return Next<ssize_t(int, const iovec*, int)>("writev")(file, parts, count);
}

int fflush(std::FILE* stream) {
  if (stream != nullptr && Fails(kWrite, PathOf(fileno(stream)).text)) return EOF;
  return Next<int(std::FILE*)>("fflush")(stream);
}

int fsync(int file) {
  return Fails(kSync, PathOf(file).text) ? -1 : 0;
}

int fdatasync(int file) {
  return Fails(kSync, PathOf(file).text) ? -1 : 0;
}

int rename(const char* from, const char* to) noexcept {
  if (Fails(kRename, WholePath(to).text)) return -1;
  return Next<int(const char*, const char*)>("rename")(from, to);
}

int ftruncate(int file, off_t size) noexcept {
  if (Fails(kTruncate, PathOf(file).text)) return -1;
  return Next<int(int, off_t)>("ftruncate")(file, size);
}

int ftruncate64(int file, off64_t size) noexcept {
  if (Fails(kTruncate, PathOf(file).text)) return -1;
  return Next<int(int, off64_t)>("ftruncate64")(file, size);
}

int open(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (Creates(flags)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return OpenBy("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  mode_t mode = 0;
  if (Creates(flags)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return OpenBy("open64", path, flags, mode);
}

std::FILE* fopen(const char* path, const char* mode) {
  return StreamBy("fopen", path, mode);
}

std::FILE* fopen64(const char* path, const char* mode) {
  return StreamBy("fopen64", path, mode);
}

}  // extern "C"
