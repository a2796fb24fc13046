#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/ProbeInput.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::test {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// "2015-12-01T00:00Z" as a stamp.
inline Stamp At(const std::string& text) {
  return ParseIsoTime(text);
}

/// A ready component out of the plug-in, in a folder of its own.
class ReadyComponents : public ::testing::Test {
 protected:
  ReadyComponents() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("openmi-") + info->test_suite_name() + "-" +
                                                        info->name() + "-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~ReadyComponents() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  std::string ReadBack(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  LoadedComponent Make(const std::string& type, const Settings& settings) {
    LoadedComponent loaded = loader_.Load(OPENMI_BINARY_DIR "/lib/openmi2/libopenmi-components.so", type);
    dynamic_cast<IFileRoot&>(*loaded.component).SetFileRoot(folder_.string());
    Driver driver(*loaded.component);
    for (const auto& [key, value] : settings) driver.Set(key, value);
    return loaded;
  }
  /// Made, initialized, validated (messages in `messages_`) and prepared.
  LoadedComponent Ready(const std::string& type, const Settings& settings) {
    LoadedComponent loaded = Make(type, settings);
    Driver driver(*loaded.component);
    driver.Initialize();
    driver.Validate();
    messages_ = driver.Messages();
    driver.Prepare();
    return loaded;
  }
  static ITimeSpaceOutput& Output(const LoadedComponent& loaded, const std::string& id) {
    std::string there;
    for (IBaseOutput* output : loaded.component->Outputs()) {
      if (output->Id() == id) return dynamic_cast<ITimeSpaceOutput&>(*output);
      there += " " + output->Id();
    }
    throw std::runtime_error("no output '" + id + "', there are" + there);
  }
  static std::vector<std::string> OutputIds(const LoadedComponent& loaded) {
    std::vector<std::string> ids;
    for (const IBaseOutput* output : loaded.component->Outputs()) ids.push_back(output->Id());
    return ids;
  }
  static std::vector<std::string> ElementIds(const ITimeSpaceOutput& output) {
    const auto& elements = dynamic_cast<const IElementSet&>(*output.SpatialDefinition());
    std::vector<std::string> ids;
    for (int i = 0; i < elements.ElementCount(); ++i) ids.push_back(elements.GetElementId(i)->Id());
    return ids;
  }
  /// What initializing such a component throws, as text.
  std::string Refusal(const std::string& type, const Settings& settings) {
    try {
      LoadedComponent loaded = Make(type, settings);
      loaded.component->Initialize();
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  }

  std::filesystem::path folder_;
  ComponentLoader loader_;
  std::vector<std::string> messages_;
};

}  // namespace openmi::test
