! The C interface from Fortran: a run to its end, its values read and written.
program embed
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    function openmi_open(path) bind(c) result(run)
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr) :: run
    end function
    integer(c_int) function openmi_load(run) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: run
    end function
    integer(c_int) function openmi_begin(run) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: run
    end function
    integer(c_int) function openmi_step(run) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: run
    end function
    integer(c_int) function openmi_end(run) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: run
    end function
    integer(c_int) function openmi_close(run) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: run
    end function
    integer(c_int) function openmi_read(run, item, values, count) bind(c)
      import :: c_ptr, c_int, c_char, c_double, c_size_t
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: item(*)
      real(c_double), intent(out) :: values(*)
      integer(c_size_t), value :: count
    end function
    integer(c_int) function openmi_write(run, item, values, count) bind(c)
      import :: c_ptr, c_int, c_char, c_double, c_size_t
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: item(*)
      real(c_double), intent(in) :: values(*)
      integer(c_size_t), value :: count
    end function
    integer(c_int) function openmi_supply_input(run, item, between) bind(c)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: item(*)
      integer(c_int), value :: between
    end function
    integer(c_int) function openmi_supply(run, item, mjd, duration, values, count) bind(c)
      import :: c_ptr, c_int, c_char, c_double, c_size_t
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: item(*)
      real(c_double), value :: mjd, duration
      real(c_double), intent(in) :: values(*)
      integer(c_size_t), value :: count
    end function
    integer(c_int) function openmi_find_item(run, item) bind(c)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: run
      character(kind=c_char), intent(in) :: item(*)
    end function
    integer(c_int) function openmi_read_item(run, item, values, count, mjd, duration) bind(c)
      import :: c_ptr, c_int, c_double, c_size_t
      type(c_ptr), value :: run
      integer(c_int), value :: item
      real(c_double), intent(out) :: values(*)
      integer(c_size_t), value :: count
      real(c_double), intent(out) :: mjd, duration
    end function
    integer(c_int) function openmi_keep_state(run, state) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: run
      integer(c_int), intent(out) :: state
    end function
    integer(c_int) function openmi_restore_state(run, state) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: run
      integer(c_int), value :: state
    end function
    integer(c_size_t) function openmi_last_error(buffer, size) bind(c)
      import :: c_char, c_size_t
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
    end function
  end interface
  type(c_ptr) :: run
  character(len=1000) :: path
  real(c_double) :: out(3), took(3), given(3)
  real(c_double) :: again(3), mjd, duration
  integer :: passes
  integer(c_int) :: item, state

  call get_command_argument(1, path)
  run = openmi_open(trim(path) // c_null_char)
  call expect(c_associated(run), 'open')
  call expect(openmi_load(run) == 0, 'load')
  call expect(openmi_begin(run) == 0, 'begin')
  given = [1.0d0, 2.0d0, 3.0d0]
  passes = 0
  do while (openmi_step(run) == 1)
    passes = passes + 1
    if (passes == 5) call expect(openmi_write(run, 'b.take' // c_null_char, given, 3_c_size_t) == 0, 'write')
  end do
  call expect(passes == 24, 'passes')
  call expect(openmi_read(run, 'b.take' // c_null_char, took, 3_c_size_t) == 0, 'read')
  call expect(all(took == given), 'what was written arrives')
  call expect(openmi_read(run, 'b.out' // c_null_char, out, 3_c_size_t) == 0, 'read out')
  call expect(all(abs(out) < 10.0d0), 'values')
  call expect(openmi_read(run, 'b.out' // c_null_char, out, 2_c_size_t) == -1, 'a place too small')
  call expect(openmi_step(c_null_ptr) == -1, 'no handle')
  call expect(openmi_end(run) == 0, 'end')
  call expect(openmi_close(run) == 0, 'close')

  ! An input that is fed from here, and a state to go back to.
  run = openmi_open(trim(path) // c_null_char)
  call expect(openmi_supply_input(run, 'a.take' // c_null_char, 0_c_int) == 0, 'supply input')
  call expect(openmi_load(run) == 0, 'load')
  call expect(openmi_supply(run, 'a.take' // c_null_char, 57357.0d0, 0.0d0, given, 3_c_size_t) == 0, 'supply')
  call expect(openmi_begin(run) == 0, 'begin')
  item = openmi_find_item(run, 'a.out' // c_null_char)
  call expect(item >= 0, 'find item')
  call expect(openmi_step(run) == 1, 'step')
  call expect(openmi_keep_state(run, state) == 0, 'keep state')
  call expect(openmi_step(run) == 1, 'step')
  call expect(openmi_read_item(run, item, out, 3_c_size_t, mjd, duration) == 0, 'read item')
  call expect(abs(mjd - 57357.0d0 - 2.0d0 / 24.0d0) < 1.0d-9 .and. duration == 0.0d0, 'its time')
  call expect(openmi_restore_state(run, state) == 0, 'restore state')
  call expect(openmi_step(run) == 1, 'step again')
  call expect(openmi_read_item(run, item, again, 3_c_size_t, mjd, duration) == 0, 'read again')
  call expect(all(again == out), 'the same values')
  call expect(openmi_close(run) == 0, 'close')
  print '(a)', 'ok'
contains
  subroutine expect(condition, what)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: what
    character(kind=c_char) :: text(500)
    integer(c_size_t) :: length
    if (condition) return
    length = openmi_last_error(text, 500_c_size_t)
    print '(a, a, 500a)', what, ' failed; last error: ', text(1:min(int(length), 499))
    error stop 1
  end subroutine
end program
