// Iterate and Tolerance: the part of CompositionReader that reads loops.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "composition/model/CompositionReader.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

double CompositionReader::ReadNumber(const XmlElement& element, std::string_view attribute_name, double otherwise,
                                     double least, double most, bool is_whole) {
  const XmlAttribute* attribute = element.Attribute(attribute_name);
  if (attribute == nullptr) return otherwise;
  const std::string& text = attribute->value;
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
  if (is_number && number >= least && number <= most && (!is_whole || number == std::floor(number))) return number;
  const std::string range = most == std::numeric_limits<double>::max() ? fmt::format("from {}", least)
                                                                       : fmt::format("from {} to {}", least, most);
  AddError(problems_, element.Place(*attribute),
           fmt::format("expected a{} number {} in '{}' of {}, found {}", is_whole ? " whole" : "", range,
                       attribute_name, element.name, Quoted(text)),
           fmt::format("write {}=\"{}\"", attribute_name, otherwise));
  return otherwise;
}

void CompositionReader::ReadIterate(const XmlElement& element) {
  form_.OnlyAttributes(element, {"Components", "Order", "Method", "Relaxation", "AbsoluteTolerance",
                                 "RelativeTolerance", "MaxIterations", "Guess", "OnFailure", "ReusedSteps"});
  form_.OnlyChildren(element, {"Tolerance"});
  form_.NoText(element);
  form_.OneOf(element, "Order", {"gauss-seidel", "jacobi"});
  form_.OneOf(element, "Method", {"fixed-point", "relaxation", "aitken", "anderson", "quasi-newton"});
  form_.OneOf(element, "Guess", {"last", "linear", "quadratic"});
  form_.OneOf(element, "OnFailure", {"fail", "warn", "shorten"});
  IterateSpec iterate;
  iterate.line = element.line;
  if (const XmlAttribute* components =
          form_.Required(element, "Components", "write Components=\"a b\", the members of one loop")) {
    std::istringstream words(components->value);
    for (std::string id; words >> id;) {
      CheckComponent(element, *components, id);
      if (const auto [first, is_new] = iterated_.try_emplace(id, element.line); !is_new) {
        AddError(problems_, element.Place(*components),
                 fmt::format("expected each component in one Iterate at most, found {} again; the first is on line {}",
                             Quoted(id), first->second),
                 "name the members of a loop once");
      }
      iterate.components.push_back(id);
    }
    if (iterate.components.empty()) {
      AddError(problems_, element.Place(*components),
               "expected Ids of components in 'Components' of Iterate, found none",
               "name the members of one loop in the order in which they should compute");
    }
  }
  iterate.order = element.Get("Order") == "jacobi" ? LoopOrder::Jacobi : LoopOrder::GaussSeidel;
  const std::string method = element.Get("Method");
  iterate.method = method == "fixed-point"  ? LoopMethod::FixedPoint
                   : method == "relaxation" ? LoopMethod::Relaxation
                   : method == "aitken"     ? LoopMethod::Aitken
                   : method == "anderson"   ? LoopMethod::Anderson
                                            : LoopMethod::QuasiNewton;
  const std::string guess = element.Get("Guess");
  iterate.guess = guess == "last" ? LoopGuess::Last : guess == "quadratic" ? LoopGuess::Quadratic : LoopGuess::Linear;
  const std::string failure = element.Get("OnFailure");
  iterate.on_failure = failure == "warn"      ? LoopFailure::Warn
                       : failure == "shorten" ? LoopFailure::Shorten
                                              : LoopFailure::Fail;
  constexpr double kMost = std::numeric_limits<double>::max();
  iterate.relaxation = ReadNumber(element, "Relaxation", iterate.relaxation, 1e-6, 2.0);
  iterate.absolute_tolerance = ReadNumber(element, "AbsoluteTolerance", iterate.absolute_tolerance, 0.0, kMost);
  iterate.relative_tolerance = ReadNumber(element, "RelativeTolerance", iterate.relative_tolerance, 0.0, 1.0);
  iterate.max_iterations =
      static_cast<int>(ReadNumber(element, "MaxIterations", iterate.max_iterations, 1.0, 1e6, true));
  iterate.reused_steps = static_cast<int>(ReadNumber(element, "ReusedSteps", iterate.reused_steps, 0.0, 1000.0, true));
  Lines items;
  for (const XmlElement* tolerance : element.Children("Tolerance")) {
    iterate.tolerances.push_back(ReadTolerance(*tolerance, items));
  }
  file_.iterates.push_back(std::move(iterate));
}

ToleranceSpec CompositionReader::ReadTolerance(const XmlElement& element, Lines& items) {
  form_.OnlyAttributes(element, {"Item", "Absolute", "Relative"});
  form_.OnlyChildren(element, {});
  form_.NoText(element);
  constexpr double kMost = std::numeric_limits<double>::max();
  ToleranceSpec tolerance;
  tolerance.line = element.line;
  tolerance.item = ReadItem(element, "Item");
  CheckOnce(element, "Item", items);
  if (element.Attribute("Absolute") == nullptr && element.Attribute("Relative") == nullptr) {
    AddError(problems_, element.Place(), "expected 'Absolute' or 'Relative' in Tolerance, found none",
             "write Absolute=\"...\", in the unit of the input, or Relative=\"1e-6\"");
  }
  if (element.Attribute("Absolute") != nullptr) tolerance.absolute = ReadNumber(element, "Absolute", 0.0, 0.0, kMost);
  if (element.Attribute("Relative") != nullptr) tolerance.relative = ReadNumber(element, "Relative", 1e-6, 0.0, 1.0);
  return tolerance;
}

}  // namespace openmi
