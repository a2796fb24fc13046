#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "composition/control/ControlDesk.hpp"
#include "composition/control/LineSplitter.hpp"
#include "tests/fuzz/FuzzComposition.hpp"

namespace openmi::fuzz {
namespace {

/// A run that is paused at its begin, in a thread of its own, with its desk.
class OpenRun {
 public:
  OpenRun() : composition_(SmallComposition()), run_(*composition_, {}, InMemory()), desk_(run_) {
    run_.Pause();
    thread_ = std::thread([this] {
      run_.Begin();
      while (run_.Advance()) {
      }
      desk_.Close();
      static_cast<void>(run_.End());
    });
  }
  ~OpenRun() {
    run_.RequestEnd("enough");
    thread_.join();
  }
  OpenRun(const OpenRun&) = delete;
  OpenRun& operator=(const OpenRun&) = delete;
  ControlDesk& Desk() { return desk_; }
  bool IsOver() const {
    return run_.IsEndWanted() || run_.State() == RunState::Over || run_.State() == RunState::Ended;
  }

 private:
  std::unique_ptr<Composition> composition_;
  CompositionRun run_;
  ControlDesk desk_;
  std::thread thread_;
};

}  // namespace

// Whatever lines come in, each is answered by an object of JSON in one line, and the run is unharmed: it answers the
// next question.
OPENMI_FUZZ_TARGET(control) {
  using Json = nlohmann::json;
  static std::unique_ptr<OpenRun> open;
  LineSplitter lines;
  // In two pieces, as a socket gives them.
  bool goes_on = lines.Add(input.substr(0, input.size() / 2)) && lines.Add(input.substr(input.size() / 2));
  for (std::optional<std::string> line; (line = lines.Next());) {
    if (open == nullptr || open->IsOver()) open = std::make_unique<OpenRun>();
    const std::string answer = open->Desk().Answer(*line);
    const Json json = Json::parse(answer, nullptr, false);
    Require(json.is_object() && json.contains("ok") && answer.find('\n') == std::string::npos);
  }
  Require(goes_on || input.size() > LineSplitter::kLongest);
  if (open == nullptr || open->IsOver()) open = std::make_unique<OpenRun>();
  Require(Json::parse(open->Desk().Answer(R"({"do":"status"})"))["ok"] == true);
}

}  // namespace openmi::fuzz
