! ======================================================================================================================
!  TMSTEP -- one step of every catchment.
!
!  After K. J. Beven and M. J. Kirkby (1979), A physically based, variable contributing area model of basin hydrology,
!  Hydrological Sciences Bulletin 24(1), 43-69, and K. J. Beven (1997), TOPMODEL: a critique, Hydrological Processes 11(9),
!  1069-1085.  Written from the equations; an interception store is added.
!
!     RAIN(NC)  rain in the step                  [m]
!     PET(NC)   potential evaporation in the step [m]
!     QOUT(NC)  discharge at the outlet           [m over the catchment]
! ======================================================================================================================
      SUBROUTINE TMSTEP(RAIN, PET, QOUT)
      USE TMGLOB
      IMPLICIT NONE
      DOUBLE PRECISION, INTENT(IN)  :: RAIN(*), PET(*)
      DOUBLE PRECISION, INTENT(OUT) :: QOUT(*)
      INTEGER :: I, K, J
      DOUBLE PRECISION :: P, EP, EA, EI, ET, RECH, QB, QO, EXC, SI, UZ, SNEW, THRU

      DO I = 1, NC
        P  = MAX(RAIN(I), 0.0D0)
        EP = MAX(PET(I), 0.0D0)

!       --- interception: filled first, emptied at the potential rate
        CAN(I) = CAN(I) + P
        THRU   = MAX(CAN(I) - CIMAX(I), 0.0D0)
        CAN(I) = CAN(I) - THRU
        EI     = MIN(EP, CAN(I))
        CAN(I) = CAN(I) - EI
        ET     = EI
        EP     = EP - EI

        RECH = 0.0D0
        QO   = 0.0D0
        DO K = 1, NK(I)
!         --- local deficit: S_i = S + m (lambda - index_i)
          SI = MAX(SBAR(I) + SZM(I) * (TBAR(I) - TIND(K, I)), 0.0D0)

!         --- root zone: no drainage before its deficit is made up
          SRZ(K, I) = SRZ(K, I) - THRU
          IF (SRZ(K, I) .LT. 0.0D0) THEN
            SUZ(K, I) = SUZ(K, I) - SRZ(K, I)
            SRZ(K, I) = 0.0D0
          END IF

!         --- saturation excess, and return flow where the class is saturated
          EXC = MAX(SUZ(K, I) - SI, 0.0D0)
          SUZ(K, I) = SUZ(K, I) - EXC
          QO = QO + EXC * FRAC(K, I)

!         --- drainage q_v = SUZ / (S_i t_d); all of it where the delay is shorter than the step
          IF (SUZ(K, I) .GT. 0.0D0) THEN
            UZ = SUZ(K, I)
            IF (SI * TD(I) .GT. DT) UZ = SUZ(K, I) * DT / (SI * TD(I))
            SUZ(K, I) = SUZ(K, I) - UZ
            RECH = RECH + UZ * FRAC(K, I)
          END IF

!         --- evaporation falls off linearly with the deficit of the root zone
          IF (EP .GT. 0.0D0 .AND. SRMAX(I) .GT. 0.0D0) THEN
            EA = EP * (1.0D0 - SRZ(K, I) / SRMAX(I))
            EA = MAX(MIN(EA, SRMAX(I) - SRZ(K, I)), 0.0D0)
            SRZ(K, I) = SRZ(K, I) + EA
            ET = ET + EA * FRAC(K, I)
          END IF
        END DO

!       --- saturated zone: dS/dt = SZQ exp(-S/m) - r, solved exactly over the step for constant recharge r
        CALL TMSATZ(SBAR(I), SZM(I), SZQ(I), RECH / DT, DT, SNEW)
        QB      = SNEW - SBAR(I) + RECH
        SBAR(I) = SNEW

!       --- overland and channel delay
        DO J = 1, NH(I)
          QUE(J, I) = QUE(J, I) + HIST(J, I) * (QB + QO)
        END DO
        QOUT(I) = QUE(1, I)
        DO J = 1, NH(I) - 1
          QUE(J, I) = QUE(J + 1, I)
        END DO
        QUE(NH(I), I) = 0.0D0

        QOVER(I) = QO
        QBASE(I) = QB
        CRAIN(I) = CRAIN(I) + P
        CEVAP(I) = CEVAP(I) + ET
        CQOUT(I) = CQOUT(I) + QOUT(I)
      END DO
      NSTEP = NSTEP + 1
      END SUBROUTINE TMSTEP

! ----------------------------------------------------------------------------------------------------------------------
!  TMSATZ -- the exponential store over one step.  With u = exp(S/m) the equation is linear: du/dt = (SZQ - r u) / m.
! ----------------------------------------------------------------------------------------------------------------------
      SUBROUTINE TMSATZ(S, SM, Q0, R, H, SNEW)
      IMPLICIT NONE
      DOUBLE PRECISION, INTENT(IN)  :: S, SM, Q0, R, H
      DOUBLE PRECISION, INTENT(OUT) :: SNEW
      DOUBLE PRECISION :: X, PHI, G
!     S_new = S - r h + m ln(1 + q h / m * phi(x)),  q = SZQ exp(-S/m),  x = r h / m,  phi = (e^x - 1) / x
      X = R * H / SM
      IF (X .LT. 1.0D-5) THEN
        PHI = 1.0D0 + X * (0.5D0 + X / 6.0D0)
      ELSE
        PHI = (EXP(X) - 1.0D0) / X
      END IF
      G    = Q0 * EXP(-S / SM) * H / SM * PHI
      SNEW = S - R * H + SM * LOG(1.0D0 + G)
      END SUBROUTINE TMSATZ
