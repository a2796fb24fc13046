! ======================================================================================================================
!  States of the TM code in one array, for a warm start.  The same input file must have been read on both sides.
! ======================================================================================================================

! --- TMNSTA: length of the array
      SUBROUTINE TMNSTA(N)
      USE TMGLOB
      IMPLICIT NONE
      INTEGER, INTENT(OUT) :: N
      INTEGER :: I
      N = 0
      DO I = 1, NC
        N = N + 7 + 2 * NK(I) + NH(I)
      END DO
      END SUBROUTINE TMNSTA

! --- TMGETS: copies the states into A
      SUBROUTINE TMGETS(A)
      USE TMGLOB
      IMPLICIT NONE
      DOUBLE PRECISION, INTENT(OUT) :: A(*)
      INTEGER :: I, L
      L = 0
      DO I = 1, NC
        A(L + 1:L + 7) = (/ SBAR(I), CAN(I), CRAIN(I), CEVAP(I), CQOUT(I), QOVER(I), QBASE(I) /)
        L = L + 7
        A(L + 1:L + NK(I)) = SRZ(1:NK(I), I)
        L = L + NK(I)
        A(L + 1:L + NK(I)) = SUZ(1:NK(I), I)
        L = L + NK(I)
        A(L + 1:L + NH(I)) = QUE(1:NH(I), I)
        L = L + NH(I)
      END DO
      END SUBROUTINE TMGETS

! --- TMPUTS: takes the states from A
      SUBROUTINE TMPUTS(A)
      USE TMGLOB
      IMPLICIT NONE
      DOUBLE PRECISION, INTENT(IN) :: A(*)
      INTEGER :: I, L
      L = 0
      DO I = 1, NC
        SBAR(I)  = A(L + 1)
        CAN(I)   = A(L + 2)
        CRAIN(I) = A(L + 3)
        CEVAP(I) = A(L + 4)
        CQOUT(I) = A(L + 5)
        QOVER(I) = A(L + 6)
        QBASE(I) = A(L + 7)
        L = L + 7
        SRZ(1:NK(I), I) = A(L + 1:L + NK(I))
        L = L + NK(I)
        SUZ(1:NK(I), I) = A(L + 1:L + NK(I))
        L = L + NK(I)
        QUE(1:NH(I), I) = A(L + 1:L + NH(I))
        L = L + NH(I)
      END DO
      END SUBROUTINE TMPUTS
