// What stands around the diagram: components to add, properties, problems, the run, and results.
import {unitOf} from './canvas.js';

const byId = (id) => document.getElementById(id), page = window.openmiPage, kDay = 86400000, kEpoch = 40587;

function make(name, css, text) {
  const made = document.createElement(name);
  if (css) made.className = css;
  if (text !== undefined) made.textContent = text;
  return made;
}
function button(text, act, css) {
  const made = make('button', css, text);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}
function row(...parts) {
  const made = make('div', 'row');
  made.append(...parts);
  return made;
}
let lastField = 0;
// A label with its field. `change` is called with the new text.
function field(name, value, change, options) {
  const set = options || {}, box = make('div', 'field' + (set.isSet ? ' set' : '')), label = make('label');
  const input = set.values ? make('select') : make('input');
  input.id = 'field-' + (++lastField);
  label.htmlFor = input.id;
  label.append(make('b', '', name), set.unit && set.unit !== '1' ? ' [' + set.unit + ']' : '');
  if (set.values) {
    for (const one of set.values.includes(value) ? set.values : [value, ...set.values]) { const option = make('option', '', String(one)); option.value = one; input.append(option); }
  }
  input.value = value;
  if (set.placeholder) input.placeholder = set.placeholder;
  if (set.key) input.dataset.key = set.key;
  if (set.isPath) input.setAttribute('list', 'files');
  input.addEventListener('change', () => change(input.value, input));
  input.addEventListener('keydown', (event) => { if (event.key === 'Escape') { input.value = value; input.blur(); } });
  box.append(label, input);
  if (set.note) { const note = make('p', 'fine', set.note); note.id = input.id + '-note'; input.setAttribute('aria-describedby', note.id); box.append(note); }
  return box;
}
// A time of ISO 8601 as days since 1858-11-17.
const mjdOf = (text) => Date.parse(text) / kDay + kEpoch;
function daysOf(text) {
  const found = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text || '');
  return found ? (+found[1] || 0) + (+found[2] || 0) / 24 + (+found[3] || 0) / 1440 + (+found[4] || 0) / 86400 : 0;
}
function plotBox(title) {
  const figure = make('figure'), caption = make('figcaption'), box = make('div', 'scroll'), svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  caption.append(make('b', '', title));
  svg.setAttribute('viewBox', '0 0 600 190');
  box.append(svg);
  figure.append(caption, box);
  return {figure: figure, caption: caption, svg: svg, plot: null};
}
const lookOf = (index) => 'l s' + index % 8 + (index >= 8 ? ' dash' : '');

