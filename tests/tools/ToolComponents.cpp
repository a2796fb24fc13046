// Components that try the patience of the command.

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

using openmi::Stamp;

/// Gives a wave and takes its time.
class Wave : public openmi::SteppingComponent {
 public:
  Wave() : SteppingComponent("wave") {
    SetDescription("gives a wave\x1b[31m in red");  // a control sequence, which must not reach a terminal
    amplitude_ = AddArgument<double>("amplitude",
                                     {.caption = "height of the wave", .unit = "m3 s-1", .value = 1.5, .minimum = 0.0});
    pause_ = AddArgument<double>("pause", {.caption = "pause in each step", .unit = "s", .value = 0.0, .minimum = 0.0});
    fail_at_ = AddArgument<int>("fail-at", {.caption = "step that fails", .value = 0});
    form_ = AddArgument<std::string>("form", {.value = "sine", .possible_values = {"sine", "cosine"}});
    password_ = AddArgument<std::string>(
        "password", {.value = "opensesame", .optional = true, .meaning = openmi::ArgumentMeaning::Secret});
    flow_ = AddOutput("flow", "m3 s-1", {.gives = openmi::OutputTime::Span});
    level_ = AddOutput("level", "cm");
  }

 private:
  void Start(Stamp) override { level_.Set(0.25); }
  void Step(Stamp, Stamp to) override {
    ++steps_;
    if (fail_at_.Value() > 0 && steps_ == fail_at_.Value()) {
      throw openmi::ModelError({}, "expected a positive depth, found -0.125 m", "make the time step shorter");
    }
    if (pause_.Value() > 0.0) std::this_thread::sleep_for(std::chrono::duration<double>(pause_.Value()));
    const double phase = 2.0 * std::acos(-1.0) * to.mjd;
    flow_.Set(amplitude_.Value() * (2.0 + (form_.Value() == "sine" ? std::sin(phase) : std::cos(phase))));
    level_.Set(100.0 * std::fmod(to.mjd, 1.0) + 0.25);
  }

  openmi::Argument<double> amplitude_;
  openmi::Argument<double> pause_;
  openmi::Argument<int> fail_at_;
  openmi::Argument<std::string> form_;
  openmi::Argument<std::string> password_;
  openmi::ScalarOutput flow_;
  openmi::ScalarOutput level_;
  int steps_ = 0;
};

/// Keeps what flows in.
class Tank final : public openmi::SteppingComponent {
 public:
  Tank() : SteppingComponent("tank") {
    inflow_ = AddInput("inflow", "l s-1", {.asks = openmi::InputTime::Span});
    depth_ = AddInput("depth", "m", {.default_value = 0.0});
    volume_ = AddOutput("volume", "m3");
  }

 private:
  void Start(Stamp) override { volume_.Set(0.0); }
  void Step(Stamp from, Stamp to) override {
    volume_.Set(volume_.Get() + inflow_.Get() / 1000.0 * (to - from).count * 86400.0);
  }
  openmi::ScalarInput inflow_;
  openmi::ScalarInput depth_;
  openmi::ScalarOutput volume_;
};

class Crashing final : public Wave {
 public:
  Crashing() { std::abort(); }
};

/// Runs well for a day, and then uses up the whole stack.
class Overflowing final : public openmi::SteppingComponent {
 public:
  Overflowing() : SteppingComponent("overflowing") {
    flow_ = AddOutput("flow", "m3 s-1", {.gives = openmi::OutputTime::Span});
  }

 private:
  [[gnu::noinline]] static double Deeper(double depth, const volatile char* above) {
    volatile char here[4096];
    here[0] = above == nullptr ? '\1' : *above;
    return depth < 0.0 ? depth : Deeper(depth + 1.0, here) + here[0];
  }
  void Step(Stamp, Stamp) override { flow_.Set(++steps_ < 24 ? 1.0 : Deeper(0.0, nullptr)); }

  openmi::ScalarOutput flow_;
  int steps_ = 0;
};

class Hanging final : public Wave {
 public:
  Hanging() {
    while (true) std::this_thread::sleep_for(std::chrono::hours(1));
  }
};

/// Does something to the process that it shares with the others, in its third step.
class Guest final : public openmi::SteppingComponent {
 public:
  Guest() : SteppingComponent("guest") {
    does_ = AddArgument<std::string>("does", {.caption = "what it does to the process", .value = "nothing"});
    flow_ = AddOutput("flow", "m3 s-1");
  }

