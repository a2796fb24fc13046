! The sum of a number over the ranks of a communicator: what a solver in Fortran gets.
subroutine ranked_sum(communicator, mine, total) bind(c)
  use iso_c_binding, only: c_int, c_double
  use mpi
  implicit none
  integer(c_int), value :: communicator
  real(c_double), value :: mine
  real(c_double), intent(out) :: total
  integer :: error
  call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, communicator, error)
end subroutine
