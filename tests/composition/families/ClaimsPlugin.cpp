// A solver that claims something for itself in its process, and is slow to say so. Where the environment variable
// OPENMI_TEST_CLAIMS names a descriptor, it writes there a letter when it is asked (A), has answered (B), and goes (C).
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "composition/isolation/IProcessClaims.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

class Swap final : public openmi::SteppingComponent, public openmi::IProcessClaims {
 public:
  Swap() : SteppingComponent("swap") {
    is_heard_ = AddArgument<bool>("heard", {.caption = "whether it writes letters", .value = false});
    SetThreadSafe(true);
  }
  ~Swap() override { Tell('C'); }

  std::vector<openmi::ProcessClaim> ProcessClaims() const override {
    Tell('A');
    if (is_heard_.Value()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    Tell('B');
    return {{.what = "the one and only", .owner = "the solvers of this test"}};
  }

 private:
  void Tell(char letter) const {
    const char* descriptor = std::getenv("OPENMI_TEST_CLAIMS");
    if (descriptor == nullptr || !is_heard_.Value()) return;
    if (write(std::atoi(descriptor), &letter, 1) != 1) std::abort();
  }
  void Setup() override {
    in_ = AddInput("in", "1", {.default_value = 1.0});
    out_ = AddOutput("out", "1");
  }
  void Start(openmi::Stamp) override { out_.Set(0.0); }
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(in_.Get()); }

  openmi::Argument<bool> is_heard_;
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
};

}  // namespace

OPENMI_EXPORT_COMPONENT(Swap)
