! ======================================================================================================================
!  TMINIT -- reads the input file and sets the initial states.
!
!     FNAME  name of the input file
!     CNAME  name of a file with classes and distances in the usual form of TOPMODEL's sub-catchment files; blank if the
!            input file holds them itself
!     IERR   0 = ready, 1 = a file cannot be opened, 2 = it cannot be read, 3 = a value is out of range;
!            TMERR gives the sentence
!
!  The file, list directed, '!' begins a comment that runs to the end of the line:
!     title
!     catchments   step [h]
!     and for each catchment
!       name   area [km2]
!       m [m]   ln T0 [ln(m2/h)]   td [h/m]   srmax [m]   cimax [m]   vch [m/h]   wsat [m]
!       q0: initial discharge [m/h]   sr0: initial root zone deficit [m]   ci0: initial interception [m]
!       classes of the topographic index; 0 = the next block of CNAME gives classes and distances, nothing follows here
!         share of the area   ln(a / tan b)              one line each; shares are scaled to sum to 1
!       points of the distance-area function
!         cumulative share of the area   distance to the outlet [m]      one line each, both rising, the last share 1
! ======================================================================================================================
      SUBROUTINE TMINIT(FNAME, CNAME, IERR)
      USE TMGLOB
      IMPLICIT NONE
      CHARACTER(LEN=*), INTENT(IN)  :: FNAME, CNAME
      INTEGER,          INTENT(OUT) :: IERR
      INTEGER, PARAMETER :: LUN = 77
      INTEGER :: I, K, ND, IOS, NBLOCK
      DOUBLE PRECISION :: Q0, SR0, CI0, S, ACH(MAXD), DCH(MAXD)
      CHARACTER(LEN=256) :: LINE

      NC    = 0
      NSTEP = 0
      MSG   = ' '
      LINE  = ' '
      NBLOCK = 0
      IERR  = 1
      OPEN (UNIT=LUN, FILE=FNAME, STATUS='OLD', ACTION='READ', IOSTAT=IOS)
      IF (IOS .NE. 0) THEN
        MSG = 'CANNOT OPEN THE INPUT FILE'
        RETURN
      END IF

      IERR = 2
      CALL TMLINE(LUN, TITLE, IOS)
      IF (IOS .NE. 0) GO TO 900
      CALL TMLINE(LUN, LINE, IOS)
      IF (IOS .NE. 0) GO TO 900
      READ (LINE, *, IOSTAT=IOS) K, DT
      IF (IOS .NE. 0) GO TO 900
      IF (K .LT. 1 .OR. K .GT. MAXC .OR. .NOT. DT .GT. 0.0D0) THEN
        WRITE (MSG, '(A,I0,A)') 'EXPECTED 1 TO ', MAXC, ' CATCHMENTS AND A STEP ABOVE 0'
        GO TO 910
      END IF

      DO I = 1, K
        CALL TMLINE(LUN, LINE, IOS)
        IF (IOS .NE. 0) GO TO 900
        READ (LINE, *, IOSTAT=IOS) NAME(I), AREA(I)
        IF (IOS .NE. 0) GO TO 900
        CALL TMLINE(LUN, LINE, IOS)
        IF (IOS .NE. 0) GO TO 900
        READ (LINE, *, IOSTAT=IOS) SZM(I), XLNT0(I), TD(I), SRMAX(I), CIMAX(I), VCH(I), WSAT(I)
        IF (IOS .NE. 0) GO TO 900
        CALL TMLINE(LUN, LINE, IOS)
        IF (IOS .NE. 0) GO TO 900
        READ (LINE, *, IOSTAT=IOS) Q0, SR0, CI0
        IF (IOS .NE. 0) GO TO 900
        CALL TMLINE(LUN, LINE, IOS)
        IF (IOS .NE. 0) GO TO 900
        READ (LINE, *, IOSTAT=IOS) NK(I)
        IF (IOS .NE. 0) GO TO 900
        IF (NK(I) .EQ. 0) THEN
          NBLOCK = NBLOCK + 1
          CALL TMBLOK(CNAME, NBLOCK, I, ND, ACH, DCH, IERR)
          IF (IERR .NE. 0) GO TO 920
          IERR = 2
        ELSE
          CALL TMCLAS(LUN, I, LINE, IOS)
          IF (IOS .NE. 0) GO TO 900
          CALL TMLINE(LUN, LINE, IOS)
          IF (IOS .NE. 0) GO TO 900
          READ (LINE, *, IOSTAT=IOS) ND
          IF (IOS .NE. 0) GO TO 900
          IF (ND .LT. 1 .OR. ND .GT. MAXD) GO TO 900
          CALL TMDIST(LUN, ND, ACH, DCH, LINE, IOS)
          IF (IOS .NE. 0) GO TO 900
        END IF
        S = SUM(FRAC(1:NK(I), I))
        IF (.NOT. (S .GT. 0.0D0 .AND. SZM(I) .GT. 0.0D0 .AND. TD(I) .GE. 0.0D0 .AND. VCH(I) .GT. 0.0D0 .AND.     &
                   Q0 .GT. 0.0D0 .AND. CIMAX(I) .GE. 0.0D0 .AND. SR0 .GE. 0.0D0 .AND. SR0 .LE. SRMAX(I) .AND.    &
                   CI0 .GE. 0.0D0 .AND. CI0 .LE. CIMAX(I))) THEN
          MSG = 'CATCHMENT ' // TRIM(NAME(I)) // ': A PARAMETER IS OUT OF RANGE'
          GO TO 910
        END IF
        CALL TMPREP(I, S, ND, ACH, DCH, Q0, SR0, CI0, IOS)
        IF (IOS .NE. 0) THEN
          MSG = 'CATCHMENT ' // TRIM(NAME(I)) // ': THE ROUTING HISTOGRAM IS LONGER THAN THE QUEUE; RAISE VCH'
          GO TO 910
        END IF
      END DO
      CLOSE (LUN)
      NC   = K
      IERR = 0
      RETURN

  900 MSG = 'THE FILE ENDS EARLY OR THIS LINE CANNOT BE READ: ' // LINE(1:80)
      CLOSE (LUN)
      RETURN
  910 IERR = 3
  920 CLOSE (LUN)
      END SUBROUTINE TMINIT

