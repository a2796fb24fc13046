#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct OsmpSchemaArguments {
  std::string release;
  std::string output = "-";
};

// A separate program reads the release with protobuf, since this one may load FMUs with another protobuf.
int Execute(const OsmpSchemaArguments& arguments) {
  std::string text;
  if (arguments.release.empty()) {
    text = osi::Schema::SubsetText();
  } else {
    ExpectFile(arguments.release);
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const ChildResult result = RunInChild({(folder / "openmi-osi-table").string(), arguments.release});
    if (!result.Succeeded()) {
      PrintLine(stderr, result.err.empty() ? "openmi-osi-table " + result.Sentence() : result.err);
      return kBadInput;
    }
    text = result.out;
  }
  const osi::Schema schema = osi::Schema::Parse(text, arguments.release);
  WriteOutput(arguments.output, text);
  PrintLine(stderr, fmt::format("OSI {}: {} messages", schema.Version(), schema.MessageNames().size()));
  return kSuccess;
}

}  // namespace

void AddOsmpSchema(CLI::App& osmp, Invocation& invocation) {
  auto arguments = std::make_shared<OsmpSchemaArguments>();
  CLI::App* schema = osmp.add_subcommand("schema", "Make a table of a release of OSI");
  schema->add_option("RELEASE", arguments->release,
                     "Folder with the .proto files, or a descriptor set (default: the built-in subset)");
  AddShown(*schema, "-o,--output,--output-file", arguments->output, "OUT", "File to write; '-' is standard output");
  schema->footer(
      "The argument osi-table-file of the OSI components takes such a table.\n\n"
      "Examples:\n"
      "  openmi osmp schema open-simulation-interface -o osi-3.8.0.osi-table");
  schema->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
