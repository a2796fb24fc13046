#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "composition/import/ngen/ImportNgen.hpp"
#include "composition/import/ngen/Realization.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ngen {

/// A short name of a module: that of its type, without what says its kind.
std::string NameOf(const Module& module);

/// Makes BMI components of modules.
class ModuleOmi {
 public:
  /// \param realization  for messages
  /// All are borrowed.
  ModuleOmi(const Realization& realization, const NgenOptions& options, Problems& problems)
      : realization_(realization), options_(options), problems_(problems) {}

  /// The library of a module as the argument of a BMI component, an absolute path or the name of a Python module;
  /// empty: it does not exist, which is reported.
  std::string LibraryOf(const Module& module);
  /// The component for a module, with its library as `LibraryOf` gives it.
  /// \param catchment  whose configuration shows whether the model needs the folder of ngen
  OmiFile Of(const Module& module, const std::string& library, const std::string& catchment);
  /// \throws ArgumentError  a library that was given in place of another one is not used
  void RequireUse() const;

 private:
  Where Place(std::string item) const { return {.file = realization_.path.string(), .item = std::move(item)}; }

  const Realization& realization_;
  const NgenOptions& options_;
  Problems& problems_;
  std::set<std::string> missing_, used_;
};

}  // namespace openmi::ngen
