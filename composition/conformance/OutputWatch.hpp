#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Probes.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/IEvent.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi::conformance {

/// Observes one output of a component from Initialize to Finish, with a consumer and an adapted output linked to it.
///
/// Must outlive the component, or be unlinked before.
class OutputWatch {
 public:
  OutputWatch(Findings& findings, IBaseOutput& output);
  OutputWatch(const OutputWatch&) = delete;
  OutputWatch& operator=(const OutputWatch&) = delete;

  /// Links a consumer and an adapted output, unlinks them and links them again (9.3).
  void Link();
  void Unlink();
  /// Checks that values can be read and that the adapted output was initialized.
  void AfterPrepare();
  /// Checks that every change was notified (9.3, 9.7, 4.1) and that the answers are right (9.3 to 9.5, 5.x, 6.x).
  /// \param thorough  whether to run all checks on the value set, too
  void AfterUpdate(bool thorough);

 private:
  void LinkConsumer();
  void LinkAdaptedOutput();
  void Look(bool thorough);
  void Ask();
  void AskTimeSpace();
  void CheckShape();
  void CheckVersion();

  Findings& findings_;
  IBaseOutput& output_;
  ITimeSpaceOutput* time_space_;
  std::string who_;
  std::unique_ptr<IBaseInput> consumer_;
  std::unique_ptr<IBaseInput> stranger_;  // requests values without being registered as a consumer
  std::optional<AdaptedProbe> adapted_;
  bool linked_ = false;
  EventSubscription subscription_{};
  std::size_t events_ = 0;
  std::size_t refreshed_ = 0;
  std::uint64_t print_ = 0;
  std::uint64_t place_print_ = 0;
  int version_ = 0;
};

}  // namespace openmi::conformance