 private:
  void Start(Stamp) override { flow_.Set(1.0); }
  void Step(Stamp, Stamp) override {
    flow_.Set(1.0);
    const std::string does = does_.Value();
    if (++steps_ > 3 && does == "hang-up") std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (steps_ != 3) return;
    if (does == "exit") std::exit(0);
    if (does == "quick_exit") std::quick_exit(0);
    if (does == "_exit") _exit(0);
    if (does == "round-up") std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
    if (does == "no-tiny-numbers") __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
    if (does == "stop-at-faults") feenableexcept(FE_UNDERFLOW);
    if (does == "folder" && chdir("/") != 0) throw openmi::ModelError({}, "expected to go to /");
    if (does == "file-modes") umask(0);
    if (does == "fork" && fork() < 0) throw openmi::ModelError({}, "expected a second process");
    if (does == "remove-results") unlink("results/guest.csv");
    if (does == "hang-up") raise(SIGHUP);
    if (does.starts_with("apart-")) kill(getppid(), does == "apart-crash" ? SIGSEGV : SIGTERM);
    if (does.starts_with("told-")) raise(SIGTERM);
    Stay(does);
  }
  /// Does not return, or late.
  static void Stay(const std::string& does) {
    if (does.ends_with("-nap")) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    while (does.ends_with("-sleep")) std::this_thread::sleep_for(std::chrono::hours(1));
    for (std::atomic<int> turns = 0; does.ends_with("-spin"); ++turns) {
    }
    while (does.ends_with("-allocate")) {
      std::vector<std::string> texts;
      for (int i = 0; i < 1000; ++i) texts.emplace_back(static_cast<std::size_t>(i), 'x');
    }
  }
  void End() override {
    if (does_.Value() == "exit-at-the-end") std::exit(0);
  }

  openmi::Argument<std::string> does_;
  openmi::ScalarOutput flow_;
  int steps_ = 0;
};

/// Stops the program at the end of its own time, as Fortran's STOP does.
class Stopping final : public openmi::SteppingComponent {
 public:
  Stopping() : SteppingComponent("stopping") { flow_ = AddOutput("flow", "m3 s-1"); }

 private:
  void Start(Stamp) override { flow_.Set(1.0); }
  void Step(Stamp, Stamp) override {
    if (++steps_ == 7) std::exit(0);
    flow_.Set(1.0);
  }
  openmi::ScalarOutput flow_;
  int steps_ = 0;
};

/// Takes two seconds to be made, as one that reads a large file.
class Slow final : public Wave {
 public:
  Slow() { std::this_thread::sleep_for(std::chrono::seconds(2)); }
};

/// Ends the process as if all were well, after an answer that is not its to give.
class Leaving final : public Wave {
 public:
  Leaving() {
    std::puts("[]");
    std::fflush(stdout);
    _exit(0);
  }
};

/// A library that talks, as old Fortran does.
class Talking final : public Wave {
 public:
  Talking() {
    std::puts("@12.1 WELCOME TO MODEL 77");
    std::puts("[{\"problem\":\"not from you\"}]");
    std::fflush(stdout);
  }
};

/// A library that changes the locale of its host.
class Comma final : public Wave {
 public:
  Comma() {
    if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr)
      throw openmi::ModelError({}, "expected the locale de_DE.UTF-8, found none");
  }
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.Wave", Wave)
OPENMI_EXPORT_COMPONENT_AS("test.Tank", Tank)
OPENMI_EXPORT_COMPONENT_AS("test.Crashing", Crashing)
OPENMI_EXPORT_COMPONENT_AS("test.Overflowing", Overflowing)
OPENMI_EXPORT_COMPONENT_AS("test.Hanging", Hanging)
OPENMI_EXPORT_COMPONENT_AS("test.Leaving", Leaving)
OPENMI_EXPORT_COMPONENT_AS("test.Guest", Guest)
OPENMI_EXPORT_COMPONENT_AS("test.Stopping", Stopping)
OPENMI_EXPORT_COMPONENT_AS("test.Slow", Slow)
OPENMI_EXPORT_COMPONENT_AS("test.Talking", Talking)
OPENMI_EXPORT_COMPONENT_AS("test.Comma", Comma)
