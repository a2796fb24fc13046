#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// A file in another language whose types are components, such as `tank.py`, as a library that is in memory.
///
/// A plug-in of the SDK reads it (openmi_language in openmi_component.h), and stays in memory. When the last component
/// of the file is gone, the plug-in forgets the file, and the next one that opens it reads it again.
class Script final : public SharedLibrary {
 public:
  /// Whether an Assembly names such a file ("tank.py"), or a module that the language finds ("python:heat").
  static bool IsNamedBy(std::string_view assembly);
  /// Whether it names a module.
  static bool IsModule(std::string_view assembly);

  /// The plug-in that reads scripts, and the files of the language that it needs; for copies of both.
  /// \throws LoadError  it is not installed
  static std::string PluginPath(const Where& where);
  static std::vector<std::string> PackageFiles(const Where& where);

  /// \param name   a path, or the name of a module as in an OMI file
  /// \param where  the place for messages: the OMI file and its line
  /// \throws LoadError  there is no plug-in for the language; or the file cannot be used, with the place in it
  static std::shared_ptr<Script> Open(const std::string& name, const Where& where);
  /// Makes an object of a class in a file or module, and fills a struct of functions with it, as openmi_language.fill.
  /// \param type  empty: the only class
  /// \throws LoadError  as Open; or there is no such class
  static void Fill(const std::string& interface, const std::string& name, const std::string& type, void* table,
                   const Where& where);
  ~Script();

  /// The types in the file.
  const std::vector<const openmi_component*>& Types() const { return types_; }
  /// The real paths of the files that were read for it, this one first: it may have imported others. Empty for a
  /// module, which is installed.
  std::vector<std::string> Files() const;

 private:
  Script(std::string path, LibraryFile file, FileStamp stamp, const openmi_language& language);

  const openmi_language& language_;
  const openmi_component_library* table_ = nullptr;
  std::vector<const openmi_component*> types_;
};

}  // namespace openmi
