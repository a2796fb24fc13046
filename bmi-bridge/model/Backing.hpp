#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "bmi-bridge/abi/bmi.h"

namespace openmi::bmi {

/// All functions of the C binding, in its order: OPENMI_BMI_FUNCTIONS(X) is X(initialize) X(update) ...
#define OPENMI_BMI_FUNCTIONS(X) \
  X(initialize)                 \
  X(update)                     \
  X(update_until)               \
  X(finalize)                   \
  X(get_component_name)         \
  X(get_input_item_count)       \
  X(get_output_item_count)      \
  X(get_input_var_names)        \
  X(get_output_var_names)       \
  X(get_var_grid)               \
  X(get_var_type)               \
  X(get_var_units)              \
  X(get_var_itemsize)           \
  X(get_var_nbytes)             \
  X(get_var_location)           \
  X(get_current_time)           \
  X(get_start_time)             \
  X(get_end_time)               \
  X(get_time_units)             \
  X(get_time_step)              \
  X(get_value)                  \
  X(get_value_ptr)              \
  X(set_value)                  \
  X(get_grid_rank)              \
  X(get_grid_size)              \
  X(get_grid_type)              \
  X(get_grid_shape)             \
  X(get_grid_spacing)           \
  X(get_grid_origin)            \
  X(get_grid_x)                 \
  X(get_grid_y)                 \
  X(get_grid_z)                 \
  X(get_grid_node_count)        \
  X(get_grid_edge_count)        \
  X(get_grid_face_count)        \
  X(get_grid_edge_nodes)        \
  X(get_grid_face_edges)        \
  X(get_grid_face_nodes)        \
  X(get_grid_nodes_per_face)

/// The data of a Bmi struct whose library has no such struct itself; the member `data` of the struct points to it.
class Backing {
 public:
  Backing() = default;
  Backing(const Backing&) = delete;
  Backing& operator=(const Backing&) = delete;
  virtual ~Backing() = default;

  /// The message of the library for the last failed function; empty if it gives none.
  virtual std::string Message() const { return message; }
  std::string message;
  /// The number of values in the array that the caller passes next, for libraries that need it.
  int count = 0;
};

/// Copies `text` to a buffer of the binding, and cuts it if it is too long.
inline void PutText(char* to, std::string_view text) {
  const std::size_t size = text.size() < BMI_MAX_UNITS_NAME ? text.size() : BMI_MAX_UNITS_NAME - 1;
  std::memcpy(to, text.data(), size);
  to[size] = '\0';
}

}  // namespace openmi::bmi
