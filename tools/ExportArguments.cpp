#include "tools/ExportArguments.hpp"

#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::tools {
namespace {

Stamp ParseTime(const std::string& text, const char* option) {
  try {
    return ParseIsoTime(text, 0.0);
  } catch (const Error& error) {
    throw UsageFault{std::string(option) + ": " + error.Problem()};
  }
}

}  // namespace

void ExportArguments::AddTo(CLI::App& command, const std::string& model, const std::string& master) {
  AddRepeated(
      command, "--input", inputs, "ITEM",
      "Input of the " + model +
          ", as component.item, of an OMI file the item alone; may be repeated. One that is linked is fed by the " +
          master + " in place of its link; 'none': no inputs (default: all that are not linked)");
  AddRepeated(command, "--output", outputs, "ITEM",
              "Output of the " + model + ", likewise; 'all': all (default: what the composition observes, else all)");
  AddRepeated(command, "--parameter", parameters, "KEY",
              "Argument that becomes a parameter, as component.key, of an OMI file the key alone; 'none': no "
              "parameters (default: all that can "
              "be set and name no file)");
  AddValue(command, "--from", from, "TIME", "Of an OMI file: the time of second 0 (default: 2000-01-01)");
  AddValue(command, "--to", to, "TIME", "Of an OMI file: the end (default: a year later)");
  variables.AddTo(command);
}

void ExportArguments::PutInto(exported::ExportOptions& options) const {
  options.variables = variables.Values();
  if (!inputs.empty()) options.inputs = inputs;
  if (!outputs.empty()) options.outputs = outputs;
  if (!parameters.empty()) options.parameters = parameters;
  if (!from.empty()) options.from = ParseTime(from, "--from");
  if (!to.empty()) options.to = ParseTime(to, "--to");
}

}  // namespace openmi::tools
