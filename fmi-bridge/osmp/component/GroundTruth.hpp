#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/osmp/component/StaticContent.hpp"

namespace openmi::osmp {

/// The encoded ground truth that models are initialized with: the same bytes for all who want them, read and looked at
/// once, gone with the last of them. May be used from several threads.
class GroundTruth {
 public:
  /// That of a file; shared by all who name the same one, as long as it is not written anew.
  /// \throws FileError    it cannot be read
  /// \throws FormatError  it is no GroundTruth: names the rule
  static std::shared_ptr<const GroundTruth> OfFile(const std::filesystem::path& file);
  /// That of a message of another component, reduced to what is static; shared by all who got the same.
  /// \param name  of the item, for messages
  static std::shared_ptr<const GroundTruth> OfMessage(osi::Message message, bool is_view, const std::string& name);

  osi::Message Bytes() const { return bytes_; }
  const StaticContent& Content() const { return content_; }

  GroundTruth(const GroundTruth&) = delete;
  GroundTruth& operator=(const GroundTruth&) = delete;

 private:
  explicit GroundTruth(std::vector<std::byte> bytes) : bytes_(std::move(bytes)), content_(bytes_) {}
  static std::shared_ptr<const GroundTruth> Make(std::vector<std::byte> bytes, const std::string& name);

  std::vector<std::byte> bytes_;
  StaticContent content_;
};

}  // namespace openmi::osmp
