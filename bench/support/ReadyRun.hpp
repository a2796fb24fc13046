#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunLoop.hpp"

namespace bench {

/// The composition in a text, whose components with `Assembly="here"` are types of this program.
inline openmi::CompositionFile CompositionOf(const std::string& text, const std::string& name = "bench.xml") {
  openmi::Problems problems;
  openmi::CompositionFile file = openmi::ReadCompositionText(text, name, problems);
  openmi::ThrowIfErrors(problems);
  for (openmi::ComponentSpec& component : file.components) {
    if (component.assembly == "here") component.assembly.clear();
  }
  return file;
}

/// A composition that is loaded, linked, validated and prepared, with its loop in pull mode. Finished at its end.
class ReadyRun {
 public:
  /// \param before_prepare  called between linking and preparing; empty: nothing is to be done there
  /// \param placement       where groups run
  /// \throws openmi::Error, std::runtime_error  the composition has errors
  explicit ReadyRun(openmi::CompositionFile file, std::size_t threads = 1,
                    const std::function<void(openmi::Composition&)>& before_prepare = {},
                    const openmi::Placement& placement = {})
      : composition_(Connected(std::move(file), before_prepare, placement)),
        loop_(*composition_, openmi::RunMode::Pull, threads) {}
  ReadyRun(const ReadyRun&) = delete;
  ReadyRun& operator=(const ReadyRun&) = delete;
  ~ReadyRun() {
    openmi::Problems problems;
    composition_->Finish(problems);
  }

  openmi::Composition& Whole() { return *composition_; }
  openmi::RunLoop& Loop() { return loop_; }
  openmi::IBaseLinkableComponent& Component(std::size_t i) { return composition_->Instances()[i].Component(); }
  /// \throws std::runtime_error  the run came to its end
  void Steps(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!loop_.Advance()) throw std::runtime_error("expected a run that goes on, found that it ended");
    }
  }

 private:
  static std::unique_ptr<openmi::Composition> Connected(openmi::CompositionFile file,
                                                        const std::function<void(openmi::Composition&)>& before_prepare,
                                                        const openmi::Placement& placement) {
    openmi::Problems problems;
    auto composition = std::make_unique<openmi::Composition>(std::move(file));
    composition->SetPlacement(placement);
    composition->Load(problems);
    composition->Connect(problems);
    if (before_prepare) before_prepare(*composition);
    openmi::CheckComposition(*composition, problems);
    for (const openmi::Problem& problem : problems) {
      if (problem.severity == openmi::Problem::Error) throw std::runtime_error(openmi::FormatProblem(problem));
    }
    openmi::PrepareComponents(*composition);
    return composition;
  }

  std::unique_ptr<openmi::Composition> composition_;
  openmi::RunLoop loop_;
};

}  // namespace bench
