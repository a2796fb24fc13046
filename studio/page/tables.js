// Times as compositions write them, and tables of results.
const kDay = 86400000, kEpoch = 40587;

// A time of ISO 8601 as days since 1858-11-17.
export const mjdOf = (text) => Date.parse(text) / kDay + kEpoch;
export function daysOf(text) {
  const found = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text || '');
  return found ? (+found[1] || 0) + (+found[2] || 0) / 24 + (+found[3] || 0) / 1440 + (+found[4] || 0) / 86400 : 0;
}

// Reads a CSV of results (docs/results.md).
export function readTable(text) {
  const series = [], lines = text.split('\n');
  let at = 0;
  for (; at < lines.length && lines[at].startsWith('#'); ++at) {
    const found = /^# series: (.*)$/.exec(lines[at]);
    if (!found) continue;
    const facts = {};
    for (const [, key, value] of found[1].matchAll(/([+\w]+)="((?:[^"\\]|\\.)*)"/g)) facts[key] = JSON.parse('"' + value + '"');
    series.push({id: facts.id, unit: facts.unit || '', isMean: facts.kind !== 'instant', span: daysOf(facts.span), count: Math.max(1, Number(facts.elements) || 0), times: [], columns: []});
  }
  const heads = cells(lines[at++] || '').slice(1), columns = [];
  let next = 0;
  for (const one of series) {
    for (let i = 0; i < one.count; ++i, ++next) {
      const element = /\[(.*)\] \(/.exec((heads[next] || '').slice(one.id.length));
      one.columns.push({element: element ? element[1] : '', values: []});
      columns.push({series: one, index: i});
    }
  }
  for (; at < lines.length; ++at) {
    if (!lines[at] || lines[at][0] === '#') continue;
    const parts = lines[at].split(','), time = mjdOf(parts[0]);
    columns.forEach(({series: one, index}, i) => {
      const cell = parts[i + 1];
      if (cell === undefined || cell === '') return;
      if (index === 0) one.times.push(time);
      one.columns[index].values.push(cell === 'NaN' ? NaN : Number(cell));
    });
  }
  for (const one of series) one.begin = one.times.length ? one.times[0] - (one.isMean ? one.span : 0) : 0;
  return {series: series};
}
// The cells of a line of CSV.
export function cells(line) {
  const found = [];
  for (const [, quoted, plain] of line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)) found.push(quoted !== undefined ? quoted.replace(/""/g, '"') : plain);
  if (found.length > 1 && !line.endsWith(',')) found.pop();  // the end of the line is no cell
  return found;
}
