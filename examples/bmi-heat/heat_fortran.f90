! The plate of heat_c.c as a library that offers the Basic Model Interface in Fortran, behind an integer handle: bmi_new
! gives a number, and every function takes it first. Behind each text comes its length, behind each array its size.
module heat_models
  use, intrinsic :: iso_c_binding
  implicit none
  private

  integer, parameter :: most = 64
  character(len=*), parameter :: temperature = 'plate_surface__temperature'
  character(len=*), parameter :: edge_temperature = 'plate_edge__temperature'

  type :: heat
    logical :: taken = .false.
    integer :: columns = 0, rows = 0
    double precision :: conductivity = 1d0, end = 0d0, step = 0d0, time = 0d0, edge = 1d0
    double precision, allocatable :: now(:, :), next(:, :)   ! column first: the flat order of C
  end type heat

  type(heat), save, target :: models(most)
  character(kind=c_char, len=64), save, target :: input_name, output_name

contains

  function bmi_new() bind(c) result(number)
    integer(c_int) :: number
    integer :: i
    number = -1
    do i = 1, most
      if (.not. models(i)%taken) then
        models(i) = heat(taken=.true.)
        number = i
        return
      end if
    end do
  end function bmi_new

  function bmi_initialize(number, config, length) bind(c) result(status)
    integer(c_int), value :: number, length
    character(kind=c_char), intent(in) :: config(length)
    integer(c_int) :: status
    character(len=length) :: name
    integer :: unit, i, failed
    do i = 1, length
      name(i:i) = config(i)
    end do
    status = 1
    open (newunit=unit, file=name, status='old', action='read', iostat=failed)
    if (failed /= 0) return
    associate (m => models(number))
      read (unit, *, iostat=failed) m%columns, m%rows, m%conductivity, m%end
      close (unit)
      if (failed /= 0 .or. m%columns < 3 .or. m%rows < 3 .or. m%conductivity <= 0d0) return
      m%step = 1d0 / (4d0 * m%conductivity)
      allocate (m%now(m%columns, m%rows), m%next(m%columns, m%rows))
      m%now = 0d0
      m%next = 0d0
    end associate
    status = 0
  end function bmi_initialize

  subroutine advance(m, step)
    type(heat), intent(inout) :: m
    double precision, intent(in) :: step
    double precision :: weight, around
    double precision, allocatable :: before(:, :)
    integer :: row, column
    weight = m%conductivity * step
    do row = 2, m%rows - 1
      m%next(1, row) = m%edge
      do column = 2, m%columns - 1
        around = m%now(column - 1, row) + m%now(column + 1, row) + m%now(column, row - 1) + m%now(column, row + 1)
        m%next(column, row) = m%now(column, row) + weight * (around - 4d0 * m%now(column, row))
      end do
    end do
    call move_alloc(m%now, before)
    call move_alloc(m%next, m%now)
    call move_alloc(before, m%next)
    m%time = m%time + step
  end subroutine advance

  function bmi_update(number) bind(c) result(status)
    integer(c_int), value :: number
    integer(c_int) :: status
    call advance(models(number), models(number)%step)
    status = 0
  end function bmi_update

  function bmi_update_until(number, time) bind(c) result(status)
    integer(c_int), value :: number
    real(c_double), value :: time
    integer(c_int) :: status
    associate (m => models(number))
      status = merge(1, 0, time < m%time)
      if (status /= 0) return
      do while (m%time + m%step <= time)
        call advance(m, m%step)
      end do
      if (m%time < time) call advance(m, time - m%time)
      m%time = time
    end associate
  end function bmi_update_until

  function bmi_finalize(number) bind(c) result(status)
    integer(c_int), value :: number
    integer(c_int) :: status
    models(number) = heat()
    status = 0
  end function bmi_finalize

  ! ---- texts

  subroutine put(text, to, size)
    character(len=*), intent(in) :: text
    integer(c_int), intent(in) :: size
    character(kind=c_char), intent(inout) :: to(size)
    integer :: i
    do i = 1, min(len(text), size - 1)
      to(i) = text(i:i)
    end do
    to(min(len(text) + 1, size)) = c_null_char
  end subroutine put

  logical function is_plate(name, length)
    integer(c_int), intent(in) :: length
    character(kind=c_char), intent(in) :: name(length)
    integer :: i
    is_plate = length == len(temperature)
    do i = 1, min(length, len(temperature))
      is_plate = is_plate .and. name(i) == temperature(i:i)
    end do
  end function is_plate

  function bmi_get_component_name(number, name, size) bind(c) result(status)
    integer(c_int), value :: number, size
    character(kind=c_char), intent(inout) :: name(size)
    integer(c_int) :: status
    status = merge(0, 1, number > 0)
    call put('Heat in a plate', name, size)
  end function bmi_get_component_name

  function bmi_get_input_item_count(number, count) bind(c) result(status)
    integer(c_int), value :: number
    integer(c_int), intent(out) :: count
    integer(c_int) :: status
    count = 1
    status = merge(0, 1, number > 0)
  end function bmi_get_input_item_count

  function bmi_get_output_item_count(number, count) bind(c) result(status)
    integer(c_int), value :: number
    integer(c_int), intent(out) :: count
    integer(c_int) :: status
    count = 1
    status = merge(0, 1, number > 0)
  end function bmi_get_output_item_count

  ! The list is filled with addresses of texts that live here.
  function bmi_get_input_var_names(number, names, count) bind(c) result(status)
    integer(c_int), value :: number, count
    type(c_ptr), intent(out) :: names(count)
    integer(c_int) :: status
    input_name = edge_temperature // c_null_char
    names(1) = c_loc(input_name)
    status = merge(0, 1, number > 0)
  end function bmi_get_input_var_names

  function bmi_get_output_var_names(number, names, count) bind(c) result(status)
    integer(c_int), value :: number, count
    type(c_ptr), intent(out) :: names(count)
    integer(c_int) :: status
    output_name = temperature // c_null_char
    names(1) = c_loc(output_name)
    status = merge(0, 1, number > 0)
  end function bmi_get_output_var_names

  ! ---- variables

  function bmi_get_var_grid(number, name, length, grid) bind(c) result(status)
    integer(c_int), value :: number, length
    character(kind=c_char), intent(in) :: name(length)
    integer(c_int), intent(out) :: grid
    integer(c_int) :: status
    grid = merge(0, 1, is_plate(name, length))
    status = merge(0, 1, number > 0)
  end function bmi_get_var_grid

  function bmi_get_var_type(number, name, length, type, size) bind(c) result(status)
    integer(c_int), value :: number, length, size
    character(kind=c_char), intent(in) :: name(length)
    character(kind=c_char), intent(inout) :: type(size)
    integer(c_int) :: status
    call put('double precision', type, size)
    status = merge(0, 1, number > 0 .and. name(1) /= c_null_char)
  end function bmi_get_var_type

  function bmi_get_var_units(number, name, length, units, size) bind(c) result(status)
    integer(c_int), value :: number, length, size
    character(kind=c_char), intent(in) :: name(length)
    character(kind=c_char), intent(inout) :: units(size)
    integer(c_int) :: status
    call put('K', units, size)
    status = merge(0, 1, number > 0 .and. name(1) /= c_null_char)
  end function bmi_get_var_units

  function bmi_get_var_itemsize(number, name, length, bytes) bind(c) result(status)
    integer(c_int), value :: number, length
    character(kind=c_char), intent(in) :: name(length)
    integer(c_int), intent(out) :: bytes
    integer(c_int) :: status
    bytes = 8
    status = merge(0, 1, number > 0 .and. name(1) /= c_null_char)
  end function bmi_get_var_itemsize

  function bmi_get_var_nbytes(number, name, length, bytes) bind(c) result(status)
    integer(c_int), value :: number, length
    character(kind=c_char), intent(in) :: name(length)
    integer(c_int), intent(out) :: bytes
    integer(c_int) :: status
    bytes = 8
    if (is_plate(name, length)) bytes = 8 * models(number)%columns * models(number)%rows
    status = 0
  end function bmi_get_var_nbytes

  function bmi_get_var_location(number, name, length, location, size) bind(c) result(status)
    integer(c_int), value :: number, length, size
    character(kind=c_char), intent(in) :: name(length)
    character(kind=c_char), intent(inout) :: location(size)
    integer(c_int) :: status
    call put(merge('node', 'none', is_plate(name, length)), location, size)
    status = merge(0, 1, number > 0)
  end function bmi_get_var_location

  ! ---- time

  function bmi_get_current_time(number, time) bind(c) result(status)
    integer(c_int), value :: number
    real(c_double), intent(out) :: time
    integer(c_int) :: status
    time = models(number)%time
    status = 0
  end function bmi_get_current_time

  function bmi_get_start_time(number, time) bind(c) result(status)
    integer(c_int), value :: number
    real(c_double), intent(out) :: time
    integer(c_int) :: status
    time = 0d0
    status = merge(0, 1, number > 0)
  end function bmi_get_start_time

  function bmi_get_end_time(number, time) bind(c) result(status)
    integer(c_int), value :: number
    real(c_double), intent(out) :: time
    integer(c_int) :: status
    time = models(number)%end
    status = 0
  end function bmi_get_end_time

  function bmi_get_time_units(number, units, size) bind(c) result(status)
    integer(c_int), value :: number, size
    character(kind=c_char), intent(inout) :: units(size)
    integer(c_int) :: status
    call put('s', units, size)
    status = merge(0, 1, number > 0)
  end function bmi_get_time_units

  function bmi_get_time_step(number, step) bind(c) result(status)
    integer(c_int), value :: number
    real(c_double), intent(out) :: step
    integer(c_int) :: status
    step = models(number)%step
    status = 0
  end function bmi_get_time_step

  ! ---- values

  function bmi_get_value_double(number, name, length, values, count) bind(c) result(status)
    integer(c_int), value :: number, length, count
    character(kind=c_char), intent(in) :: name(length)
    real(c_double), intent(out) :: values(count)
    integer(c_int) :: status
    status = 0
    if (is_plate(name, length)) then
      values = reshape(models(number)%now, [count])
    else
      values = models(number)%edge
    end if
  end function bmi_get_value_double

  function bmi_get_value_ptr(number, name, length, address) bind(c) result(status)
    integer(c_int), value :: number, length
    character(kind=c_char), intent(in) :: name(length)
    type(c_ptr), intent(out) :: address
    integer(c_int) :: status
    status = 0
    if (is_plate(name, length)) then
      address = c_loc(models(number)%now(1, 1))
    else
      address = c_loc(models(number)%edge)
    end if
  end function bmi_get_value_ptr

  function bmi_set_value_double(number, name, length, values, count) bind(c) result(status)
    integer(c_int), value :: number, length, count
    character(kind=c_char), intent(in) :: name(length)
    real(c_double), intent(in) :: values(count)
    integer(c_int) :: status
    status = 0
    associate (m => models(number))
      if (is_plate(name, length)) then
        m%now = reshape(values, [m%columns, m%rows])
      else
        m%edge = values(1)
      end if
    end associate
  end function bmi_set_value_double

  ! ---- grids

  function bmi_get_grid_rank(number, grid, rank) bind(c) result(status)
    integer(c_int), value :: number, grid
    integer(c_int), intent(out) :: rank
    integer(c_int) :: status
    rank = merge(2, 0, grid == 0)
    status = merge(0, 1, number > 0)
  end function bmi_get_grid_rank

  function bmi_get_grid_size(number, grid, size) bind(c) result(status)
    integer(c_int), value :: number, grid
    integer(c_int), intent(out) :: size
    integer(c_int) :: status
    size = merge(models(number)%columns * models(number)%rows, 1, grid == 0)
    status = 0
  end function bmi_get_grid_size

  function bmi_get_grid_type(number, grid, type, size) bind(c) result(status)
    integer(c_int), value :: number, grid, size
    character(kind=c_char), intent(inout) :: type(size)
    integer(c_int) :: status
    if (grid == 0) then
      call put('uniform_rectilinear', type, size)
    else
      call put('scalar', type, size)
    end if
    status = merge(0, 1, number > 0)
  end function bmi_get_grid_type

  function bmi_get_grid_shape(number, grid, shape, size) bind(c) result(status)
    integer(c_int), value :: number, grid, size
    integer(c_int), intent(out) :: shape(size)
    integer(c_int) :: status
    status = merge(0, 1, grid == 0 .and. size == 2)
    if (status == 0) shape = [models(number)%rows, models(number)%columns]
  end function bmi_get_grid_shape

  function bmi_get_grid_spacing(number, grid, spacing, size) bind(c) result(status)
    integer(c_int), value :: number, grid, size
    real(c_double), intent(out) :: spacing(size)
    integer(c_int) :: status
    spacing = 1d0
    status = merge(0, 1, grid == 0 .and. number > 0)
  end function bmi_get_grid_spacing

  function bmi_get_grid_origin(number, grid, origin, size) bind(c) result(status)
    integer(c_int), value :: number, grid, size
    real(c_double), intent(out) :: origin(size)
    integer(c_int) :: status
    origin = 0d0
    status = merge(0, 1, grid == 0 .and. number > 0)
  end function bmi_get_grid_origin

end module heat_models
