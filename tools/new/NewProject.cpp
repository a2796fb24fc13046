#include "tools/new/NewProject.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "tools/ExitCode.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {
namespace {

struct NewProjectArguments {
  std::string name;
  NewPlace place;
};

/// "linear-tank" as "LinearTank", or with another separator between the words.
std::string ClassOf(const std::string& name) {
  std::string text;
  bool is_first = true;
  for (const char sign : name) {
    if (std::isalnum(static_cast<unsigned char>(sign)) == 0) {
      is_first = true;
      continue;
    }
    text += is_first ? static_cast<char>(std::toupper(static_cast<unsigned char>(sign))) : sign;
    is_first = false;
  }
  return text;
}

std::string LibraryOf(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

int Execute(NewProjectArguments arguments, const NewProject& project) {
  const std::string& name = arguments.name;
  const auto is_plain = [](char sign) {
    const auto code = static_cast<unsigned char>(sign);
    return code < 128 && (std::isalnum(code) != 0 || sign == '-' || sign == '_');
  };
  const bool begins_well = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  if (!begins_well || !std::ranges::all_of(name, is_plain)) {
    throw UsageFault{"expected a name of letters, digits and '-' that begins with a letter, found '" + name + "'"};
  }
  if (arguments.place.folder.empty()) arguments.place.folder = name;
  const std::map<std::string, std::string, std::less<>> values = {
      {"NAME", name},
      {"CLASS", ClassOf(name)},
      {"LIBRARY", LibraryOf(name)},
      {"BUILD",
       "# cmake -S . -B build -DCMAKE_PREFIX_PATH=<where openmi2 is installed> && cmake --build build && ctest "
       "--test-dir "
       "build"}};
  std::vector<NewFile> files;
  for (const NewFile& file : project.files) files.push_back({Filled(file.name, values), Filled(file.text, values)});
  WriteNewFiles(arguments.place, files);
  return kSuccess;
}

}  // namespace

void AddNewProject(CLI::App& group, Invocation& invocation, NewProject project) {
  auto arguments = std::make_shared<NewProjectArguments>();
  CLI::App* command = group.add_subcommand(project.kind, project.help);
  command
      ->add_option("NAME", arguments->name,
                   "Its id, such as " + project.example + "; class, library and files are named after it")
      ->required();
  arguments->place.AddTo(*command, "NAME");
  const std::string& name = project.example;
  command->footer("Examples:\n  openmi new " + project.kind + " " + name + "\n  cmake -S " + name + " -B " + name +
                  "/build && cmake --build " + name + "/build\n  openmi run " + name + "/build/composition.xml");
  command->callback([arguments, &invocation, project = std::move(project)] {
    invocation.execute = [arguments, project] { return Execute(*arguments, project); };
  });
}

}  // namespace openmi::tools
