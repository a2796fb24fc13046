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
    integer(c_size_t) function openmi_last_error(buffer, size) bind(c)
      import :: c_char, c_size_t
      character(kind=c_char), intent(out) :: buffer(*)
      integer(c_size_t), value :: size
    end function
  end interface
  type(c_ptr) :: run
  character(len=1000) :: path
  real(c_double) :: out(3), took(3), given(3)
  integer :: passes

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
