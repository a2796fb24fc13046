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

/// The encoded ground truth that models are initialized with.
///
/// All users of one ground truth share the same bytes, which are read and indexed once and freed with the last user.
/// May be used from several threads.
class GroundTruth {
 public:
  /// The ground truth of a file, reduced to what is static. All users of the same file share it, as long as the file
  /// does not change.
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  the file holds no GroundTruth; names the rule
  static std::shared_ptr<const GroundTruth> OfFile(const std::filesystem::path& file);
  /// The ground truth of a message of another component, reduced to what is static. All users of equal bytes share it.
  /// \param is_view  whether the message is a SensorView, which contains a GroundTruth
  /// \param name  of the item, for messages
  /// \throws FormatError  the bytes are no such message; names the rule
  static std::shared_ptr<const GroundTruth> OfMessage(osi::Message message, bool is_view, const std::string& name);

  osi::Message Bytes() const { return bytes_; }
  /// A hash of the bytes.
  std::uint64_t Hash() const { return hash_; }
  /// Names of the fields of the file that change during a run and were omitted (rule 62).
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

/// The ground truth that the instances of one model in this process were given, while one of them holds this object.
///
/// A model may share between its instances what it made of the ground truth, so all must get the same (rule 64).
class SharedTruth {
 public:
  /// \param model  identifies the model
  /// \param source  file or item of `truth`, for messages
  /// \throws FormatError  an instance of the model has other bytes
  static std::shared_ptr<const SharedTruth> Require(const std::string& model, const GroundTruth& truth,
                                                    const std::string& source);

 private:
  SharedTruth(std::uint64_t hash, std::string source) : hash_(hash), source_(std::move(source)) {}

  std::uint64_t hash_;
  std::string source_;
};

}  // namespace openmi::osmp
