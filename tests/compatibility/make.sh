#!/usr/bin/env bash
# usage: tests/compatibility/make.sh
#
# Writes the files of this release beside this script, with the command of build/release. Run it on the day of the release.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
openmi="$here/../../build/release/bin/openmi"
version=$("$openmi" --version | sed -n '1s/^openmi //p')
folder="$here/$version"
[ ! -e "$folder" ] || { echo "make.sh: expected no $folder yet, found one; files of a release are not changed" >&2; exit 2; }
mkdir "$folder"
cd "$folder"

cat >rain.csv <<'CSV'
time,alp,hill,mill,town
2026-03-02T01:00Z,0.0,0.0,0.0,0.0
2026-03-02T02:00Z,0.6,0.4,0.4,0.3
2026-03-02T03:00Z,4.0,3.2,2.3,1.9
2026-03-02T04:00Z,10.8,7.9,,5.2
2026-03-02T05:00Z,5.8,4.7,3.5,2.9
2026-03-02T06:00Z,1.8,1.3,1.0,0.7
2026-03-02T07:00Z,0.3,0.2,0.2,0.1
2026-03-02T08:00Z,0.0,0.0,0.0,0.0
2026-03-02T09:00Z,2.0,1.7,1.3,0.9
2026-03-02T10:00Z,0.5,0.4,0.3,0.2
2026-03-02T11:00Z,0.0,0.0,0.0,0.0
2026-03-02T12:00Z,0.0,0.0,0.0,0.0
CSV
cat >gauges.csv <<'CSV'
id,lon,lat
alp,8.03,47.17
hill,8.12,47.19
mill,8.15,47.06
town,8.27,47.03
CSV
cat >catchments.geojson <<'JSON'
{"type": "FeatureCollection", "features": [
  {"type": "Feature", "id": "upper", "properties": {}, "geometry": {"type": "Polygon",
    "coordinates": [[[8.00, 47.10], [8.10, 47.10], [8.10, 47.20], [8.00, 47.20], [8.00, 47.10]]]}},
  {"type": "Feature", "id": "lower", "properties": {}, "geometry": {"type": "Polygon",
    "coordinates": [[[8.20, 47.00], [8.30, 47.00], [8.30, 47.10], [8.20, 47.10], [8.20, 47.00]]]}}
]}
JSON
cat >river.omi <<'XML'
<?xml version="1.0"?>
<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.NashCascade" Assembly="openmi-components">
  <Arguments>
    <Argument Key="residence-time" ReadOnly="true" Value="1"/>
  </Arguments>
</LinkableComponent>
XML
cat >creek.xml <<'XML'
<Composition xmlns="urn:openmi2:composition:1" Id="creek">
  <Component Id="gauges" Type="openmi.CsvSeries" Assembly="openmi-components">
    <Argument Key="file" Value="rain.csv"/>
    <Argument Key="item" Value="rain"/>
    <Argument Key="elements-from-columns" Value="true"/>
    <Argument Key="elements-file" Value="gauges.csv"/>
    <Argument Key="unit" Value="mm h-1"/>
    <Argument Key="stamps" Value="end"/>
  </Component>
  <Component Id="catchments" Type="openmi.NashCascade" Assembly="openmi-components">
    <Argument Key="elements-file" Value="catchments.geojson"/>
    <Argument Key="unit" Value="mm h-1"/>
    <Argument Key="reservoirs" Value="2"/>
    <Argument Key="residence-time" Value="1.5"/>
  </Component>
  <Component Id="river" Omi="river.omi"/>
  <Link From="gauges.rain" To="catchments.inflow">
    <Adaptor Id="fill-gaps"/>
    <Adaptor Id="inverse-distance"><Argument Key="write-weights" Value="weights.nc"/></Adaptor>
  </Link>
  <Link From="catchments.outflow" To="river.inflow">
    <Adaptor Id="times-element-area"/>
    <Adaptor Id="one-value"><Argument Key="of" Value="sum"/></Adaptor>
  </Link>
  <Observe Item="catchments.outflow" Every="PT1H" As="mean"/>
  <Observe Item="river.outflow"/>
  <Run From="2026-03-02T00:00Z" To="2026-03-02T12:00Z" Trigger="river"/>
</Composition>
XML
"$openmi" check creek.xml
"$openmi" run creek.xml --results whole --quiet
rm -f whole/*.html
# The same with the weights from the file; the run did not write them again.
sed 's|<Adaptor Id="inverse-distance"><Argument Key="write-weights" |<Adaptor Id="weights-from-file"><Argument Key="file" |' creek.xml >mapped.xml
# Slow enough to be killed in the middle.
"$openmi" run creek.xml --results killed --checkpoint-every PT3H --pace 10800 --quiet &
until [ -e killed/creek.checkpoint.1 ]; do sleep 0.05; done
sleep 0.2
kill -KILL $!
wait $! 2>/dev/null || true
rm -f killed/.creek.lock
cat >study.xml <<'XML'
<Study xmlns="urn:openmi2:study:1" Id="storage" Composition="creek.xml">
  <Vary Id="residence" Argument="catchments.residence-time" Unit="h" From="1" To="4"/>
  <Vary Id="reservoirs" Argument="catchments.reservoirs"><Value Is="1"/><Value Is="2"/></Vary>
  <Design Method="latin-hypercube" Members="8" Seed="3"/>
  <Objective Id="largest" Item="river.outflow" Measure="maximum" Weight="1" Goal="minimize"/>
</Study>
XML
"$openmi" study run study.xml --results study --workers 1 --no-report --quiet
# As a kill leaves it: cut off within a block.
mkdir study-killed
head -c "$(($(stat -c %s study/storage.study) * 6 / 10))" study/storage.study >study-killed/storage.study
find . -type f | sort
