#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/testing/ProbeInput.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::testing {

// Times of the vectors are hours. A stamp near MJD 60000 resolves 0.63 microseconds, 1.7e-10 h; values change by at
// most some 10 an hour.
inline const Stamp kZero{60000.0};
inline constexpr double kClose = 1e-8;

inline Stamp At(double hour) {
  return kZero + Hours(hour);
}

inline std::shared_ptr<const ElementSet> Ids(const std::vector<std::string>& ids) {
  return std::make_shared<const ElementSet>(ElementSet::IdBased("ids", ids));
}

struct TestBox {
  std::string id;
  double x0, y0, x1, y1;
};
inline std::shared_ptr<ElementSet> Boxes(const std::vector<TestBox>& boxes) {
  ElementSetBuilder builder("boxes", ElementType::Polygon, kLocalMetresWkt);
  for (const TestBox& box : boxes) {
    builder.AddPolygon(
        box.id, std::vector<ElementVertex>{{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}});
  }
  return std::make_shared<ElementSet>(builder.Build());
}

inline std::vector<TableRow> Instants(const std::vector<double>& hours, const std::vector<double>& values) {
  std::vector<TableRow> rows;
  for (std::size_t i = 0; i < hours.size(); ++i) rows.push_back({At(hours[i]), {values[i]}});
  return rows;
}
inline std::vector<TableRow> Spans(const std::vector<double>& edges, const std::vector<double>& values) {
  std::vector<TableRow> rows;
  for (std::size_t i = 0; i < values.size(); ++i)
    rows.push_back({At(edges[i]), {values[i]}, At(edges[i + 1]) - At(edges[i])});
  return rows;
}
/// One instant, and one an hour later with the same values.
inline std::vector<TableRow> Twice(const std::vector<double>& values) {
  return {{At(0), values}, {At(1), values}};
}

/// A provider with a chain of adaptors of the factory on it.
class Chain {
 public:
  explicit Chain(std::vector<TableRow> rows, const std::string& unit = "m3 s-1",
                 std::shared_ptr<const ISpatialDefinition> where = nullptr)
      : table(std::move(rows), unit, std::move(where)) {
    table.Initialize();
  }
  ~Chain() {
    if (probe.Provider() != nullptr) probe.Provider()->RemoveConsumer(probe);
    while (!adaptors.empty()) {
      adaptors.back()->Adaptee().RemoveAdaptedOutput(*adaptors.back());
      adaptors.pop_back();
    }
  }
  IBaseOutput& Last() { return adaptors.empty() ? static_cast<IBaseOutput&>(table.Output()) : *adaptors.back(); }
  ITimeSpaceOutput& Output() { return dynamic_cast<ITimeSpaceOutput&>(Last()); }
  Chain& Add(const std::string& id, IBaseInput* target = nullptr) {
    for (const IIdentifiable* known : factory.AllIds()) {
      if (known->Id() != id) continue;
      Made().push_back(id);
      adaptors.push_back(factory.CreateAdaptedOutput(*known, Last(), target));
      if (Watch()) Watch()(*adaptors.back());
      return *this;
    }
    throw std::runtime_error("no adaptor " + id);
  }
  Chain& Set(const std::string& key, const std::string& value) {
    for (IArgument* argument : adaptors.back()->Arguments()) {
      if (argument->Id() != key) continue;
      argument->SetValueAsString(value);
      return *this;
    }
    throw std::runtime_error("no argument " + key);
  }
  Chain& Prepare() {
    table.Prepare();
    return *this;
  }
  double Ask(double hour) { return Seen(probe.Value(Output(), At(hour))); }
  double Ask(double begin, double end) { return Seen(probe.Value(Output(), At(begin), At(end))); }
  std::vector<double> Row(double hour) { return Seen(probe.Row(Output(), At(hour))); }

  /// The ids of all adaptors that chains have made since it was cleared.
  static std::vector<std::string>& Made() {
    static std::vector<std::string> made;
    return made;
  }

  /// Is shown each adaptor that any chain makes; may be empty.
  static std::function<void(IBaseAdaptedOutput&)>& Watch() {
    static std::function<void(IBaseAdaptedOutput&)> watch;
    return watch;
  }
  /// Is shown each chain that has answered its probe; may be empty.
  static std::function<void(Chain&)>& Answered() {
    static std::function<void(Chain&)> answered;
    return answered;
  }

  template <class Answer>
  Answer Seen(Answer answer) {
    if (Answered()) Answered()(*this);
    return answer;
  }

  StandardAdaptors factory;
  TableComponent table;
  std::vector<std::unique_ptr<IBaseAdaptedOutput>> adaptors;
  ProbeInput probe;
};

inline std::vector<std::string> Texts(const std::vector<const IIdentifiable*>& ids) {
  std::vector<std::string> texts;
  for (const IIdentifiable* id : ids) texts.push_back(id->Id());
  return texts;
}

/// Lets the provider come to its end, all rows kept.
inline Chain& ToTheEnd(Chain& chain) {
  chain.probe.PromiseNothingBefore(At(-100));
  chain.Output().AddConsumer(chain.probe);
  chain.Prepare();
  while (chain.table.Status() == LinkableComponentStatus::Updated) chain.table.Update({});
  return chain;
}

}  // namespace openmi::testing
