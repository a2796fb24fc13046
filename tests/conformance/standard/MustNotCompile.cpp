// Pieces that must not compile, one for each CASE; 0 is the control. MustNotCompile.cmake knows what the compiler has
// to say about each.

#include "openmi/standard.hpp"
#include "timespace/standard.hpp"

namespace openmi {

int Use(IBaseOutput& output, IBaseInput& input, IBaseAdaptedOutput& adapted, IBaseLinkableComponent& component);
int Use(IBaseOutput& output, IBaseInput& input, IBaseAdaptedOutput& adapted, IBaseLinkableComponent& component) {
  static_cast<void>(output);
  static_cast<void>(input);
  static_cast<void>(adapted);
  static_cast<void>(component);
#if CASE == 1  // 3.7: a ninth base dimension
  return static_cast<int>(DimensionBase::Angle);
#elif CASE == 2   // 3.7: a base dimension is no number
  return DimensionBase::Currency;
#elif CASE == 3   // 4.3: a sixth element type
  return static_cast<int>(ElementType::Grid);
#elif CASE == 4   // 8.1: a fifteenth status
  return static_cast<int>(LinkableComponentStatus::Running);
#elif CASE == 5   // 9.3: the list of consumers is read-only
  output.Consumers().front() = &input;
#elif CASE == 6   // 9.3: the list of consumers cannot grow past AddConsumer
  output.Consumers().push_back(&input);
#elif CASE == 7   // 6.1: the values of an output are not the consumer's to change
  output.Values().SetValue({}, 1.0);
#elif CASE == 8   // 12.1: the list of arguments is fixed
  component.Arguments().front() = nullptr;
#elif CASE == 9   // 10.1: an adapted output is no consumer
  output.AddConsumer(adapted);
#elif CASE == 10  // 9.2: a provider gives values, so an input is none
  input.SetProvider(&input);
#elif CASE == 11  // 12.2: a component without times and places is not one with them
  ITimeSpaceComponent& time_space = component;
  return static_cast<int>(time_space.Status());
#elif CASE == 12  // 3.1: nobody can make a bare value definition
  return IValueDefinition().ValueType().object == nullptr ? 0 : 1;
#elif CASE == 13  // 9.5: an output without times and places does not answer with values by time and element
  const ITimeSpaceValueSet& values = output.GetValues(input);
  return static_cast<int>(values.NumberOfIndices());
#elif CASE == 14  // 7.1: a pointer is no value of an argument
  return Value(&output).IsEmpty() ? 0 : 1;
#endif
  return 0;
}

}  // namespace openmi
