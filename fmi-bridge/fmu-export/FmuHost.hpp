#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "composition/channel/SharedMemory.hpp"
#include "fmi-bridge/fmu-export/shim/SharedPage.hpp"
#include "fmi-bridge/outward/ExportedModel.hpp"

namespace openmi::fmu {

/// The process behind one instance of an exported FMU: answers the library of the FMU. The whole of the program
/// openmi-fmu-host.
class FmuHost {
 public:
  /// \param resources  the folder of the unpacked FMU
  /// \param memory     shared with the library; at least kValuesAt bytes
  /// \param socket     the connected local socket; borrowed
  FmuHost(std::filesystem::path resources, SharedMemory memory, int socket);
  ~FmuHost();

  /// Works until the other side ends or lets go.
  void Run();

 private:
  bool Offer();
  bool ReadLetter();
  void Answer(Outcome outcome, std::string_view rest);
  Outcome Serve(Request request, std::string& rest);
  void AddNews(const Problems& problems);
  bool IsConnected() const;
  /// Number and text of each output whose text changed.
  std::string ChangedTexts();

  std::filesystem::path resources_;
  SharedMemory memory_;
  int socket_;
  SharedPage* page_;
  double* values_ = nullptr;
  std::size_t values_size_ = 0;  // bytes that are mapped
  std::unique_ptr<outward::ExportedModel> model_;
  std::uint32_t heard_ = 0;
  std::string letter_;
  ParcelWriter news_;
  std::uint32_t news_count_ = 0;
};

}  // namespace openmi::fmu