! ----------------------------------------------------------------------------------------------------------------------
!  TMPREP -- what follows from the parameters of catchment I: shares, SZQ, routing histogram, initial states.
! ----------------------------------------------------------------------------------------------------------------------
      SUBROUTINE TMPREP(I, S, ND, ACH, DCH, Q0, SR0, CI0, IERR)
      USE TMGLOB
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: I, ND
      DOUBLE PRECISION, INTENT(IN)  :: S, ACH(ND), DCH(ND), Q0, SR0, CI0
      INTEGER,          INTENT(OUT) :: IERR
      INTEGER :: J, L
      DOUBLE PRECISION :: T, A, APREV

      IERR = 0
      TBAR(I) = 0.0D0
      DO J = 1, NK(I)
        FRAC(J, I) = FRAC(J, I) / S
        TBAR(I)    = TBAR(I) + FRAC(J, I) * TIND(J, I)
        SRZ(J, I)  = SR0
        SUZ(J, I)  = 0.0D0
      END DO
      SZQ(I)  = EXP(XLNT0(I) - TBAR(I))
      SBAR(I) = -SZM(I) * LOG(Q0 / SZQ(I))
      CAN(I)  = CI0

!     --- share of the area from which water arrives within the j-th step; linear between the points
      APREV = 0.0D0
      NH(I) = 0
      DO J = 1, MAXH
        T = DBLE(J) * DT * VCH(I)
        A = 1.0D0
        IF (T .LT. DCH(ND)) THEN
          A = 0.0D0
          DO L = 1, ND
            IF (T .GE. DCH(L)) THEN
              A = ACH(L)
            ELSE
              IF (L .GT. 1) A = ACH(L - 1) + (ACH(L) - ACH(L - 1)) * (T - DCH(L - 1)) / (DCH(L) - DCH(L - 1))
              EXIT
            END IF
          END DO
        END IF
        HIST(J, I) = A - APREV
        APREV      = A
        NH(I)      = J
        IF (A .GE. 1.0D0) EXIT
      END DO
      IF (APREV .LT. 1.0D0) IERR = 1

