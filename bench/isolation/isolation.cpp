// What an exchange with a component in another process costs: one that provides, and one that consumes, against a ping
// and pong of eight bytes over a local socket and a copy of as many doubles, in the same run. The time of the
// component's own work is measured where it is done and left out. The two sides alternate; the median of the paired
// ratios counts.

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/support/MallocCount.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kBound = 1.5;
constexpr int kPairs = 81;

double SecondsOf(const auto& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// A process that sends back whatever it gets.
class Echo {
 public:
  Echo() {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) != 0)
      throw std::runtime_error("expected a local socket, found none");
    child_ = fork();
    if (child_ == 0) {
      close(ends_[0]);
      char bytes[8];
      while (read(ends_[1], bytes, sizeof bytes) == sizeof bytes && write(ends_[1], bytes, sizeof bytes) > 0) {
      }
      _exit(0);
    }
    close(ends_[1]);
  }
  ~Echo() {
    close(ends_[0]);
    waitpid(child_, nullptr, 0);
  }
  void Ping() const {
    char bytes[8] = {};
    if (write(ends_[0], bytes, sizeof bytes) < 0 || read(ends_[0], bytes, sizeof bytes) < 0) {
      throw std::runtime_error("expected an echo, found none");
    }
  }

 private:
  int ends_[2] = {-1, -1};
  pid_t child_ = -1;
};

openmi::CompositionFile File(std::size_t count, const std::string& apart) {
  const auto component = [&](const std::string& id, const std::string& type) {
    return fmt::format(
        "<Component Id=\"{}\" Type=\"{}\" Assembly=\"{}/lib/openmi2/libbench_isolation_components.so\"{}>"
        "<Argument Key=\"count\" Value=\"{}\"/></Component>",
        id, type, OPENMI_BINARY_DIR, id == apart ? " Isolation=\"process\"" : "", count);
  };
  openmi::Problems problems;
  auto file = openmi::ReadCompositionText(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"isolation\">" +
          component("provider", "IsolationProvider") + component("consumer", "IsolationConsumer") +
          "<Link From=\"provider.level\" To=\"consumer.level\"/>"
          "<Run From=\"2000-01-01T00:00:00Z\" To=\"2400-01-01T00:00Z\" Trigger=\"consumer\"/></Composition>",
      "isolation.xml", problems);
  openmi::ThrowIfErrors(problems);
  return file;
}

/// \returns whether the bound holds
bool Measure(const std::string& apart, std::size_t count) {
  openmi::Problems problems;
  openmi::Composition composition(File(count, apart));
  composition.Load(problems);
  composition.Connect(problems);
  composition.Validate(problems);
  openmi::ThrowIfErrors(problems);
  composition.Prepare();
  openmi::RunLoop loop(composition, openmi::RunMode::Pull);
  const auto& work =
      dynamic_cast<const openmi::ITimeSpaceOutput&>(*composition.Instances()[0].Component().Outputs()[1]);
  const auto worked = [&work] { return *work.Values().GetValue(0, 0).Number(); };

  const std::size_t steps = count == 1 ? 2000 : 5;
  const Echo echo;
  std::vector<double> from(count, 1.0);
  std::vector<double> to(count, 0.0);
  double left_out = 0.0;
  const auto ours = [&] {
    const double before = worked();
    const double seconds = SecondsOf([&] {
      for (std::size_t i = 0; i < steps; ++i) loop.Advance();
    });
    left_out = worked() - before;
    return seconds - left_out;
  };
  const auto peer = [&] {
    return SecondsOf([&] {
      for (std::size_t i = 0; i < steps; ++i) {
        echo.Ping();
        std::memcpy(to.data(), from.data(), count * sizeof(double));
        from[i % count] += to[count - 1];
      }
    });
  };
  ours();
  peer();
  const std::uint64_t before = bench::MallocCount();
  ours();
  const std::uint64_t allocations = bench::MallocCount() - before;
  std::vector<double> ratios;
  std::vector<double> ours_us;
  std::vector<double> peer_us;
  for (int pair = 0; pair < kPairs; ++pair) {
    double a = 0.0;
    double b = 0.0;
    if (pair % 2 == 0) {
      a = ours();
      b = peer();
    } else {
      b = peer();
      a = ours();
    }
    ratios.push_back(a / b);
    ours_us.push_back(a / static_cast<double>(steps) * 1e6);
    peer_us.push_back(b / static_cast<double>(steps) * 1e6);
  }
  const double ratio = Median(ratios);
  const bool good = ratio <= kBound;
  fmt::print(
      "isolation/{}-{}: ours {:.2f} us a step, socket and copy {:.2f} us, ratio {:.3f}, bound {}; {} allocations in "
      "{} steps{}\n",
      apart, count, Median(ours_us), Median(peer_us), ratio, kBound, allocations, steps, good ? "" : "  EXCEEDED");
  problems.clear();
  composition.Finish(problems);
  return good;
}

}  // namespace

int main() {
  bool good = true;
  for (const char* apart : {"provider", "consumer"}) {
    for (std::size_t count : {std::size_t{1}, std::size_t{1'000'000}}) good = Measure(apart, count) && good;
  }
  return good ? 0 : 1;
}
