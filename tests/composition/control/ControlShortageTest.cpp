// The door where the system has run short: no thread, no file to spare. And what it leaves alone: the umask.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <memory>
#include <thread>

#include "composition/control/ControlClient.hpp"
#include "composition/control/ControlServer.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Sanitizers.hpp"
#include "tests/support/Sanitized.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace {

// Functions of the C library that this program stands before, for what it loads as well.
std::atomic<int> umask_calls = 0;
std::atomic<bool> has_no_threads = false;
std::atomic<bool> has_no_files = false;
std::atomic<int> refused_accepts = 0;

template <class Function>
Function* NextFunction(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

mode_t umask(mode_t mask) noexcept {
  ++umask_calls;
  return NextFunction<mode_t(mode_t)>("umask")(mask);
}

int accept4(int socket, sockaddr* address, socklen_t* size, int flags) {
  if (has_no_files) {
    ++refused_accepts;
    errno = EMFILE;
    return -1;
  }
  return NextFunction<int(int, sockaddr*, socklen_t*, int)>("accept4")(socket, address, size, flags);
}

#if !OPENMI_ADDRESS_SANITIZER && !OPENMI_THREAD_SANITIZER  // which start threads in a way of their own
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) noexcept {
  if (has_no_threads) return EAGAIN;
  return NextFunction<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(
      thread, attributes, work, argument);
}
#endif

}  // extern "C"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string kHello = R"({"openmi-control":1,"composition":"x"})";
const ControlServer::Answer kEcho = [](const std::string& line) { return line; };

TEST(ControlShortage, WithoutAThreadToSpareAClientIsRefusedAndTheRunGoesOn) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "sanitizers start threads in a way of their own";
  const ScratchFolder folder("door");
  const ControlAddress address{.socket = folder / "a", .port = 0, .token = {}};
  ControlServer server(address, kHello, kEcho);
  has_no_threads = true;
  EXPECT_THAT([&] { ControlClient{address}; },
              ThrowsMessage<FormatError>(HasSubstr("expected a thread for one more operator, found none")));
  has_no_threads = false;
  EXPECT_EQ(ControlClient(address).Ask("here"), "here");
}

TEST(ControlShortage, WithoutAFileToSpareItWaitsAndDoesNotSpin) {
  const ScratchFolder folder("door");
  const ControlAddress address{.socket = folder / "a", .port = 0, .token = {}};
  ControlServer server(address, kHello, kEcho);
  has_no_files = true;
  std::unique_ptr<ControlClient> client;
  std::thread knocks([&] { client = std::make_unique<ControlClient>(address); });
  while (refused_accepts == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  // A busy machine makes them fewer. One that spins makes some hundred thousand.
  EXPECT_LE(refused_accepts.load(), 50);
  has_no_files = false;
  knocks.join();
  EXPECT_EQ(client->Ask("here"), "here");
}

TEST(ControlShortage, TheUmaskOfTheProcessIsLeftAlone) {
  const ScratchFolder folder("door");
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{0777}}) {
    const mode_t before = umask(mask);
    umask_calls = 0;
    const ControlAddress address{.socket = folder / "a", .port = 0, .token = {}};
    {
      ControlServer server(address, kHello, kEcho);
      EXPECT_EQ(umask_calls, 0);
      struct stat status {};
      ASSERT_EQ(stat(address.socket.c_str(), &status), 0);
      EXPECT_EQ(status.st_mode & 0777, 0600U);
      EXPECT_EQ(ControlClient(address).Ask("here"), "here");
    }
    umask(before);
  }
}

}  // namespace
}  // namespace openmi::testing
