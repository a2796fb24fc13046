#include "fmi-bridge/broker/component/StreamLog.hpp"

#include <iterator>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/SharedByKey.hpp"

namespace openmi::broker {
namespace {

[[noreturn]] void Refuse(const std::string& path) {
  throw FileError({.file = path, .item = "log-file"}, "expected a file that can be written, found none",
                  "correct the path");
}

}  // namespace

std::shared_ptr<StreamLog> StreamLog::Of(const std::string& path) {
  static SharedByKey<std::string, StreamLog> all;
  return all.Get(path, [&path] { return std::make_shared<StreamLog>(path); });
}

StreamLog::StreamLog(const std::string& path) : path_(path), file_(path, std::ios::app) {
  if (!file_) Refuse(path_);
  file_.seekp(0, std::ios::end);
  earlier_ = file_.tellp();
}

void StreamLog::Write(const std::string& line) {
  const std::lock_guard lock(mutex_);
  file_ << line << '\n';
  file_.flush();
}

void StreamLog::BeginAnew() {
  const std::lock_guard lock(mutex_);
  const std::streamoff earlier = std::exchange(earlier_, 0);
  if (earlier <= 0) return;
  std::ifstream in(path_);
  in.seekg(earlier);
  const std::string own(std::istreambuf_iterator<char>(in), {});
  file_.close();
  file_.open(path_, std::ios::trunc);
  file_ << own;
  file_.close();
  file_.open(path_, std::ios::app);
  if (!file_) Refuse(path_);
}

void StreamLog::GoOn() {
  const std::lock_guard lock(mutex_);
  earlier_ = 0;
}

}  // namespace openmi::broker