!     --- the river starts with the initial discharge already on its way
      DO J = 1, NH(I)
        QUE(J, I) = Q0 * DT * SUM(HIST(J + 1:NH(I), I))
      END DO
      CRAIN(I) = 0.0D0
      CEVAP(I) = 0.0D0
      CQOUT(I) = 0.0D0
      QOVER(I) = 0.0D0
      QBASE(I) = 0.0D0
      END SUBROUTINE TMPREP

! ----------------------------------------------------------------------------------------------------------------------
!  TMCLAS -- reads NK(I) classes of catchment I; IOS /= 0 and the line if one cannot be read.
! ----------------------------------------------------------------------------------------------------------------------
      SUBROUTINE TMCLAS(LUN, I, LINE, IOS)
      USE TMGLOB
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: LUN, I
      CHARACTER(LEN=*), INTENT(OUT) :: LINE
      INTEGER,          INTENT(OUT) :: IOS
      INTEGER :: J
      LINE = 'NUMBER OF CLASSES'
      IOS  = 1
      IF (NK(I) .LT. 1 .OR. NK(I) .GT. MAXK) RETURN
      DO J = 1, NK(I)
        CALL TMLINE(LUN, LINE, IOS)
        IF (IOS .NE. 0) RETURN
        READ (LINE, *, IOSTAT=IOS) FRAC(J, I), TIND(J, I)
        IF (IOS .EQ. 0 .AND. .NOT. FRAC(J, I) .GE. 0.0D0) IOS = 1
        IF (IOS .NE. 0) RETURN
      END DO
      END SUBROUTINE TMCLAS

! ----------------------------------------------------------------------------------------------------------------------
!  TMDIST -- reads the distance-area function; IOS /= 0 if it cannot be read.
! ----------------------------------------------------------------------------------------------------------------------
      SUBROUTINE TMDIST(LUN, ND, ACH, DCH, LINE, IOS)
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: LUN, ND
      DOUBLE PRECISION, INTENT(OUT) :: ACH(ND), DCH(ND)
      CHARACTER(LEN=*), INTENT(OUT) :: LINE
      INTEGER,          INTENT(OUT) :: IOS
      INTEGER :: J
      DO J = 1, ND
        CALL TMLINE(LUN, LINE, IOS)
        IF (IOS .NE. 0) RETURN
        READ (LINE, *, IOSTAT=IOS) ACH(J), DCH(J)
        IF (IOS .NE. 0) RETURN
      END DO
      CALL TMRISE(ND, ACH, DCH, IOS)
      END SUBROUTINE TMDIST

! ----------------------------------------------------------------------------------------------------------------------
!  TMRISE -- IOS /= 0 unless the distance-area function rises to 1.
! ----------------------------------------------------------------------------------------------------------------------
      SUBROUTINE TMRISE(ND, ACH, DCH, IOS)
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: ND
      DOUBLE PRECISION, INTENT(IN)  :: ACH(ND), DCH(ND)
      INTEGER,          INTENT(OUT) :: IOS
      INTEGER :: J
      IOS = 0
      DO J = 2, ND
        IF (ACH(J) .LT. ACH(J - 1) .OR. DCH(J) .LE. DCH(J - 1)) IOS = 1
      END DO
      IF (ACH(1) .LT. 0.0D0 .OR. DCH(1) .LT. 0.0D0) IOS = 1
      IF (ABS(ACH(ND) - 1.0D0) .GT. 1.0D-12) IOS = 1
      END SUBROUTINE TMRISE

