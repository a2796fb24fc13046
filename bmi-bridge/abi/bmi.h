/* The C binding of the Basic Model Interface 2.0: the order and the types of its functions, written for this project.
 *
 * A library fills a struct of this layout; its caller needs nothing else of the binding.
 *
 * Source: the BMI 2.0 specification (SIDL) and the C binding as libraries use it; docs/bmi.md. */
#ifndef OPENMI_BMI_H_
#define OPENMI_BMI_H_

#define BMI_SUCCESS (0)
#define BMI_FAILURE (1)

/* Sizes of the text buffers that the caller passes; the functions take no length argument. */
#define BMI_MAX_COMPONENT_NAME (2048)
#define BMI_MAX_VAR_NAME (2048)
#define BMI_MAX_TYPE_NAME (2048)
#define BMI_MAX_UNITS_NAME (2048)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Bmi {
  void* data; /* data of the model, for the library only */

  /* Control. */
  int (*initialize)(struct Bmi* self, const char* config_file);
  int (*update)(struct Bmi* self);
  int (*update_until)(struct Bmi* self, double then);
  int (*finalize)(struct Bmi* self);

  /* Properties of the model. */
  int (*get_component_name)(struct Bmi* self, char* name);
  int (*get_input_item_count)(struct Bmi* self, int* count);
  int (*get_output_item_count)(struct Bmi* self, int* count);
  int (*get_input_var_names)(struct Bmi* self, char** names);
  int (*get_output_var_names)(struct Bmi* self, char** names);

  /* Variables. */
  int (*get_var_grid)(struct Bmi* self, const char* name, int* grid);
  int (*get_var_type)(struct Bmi* self, const char* name, char* type);
  int (*get_var_units)(struct Bmi* self, const char* name, char* units);
  int (*get_var_itemsize)(struct Bmi* self, const char* name, int* bytes);
  int (*get_var_nbytes)(struct Bmi* self, const char* name, int* bytes);
  int (*get_var_location)(struct Bmi* self, const char* name, char* location);

  /* Time. */
  int (*get_current_time)(struct Bmi* self, double* time);
  int (*get_start_time)(struct Bmi* self, double* time);
  int (*get_end_time)(struct Bmi* self, double* time);
  int (*get_time_units)(struct Bmi* self, char* units);
  int (*get_time_step)(struct Bmi* self, double* step);

  /* Values. */
  int (*get_value)(struct Bmi* self, const char* name, void* to);
  int (*get_value_ptr)(struct Bmi* self, const char* name, void** to);
  int (*get_value_at_indices)(struct Bmi* self, const char* name, void* to, int* indices, int count);
  int (*set_value)(struct Bmi* self, const char* name, void* from);
  int (*set_value_at_indices)(struct Bmi* self, const char* name, int* indices, int count, void* from);

  /* Grids: any, structured, uniform, with coordinates, unstructured. */
  int (*get_grid_rank)(struct Bmi* self, int grid, int* rank);
  int (*get_grid_size)(struct Bmi* self, int grid, int* size);
  int (*get_grid_type)(struct Bmi* self, int grid, char* type);
  int (*get_grid_shape)(struct Bmi* self, int grid, int* shape);
  int (*get_grid_spacing)(struct Bmi* self, int grid, double* spacing);
  int (*get_grid_origin)(struct Bmi* self, int grid, double* origin);
  int (*get_grid_x)(struct Bmi* self, int grid, double* x);
  int (*get_grid_y)(struct Bmi* self, int grid, double* y);
  int (*get_grid_z)(struct Bmi* self, int grid, double* z);
  int (*get_grid_node_count)(struct Bmi* self, int grid, int* count);
  int (*get_grid_edge_count)(struct Bmi* self, int grid, int* count);
  int (*get_grid_face_count)(struct Bmi* self, int grid, int* count);
  int (*get_grid_edge_nodes)(struct Bmi* self, int grid, int* nodes);
  int (*get_grid_face_edges)(struct Bmi* self, int grid, int* edges);
  int (*get_grid_face_nodes)(struct Bmi* self, int grid, int* nodes);
  int (*get_grid_nodes_per_face)(struct Bmi* self, int grid, int* counts);
} Bmi;

#ifdef __cplusplus
}
#endif

#endif
