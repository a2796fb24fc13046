#pragma once

#include <utility>

namespace openmi {

/// Owns an open file of the operating system.
class FileDescriptor {
 public:
  /// \param number  as open(2) returned it; -1: none
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { Close(); }

  bool IsOpen() const { return number_ >= 0; }
  int Number() const { return number_; }
  /// \returns 0, or errno of close(2)
  int Close();

 private:
  int number_;
};

}  // namespace openmi
