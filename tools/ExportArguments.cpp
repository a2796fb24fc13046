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
  AddRepeated(command, "--input", inputs, "ITEM",
              "Input of the " + model +
                  ": component.item, or the item alone for an OMI file; may be repeated. If the input has a link, the "
                  "values of the " +
                  master + " replace those of the link. 'none': no inputs (default: all inputs without a link)");
  AddRepeated(command, "--output", outputs, "ITEM",
              "Output of the " + model +
                  ": component.item, or the item alone for an OMI file; may be repeated. 'all': all outputs (default: "
                  "the observed items, else all outputs)");
  AddRepeated(command, "--parameter", parameters, "KEY",
              "Argument that becomes a parameter: component.key, or the key alone for an OMI file; may be repeated. "
              "'none': no parameters (default: all arguments that can be set and name no file)");
  AddValue(command, "--from", from, "TIME", "For an OMI file: time of second 0 (default: 2000-01-01)");
  AddValue(command, "--to", to, "TIME", "For an OMI file: end of the run (default: a year later)");
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
