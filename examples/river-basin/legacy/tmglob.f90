! ======================================================================================================================
!  TMGLOB -- the working memory of the TM rainfall-runoff code.  One copy per process: every routine of the library reads
!            and writes these arrays, and nobody passes them around.
!
!  Depths are metres of water over the catchment, times are hours, rates are metres per hour.
! ======================================================================================================================
      MODULE TMGLOB
      IMPLICIT NONE
      SAVE

      INTEGER, PARAMETER :: MAXC = 64        ! catchments
      INTEGER, PARAMETER :: MAXK = 64        ! classes of the topographic index
      INTEGER, PARAMETER :: MAXD = 16        ! points of the distance-area function
      INTEGER, PARAMETER :: MAXH = 512       ! ordinates of the routing histogram

      INTEGER            :: NC    = 0        ! catchments in use; 0 = not initialised
      INTEGER            :: NSTEP = 0        ! steps done since TMINIT
      DOUBLE PRECISION   :: DT    = 1.0D0    ! step [h]
      CHARACTER(LEN=132) :: MSG   = ' '      ! what went wrong last
      CHARACTER(LEN=80)  :: TITLE = ' '

!     --- parameters, per catchment
      CHARACTER(LEN=16)  :: NAME(MAXC)
      DOUBLE PRECISION   :: AREA(MAXC)       ! [km2]; not used in the computation, handed on to whoever asks
      DOUBLE PRECISION   :: SZM(MAXC)        ! decay of transmissivity with deficit, m [m]
      DOUBLE PRECISION   :: XLNT0(MAXC)      ! ln of the transmissivity at saturation [ln(m2/h)]
      DOUBLE PRECISION   :: TD(MAXC)         ! delay of the unsaturated zone [h per m of deficit]
      DOUBLE PRECISION   :: SRMAX(MAXC)      ! capacity of the root zone [m]
      DOUBLE PRECISION   :: CIMAX(MAXC)      ! capacity of the interception store [m]
      DOUBLE PRECISION   :: VCH(MAXC)        ! velocity of overland and channel flow [m/h]
      DOUBLE PRECISION   :: WSAT(MAXC)       ! drainable water at full saturation [m]; sets the zero of the storage only
      INTEGER            :: NK(MAXC)         ! classes in use
      DOUBLE PRECISION   :: FRAC(MAXK, MAXC) ! share of the area [1], sums to 1
      DOUBLE PRECISION   :: TIND(MAXK, MAXC) ! topographic index ln(a / tan b)
      DOUBLE PRECISION   :: TBAR(MAXC)       ! its mean over the area (lambda)
      DOUBLE PRECISION   :: SZQ(MAXC)        ! outflow of the saturated zone at zero deficit [m/h]
      INTEGER            :: NH(MAXC)         ! ordinates in use
      DOUBLE PRECISION   :: HIST(MAXH, MAXC) ! share of the area whose water arrives in the k-th step [1], sums to 1

!     --- states, per catchment
      DOUBLE PRECISION   :: SBAR(MAXC)       ! mean deficit of the saturated zone [m]; negative = above saturation
      DOUBLE PRECISION   :: SRZ(MAXK, MAXC)  ! deficit of the root zone [m], 0 .. SRMAX
      DOUBLE PRECISION   :: SUZ(MAXK, MAXC)  ! gravity water of the unsaturated zone [m]
      DOUBLE PRECISION   :: CAN(MAXC)        ! interception store [m]
      DOUBLE PRECISION   :: QUE(MAXH, MAXC)  ! water on its way to the outlet, by the step in which it arrives [m]

!     --- totals since TMINIT, per catchment [m]
      DOUBLE PRECISION   :: CRAIN(MAXC), CEVAP(MAXC), CQOUT(MAXC)
      DOUBLE PRECISION   :: QOVER(MAXC), QBASE(MAXC)   ! of the last step, before routing

      END MODULE TMGLOB
