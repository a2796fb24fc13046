#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
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
  /// That of a file, reduced to what is static; shared by all who name the same one, as long as it is not written anew.
  /// \throws FileError    it cannot be read
  /// \throws FormatError  it is no GroundTruth: names the rule
  static std::shared_ptr<const GroundTruth> OfFile(const std::filesystem::path& file);
  /// That of a message of another component, reduced to what is static; shared by all who got the same.
  /// \param name  of the item, for messages
  static std::shared_ptr<const GroundTruth> OfMessage(osi::Message message, bool is_view, const std::string& name);

  osi::Message Bytes() const { return bytes_; }
  /// Of the bytes.
  std::uint64_t Hash() const { return hash_; }
  /// Names of what the file held and changes during a run (rule 62).
  const std::set<std::string>& LeftOut() const { return left_out_; }
  const StaticContent& Content() const { return content_; }

  GroundTruth(const GroundTruth&) = delete;
  GroundTruth& operator=(const GroundTruth&) = delete;

 private:
  explicit GroundTruth(std::vector<std::byte> bytes);
  static std::shared_ptr<GroundTruth> Make(std::vector<std::byte> bytes, const std::string& name);

  std::vector<std::byte> bytes_;
  StaticContent content_;
  std::uint64_t hash_;
  std::set<std::string> left_out_;
};

/// What the instances of one model in this process were given, as long as one of them keeps this: a model may share
/// what it made of its ground truth (rule 64).
class SharedTruth {
 public:
  /// \param model   names the model
  /// \param source  names the file or item that `truth` is from
  /// \throws FormatError  an instance of the model has been given other bytes
  static std::shared_ptr<const SharedTruth> Require(const std::string& model, const GroundTruth& truth,
                                                    const std::string& source);

 private:
  SharedTruth(std::uint64_t hash, std::string source) : hash_(hash), source_(std::move(source)) {}

  std::uint64_t hash_;
  std::string source_;
};

}  // namespace openmi::osmp
