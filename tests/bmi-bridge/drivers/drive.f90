! Drives a BMI library from Fortran: drive <library> <config> <steps>. Prints times and values, numbers as the C program.
module bmi_struct
  use, intrinsic :: iso_c_binding
  implicit none
  ! The struct of the C binding: the data, and its functions in order.
  type, bind(c) :: bmi
    type(c_ptr) :: data = c_null_ptr
    type(c_funptr) :: functions(41)
  end type
  integer, parameter :: f_initialize = 1, f_update = 2, f_finalize = 4, f_get_current_time = 16, f_get_value = 21, &
    f_set_value = 24
  abstract interface
    function fill_it(model) bind(c)
      import
      type(bmi), intent(inout) :: model
      type(c_ptr) :: fill_it
    end function
    integer(c_int) function plain(model) bind(c)
      import
      type(bmi), intent(inout) :: model
    end function
    integer(c_int) function with_text(model, text) bind(c)
      import
      type(bmi), intent(inout) :: model
      character(kind=c_char), intent(in) :: text(*)
    end function
    integer(c_int) function with_number(model, number) bind(c)
      import
      type(bmi), intent(inout) :: model
      real(c_double), intent(inout) :: number
    end function
    integer(c_int) function with_values(model, name, values) bind(c)
      import
      type(bmi), intent(inout) :: model
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), intent(inout) :: values(*)
    end function
  end interface
  interface
    type(c_ptr) function dlopen(path, flags) bind(c)
      import
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int), value :: flags
    end function
    type(c_funptr) function dlsym(library, name) bind(c)
      import
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
    end function
  end interface
end module

program drive
  use bmi_struct
  implicit none
  type(bmi) :: model
  type(c_ptr) :: library, filled
  type(c_funptr) :: entry
  procedure(fill_it), pointer :: fill
  procedure(plain), pointer :: update, finalize
  procedure(with_text), pointer :: initialize
  procedure(with_number), pointer :: current_time
  procedure(with_values), pointer :: get_value, set_value
  character(len=1000) :: path, config, count
  integer :: steps, step
  real(c_double) :: time, values(1)

  call get_command_argument(1, path)
  call get_command_argument(2, config)
  call get_command_argument(3, count)
  read (count, *) steps
  library = dlopen(trim(path)//c_null_char, 2_c_int)
  if (.not. c_associated(library)) stop 1
  entry = dlsym(library, 'register_bmi'//c_null_char)
  call c_f_procpointer(entry, fill)
  filled = fill(model)
  call c_f_procpointer(model%functions(f_initialize), initialize)
  call c_f_procpointer(model%functions(f_update), update)
  call c_f_procpointer(model%functions(f_finalize), finalize)
  call c_f_procpointer(model%functions(f_get_current_time), current_time)
  call c_f_procpointer(model%functions(f_get_value), get_value)
  call c_f_procpointer(model%functions(f_set_value), set_value)
  if (initialize(model, trim(config)//c_null_char) /= 0) stop 2
  do step = 0, steps - 1
    values(1) = 0.25d0*mod(step, 7)
    if (set_value(model, 'up.inflow'//c_null_char, values) /= 0) stop 3
    if (update(model) /= 0) stop 4
    if (current_time(model, time) /= 0) stop 5
    if (get_value(model, 'down.outflow'//c_null_char, values) /= 0) stop 6
    print '(z16.16,1x,z16.16)', time, values(1)
  end do
  if (finalize(model) /= 0) stop 7
end program
