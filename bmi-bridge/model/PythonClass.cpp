#include "bmi-bridge/model/HandOver.hpp"
#include "openmi/omi/Script.hpp"

namespace openmi::bmi {
namespace {

/// The two functions that follow those of the struct.
struct MoreFunctions {
  const char* (*last_error)(::Bmi* self);
  void (*end)(::Bmi* self);
};

class PythonObject final : public Backing {
 public:
  explicit PythonObject(::Bmi& bmi) : bmi_(bmi), more_(*reinterpret_cast<const MoreFunctions*>(&bmi + 1)) {}
  // The struct is gone already, and is not looked at: the object is known by its address.
  ~PythonObject() override { more_.end(&bmi_); }
  std::string Message() const override { return more_.last_error(&bmi_); }

 private:
  ::Bmi& bmi_;
  const MoreFunctions more_;
};

}  // namespace

std::unique_ptr<Backing> HandOverClass(::Bmi& bmi, const std::string& file, const std::string& entry) {
  Script::Fill("bmi-2.0", file, entry, &bmi, {});
  return std::make_unique<PythonObject>(bmi);
}

}  // namespace openmi::bmi
