#!/bin/sh
# Makes a placeholder: a library with the name of another one, and with those of its functions that others use.
#
#   make-placeholder.sh COMPILER FOLDER quiet|loud NAME LIBRARY
#
# NAME     of the library, without its version: libtiff
# LIBRARY  what is looked through for users of it, with everything that it is linked with
# quiet    each function fails as the library documents, by returning 0 or a null pointer
# loud     each ends the program with a sentence
#
# Nothing is made where nobody uses it on this machine.
set -eu
compiler=$1 folder=$2 mode=$3 name=$4 library=$5
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ldd "$library" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' >"$work/linked"
soname=$(awk -v name="^$name[-.0-9]*[.]so" '$1 ~ name { print $1; exit }' "$work/linked")
[ -n "$soname" ] || exit 0
real=$(awk -v name="$soname" '$1 == name { print $2 }' "$work/linked")
for user in "$library" $(awk '{ print $2 }' "$work/linked"); do
  readelf -d "$user" | grep -qF "[$soname]" || continue
  nm -D --undefined-only "$user" | awk '{ print $NF }' >>"$work/used"
done
nm -D --defined-only "$real" | awk '{ sub("@@", "@", $NF); print $NF }' | sort -u >"$work/there"
sort -u "$work/used" | comm -12 - "$work/there" >"$work/symbols"

awk -F@ -v mode="$mode" -v name="$name" '
  BEGIN {
    print "#include <stdlib.h>\n#include <unistd.h>"
    if (mode == "loud") {
      printf "static void Missing(void) {\n  static const char text[] = \"this FMU was exported without %s, since nothing "\
             "in it seemed to need it; export it with --complete\\n\";\n", name
      print "  if (write(2, text, sizeof text - 1) > 0) abort();\n  abort();\n}"
    }
  }
  mode == "loud" { printf "void f%d(void) __asm__(\"%s\");\nvoid f%d(void) { Missing(); }\n", NR, $1, NR; next }
  $1 ~ /^ucnv_open(_|$)/ {  # U_FILE_ACCESS_ERROR: there is no table for that encoding
    printf "void* f%d(const char*, int*) __asm__(\"%s\");\n", NR, $1
    printf "void* f%d(const char* encoding, int* status) { (void)encoding; *status = 4; return 0; }\n", NR
    next
  }
  $1 == "curl_version_info" {  # of no protocol
    print "static const char* const none[1] = {0};"
    print "static const struct { int age; const char* version; unsigned number; const char* host; int features;"
    print "  const char* ssl; long ssl_number; const char* libz; const char* const* protocols; const void* more[32]; }"
    print "  info = {0, \"0\", 0, \"\", 0, 0, 0, 0, none, {0}};"
    printf "const void* f%d(int) __asm__(\"%s\");\nconst void* f%d(int age) { (void)age; return &info; }\n", NR, $1, NR
    next
  }
  { printf "long f%d(void) __asm__(\"%s\");\nlong f%d(void) { return 0; }\n", NR, $1, NR }
' "$work/symbols" >"$work/placeholder.c"

set --
if grep -q @ "$work/symbols"; then
  awk -F@ '{ of[$2] = of[$2] " " $1 ";" } END { for (version in of) print version " { global:" of[version] " };" }' \
    "$work/symbols" >"$work/versions"
  set -- "-Wl,--version-script=$work/versions"
fi
"$compiler" -shared -fPIC -O1 -s "-Wl,-soname,$soname" "$@" -o "$folder/$soname.new" "$work/placeholder.c"
mv "$folder/$soname.new" "$folder/$soname"