! ----------------------------------------------------------------------------------------------------------------------
!  TMBLOK -- classes and distances of catchment I from block NB of a sub-catchment file:
!     blocks   two flags
!     and for each block: title; classes and area; share and index of each class; points; share and distance of each point;
!     the name of a map
! ----------------------------------------------------------------------------------------------------------------------
      SUBROUTINE TMBLOK(CNAME, NB, I, ND, ACH, DCH, IERR)
      USE TMGLOB
      IMPLICIT NONE
      CHARACTER(LEN=*), INTENT(IN)  :: CNAME
      INTEGER,          INTENT(IN)  :: NB, I
      INTEGER,          INTENT(OUT) :: ND, IERR
      DOUBLE PRECISION, INTENT(OUT) :: ACH(MAXD), DCH(MAXD)
      INTEGER, PARAMETER :: LUN = 78
      CHARACTER(LEN=256) :: LINE
      INTEGER :: IOS, J, B, NBS

      ND   = 0
      IERR = 1
      MSG  = 'CANNOT OPEN THE FILE OF CLASSES'
      OPEN (UNIT=LUN, FILE=CNAME, STATUS='OLD', ACTION='READ', IOSTAT=IOS)
      IF (IOS .NE. 0) RETURN

      IERR = 2
      WRITE (MSG, '(A,I0)') 'THE FILE OF CLASSES HOLDS NO READABLE BLOCK ', NB
      READ (LUN, *, IOSTAT=IOS) NBS
      IF (IOS .NE. 0 .OR. NBS .LT. NB) GO TO 900
      DO B = 1, NB
        READ (LUN, '(A)', IOSTAT=IOS) LINE
        IF (IOS .NE. 0) GO TO 900
        READ (LUN, *, IOSTAT=IOS) NK(I)
        IF (IOS .NE. 0 .OR. NK(I) .LT. 1 .OR. NK(I) .GT. MAXK) GO TO 900
        READ (LUN, *, IOSTAT=IOS) (FRAC(J, I), TIND(J, I), J = 1, NK(I))
        IF (IOS .NE. 0) GO TO 900
        READ (LUN, *, IOSTAT=IOS) ND
        IF (IOS .NE. 0 .OR. ND .LT. 1 .OR. ND .GT. MAXD) GO TO 900
        READ (LUN, *, IOSTAT=IOS) (ACH(J), DCH(J), J = 1, ND)
        IF (IOS .NE. 0) GO TO 900
        READ (LUN, '(A)', IOSTAT=IOS) LINE
      END DO
      IF (MINVAL(FRAC(1:NK(I), I)) .LT. 0.0D0) GO TO 900
      CALL TMRISE(ND, ACH, DCH, IOS)
      IF (IOS .NE. 0) GO TO 900
      IERR = 0
      MSG  = ' '
  900 CLOSE (LUN)
      END SUBROUTINE TMBLOK

! ----------------------------------------------------------------------------------------------------------------------
!  TMLINE -- the next line that holds something, without its comment.
! ----------------------------------------------------------------------------------------------------------------------
      SUBROUTINE TMLINE(LUN, LINE, IOS)
      IMPLICIT NONE
      INTEGER,          INTENT(IN)  :: LUN
      CHARACTER(LEN=*), INTENT(OUT) :: LINE
      INTEGER,          INTENT(OUT) :: IOS
      CHARACTER(LEN=256) :: RAW
      INTEGER :: J
      LINE = ' '
      DO
        READ (LUN, '(A)', IOSTAT=IOS) RAW
        IF (IOS .NE. 0) RETURN
        J = INDEX(RAW, '!')
        IF (J .GT. 0) RAW(J:) = ' '
        J = INDEX(RAW, CHAR(13))
        IF (J .GT. 0) RAW(J:) = ' '
        IF (LEN_TRIM(RAW) .GT. 0) EXIT
      END DO
      LINE = RAW
      END SUBROUTINE TMLINE
