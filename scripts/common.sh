# Shared by the scripts of this folder: where things are, how we speak, how a build is configured. Sourced, never run.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/release"
parts=(FMI DCP OSMP BROKER BMI)  # what the build can do without, by the names of CMakeLists.txt
export LC_ALL=C.UTF-8

# Say <words>: one line about what happens now, on standard error so that a program's own output stays clean.
Say() { printf '== %s\n' "$*" >&2; }

# Die <words>: what was expected, what was found, what to do; then exit 2.
Die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 2; }

# Jobs: as many as there are cores, fewer where memory is short (a heavy source takes about 1 GB).
Jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo 2>/dev/null || echo "$cores")
  if [ "$memory" -lt 1 ]; then memory=1; fi
  echo $((cores < memory ? cores : memory))
}

# Configure <preset> [cmake argument...]: configures build/<preset> once; ninja configures again by itself when a CMake file changed.
# A build folder that was moved or copied from elsewhere is configured afresh.
Configure() {
  local folder="$root/build/$1" home
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null || true)
  if [ -f "$folder/build.ninja" ] && [ "$home" = "$root" ]; then return; fi
  Say "configuring build/$1"
  local log
  log=$(mktemp)
  if ! (cd "$root" && cmake --fresh --preset "$1" "${@:2}" >"$log" 2>&1); then
    cat "$log" >&2
    rm -f "$log"
    Die "build/$1 could not be configured; the reason is above"
  fi
  rm -f "$log"
}

# SwitchOn <preset> <part>...: switches parts of a configured build on, where they are off.
SwitchOn() {
  local folder="$root/build/$1" part off=()
  shift
  for part in "$@"; do
    if ! grep -q "^OPENMI_WITH_$part:BOOL=ON" "$folder/CMakeCache.txt"; then off+=("-DOPENMI_WITH_$part=ON"); fi
  done
  if [ ${#off[@]} -eq 0 ]; then return; fi
  Say "switching on ${off[*]#-DOPENMI_WITH_}"
  cmake -S "$root" -B "$folder" "${off[@]}" >/dev/null
}

# FindPython <preset>: looks again for what the Python package is built for, where it was missing when the build was
# configured.
FindPython() {
  if grep -q '^OPENMI_PYTHON_EXECUTABLE:INTERNAL=.' "$root/build/$1/CMakeCache.txt"; then return; fi
  Say "looking for Python"
  cmake -S "$root" -B "$root/build/$1" >/dev/null
}

# Build <preset> <target>...: builds targets; quiet when nothing is to be done.
Build() {
  local folder="$root/build/$1"
  shift
  if ninja -C "$folder" -n "$@" 2>/dev/null | grep -q 'no work to do'; then return; fi
  Say "building ${folder#"$root"/} ($*)"
  ninja -C "$folder" -j "$(Jobs)" "$@" >&2
}

# SetTestData: tells tests where the real data is, when it is there; without it they read tests/data.
SetTestData() {
  if [ -z "${OPENMI_TEST_DATA:-}" ] && [ -d "$root/../shared/data" ]; then
    OPENMI_TEST_DATA=$(cd "$root/../shared/data" && pwd)
  fi
  if [ -n "${OPENMI_TEST_DATA:-}" ]; then
    [ -d "$OPENMI_TEST_DATA" ] || Die "expected a folder in OPENMI_TEST_DATA, found '$OPENMI_TEST_DATA'; correct or unset it"
    export OPENMI_TEST_DATA
  fi
}
