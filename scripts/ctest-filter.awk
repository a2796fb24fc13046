# Reads `ctest --verbose`: keeps the summary and one line a test, and shows what a test printed only if it did not pass.
/^[0-9]+: / {
  number = $1
  sub(/:$/, "", number)
  line = $0
  sub(/^[0-9]+: ?/, "    ", line)
  if (line ~ /^ *(Environment variables:|LOCPATH=|Test timeout computed|Running main\(\) from|Note: Google Test filter)/) next
  printed[number] = printed[number] line "\n"
  next
}
/^The following tests passed:$/ { passed = 1; next }
passed && /^\t/ { next }
{ passed = 0 }
/^(Added [0-9]+ tests|UpdateCTestConfiguration|Constructing a list|Done constructing|Updating test list|Checking test dep|Connected|test [0-9]+$)/ { next }
/^ *Start +[0-9]+:/ { next }
/^ *[0-9]+\/[0-9]+ Test +#[0-9]+:/ {
  match($0, /#[0-9]+/)
  number = substr($0, RSTART + 1, RLENGTH - 1)
  gsub(/ \.\.\.\.+/, " ...")
  gsub(/\.\.\.\.+\*/, "...*")
  print
  if ($0 !~ / Passed +/) { printf "%s", printed[number] }
  delete printed[number]
  fflush()
  next
}
/^$/ { blank = 1; next }
{ if (blank) print ""; blank = 0; print; fflush() }
