C     A channel in four reaches, each a linear store; data in a common
C     block, as it was done.
      SUBROUTINE CHINIT(TRAVEL, IERR)
      DOUBLE PRECISION TRAVEL
      INTEGER IERR
      DOUBLE PRECISION QIN, Q(4), TIME
      REAL STORE(4)
      COMMON /CHAN/ QIN, Q, TIME, STORE
      INTEGER I
      IERR = 1
      IF (TRAVEL .LE. 0D0) RETURN
      TIME = TRAVEL / 4
      QIN = 0D0
      DO 10 I = 1, 4
        Q(I) = 0D0
        STORE(I) = 0.0
   10 CONTINUE
      IERR = 0
      END

      SUBROUTINE CHSTEP(DT)
      DOUBLE PRECISION DT, FLOW, DECAY
      DOUBLE PRECISION QIN, Q(4), TIME
      REAL STORE(4)
      COMMON /CHAN/ QIN, Q, TIME, STORE
      INTEGER I
      FLOW = QIN
      DECAY = EXP(-DT / TIME)
      DO 20 I = 1, 4
        Q(I) = FLOW + (Q(I) - FLOW) * DECAY
        STORE(I) = REAL(Q(I) * TIME)
        FLOW = Q(I)
   20 CONTINUE
      END
