#include "bmi-bridge/model/InitializeOnRanks.hpp"

#include <fmt/format.h>

namespace openmi::bmi {

void InitializeOnRanks(const Library& library, Model& model, const std::string& config, int handle) {
  constexpr char kFunction[] = "initialize_mpi";
  if (void* const found = library.Find(kFunction)) {
    model.InitializeBy(reinterpret_cast<int (*)(int*)>(found), kFunction, handle);
    return;
  }
  try {
    model.SetValue(kCommunicatorVariable, &handle);
  } catch (const ModelError& error) {
    throw ModelError(model.Place(kCommunicatorVariable),
                     fmt::format("expected a model that takes a communicator, by {} or the input {}, found: {}",
                                 kFunction, kCommunicatorVariable, error.Problem()),
                     "leave out Ranks, or build the library with MPI");
  }
  model.Initialize(config);
}

}  // namespace openmi::bmi
