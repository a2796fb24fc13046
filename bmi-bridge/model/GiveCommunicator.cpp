#include "bmi-bridge/model/GiveCommunicator.hpp"

#include <fmt/format.h>

namespace openmi::bmi {

void GiveCommunicator(const Library& library, Model& model, int handle) {
  constexpr char kFunction[] = "initialize_mpi";
  constexpr char kRemedy[] = "leave out Ranks, or build the library with MPI";
  if (void* const found = library.Find(kFunction)) {
    const int status = reinterpret_cast<int (*)(int*)>(found)(&handle);
    if (status == BMI_SUCCESS) return;
    throw ModelError(model.Place(kFunction),
                     fmt::format("expected the model to take a communicator, found status {}", status), kRemedy);
  }
  try {
    model.SetValue(kCommunicatorVariable, &handle);
  } catch (const ModelError& error) {
    throw ModelError(model.Place(kCommunicatorVariable),
                     fmt::format("expected a model that takes a communicator, by {} or the input {}, found: {}",
                                 kFunction, kCommunicatorVariable, error.Problem()),
                     kRemedy);
  }
}

}  // namespace openmi::bmi