export class Panels {
  constructor(parts) {
    Object.assign(this, parts);
    this.entries = [];
    this.chosen = {};
    this.watched = new Map();  // item: {box, times, rows}
    this.chosenRuns = new Set(); this.chosenSeries = new Set(); this.tables = new Map();
    this.runs = []; this.log = []; this.firstShown = new Map();
    byId('filter').addEventListener('input', () => this.showPalette());
    byId('filter').addEventListener('keydown', (event) => {
      const first = byId('entries').querySelector('button');
      if ((event.key === 'ArrowDown' || event.key === 'Enter') && first) { event.preventDefault(); if (event.key === 'Enter') first.click(); else first.focus(); }
    });
    byId('entries').addEventListener('keydown', (event) => {
      const all = [...byId('entries').querySelectorAll('button')], at = all.indexOf(document.activeElement), step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      if (step && at >= 0) { event.preventDefault(); (all[at + step] || byId('filter')).focus(); }
    });
    const tabs = [...document.querySelectorAll('[role=tab]')];
    tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => this.tab(tab.id.slice(4)));
      tab.addEventListener('keydown', (event) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (step) { const next = tabs[(i + step + tabs.length) % tabs.length]; this.tab(next.id.slice(4)); next.focus(); }
      });
    });
    this.buildLive();
  }

  // After a connection: everything that is not sent unasked.
  async again() {
    const answer = await this.wire.ask('palette');
    if (answer) { this.entries = answer.entries; this.showPalette(); byId('files').replaceChildren(...answer.files.sort().map((name) => { const option = make('option'); option.value = name; return option; })); }
    this.sendWatched();
    this.loadRuns();
  }

  // On narrow windows one panel is open at a time.
  open(name) {
    for (const id of ['palette', 'canvas', 'details', 'drawer']) byId(id).classList.toggle('open', id === name);
    document.querySelectorAll('#narrow button').forEach((one) => one.setAttribute('aria-pressed', String(one.dataset.panel === name)));
    if (name === 'canvas') this.graph.redraw();
  }

  tab(name, hasFocus) {
    for (const tab of document.querySelectorAll('[role=tab]')) {
      const isIt = tab.id === 'tab-' + name;
      tab.setAttribute('aria-selected', String(isIt));
      tab.tabIndex = isIt ? 0 : -1;
      byId(tab.id.slice(4)).hidden = !isIt;
    }
    if (hasFocus) byId(name).focus();
    if (name === 'text') this.wire.ask('text').then((answer) => { if (answer) byId('text').firstElementChild.textContent = answer.text; });
    if (name === 'results') this.loadRuns();
  }

  showPalette() {
    const filter = byId('filter').value.trim().toLowerCase(), list = byId('entries'), titles = {folder: 'In this folder', fmu: 'FMUs', ready: 'Ready components'};
    list.replaceChildren();
    let group = '';
    this.entries.forEach((entry, index) => {
      if (filter && !(entry.name + ' ' + entry.where).toLowerCase().includes(filter)) return;
      if (entry.group !== group) { group = entry.group; const head = make('li'); head.append(make('h3', '', titles[group])); list.append(head); }
      const item = make('li'), one = button('', () => this.add(index));
      one.append(entry.name, make('small', '', entry.where));
      one.draggable = true;
      one.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/x-openmi-entry', String(index)));
      item.append(one);
      list.append(item);
    });
    if (!list.children.length) list.append(make('li', 'muted', this.entries.length ? 'nothing is named like that' : 'found none'));
  }

  select(what) { this.chosen = what; this.showDetails(); }
  focusDetails() {
    this.open('details');
    const first = byId('details').querySelector('input,select,button');
    (first || byId('details')).focus();
  }

  changed() {
    if (!this.state.model) return;
    this.showProblems();
    this.showDetails();
    if (!byId('text').hidden) this.tab('text');
  }

  // What a problem is about: a component, or a link by its index.
  placeOf(problem) {
    const model = this.state.model;
    if (!model) return {};
    const isHere = (one) => problem.line >= one.line && problem.line <= one.last;
    if (problem.line && (!problem.file || problem.file.endsWith(this.state.file))) {
      const link = model.links.findIndex(isHere), component = model.components.find(isHere);
      if (link >= 0) return {link: link};
      if (component) return {component: component.id};
    }
    return problem.component && model.components.some((one) => one.id === problem.component) ? {component: problem.component} : {};
  }

  // The remedies that the page can apply, as buttons.
  remediesOf(problem) {
    const text = problem.problem + '; ' + (problem.remedy || ''), place = this.placeOf(problem), model = this.state.model, found = [];
    const link = place.link !== undefined ? model.links[place.link] : null;
    const named = [...text.matchAll(/'([a-z][a-z0-9]*(?:-[a-z0-9]+)+)'|\b(times-element-area|divide-by-span|area-weighted-mean|mean-over-span|by-id)\b/g)].map((one) => one[1] || one[2]);
    if (link) {
      for (const id of [...new Set(named)].slice(0, 3)) {
        if (this.adaptorIds().has(id) && !link.adaptors.some((one) => one.id === id)) {
          found.push(button('put ' + id + ' on the link', () => this.edit([{op: 'add-adaptor', from: link.from, to: link.to, at: link.adaptors.length, id: id, arguments: []}])));
        }
      }
    }
    if (/expected a Run element/.test(text) && !model.run) found.push(button('set the time of the run', () => this.setRunFromComponents()));
    const open = /^([^.:\s]+)\.([^:]+): expected a provider/.exec(problem.problem);
    if (open && !model.links.some((one) => one.to === open[1] + '.' + open[2])) found.push(button('link it', () => this.openLinking('', open[1] + '.' + open[2])));
    const meant = /did you mean '([^']+)'/.exec(text), wrong = /found '([^']+)'/.exec(text);
    if (meant && wrong && link) {
      for (const end of ['from', 'to']) {
        if (link[end].slice(link[end].indexOf('.') + 1) !== wrong[1] && link[end] !== wrong[1]) continue;
        const right = meant[1].includes('.') ? meant[1] : link[end].slice(0, link[end].indexOf('.') + 1) + meant[1];
        found.push(button('use ' + right, () => this.edit([{op: 'set-link', from: link.from, to: link.to, attribute: end === 'from' ? 'From' : 'To', value: right}])));
      }
    }
    const argument = meant && wrong && place.component && model.components.find((one) => one.id === place.component).arguments.find((one) => one.key === wrong[1]);
    if (argument) {
      found.push(button('use ' + meant[1], () => this.edit([{op: 'set-argument', id: place.component, key: argument.key, value: null}, {op: 'set-argument', id: place.component, key: meant[1], value: argument.value}])));
    }
    if (place.component && problem.item && !found.length) {
      const known = this.state.described[place.component];
      if (known && known.arguments.some((one) => one.id === problem.item)) found.push(button('set ' + problem.item, () => this.focusArgument(place.component, problem.item)));
    }
    return found;
  }
  adaptorIds() {
    const ids = new Set(['times-element-area', 'divide-by-span', 'area-weighted-mean', 'mean-over-span', 'by-id', 'linear-in-time', 'hold', 'density']);
    for (const known of Object.values(this.state.described)) for (const output of known.outputs) for (const id of output.adaptors || []) ids.add(id);
    for (const link of this.state.model.links) for (const one of link.adaptors) ids.add(one.id);
    for (const offer of this.offered || []) ids.add(offer.id);
    return ids;
  }
  focusArgument(component, key) {
    this.graph.select([component]);
    this.open('details');
    const input = byId('details').querySelector('[data-key="' + CSS.escape(key) + '"]');
    if (input) input.focus();
  }
  setRunFromComponents() {
    let from = -Infinity, to = Infinity;
    for (const known of Object.values(this.state.described)) {
      for (const output of known.outputs) {
        if (!output.times || !(output.times.count > 1)) continue;
        from = Math.max(from, Date.parse(output.times.begin)); to = Math.min(to, Date.parse(output.times.end));
      }
    }
    const text = (time) => new Date(time).toISOString().replace(/:00\.000Z$/, 'Z');
    const isKnown = from < to && isFinite(from) && isFinite(to);
    this.edit([{op: 'set-run', attributes: [['From', isKnown ? text(from) : '2024-01-01T00:00Z'], ['To', isKnown ? text(to) : '2024-02-01T00:00Z']]}]);
    this.graph.select([]);
  }

  showProblems() {
    const host = byId('problems'), list = make('ul', 'list'), order = {error: 0, warning: 1, note: 2};
    const errors = this.state.problems.filter((one) => one.severity === 'error').length, tab = byId('tab-problems');
    tab.replaceChildren('Problems');
    if (errors) tab.append(make('span', 'count', String(errors)));
    const counts = ['error', 'warning', 'note'].map((kind) => [this.state.problems.filter((one) => one.severity === kind).length, kind]).filter((one) => one[0]);
    const said = make('p', 'muted', this.state.isChecking ? 'checking …' : counts.length ? counts.map((one) => one[0] + ' ' + one[1] + (one[0] === 1 ? '' : 's')).join(', ') : 'No problems.');
    said.setAttribute('role', 'status');
    for (const problem of this.state.problems.slice().sort((a, b) => order[a.severity] - order[b.severity]).slice(0, 300)) {
      const item = make('li', 'problem'), where = make('div'), place = this.placeOf(problem), acts = make('div', 'row');
      item.append(make('span', 'kind ' + problem.severity, problem.severity));
      const name = place.link !== undefined ? this.state.model.links[place.link].from + ' → ' + this.state.model.links[place.link].to : place.component;
      if (name) where.append(button(name + (problem.item && place.component ? '.' + problem.item : ''), () => this.go(place), 'link'), make('br'));
      where.append(problem.problem);
      if (problem.remedy) where.append(make('div', 'muted', problem.remedy));
      acts.append(...this.remediesOf(problem));
      item.append(where, acts);
      list.append(item);
    }
    host.replaceChildren(said, list);
  }
  go(place) {
    this.open('canvas');
    if (place.component) { this.graph.focus(place.component); return; }
    const link = this.state.model.links[place.link];
    this.graph.reveal(link.to.slice(0, link.to.indexOf('.')));
    this.graph.choose(link);
  }

  showDetails() {
    const host = byId('details'), model = this.state.model;
    if (!model) return;
    const active = host.contains(document.activeElement) ? document.activeElement : null, key = active && (active.dataset.key || ''), scroll = host.scrollTop;
    host.replaceChildren();
    if (this.chosen.link) {
      const link = model.links.find((one) => one.from === this.chosen.link.from && one.to === this.chosen.link.to);
      if (link) { this.showLink(host, link); this.back(host, key, active, scroll); return; }
    }
    const boxes = (this.chosen.boxes || []).filter((id) => model.components.some((one) => one.id === id));
    if (boxes.length === 1) this.showComponent(host, model.components.find((one) => one.id === boxes[0]));
    else if (boxes.length > 1) this.showMany(host, boxes);
    else this.showComposition(host, model);
    this.back(host, key, active, scroll);
  }
  back(host, key, active, scroll) {
    host.scrollTop = scroll;
    if (active) (key && host.querySelector('[data-key="' + CSS.escape(key) + '"]') || host).focus({preventScroll: true});
  }

  showMany(host, ids) {
    host.append(make('h2', '', ids.length + ' components'), make('p', 'muted', ids.join(', ')));
    host.append(row(button('Remove', () => this.edit(ids.map((id) => ({op: 'remove-component', id: id}))), 'danger')));
  }

  showComposition(host, model) {
    const run = model.run || {}, set = (attribute) => (value) => this.edit([{op: 'set-run', attributes: [[attribute, value]]}]);
    host.append(make('h2', '', 'Composition'));
    host.append(field('Id', model.id, (value) => this.edit([{op: 'set-composition', attribute: 'Id', value: value}]), {key: 'Id', note: 'result files are named after it'}));
    host.append(field('Caption', model.caption || '', (value) => this.edit([{op: 'set-composition', attribute: 'Caption', value: value || null}]), {key: 'Caption'}));
    host.append(make('h2', '', 'Run'));
    if (!model.run) {
      host.append(make('p', 'muted', 'The composition has no time to run yet.'), row(button('Set the time of the run', () => this.setRunFromComponents())));
    } else {
      host.append(field('From', run.From || '', set('From'), {key: 'From', note: 'a time as in 2024-03-01T00:00Z'}), field('To', run.To || '', set('To'), {key: 'To'}),
                  field('Warm-up', run.WarmUp || '', set('WarmUp'), {key: 'WarmUp', placeholder: 'none', note: 'a span as in P3D; measures leave it out'}),
                  field('Trigger', run.Trigger || '', set('Trigger'), {key: 'Trigger', placeholder: 'all that no other takes values from', note: 'components that are updated first'}),
                  field('Threads', run.Threads || '', set('Threads'), {key: 'Threads', placeholder: '1'}));
    }
    host.append(make('h2', '', 'Recorded items'));
    const list = make('ul', 'list');
    model.observes.forEach((one) => {
      const item = make('li');
      item.append(make('b', '', one.Item || ''), row(
        this.small('every', one.Every || '', (value) => this.edit([{op: 'set-observe', item: one.Item, attribute: 'Every', value: value || null}]), null, 'each row'),
        this.small('as', one.As || 'instant', (value) => this.edit([{op: 'set-observe', item: one.Item, attribute: 'As', value: value}]), ['instant', 'mean', 'sum', 'minimum', 'maximum']),
        this.small('id', one.Id || '', (value) => this.edit([{op: 'set-observe', item: one.Item, attribute: 'Id', value: value || null}]), null, 'none'),
        button('Remove', () => this.edit([{op: 'remove-observe', item: one.Item}]))));
      list.append(item);
    });
    host.append(model.observes.length ? list : make('p', 'muted', 'None: choose a component and record one of its items, so that a run has results.'));
    if (Object.keys(model.places).length) host.append(row(button('Arrange all boxes', () => { this.graph.kept = {}; this.edit([{op: 'unplace'}]).then(() => this.graph.fit()); })));
  }
  // A small field with a label that only a screen reader needs, since its placeholder says the same.
  small(name, value, change, values, placeholder) {
    const input = make(values ? 'select' : 'input');
    if (values) for (const one of values) { const option = make('option', '', one); option.value = one; input.append(option); }
    input.value = value;
    input.setAttribute('aria-label', name);
    input.title = name;
    if (placeholder) input.placeholder = name + ': ' + placeholder;
    input.style.width = values ? '6.2rem' : '7.2rem';
    input.addEventListener('change', () => change(input.value));
    return input;
  }

  showComponent(host, component) {
    const known = this.state.described[component.id], id = component.id;
    host.append(make('h2', '', id));
    host.append(field('Id', id, (value) => this.edit([{op: 'rename-component', id: id, to: value}]).then((done) => { if (done) this.graph.select([value]); }), {key: 'Id'}));
    host.append(field('Caption', component.caption || '', (value) => this.edit([{op: 'set-component', id: id, attribute: 'Caption', value: value || null}]), {key: 'Caption'}));
    host.append(make('p', 'fine', [component.omi, component.type, component.assembly, component.population ? 'one for each row of ' + component.population : ''].filter(Boolean).join(' · ')));
    if (known && known.description) host.append(make('p', 'fine', known.description));
    const mine = this.state.problems.filter((one) => one.severity !== 'note' && this.placeOf(one).component === id);
    for (const one of mine) {
      const text = make('p', one.severity === 'error' ? 'bad' : '', one.problem + (one.remedy ? '; ' + one.remedy : ''));
      host.append(text, row(...this.remediesOf(one)));
    }
    this.showArguments(host, component, known);
    if (known) {
      this.showItems(host, id, known.outputs, true);
      this.showItems(host, id, known.inputs, false);
    } else {
      host.append(make('p', 'muted', this.state.isChecking ? 'Its items are being looked up …' : 'Its items are not known: it could not be loaded as it is.'));
    }
    const family = this.families && this.families.find((one) => one.members.includes(id));
    if (family && this.isRunning()) {
      const isOut = family.status === 'disengaged';
      host.append(make('h3', '', 'Family'), make('p', 'fine', family.key.split('/').pop() + ': ' + family.status),
        row(button(isOut ? 'Engage' : 'Disengage', () => this.control({do: isOut ? 'engage' : 'disengage', family: family.key}).then(() => this.loadFamilies()))));
    }
    host.append(row(button('Link …', () => this.openLinking(id)), button('Remove', () => this.edit([{op: 'remove-component', id: id}]), 'danger')));
  }

  showArguments(host, component, known) {
    const given = new Map(component.arguments.map((one) => [one.key, one.value])), id = component.id;
    const set = (key) => (value, input) => {
      const argument = known && known.arguments.find((one) => one.id === key);
      const isLikeDefault = argument && String(argument.default === null ? '' : argument.default) === value;
      this.edit([{op: 'set-argument', id: id, key: key, value: value === '' || (isLikeDefault && !given.has(key)) ? null : value}]);
      if (input) input.setCustomValidity('');
    };
    const all = known ? known.arguments.filter((one) => !one.is_read_only) : [];
    const names = new Set(all.map((one) => one.id));
    for (const key of given.keys()) if (!names.has(key)) all.unshift({id: key, is_optional: true, isUnknown: true});
    if (!all.length) return;
    host.append(make('h3', '', 'Arguments'));
    const rare = make('details'), summary = make('summary', '', 'more arguments');
    rare.append(summary);
    let count = 0;
    for (const argument of all) {
      const isSet = given.has(argument.id), bounds = [];
      if (argument.minimum !== undefined) bounds.push('at least ' + argument.minimum);
      if (argument.maximum !== undefined) bounds.push('at most ' + argument.maximum);
      const note = [argument.description || (argument.caption !== argument.id ? argument.caption : ''), bounds.join(', '),
                    argument.isUnknown && known ? 'the component has no such argument' : ''].filter(Boolean).join('; ');
      const value = isSet ? given.get(argument.id) : '', standard = argument.default === null || argument.default === undefined ? '' : String(argument.default);
      let values = argument.possible_values ? argument.possible_values.map(String) : argument.type === 'bool' ? ['true', 'false'] : null;
      if (values) values = ['', ...values];
      const made = field(argument.id, value, set(argument.id), {unit: argument.unit, note: note, key: argument.id, isSet: isSet, values: values, isPath: argument.is_path,
        placeholder: standard === '' ? (argument.is_optional ? 'not set' : 'has to be set') : standard});
      if (values) made.querySelector('option[value=""]').textContent = standard === '' ? '(not set)' : standard + ' (default)';
      if (isSet || !argument.is_optional || all.length <= 6) host.append(made); else { rare.append(made); ++count; }
    }
    summary.textContent = count + ' more arguments';
    if (count) { host.append(rare); rare.open = this.isMoreOpen === id; rare.addEventListener('toggle', () => { this.isMoreOpen = rare.open ? id : ''; }); }
  }

  showItems(host, id, items, isOutput) {
    if (!items.length) return;
    host.append(make('h3', '', isOutput ? 'Outputs' : 'Inputs'));
    const list = make('ul', 'list');
    for (const item of items) {
      const one = make('li'), name = id + '.' + item.id, acts = make('div', 'row'), facts = [unitOf(item), item.elements && item.elements.count ? item.elements.count + ' elements' : '',
        item.times && item.times.has_durations ? 'spans' : ''].filter(Boolean).join(', ');
      one.append(make('b', '', item.id), ' ', make('small', '', facts));
      const fed = this.state.model.links.find((link) => link.to === name);
      if (!isOutput && fed) one.append(make('div', 'fine', 'from ' + fed.from));
      const isRecorded = this.state.model.observes.some((observe) => observe.Item === name), isWatched = this.watched.has(name);
      const record = button(isRecorded ? 'Recorded' : 'Record', () => this.edit([isRecorded ? {op: 'remove-observe', item: name} : {op: 'add-observe', item: name, attributes: []}]));
      record.setAttribute('aria-pressed', String(isRecorded));
      record.setAttribute('aria-label', record.textContent + ' ' + name);
      const watch = button(isWatched ? 'Watched' : 'Watch', () => { this.watch(name, !isWatched); this.showDetails(); });
      watch.setAttribute('aria-pressed', String(isWatched));
      watch.setAttribute('aria-label', watch.textContent + ' ' + name + ' while a run goes on');
      acts.append(record, watch);
      if (item.elements && item.elements.type && item.elements.type !== 'IdBased') acts.append(button('Map', () => this.showMap(name)));
      if (!isOutput && !fed) acts.append(button('Link …', () => this.openLinking('', name)));
      one.append(acts);
      list.append(one);
    }
    host.append(list);
  }

  showLink(host, link) {
    host.append(make('h2', '', 'Link'), make('p', '', link.from + ' → ' + link.to));
    const index = this.state.model.links.indexOf(link);
    for (const one of this.state.problems.filter((problem) => this.placeOf(problem).link === index)) {
      host.append(make('p', one.severity === 'error' ? 'bad' : 'fine', one.problem + (one.remedy ? '; ' + one.remedy : '')), row(...this.remediesOf(one)));
    }
    host.append(make('h3', '', 'Adaptors, from the output on'));
    const list = make('ul', 'list'), offers = this.offersOf(link.from, link.to);
    link.adaptors.forEach((adaptor, at) => {
      const item = make('li'), offer = (offers || []).find((one) => one.id === adaptor.id), ends = {from: link.from, to: link.to, at: at};
      item.append(make('b', '', adaptor.id));
      if (offer && offer.description) item.append(make('div', 'fine', offer.description));
      const given = new Map(adaptor.arguments.map((one) => [one.key, one.value])), names = new Set();
      for (const argument of offer ? offer.arguments : []) {
        names.add(argument.id);
        item.append(field(argument.id, given.get(argument.id) || '', (value) => this.edit([{op: 'set-adaptor-argument', ...ends, key: argument.id, value: value || null}]),
          {unit: argument.unit, key: at + argument.id, isSet: given.has(argument.id), placeholder: argument.value === null || argument.value === '' ? 'not set' : String(argument.value),
           note: argument.caption !== argument.id ? argument.caption : '', values: argument.possible_values ? ['', ...argument.possible_values.map(String)] : null}));
      }
      for (const empty of item.querySelectorAll('select option[value=""]')) {
        const argument = offer.arguments.find((one) => at + one.id === empty.parentNode.dataset.key);
        empty.textContent = argument && argument.value !== null && argument.value !== '' ? argument.value + ' (default)' : '(not set)';
      }
      for (const [key, value] of given) {
        if (!names.has(key)) item.append(field(key, value, (text) => this.edit([{op: 'set-adaptor-argument', ...ends, key: key, value: text || null}]), {key: at + key, isSet: true}));
      }
      item.append(row(button('Remove ' + adaptor.id, () => this.edit([{op: 'remove-adaptor', ...ends}]))));
      list.append(item);
    });
    host.append(link.adaptors.length ? list : make('p', 'muted', 'none'));
    if (!offers) {
      host.append(make('p', 'muted', 'looking which adaptors fit …'));
    } else {
      const select = make('select');
      select.setAttribute('aria-label', 'adaptor to add');
      for (const offer of offers) { const option = make('option', '', offer.id + (offer.fits ? '' : ' (with others)')); option.value = offer.id; select.append(option); }
      if (offers.length) host.append(row(select, button('Add adaptor', () => this.edit([{op: 'add-adaptor', from: link.from, to: link.to, at: link.adaptors.length, id: select.value, arguments: []}]))));
    }
    host.append(field('Requests that come back around a loop', link.loop || 'last', (value) => this.edit([{op: 'set-link', from: link.from, to: link.to, attribute: 'Loop', value: value === 'last' ? null : value}]),
      {values: ['last', 'extrapolate'], key: 'Loop', note: 'only for links of a loop'}));
    host.append(row(button('Remove link', () => this.edit([{op: 'remove-link', from: link.from, to: link.to}]), 'danger')));
  }
  // The adaptors between two items as the server ranks them; null while it is asked.
  offersOf(from, to) {
    const key = from + ' > ' + to;
    if (this.offersFor === key) return this.offered;
    this.offersFor = key; this.offered = null;
    this.wire.ask('adaptors', {from: from, to: to}, true).then((answer) => {
      if (this.offersFor !== key) return;
      this.offered = answer && answer.adaptors || [];
      this.showDetails(); this.showProblems();
    });
    return null;
  }

  // The dialog that makes a link: from which output, to which input, with which adaptor.
  openLinking(from, to) {
    const dialog = byId('linking'), outputs = [], inputs = [], model = this.state.model;
    const component = from && !from.includes('.') ? from : this.graph.selected.size === 1 && !to ? [...this.graph.selected][0] : '';
    for (const [id, known] of Object.entries(this.state.described)) {
      for (const item of known.outputs) outputs.push({name: id + '.' + item.id, item: item, id: id});
      for (const item of known.inputs) inputs.push({name: id + '.' + item.id, item: item, id: id, taken: model.links.some((one) => one.to === id + '.' + item.id)});
    }
    if (from && from.includes('.') && !outputs.some((one) => one.name === from)) outputs.push({name: from, item: {}, id: from.split('.')[0]});
    if (to && !inputs.some((one) => one.name === to)) inputs.push({name: to, item: {}, id: to.split('.')[0]});
    const title = make('h2', '', 'Link an output to an input');
    title.id = 'linking-title';
    const source = make('select'), target = make('select'), verdict = make('p'), offers = make('ul', 'list offers'), chosen = {adaptor: ''};
    verdict.setAttribute('role', 'status');
    const done = button('Link', async () => {
      const adaptors = chosen.adaptor ? [{id: chosen.adaptor, arguments: []}] : [];
      if (await this.edit([{op: 'add-link', from: source.value, to: target.value, adaptors: adaptors}])) { dialog.close(); this.graph.choose({from: source.value, to: target.value}); }
    }, 'strong');
    const labels = [['From', source], ['To', target]].map(([text, select], i) => { const label = make('label', '', text); select.id = 'linking-' + i; label.htmlFor = select.id; return label; });
    const fill = (select, list, value) => {
      select.replaceChildren(...list.map((one) => { const option = make('option', '', one.name + unitOf(one.item, ' [', ']') + (one.taken ? ' – has a provider' : '')); option.value = one.name; option.disabled = one.taken === true; return option; }));
      if (value && list.some((one) => one.name === value)) select.value = value;
    };
    const dimension = (item) => item.values && item.values.unit ? item.values.unit.dimension : '';
    const rank = (list, other) => list.slice().sort((a, b) => (a.taken ? 1 : 0) - (b.taken ? 1 : 0) ||
      (other ? (dimension(a.item) === dimension(other) ? 0 : 1) - (dimension(b.item) === dimension(other) ? 0 : 1) : 0) || a.name.localeCompare(b.name));
    // A component whose input has to be linked gets its link; another one gives what it has.
    const open = component && inputs.find((one) => one.id === component && !one.taken && one.item.needs_link);
    if (open && outputs.some((one) => one.id !== component)) to = open.name;
    const isOutputOf = component && !to && outputs.some((one) => one.id === component);
    const first = from && from.includes('.') ? from : isOutputOf ? outputs.find((one) => one.id === component).name : '';
    const fromItem = outputs.find((one) => one.name === first), toItem = inputs.find((one) => one.name === to);
    fill(source, rank(toItem ? outputs.filter((one) => one.id !== toItem.id) : outputs, toItem && toItem.item), first);
    const others = inputs.filter((one) => one.id !== source.value.split('.')[0] || one.name === to);
    fill(target, rank(others, fromItem ? fromItem.item : (outputs.find((one) => one.name === source.value) || {}).item), to);
    let asked = 0;
    const look = async () => {
      chosen.adaptor = '';
      offers.replaceChildren();
      if (!source.value || !target.value) { verdict.textContent = 'There is nothing to link: it needs an output of one component, and an input of another.'; done.disabled = true; return; }
      const may = this.mayLink(source.value, target.value), mine = ++asked;
      done.disabled = !may.isPossible;
      verdict.textContent = may.text;
      if (!may.isPossible) return;
      verdict.textContent = 'looking which adaptors fit …';
      const answer = await this.wire.ask('adaptors', {from: source.value, to: target.value}, true);
      if (mine !== asked) return;
      if (!answer || !answer.adaptors) { verdict.textContent = answer ? answer.error : 'no answer'; return; }
      const isUnitFine = answer.units_convert !== false, isPlainFine = isUnitFine && (answer.from.elements || 1) === (answer.to.elements || 1);
      const side = (one) => one.unit + (one.elements ? ', ' + one.elements + ' elements' : '') + (one.spans === undefined ? '' : one.spans ? ', spans' : ', instants');
      verdict.textContent = 'From ' + side(answer.from) + ' to ' + side(answer.to) + '. ' + (isUnitFine ? '' : 'Units do not convert' + (answer.advice ? ': ' + answer.advice : '') + '.');
      const name = 'offer-' + asked, add = (id, text, note, isChecked) => {
        const item = make('li'), label = make('label'), input = make('input'), body = make('span', '', text);
        input.type = 'radio'; input.name = name; input.checked = isChecked;
        if (isChecked) chosen.adaptor = id;
        input.addEventListener('change', () => { chosen.adaptor = id; });
        if (note) body.append(make('small', '', note));
        label.append(input, body); item.append(label); offers.append(item);
      };
      const fitting = answer.adaptors.filter((one) => one.fits), advised = answer.adaptors.find((one) => answer.advice && answer.advice.includes(one.id));
      const preferred = isPlainFine ? '' : (fitting[0] || advised || {id: ''}).id;
      add('', 'no adaptor', isPlainFine ? 'units convert and elements agree' : 'adaptors can be added to the link later', preferred === '');
      for (const offer of fitting) add(offer.id, offer.id, offer.description, offer.id === preferred);
      for (const offer of answer.adaptors.filter((one) => !one.fits).slice(0, 12)) add(offer.id, offer.id + ' (with others)', (offer.description || '') + (offer.reason ? ' – ' + offer.reason : ''), offer.id === preferred);
    };
    source.addEventListener('change', () => {
      const item = outputs.find((one) => one.name === source.value), before = target.value;
      fill(target, rank(inputs.filter((one) => one.id !== item.id), item.item), before);
      look();
    });
    target.addEventListener('change', look);
    dialog.replaceChildren(title, labels[0], source, labels[1], target, verdict, offers, row(done, button('Cancel', () => dialog.close())));
    dialog.showModal();
    look();
  }

  askOutside(message) {
    const dialog = byId('asking'), title = make('h2', '', 'The file was changed elsewhere'), versions = make('div', 'versions');
    title.id = 'asking-title';
    const mine = message.mine.split('\n'), theirs = message.theirs.split('\n');
    for (const [name, lines, others] of [['This page', mine, new Set(theirs)], ['The file', theirs, new Set(mine)]]) {
      const side = make('div'), text = make('pre');
      text.tabIndex = 0;
      for (const line of lines) { text.append(others.has(line) ? line : make('mark', '', line), '\n'); }
      side.append(make('b', '', name), text);
      versions.append(side);
    }
    const act = (word) => async () => { await this.wire.ask(word); dialog.close(); };
    dialog.replaceChildren(title, make('p', '', 'Both have changed. Which version shall be kept? Undo gives the other one back as long as the page is open.'), versions,
      row(button('Keep this page', act('keep-mine'), 'strong'), button('Take the file', act('take-outside'))));
    if (!dialog.open) dialog.showModal();
  }

  async showMap(name) {
    const dialog = byId('asking'), title = make('h2', '', 'Where ' + name + ' is'), box = make('div', 'map', 'drawing …');
    title.id = 'asking-title';
    dialog.replaceChildren(title, box, row(button('Close', () => dialog.close())));
    dialog.showModal();
    const answer = await this.wire.ask('map', {item: name}, true);
    if (!answer || !answer.svg) { box.textContent = answer ? answer.error : 'no answer'; return; }
    box.replaceChildren(new DOMParser().parseFromString(answer.svg, 'text/html').body.firstElementChild);
    if (answer.drawn < answer.elements) box.append(make('p', 'fine', 'the first ' + answer.drawn + ' of ' + answer.elements + ' elements'));
  }

  showKeys() {
    const dialog = byId('asking'), title = make('h2', '', 'Keys'), table = make('table');
    title.id = 'asking-title';
    for (const [key, text] of [['A', 'add a component: type to filter, then arrows and Enter'], ['L', 'link the chosen component'], ['E or Enter', 'properties of what is chosen'], ['Tab', 'next component or link'],
      ['Arrows', 'nearest component in that direction'], ['Ctrl and arrows', 'move what is chosen'], ['Delete', 'remove what is chosen'], ['Ctrl+C, Ctrl+V', 'copy and paste components'],
      ['Ctrl+Z, Ctrl+Y', 'undo, redo'], ['Ctrl+S', 'save'], ['R', 'save and run'], ['P', 'problems'], ['/', 'find'], ['F, +, -', 'show all, larger, smaller'], ['Esc', 'the composition and its run']]) {
      const line = make('tr');
      line.append(make('td', '', key), make('td', '', text));
      table.append(line);
    }
    dialog.replaceChildren(title, table, row(button('Close', () => dialog.close())));
    dialog.showModal();
  }

  // The run.
  buildLive() {
    const host = byId('live'), columns = make('div', 'columns'), left = make('div'), right = make('div');
    this.parts = {said: make('p', '', 'No run yet.'), progress: make('progress'), time: make('input'), log: make('pre'), curves: make('div', 'curves'), values: make('div')};
    const parts = this.parts;
    parts.said.setAttribute('role', 'status');
    parts.progress.max = 1; parts.progress.value = 0;
    parts.progress.setAttribute('aria-label', 'progress of the run');
    parts.log.id = 'log';
    parts.time.setAttribute('aria-label', 'time to run to'); parts.time.placeholder = '2024-03-10T00:00Z'; parts.time.style.width = '11.5rem';
    parts.start = button('Run', () => this.run(false), 'strong');
    parts.hold = button('Start paused', () => this.run(true));
    parts.pause = button('Pause', () => this.control({do: this.state.run.state === 'paused' ? 'resume' : 'pause'}));
    parts.step = button('Step', () => this.control({do: 'step'}));
    parts.to = button('To this time', () => this.wire.ask('to', {time: parts.time.value.trim()}));
    parts.end = button('End', () => this.control({do: 'end', reason: 'asked in the studio'}));
    left.append(parts.said, parts.progress, row(parts.start, parts.hold, parts.pause, parts.step, parts.end), row(parts.time, parts.to), parts.log);
    right.append(parts.curves);
    columns.append(left, right);
    host.append(columns);
    this.showLive();
  }
  isRunning() { return ['running', 'paused', 'starting'].includes(this.state.run.state); }
  showLive() {
    const parts = this.parts, isOn = this.isRunning(), isPaused = this.state.run.state === 'paused';
    parts.start.disabled = parts.hold.disabled = isOn;
    for (const one of [parts.pause, parts.step, parts.to, parts.end]) one.disabled = !isOn || this.state.run.state === 'starting';
    parts.pause.textContent = isPaused ? 'Resume' : 'Pause';
    byId('run').disabled = isOn;
    if (!this.watched.size && !parts.curves.children.length) parts.curves.append(make('p', 'muted', 'Watch an item (in the properties of its component) to see its values while a run goes on.'));
  }
  async run(isPaused) {
    const errors = this.state.problems.filter((one) => one.severity === 'error').length;
    if (errors && !this.state.isChecking) { this.open('drawer'); this.tab('problems', true); this.complain('There ' + (errors === 1 ? 'is one problem' : 'are ' + errors + ' problems') + ' to solve before it can run.'); return; }
    this.open('drawer');
    this.tab('live');
    this.log = []; this.parts.log.textContent = ''; this.parts.progress.value = 0;
    for (const one of this.watched.values()) { one.times = []; one.rows = []; }
    await this.wire.ask('run', {paused: isPaused});
  }
  control(request) { return this.wire.ask('control', {request: request}); }
  async loadFamilies() {
    const list = this.isRunning() ? await this.wire.ask('control', {request: {do: 'list'}}, true) : null;
    this.families = list && list.families;
    if (this.chosen.boxes && this.chosen.boxes.length) this.showDetails();
  }

  hear(message) {
    const parts = this.parts, run = this.state.run;
    if (message.event === 'run') {
      const before = run.state;
      Object.assign(run, {state: message.state, results: message.results, status: message.status || run.status});
      if (message.state === 'over') {
        const isGood = message.code === 0;
        parts.said.textContent = isGood ? 'The run has finished: ' + (message.record ? Number(message.record.wall_seconds).toPrecision(2) + ' s. ' : '') + 'Results are in ' + message.results + '.' :
          'The run ' + (message.sentence || 'ended') + '.';
        parts.said.className = isGood ? 'good' : 'bad';
        if (isGood) parts.progress.value = 1;
        this.families = null;
        this.showDetails();
        this.wantedRun = message.results;
        this.loadRuns();
      } else {
        parts.said.className = '';
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
    } else if (message.event === 'check') {
      const errors = message.problems.filter((one) => one.severity === 'error');
      for (const one of errors) this.hear({event: 'log', line: 'error: ' + one.problem + (one.remedy ? '; ' + one.remedy : '')});
    } else if (message.event === 'values') {
      for (const [name, values] of Object.entries(message.items)) this.take(name, values);
    }
  }

  watch(name, isOn) {
    const one = this.watched.get(name);
    if (!isOn && one) { if (one.box.plot) one.box.plot.leave(); one.box.figure.remove(); this.watched.delete(name); }
    if (isOn && !one) {
      if (!this.watched.size) this.parts.curves.replaceChildren();
      const box = plotBox(name), value = make('span', 'muted', 'no values yet'), fixed = make('input');
      fixed.setAttribute('aria-label', 'fixed value for ' + name); fixed.placeholder = 'fixed value'; fixed.style.width = '6.5rem';
      box.caption.append(value, row(fixed, button('Fix', () => this.control({do: 'override', item: name, values: fixed.value.trim().split(/\s+/).map(Number)})),
        button('Free', () => this.control({do: 'free', item: name})), button('Close', () => { this.watch(name, false); this.showDetails(); })));
      this.parts.curves.append(box.figure);
      this.watched.set(name, {box: box, value: value, times: [], rows: []});
      this.tab('live');
    }
    this.sendWatched();
    this.showLive();
  }
  sendWatched() { this.wire.ask('watch', {items: [...this.watched.keys()]}, true); }
  take(name, values) {
    const one = this.watched.get(name);
    if (!one || !values.begin) return;
    const time = mjdOf(values.begin) + daysOf(values.duration), last = one.times[one.times.length - 1];
    if (last !== undefined && time <= last) { if (time < last) return; one.times.pop(); one.rows.pop(); }
    one.times.push(time); one.rows.push(values.values);
    if (one.times.length > 20000) { one.times = one.times.filter((_, i) => i % 2 === 0); one.rows = one.rows.filter((_, i) => i % 2 === 0); }
    const number = values.values[0];
    one.value.textContent = (number === null ? 'missing' : page.digits(number, 5) + ' ' + values.unit) + (values.count > 1 ? ', first of ' + values.count : '') + (values.overridden ? ', fixed' : '');
    if (one.times.length < 2) return;
    const from = one.times[0], count = Math.min(values.values.length, 8), ends = one.times.map((mjd) => (mjd - from) * 86400);
    const known = this.state.described[name.slice(0, name.indexOf('.'))], item = known && known.inputs.concat(known.outputs).find((other) => name.endsWith('.' + other.id));
    const ids = item && item.elements && item.elements.ids || [];
    const data = {from: from, to: one.times[one.times.length - 1], spans: [], lines: []};
    for (let i = 0; i < count; ++i) data.lines.push({n: ids[i] || name, u: values.unit, c: lookOf(i), t: ends, v: one.rows.map((line) => line[i] === null || line[i] === undefined ? NaN : line[i])});
    if (one.box.plot && one.box.plot.lines.length === count) one.box.plot.take(data);
    else if (!one.box.plot) one.box.plot = page.add(one.box.svg, data);
  }

  // Results: runs over each other.
  async loadRuns() {
    const answer = await this.wire.ask('runs', {}, true);
    if (!answer || !answer.runs) return;
    this.runs = answer.runs;
    const newest = this.wantedRun && this.runs.find((one) => one.folder === this.wantedRun) || (this.chosenRuns.size ? null : this.runs[0]);
    if (newest) { this.chosenRuns.add(newest.csv); this.tables.delete(newest.csv); this.wantedRun = ''; }
    await Promise.all([...this.chosenRuns].map((csv) => this.load(csv)));
    this.showResults();
  }
  async load(csv) {
    if (this.tables.has(csv)) return;
    const got = await fetch('files/' + csv.split('/').map(encodeURIComponent).join('/'));
    if (got.ok) this.tables.set(csv, readTable(await got.text())); else this.chosenRuns.delete(csv);
  }
  showResults() {
    const host = byId('results'), columns = make('div', 'columns'), left = make('div'), right = make('div');
    for (const plot of this.shownPlots || []) plot.leave();
    this.shownPlots = [];
    if (!this.runs.length) { host.replaceChildren(make('p', 'muted', 'No results yet: record items and run.')); return; }
    left.append(make('h3', '', 'Runs'));
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
    left.append(list, make('h3', '', 'Recorded'));
    const shown = make('ul', 'list');
    for (const name of names) {
      const item = make('li'), label = make('label'), box = make('input');
      box.type = 'checkbox'; box.checked = this.chosenSeries.has(name);
      box.addEventListener('change', () => { if (box.checked) this.chosenSeries.add(name); else this.chosenSeries.delete(name); this.showResults(); });
      label.append(box, ' ' + name); item.append(label); shown.append(item);
    }
    left.append(shown);
    columns.append(left, right);
    host.replaceChildren(columns);
    const curves = make('div', 'curves');
    right.append(curves);
    for (const name of names.filter((one) => this.chosenSeries.has(one))) this.showSeries(curves, name, tables);
  }
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
function cells(line) {
  const found = [];
  for (const [, quoted, plain] of line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)) found.push(quoted !== undefined ? quoted.replace(/""/g, '"') : plain);
  return found;
}
