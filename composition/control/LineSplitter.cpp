#include "composition/control/LineSplitter.hpp"

namespace openmi {

bool LineSplitter::Add(std::string_view bytes) {
  buffer_.append(bytes);
  // Whole lines may wait here; only an unfinished line counts.
  const std::size_t end = buffer_.rfind('\n');
  const std::size_t open = end == std::string::npos ? buffer_.size() : buffer_.size() - end - 1;
  return open <= longest_;
}

std::optional<std::string> LineSplitter::Next() {
  const std::size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    return std::nullopt;
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  searched_ = 0;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return line;
}

}  // namespace openmi
