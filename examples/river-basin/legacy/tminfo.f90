! ======================================================================================================================
!  Questions to the TM code, and its end.  All of them read TMGLOB.
! ======================================================================================================================

! --- TMSIZE: catchments and step [h]
      SUBROUTINE TMSIZE(NCATCH, DTHOUR)
      USE TMGLOB
      IMPLICIT NONE
      INTEGER,          INTENT(OUT) :: NCATCH
      DOUBLE PRECISION, INTENT(OUT) :: DTHOUR
      NCATCH = NC
      DTHOUR = DT
      END SUBROUTINE TMSIZE

! --- TMNAME: name (blank padded) and area [km2] of catchment I = 1 .. NC
      SUBROUTINE TMNAME(I, CNAME, CAREA)
      USE TMGLOB
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: I
      CHARACTER(LEN=*), INTENT(OUT) :: CNAME
      DOUBLE PRECISION, INTENT(OUT) :: CAREA
      CNAME = NAME(I)
      CAREA = AREA(I)
      END SUBROUTINE TMNAME

! --- TMSTOR: water held by catchment I [m]: interception, root zone, unsaturated zone, saturated zone, on its way
      SUBROUTINE TMSTOR(I, STORE)
      USE TMGLOB
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: I
      DOUBLE PRECISION, INTENT(OUT) :: STORE(5)
      INTEGER :: K
      STORE(1) = CAN(I)
      STORE(2) = 0.0D0
      STORE(3) = 0.0D0
      DO K = 1, NK(I)
        STORE(2) = STORE(2) + FRAC(K, I) * (SRMAX(I) - SRZ(K, I))
        STORE(3) = STORE(3) + FRAC(K, I) * SUZ(K, I)
      END DO
      STORE(4) = WSAT(I) - SBAR(I)
      STORE(5) = SUM(QUE(1:NH(I), I))
      END SUBROUTINE TMSTOR

! --- TMTOTL: totals of catchment I since TMINIT [m]: rain, evaporation, discharge
      SUBROUTINE TMTOTL(I, TOTAL)
      USE TMGLOB
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: I
      DOUBLE PRECISION, INTENT(OUT) :: TOTAL(3)
      TOTAL(1) = CRAIN(I)
      TOTAL(2) = CEVAP(I)
      TOTAL(3) = CQOUT(I)
      END SUBROUTINE TMTOTL

! --- TMERR: the last error, blank padded
      SUBROUTINE TMERR(TEXT)
      USE TMGLOB
      IMPLICIT NONE
      CHARACTER(LEN=*), INTENT(OUT) :: TEXT
      TEXT = MSG
      END SUBROUTINE TMERR

! --- TMFIN: forgets everything
      SUBROUTINE TMFIN()
      USE TMGLOB
      IMPLICIT NONE
      NC    = 0
      NSTEP = 0
      END SUBROUTINE TMFIN
