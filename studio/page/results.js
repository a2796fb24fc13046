// Results: recorded items of several runs over each other. Methods of Panels.
import {addressOf, button, byId, lookOf, make, plotBox, row} from './parts.js';
import {readTable} from './tables.js';

const page = window.openmiPage;
// The time of the clock here, such as 2026-03-01 14:05.
function clockText(seconds) {
  const time = new Date(seconds * 1000);
  return new Date(time - time.getTimezoneOffset() * 60000).toISOString().slice(0, 16).replace('T', ' ');
}

export const results = {
  async loadRuns() {
    const answer = await this.wire.ask('runs', {}, true);
    if (!answer || !answer.runs) return;
    this.runs = answer.runs; this.studyList = answer.studies || [];
    const newest = this.wantedRun && this.runs.find((one) => one.folder === this.wantedRun) || (this.chosenRuns.size ? null : this.runs[0]);
    if (newest) { this.chosenRuns.add(newest.csv); this.tables.delete(newest.csv); this.wantedRun = ''; }
    await Promise.all([...this.chosenRuns].map((csv) => this.load(csv)));
    this.showResults();
  },
  async load(csv) {
    if (this.tables.has(csv)) return;
    const got = await fetch(addressOf(csv));
    if (got.ok) this.tables.set(csv, readTable(await got.text())); else this.chosenRuns.delete(csv);
  },
  showResults() {
    const host = byId('results'), columns = make('div', 'columns'), left = make('div'), right = make('div');
    for (const plot of this.shownPlots || []) plot.leave();
    this.shownPlots = [];
    if (!this.runs.length && !this.studyList.length) { host.replaceChildren(make('p', 'muted', 'No results yet: record items and run.')); return; }
    if (this.runs.length) left.append(make('h2', '', 'Runs'));
    const list = make('ul', 'list');
    this.shownHeight = host.clientHeight;
    for (const run of this.runs) {
      const item = make('li'), label = make('label'), box = make('input'), links = row();
      box.type = 'checkbox'; box.checked = this.chosenRuns.has(run.csv);
      box.addEventListener('change', async () => { if (box.checked) { this.chosenRuns.add(run.csv); await this.load(run.csv); } else this.chosenRuns.delete(run.csv); this.showResults(); });
      const isOn = this.isRunning() && this.state.run.results === run.folder, isAlone = this.runs.filter((one) => one.folder === run.folder).length === 1;
      label.append(box, ' ' + (isAlone ? run.folder : run.csv), ' ', make('small', '', clockText(run.time) + (isOn ? ', runs now' : run.is_incomplete ? ', incomplete' : '')));
      for (const [name, path] of [['CSV', run.csv], ['report', run.report]]) {
        if (!path) continue;
        const link = make('a', '', name);
        link.href = addressOf(path);
        link.target = '_blank'; link.rel = 'noopener';
        if (name === 'CSV') link.download = '';
        links.append(link);
      }
      if (run.checkpoint && !this.isRunning()) links.append(button('Go on from its checkpoint', () => this.run({resume: run.folder})));
      item.append(label, links);
      list.append(item);
    }
    const tables = [...this.chosenRuns].filter((csv) => this.tables.has(csv)).map((csv) => ({csv: csv, folder: csv.split('/').slice(0, -1).join('/') || '.', table: this.tables.get(csv)}));
    const names = [...new Set(tables.flatMap((one) => one.table.series.map((series) => series.id)))];
    const fresh = names.filter((name) => !this.seenSeries.has(name));  // what was seen has been chosen, or not
    if (fresh.length && !names.some((name) => this.chosenSeries.has(name))) for (const name of this.telling(fresh, tables)) this.chosenSeries.add(name);
    for (const name of fresh) this.seenSeries.add(name);
    left.append(list);
    if (names.length) left.append(make('h2', '', 'Recorded'));
    const shown = make('ul', 'list');
    for (const name of names) {
      const item = make('li'), label = make('label'), box = make('input');
      box.type = 'checkbox'; box.checked = this.chosenSeries.has(name);
      box.addEventListener('change', () => { if (box.checked) this.chosenSeries.add(name); else this.chosenSeries.delete(name); this.showResults(); });
      label.append(box, ' ' + name); item.append(label); shown.append(item);
      if (this.hasPlaces(this.itemOf(name))) {
        const map = button('Map', () => { if (!this.chosenMaps.delete(name)) this.chosenMaps.add(name); this.showResults(); });
        map.setAttribute('aria-pressed', String(this.chosenMaps.has(name)));
        map.setAttribute('aria-label', 'map of ' + name + ' with a slider over time');
        item.append(' ', map);
      }
    }
    left.append(shown);
    this.listStudies(left);
    columns.append(left, right);
    host.replaceChildren(columns);
    const curves = make('div', 'curves');
    this.showMeasures(right);
    right.append(curves);
    for (const name of names.filter((one) => this.chosenSeries.has(one))) this.showSeries(curves, name, tables);
    for (const name of names.filter((one) => this.chosenMaps.has(one))) {
      const series = tables.map((one) => one.table.series.find((other) => other.id === name)).find(Boolean);
      if (series) this.showResultMap(curves, name, this.itemOf(name), series);
    }
    this.showStudy(right);
  },
  // The two series that tell most of a run: those with one element first, and of these the last of the chain.
  telling(names, tables) {
    const model = this.state.model;
    const depth = (name) => {  // components that its component depends on
      const start = this.itemOf(name).split('.')[0], found = new Set([start]);
      for (const id of found) for (const link of model ? model.links : []) if (link.to.startsWith(id + '.')) found.add(link.from.split('.')[0]);
      return found.size;
    };
    const width = (name) => tables.map((one) => one.table.series.find((series) => series.id === name)).find(Boolean).columns.length;
    return names.map((name, i) => ({name: name, i: i, isMany: width(name) > 1, depth: depth(name)}))
      .sort((a, b) => a.isMany - b.isMany || b.depth - a.depth || a.i - b.i).slice(0, 2).map((one) => one.name);
  },
  // The measures of comparisons, which the report of a run has.
  async showMeasures(host) {
    if (!this.state.model || !this.state.model.comparisons.length) return;
    const section = make('section', 'scroll'), table = make('table', 'figures'), without = [];
    section.tabIndex = 0;
    section.setAttribute('aria-label', 'comparisons');
    section.append(make('h2', '', 'Comparisons'), table);
    host.append(section);
    for (const run of this.runs.filter((one) => this.chosenRuns.has(one.csv) && one.report)) {
      const key = run.report + ' ' + run.time;
      if (!this.measures.has(key)) {
        const got = await fetch(addressOf(run.report)), text = got.ok ? await got.text() : '', at = text.indexOf('<table class="stations">');
        this.measures.set(key, at < 0 ? null : new DOMParser().parseFromString(text.slice(at, text.indexOf('</table>', at) + 8), 'text/html').querySelector('table'));
      }
      const found = this.measures.get(key);
      if (!found) without.push(run.folder);
      for (const line of found ? found.rows : []) {
        const isHead = Boolean(line.closest('thead')), made = make('tr');
        if (isHead && table.rows.length) continue;
        made.append(make(isHead ? 'th' : 'td', '', isHead ? 'Run' : run.folder));
        [...line.cells].forEach((cell, i) => {  // a number, and below it in small what says more
          const small = cell.querySelector('small'), all = cell.textContent, text = small ? all.slice(0, all.length - small.textContent.length) : all;
          const shown = make(isHead ? 'th' : 'td', '', i === 0 && small ? small.textContent + ' against ' + text : text);
          shown.title = small && i > 0 ? small.textContent : cell.title;
          made.append(shown);
        });
        table.append(made);
      }
    }
    if (without.length) section.append(make('p', 'muted', 'Run again to compare: the report of ' + without.join(', ') + ' has no measures.'));
  },
  // The item of a series: an observer may have an id of its own.
  itemOf(name) {
    const observe = this.state.model.observes.find((one) => (one.is.Id || one.is.Item) === name);
    return observe ? observe.is.Item : name;
  },
  hasPlaces(name) {
    const at = name.indexOf('.'), known = this.state.described[name.slice(0, at)];
    const item = known && known.outputs.concat(known.inputs).find((one) => one.id === name.slice(at + 1));
    return Boolean(item && item.elements && item.elements.type && item.elements.type !== 'IdBased');
  },
  showSeries(host, name, tables) {
    const lines = [], first = this.firstShown.get(name) || 0;  // of the elements
    let from = Infinity, to = -Infinity;
    for (const one of tables) for (const series of one.table.series) if (series.id === name && series.times.length) { from = Math.min(from, series.begin); to = Math.max(to, series.times[series.times.length - 1]); }
    if (!(from < to)) return;
    const isSeveral = tables.length > 1;
    for (const one of tables) {
      const series = one.table.series.find((other) => other.id === name);
      if (!series || !series.times.length) continue;
      series.columns.slice(first, first + 8).forEach((column) => {
        const title = [isSeveral ? one.folder : '', column.element].filter(Boolean).join(', ') || name, ends = series.times.map((mjd) => (mjd - from) * 86400);
        lines.push({n: title, u: series.unit, c: lookOf(lines.length), step: series.isMean, t: ends, v: column.values});
      });
    }
    // The difference of two runs, of the first element that is shown.
    if (tables.length === 2 && lines.length && lines.length % 2 === 0) {
      const half = lines.length / 2, one = lines[0], other = lines[half];
      if (one.v.length === other.v.length) lines.push({n: 'difference' + (half > 1 ? ' of ' + one.n : ''), u: one.u, c: 'l s7 dash', t: one.t, v: one.v.map((value, i) => other.v[i] - value)});
    }
    const box = plotBox(name, Math.max(190, Math.min(700, this.shownHeight - 100)));
    host.append(box.figure);
    const most = Math.max(...tables.map((one) => { const series = one.table.series.find((other) => other.id === name); return series ? series.columns.length : 0; }));
    if (most > 8) {
      const choose = make('select');
      choose.setAttribute('aria-label', 'elements of ' + name + ' that are shown');
      for (let i = 0; i < most; i += 8) { const option = make('option', '', 'elements ' + (i + 1) + ' to ' + Math.min(i + 8, most) + ' of ' + most); option.value = i; choose.append(option); }
      choose.value = first;
      choose.addEventListener('change', () => { this.firstShown.set(name, Number(choose.value)); this.showResults(); });
      box.caption.append(choose);
    }
    this.shownPlots.push(page.add(box.svg, {from: from, to: to, spans: [], lines: lines}));
  }
};
