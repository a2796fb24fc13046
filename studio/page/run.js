// The run: start, pause, step, its progress, its log and its live values. Methods of Panels.
import {button, byId, lookOf, make, plotBox, row} from './parts.js';
import {daysOf, mjdOf} from './tables.js';

const page = window.openmiPage;

const kEndReason = 'asked in the studio';  // is in the record of a run that a page ended

// Where what is known of each value starts: that of its span. Of instants it is the one before, unless there are steps
// between them of which nothing was asked. The plot has a gap where a value does not start at the end of the last one.
function beginsOf(one) {
  let least = Infinity;  // between two values
  for (let i = 1; i < one.times.length; ++i) least = Math.min(least, one.times[i] - one.times[i - 1]);
  return one.times.map((time, i) => one.begins[i] < time || i === 0 || time - one.times[i - 1] > 1.5 * least ? one.begins[i] : one.times[i - 1]);
}

export const running = {
  buildLive() {
    const host = byId('live'), columns = make('div', 'columns'), left = make('div'), right = make('div');
    this.parts = {said: make('p', '', 'No run yet.'), progress: make('progress'), time: make('input'), log: make('pre'), curves: make('div', 'curves'), balances: make('div', 'balances'), right: right};
    const parts = this.parts;
    parts.said.setAttribute('role', 'status');
    parts.progress.max = 1; parts.progress.value = 0;
    parts.progress.setAttribute('aria-label', 'progress of the run');
    parts.log.id = 'log';
    parts.time.setAttribute('aria-label', 'time to run to'); parts.time.placeholder = '2024-03-10T00:00Z'; parts.time.style.width = '11.5rem';
    parts.start = button('Run', () => this.run({}), 'strong');
    parts.hold = button('Start paused', () => this.run({paused: true}));
    parts.pause = button('Pause', () => this.control({do: this.state.run.state === 'paused' ? 'resume' : 'pause'}));
    parts.step = button('Step', () => this.control({do: 'step'}));
    parts.to = button('To this time', () => this.wire.ask('to', {time: parts.time.value.trim()}));
    parts.end = button('End', () => this.control({do: 'end', reason: kEndReason}));
    left.append(parts.said, parts.progress, row(parts.start, parts.hold, parts.pause, parts.step, parts.end), row(parts.time, parts.to), make('h2', '', 'Log'), parts.log);
    right.append(parts.curves, parts.balances);
    columns.append(left, right);
    host.append(columns);
    this.clearBalances();
    this.showLive();
  },
  isRunning() { return ['running', 'paused', 'starting'].includes(this.state.run.state); },
  showLive() {
    const parts = this.parts, isOn = this.isRunning(), isPaused = this.state.run.state === 'paused';
    parts.start.disabled = parts.hold.disabled = isOn;
    for (const one of [parts.pause, parts.step, parts.to, parts.end]) one.disabled = !isOn || this.state.run.state === 'starting';
    parts.pause.textContent = isPaused ? 'Resume' : 'Pause';
    byId('run').disabled = isOn;
    if (!this.watched.size && !this.liveMaps.size && !parts.curves.children.length) parts.curves.append(make('p', 'muted', 'Watch an item to see its values while a run goes on: choose its component, then Watch, or Watch on map.'));
  },
  // `more` says how: paused before the first step, or resumed in a folder of results.
  async run(more) {
    const errors = this.state.problems.filter((one) => one.severity === 'error').length;
    if (errors && !this.state.isChecking) { this.open('drawer'); this.tab('problems', true); this.complain('There ' + (errors === 1 ? 'is one problem' : 'are ' + errors + ' problems') + ' to solve before it can run.'); return; }
    this.open('drawer');
    this.tab('live');
    this.clearBalances();
    this.sendWatched();
    this.log = []; this.parts.log.textContent = 'nothing yet'; this.parts.progress.value = 0;
    for (const one of this.watched.values()) { one.times = []; one.begins = []; one.rows = []; }
    await this.wire.ask('run', more);
  },
  control(request) { return this.wire.ask('control', {request: request}); },
  async loadFamilies() {
    const list = this.isRunning() ? await this.wire.ask('control', {request: {do: 'list'}}, true) : null;
    this.families = list && list.families;
    if (this.chosen.boxes && this.chosen.boxes.length) this.showDetails();
  },
  hear(message) {
    const parts = this.parts, run = this.state.run;
    if (message.event === 'run') {
      const before = run.state;
      Object.assign(run, {state: message.state, results: message.results, status: message.status || run.status});
      if (message.state === 'over') {
        const isGood = message.code === 0;
        const record = message.record, isEnded = !isGood && Boolean(record) && record.problems.some((one) => one.problem.endsWith(': ' + kEndReason)), reached = record ? page.timeText(Date.parse(record.reached)) : '';
        parts.said.replaceChildren(isGood ? 'The run has finished' + (record ? ': ' + Number(record.wall_seconds).toPrecision(2) + ' s. ' : '. ') :
          isEnded ? 'You ended the run at ' + reached + '. ' : 'The run ' + (message.sentence || 'ended') + (record && record.files.length ? ', at ' + reached : '') + '. ');
        if (record && record.files.length) parts.said.append(isGood ? 'Results are in ' : 'Results until then are in ', button(message.results, () => { this.wantedRun = message.results; this.tab('results'); }, 'link'), '.');
        parts.said.className = isGood ? 'good' : isEnded ? '' : 'bad';
        if (isGood) parts.progress.value = 1;
        this.families = null;
        this.showDetails();
        this.wantedRun = message.results;
        this.loadRuns();
      } else {
        parts.said.className = '';
        if (run.status && run.status.now) parts.progress.value = (Date.parse(run.status.now) - Date.parse(run.status.from)) / (Date.parse(run.status.to) - Date.parse(run.status.from));
        parts.said.textContent = {starting: 'starting …', running: 'running', paused: 'paused'}[message.state] + (run.status && run.status.now ? ' at ' + page.timeText(Date.parse(run.status.now)) : '');
        if (before === 'starting' || before === 'none') this.loadFamilies();
      }
      this.showLive();
    } else if (message.event === 'progress') {
      parts.progress.value = message.fraction;
      if (run.state === 'running') parts.said.textContent = page.timeText(Date.parse(message.time)) + ', ' + Math.floor(message.fraction * 100) + ' %' + (message.seconds_left ? ', ' + Math.ceil(message.seconds_left) + ' s left' : '');
    } else if (message.event === 'log') {
      this.log.push(message.line);
      if (this.log.length > 500) this.log.shift();
      parts.log.textContent = this.log.join('\n');
    } else if (message.event === 'resume') {
      this.hear({event: 'log', line: (message.checkpoint ? 'continues at ' : 'starts at ') + page.timeText(Date.parse(message.time)) + (message.checkpoint ? ', from ' + message.checkpoint : '')});
    } else if (message.event === 'check') {
      const errors = message.problems.filter((one) => one.severity === 'error');
      for (const one of errors) this.hear({event: 'log', line: 'error: ' + one.problem + (one.remedy ? '; ' + one.remedy : '')});
    } else if (message.event === 'values') {
      for (const [name, values] of Object.entries(message.items)) { this.take(name, values); this.takeOnMap(name, values); }
    } else if (message.event === 'balances') {
      this.takeBalances(message);
    }
  },
  watch(name, isOn) {
    const one = this.watched.get(name);
    if (!isOn && one) { if (one.box.plot) one.box.plot.leave(); one.box.figure.remove(); this.watched.delete(name); }
    if (isOn && !one) {
      if (!this.watched.size && !this.liveMaps.size) this.parts.curves.replaceChildren();
      const box = plotBox(name), value = make('span', 'muted', 'no values yet'), fixed = make('input');
      fixed.setAttribute('aria-label', 'fixed value for ' + name); fixed.placeholder = 'fixed value'; fixed.style.width = '6.5rem';
      box.caption.append(value, row(fixed, button('Fix', () => this.control({do: 'override', item: name, values: fixed.value.trim().split(/\s+/).map(Number)})),
        button('Free', () => this.control({do: 'free', item: name})), button('Close', () => { this.watch(name, false); this.showDetails(); })));
      this.parts.curves.append(box.figure);
      this.watched.set(name, {box: box, value: value, times: [], begins: [], rows: []});
      this.tab('live');
    }
    this.sendWatched();
    this.showLive();
  },
  sendWatched() { this.wire.ask('watch', {items: [...this.watched.keys()], maps: [...this.liveMaps.keys()], balances: true}, true); },
  // The end of the time of a row of values, in milliseconds since 1970.
  endOf(values) { return Math.round((mjdOf(values.begin) + daysOf(values.duration) - 40587) * 86400000); },
  take(name, values) {
    const one = this.watched.get(name);
    if (!one || !values.begin) return;
    const time = mjdOf(values.begin) + daysOf(values.duration), last = one.times[one.times.length - 1];
    if (last !== undefined && time <= last) { if (time < last) return; for (const list of [one.times, one.begins, one.rows]) list.pop(); }
    one.begins.push(mjdOf(values.begin)); one.times.push(time); one.rows.push(values.values);
    if (one.times.length > 20000) for (const list of ['times', 'begins', 'rows']) one[list] = one[list].filter((_, i) => i % 2 === 0);
    const number = values.values[0];
    one.value.textContent = (number === null ? 'missing' : page.digits(number, 5) + ' ' + values.unit) + (values.count > 1 ? ', first of ' + values.count : '') + (values.overridden ? ', fixed' : '');
    if (one.times.length < 2) return;
    const from = one.times[0], count = Math.min(values.values.length, 8), ends = one.times.map((mjd) => (mjd - from) * 86400), begins = beginsOf(one).map((mjd) => (mjd - from) * 86400);
    const known = this.state.described[name.slice(0, name.indexOf('.'))], item = known && known.inputs.concat(known.outputs).find((other) => name.endsWith('.' + other.id));
    const ids = item && item.elements && item.elements.ids || [];
    const data = {from: from, to: one.times[one.times.length - 1], spans: [], lines: []};
    for (let i = 0; i < count; ++i) data.lines.push({n: ids[i] || name, u: values.unit, c: lookOf(i), t: ends, b: begins, v: one.rows.map((line) => line[i] === null || line[i] === undefined ? NaN : line[i])});
    if (one.box.plot && one.box.plot.lines.length === count) one.box.plot.take(data);
    else if (!one.box.plot) one.box.plot = page.add(one.box.svg, data);
  }
};
