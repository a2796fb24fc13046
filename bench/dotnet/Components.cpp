// A component in C++ that provides and one that consumes, each with an array of its own as the ones in C# have: a row
// is copied once.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace {

class Row : public openmi::SteppingComponent {
 public:
  explicit Row(const std::string& id) : SteppingComponent(id, "PT1S") {
    count_ = AddArgument<std::int64_t>("count", {.caption = "values a step", .value = 1, .minimum = 1});
  }

 protected:
  std::shared_ptr<const openmi::ISpatialDefinition> Cells() const {
    std::vector<std::string> ids;
    for (std::int64_t i = 0; i < count_.Value(); ++i) ids.push_back(std::to_string(i));
    return std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("cells", ids));
  }
  void Start(openmi::Stamp) override {
    row_.assign(static_cast<std::size_t>(count_.Value()), 0.0);
    step_ = 0;
  }
  /// The value that is new in this step.
  double& Next() { return row_[++step_ % row_.size()]; }

  openmi::Argument<std::int64_t> count_;
  std::vector<double> row_;
  std::size_t step_ = 0;
};

class RowProvider final : public Row {
 public:
  RowProvider() : Row("provider") {}

 private:
  void Setup() override { level_ = AddOutput("level", "m", Cells()); }
  void Start(openmi::Stamp begin) override {
    Row::Start(begin);
    std::ranges::copy(row_, level_.Next().begin());
  }
  void Step(openmi::Stamp, openmi::Stamp) override {
    double& next = Next();
    next = static_cast<double>(step_);
    std::ranges::copy(row_, level_.Next().begin());
  }
  openmi::ArrayOutput level_;
};

class RowConsumer final : public Row {
 public:
  RowConsumer() : Row("consumer") {}

 private:
  void Setup() override {
    level_ = AddInput("level", "m", Cells());
    sum_ = AddOutput("sum", "m");
  }
  void Start(openmi::Stamp begin) override {
    Row::Start(begin);
    sum_.Set(total_ = 0.0);
  }
  void Step(openmi::Stamp, openmi::Stamp) override {
    std::ranges::copy(level_.Values(), row_.begin());
    sum_.Set(total_ += Next());
  }
  openmi::ArrayInput level_;
  openmi::ScalarOutput sum_;
  double total_ = 0.0;
};

}  // namespace

OPENMI_EXPORT_COMPONENT(RowProvider)
OPENMI_EXPORT_COMPONENT(RowConsumer)
