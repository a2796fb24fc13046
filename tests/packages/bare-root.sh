#!/usr/bin/env bash
# usage: tests/packages/bare-root.sh PACKAGES PATCH MINOR WORK
#
# Proves the packages in the folder PACKAGES in a bare root of Debian, made in the folder WORK by debootstrap: they are
# installed by apt, the tutorials and how-to pages run, upgrades keep a user's plug-in or say what to rebuild, and nothing
# is left when they are removed. PATCH and MINOR are folders with packages of the next patch and the next minor version.
# Needs root and the network.
set -euo pipefail
export LC_ALL=C.UTF-8

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$4
bare=$work/root
mkdir -p "$work"
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep 'debian$' | head -n 1 || true)
if [ -z "$mirror" ]; then
  echo "bare-root.sh: expected a mirror of Debian among the sources of apt, found none" >&2
  exit 2
fi
if [ ! -d "$work/base" ]; then
  debootstrap --variant=minbase bookworm "$work/base.part" "$mirror" >"$work/debootstrap.log"
  mv "$work/base.part" "$work/base"
fi
rm -rf "$bare"
cp -a "$work/base" "$bare"
# The updates of the distribution too: the packages were built with them.
cp /etc/apt/sources.list "$bare/etc/apt/" 2>/dev/null || rm -f "$bare/etc/apt/sources.list"
cp /etc/apt/sources.list.d/debian* "$bare/etc/apt/sources.list.d/" 2>/dev/null || true
cp /etc/resolv.conf "$bare/etc/"
mkdir "$bare/try"
cp -r "$1" "$bare/try/packages"
cp -r "$2" "$bare/try/patch"
cp -r "$3" "$bare/try/minor"
mkdir "$bare/try/project"
cp -r "$root/README.md" "$root/docs" "$root/examples" "$bare/try/project/"
cp "$root/tests/structure/RunTutorials.py" "$bare/try/"
cp -r "$root/tests/dotnet-bridge/assemblies" "$bare/try/csharp"

cat >"$bare/try/inside" <<'INSIDE'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
mount -t proc proc /proc
mount -t tmpfs tmpfs /tmp
cd /try
Say() { echo "== $*"; }
Fail() { echo "bare-root.sh: $*" >&2; exit 1; }
Apt() { apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/try/apt.log 2>&1 || { cat /try/apt.log; Fail "apt-get $* failed"; }; }
# What packages leave behind by design: the lists and caches of the packaging system itself.
Files() {
  find / -xdev \( -path /proc -o -path /try -o -path /tmp -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \
    -o -path /var/lib/dpkg -o -path /run \) -prune -o -print | sort
}
Apt update
Files >before

Say "the command alone"
begin=$(date +%s%N)
Apt install --no-install-recommends ./packages/openmi2_*.deb ./packages/libopenmi2-0*.deb
installed=$(date +%s%N)
mkdir first && cd first
openmi new composition --name first >/dev/null
openmi run first.xml >run.log || { cat run.log; Fail "the first composition failed"; }
[ -s first.html ] || [ -n "$(find . -name '*.html' -size +1k)" ] || Fail "expected a report, found none"
cd ..
Say "installed in $(((installed - begin) / 1000000)) ms, first report after $((($(date +%s%N) - begin) / 1000000)) ms"
if openmi fmu info x.fmu 2>message; then Fail "expected no openmi fmu without its package"; fi
grep -q 'install the package openmi2-fmi' message || { cat message; Fail "expected the package's name in the message"; }
Apt purge openmi2 'libopenmi2-0*'
Apt autoremove --purge
Files >after
diff before after || Fail "expected no traces after removal, found those above (<: gone, >: left)"

Say "all packages, with compilers; tutorials and how-to pages"
Apt install ./packages/*.deb cmake g++ gfortran ninja-build python3 man-db bash-completion
# The build types of users: none.
python3 RunTutorials.py project/docs /usr /try/tutorials
man -w openmi >/dev/null || Fail "expected a manual page"
[ -s /usr/share/doc/openmi2-doc/html/index.html ] || Fail "expected the manual"

Say "a component in C#"
Apt install mono-mcs
mcs -nologo -target:library -r:"$(find /usr/lib -path '*/openmi2/dotnet/OpenMI.Standard2.dll')" -out:Tank.dll csharp/Kit.cs csharp/Tank.cs
echo '<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="Tanks.Tank" Assembly="Tank.dll"/>' >tank.omi
openmi check tank.omi --component >check.log || { cat check.log; Fail "expected the component in C# to pass Annex A"; }
Apt remove openmi2-dotnet
if openmi describe tank.omi 2>message; then Fail "expected no component in C# without its package"; fi
grep -q 'install the package openmi2-dotnet' message || { cat message; Fail "expected the package's name in the message"; }

Say "a plug-in of a user, and upgrades"
openmi new component linear-tank >/dev/null
cmake -S linear-tank -B linear-tank/build -G Ninja >/dev/null
cmake --build linear-tank/build >/dev/null
Tank() { (cd linear-tank/build && openmi run --overwrite composition.xml) >tank.log 2>&1; }
Tank || { cat tank.log; Fail "expected the plug-in to run"; }
Apt install ./patch/*.deb
openmi --version | head -n 1
Tank || { cat tank.log; Fail "expected the plug-in to run after the upgrade to a patch version"; }
Apt install ./minor/*.deb
openmi --version | head -n 1
if Tank; then Fail "expected the plug-in to be refused after the upgrade to a minor version"; fi
grep 'rebuild the library with the headers of openmi2' tank.log || { cat tank.log; Fail "expected what to rebuild"; }
# From the start: the headers of a package are older than what was built with those before.
cmake -S linear-tank -B linear-tank/build >/dev/null
cmake --build linear-tank/build --clean-first >/dev/null
Tank || { cat tank.log; Fail "expected the rebuilt plug-in to run"; }
# What depends on them goes with them.
Apt purge 'openmi2*' 'libopenmi2*'
if find / -xdev \( -path /proc -o -path /try -o -path /tmp -o -path /var/log -o -path /var/cache \) -prune -o -iname '*openmi*' -print | grep .; then
  Fail "expected nothing of openmi2 after removal, found the files above"
fi
Say "installed, upgraded and removed"
INSIDE
unshare --mount --pid --fork chroot "$bare" bash /try/inside
