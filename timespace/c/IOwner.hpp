#pragma once

#include <memory>
#include <string>

#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/items/ValueItems.hpp"
#include "timespace/optional/IUsesCommunicator.hpp"

namespace openmi::c {

/// What the component in C++ does for its instance in C: the protected functions of SteppingComponent.
class IOwner {
 public:
  /// The parts of an item, as its class takes them.
  struct Parts {
    std::string id;
    std::unique_ptr<const IValueDefinition> definition;
    std::shared_ptr<const ISpatialDefinition> where;
    std::string description;
  };

  virtual ~IOwner() = default;
  virtual std::string Name() const = 0;
  virtual ArgumentList& Arguments() = 0;
  virtual NumericInput& MakeInput(Parts parts, InputTime asks) = 0;
  virtual NumericOutput& MakeOutput(Parts parts, OutputTime gives) = 0;
  virtual ValueInput& MakeValueInput(Parts parts) = 0;
  virtual ValueOutput& MakeValueOutput(Parts parts) = 0;
  virtual std::string Beside(const std::string& path) const = 0;   ///< beside the OMI file
  virtual std::string Written(const std::string& name) const = 0;  ///< in the folder of the results
  virtual Stamp RunBegin() const = 0;                              ///< the far past: not known
  virtual Stamp RunEnd() const = 0;                                ///< the far future: none
  virtual const Communicator* OfRanks() const = 0;                 ///< null: it computes without MPI
  virtual void SetFlag(int flag, bool is_set) = 0;
  virtual void Describe(const std::string& text) = 0;
  virtual void BelongTo(const std::string& family) = 0;
  virtual void StepBy(Days step) = 0;
  virtual void DefaultTimes(Stamp begin, Stamp end) = 0;
  virtual void OutputTimes(Stamp begin, Stamp end) = 0;
};

}  // namespace openmi::c
