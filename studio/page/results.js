// Results: recorded items of several runs over each other. Methods of Panels.
import {button, byId, lookOf, make, plotBox, row} from './parts.js';
import {readTable} from './tables.js';

const page = window.openmiPage;

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
    const got = await fetch('files/' + csv.split('/').map(encodeURIComponent).join('/'));
    if (got.ok) this.tables.set(csv, readTable(await got.text())); else this.chosenRuns.delete(csv);
  },
  showResults() {
    const host = byId('results'), columns = make('div', 'columns'), left = make('div'), right = make('div');
    for (const plot of this.shownPlots || []) plot.leave();
    this.shownPlots = [];
    if (!this.runs.length && !this.studyList.length) { host.replaceChildren(make('p', 'muted', 'No results yet: record items and run.')); return; }
    if (this.runs.length) left.append(make('h2', '', 'Runs'));
    const list = make('ul', 'list');
    for (const run of this.runs) {
      const item = make('li'), label = make('label'), box = make('input'), links = row();
      box.type = 'checkbox'; box.checked = this.chosenRuns.has(run.csv);
      box.addEventListener('change', async () => { if (box.checked) { this.chosenRuns.add(run.csv); await this.load(run.csv); } else this.chosenRuns.delete(run.csv); this.showResults(); });
      label.append(box, ' ' + run.folder);
      for (const [name, path] of [['CSV', run.csv], ['report', run.report]]) {
        if (!path) continue;
        const link = make('a', '', name);
        link.href = 'files/' + path.split('/').map(encodeURIComponent).join('/');
        link.target = '_blank'; link.rel = 'noopener';
        if (name === 'CSV') link.download = '';
        links.append(link);
      }
      item.append(label, links);
      list.append(item);
    }
    const tables = [...this.chosenRuns].filter((csv) => this.tables.has(csv)).map((csv) => ({csv: csv, folder: csv.split('/').slice(0, -1).join('/') || '.', table: this.tables.get(csv)}));
    const names = [...new Set(tables.flatMap((one) => one.table.series.map((series) => series.id)))];
    if (names.length && ![...this.chosenSeries].some((name) => names.includes(name))) this.chosenSeries = new Set(names.slice(0, 2));
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
    right.append(curves);
    for (const name of names.filter((one) => this.chosenSeries.has(one))) this.showSeries(curves, name, tables);
    for (const name of names.filter((one) => this.chosenMaps.has(one))) {
      const series = tables.map((one) => one.table.series.find((other) => other.id === name)).find(Boolean);
      if (series) this.showResultMap(curves, name, this.itemOf(name), series);
    }
    this.showStudy(right);
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
    const box = plotBox(name);
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
