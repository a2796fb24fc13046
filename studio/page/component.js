// Properties of a component: arguments and items. Methods of Panels.
import {button, field, make, row, unitOf} from './parts.js';

export const component = {
  showComponent(host, component) {
    const known = this.state.described[component.id], id = component.id;
    host.append(make('h2', '', id));
    host.append(field('Id', id, (value) => this.edit([{op: 'rename-component', id: id, to: value}]).then((done) => { if (done) this.graph.select([value]); }), {key: 'Id'}));
    host.append(field('Caption', component.caption || '', (value) => this.edit([{op: 'set-component', id: id, attribute: 'Caption', value: value || null}]), {key: 'Caption'}));
    host.append(make('p', 'fine', [component.omi, component.type, component.assembly].filter(Boolean).join(' · ')));
    if (known && known.description) host.append(make('p', 'fine', known.description));
    const mine = this.state.problems.filter((one) => one.severity !== 'note' && this.placeOf(one).component === id);
    for (const one of mine) host.append(...this.explained(one));
    this.showLoopOf(host, id);
    if (component.population) this.showPopulation(host, component, known);
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
    host.append(field('Group', component.group || '', (value) => this.edit([{op: 'set-component', id: id, attribute: 'Group', value: value || null}]),
      {key: 'Group', placeholder: 'none', note: 'components of a group run in a process of their own, here or on another host; choose several components to group them at once'}));
    if (!component.population && component.omi) this.offerPopulation(host, component);
    host.append(row(button('Link …', () => this.openLinking(id)), button('Remove', () => this.edit([{op: 'remove-component', id: id}]), 'danger')));
  },
  showArguments(host, component, known) {
    const given = new Map(component.arguments.map((one) => [one.key, one.value])), id = component.id;
    const set = (key) => (value, input) => {
      const argument = known && known.arguments.find((one) => one.id === key);
      const isLikeDefault = argument && String(argument.default === null ? '' : argument.default) === value;
      this.edit([{op: 'set-argument', id: id, key: key, value: value === '' || (isLikeDefault && !given.has(key)) ? null : value}]);
      if (input) input.setCustomValidity('');
    };
    const all = known ? known.arguments.filter((one) => !one.is_read_only) : [], wrong = new Set();
    for (const one of this.state.problems) {
      const place = this.placeOf(one), named = /argument '([\w-]+)'/.exec(one.problem + '; ' + (one.remedy || ''));
      if (one.severity === 'note' || place.component !== id) continue;
      wrong.add(place.item);
      if (named) wrong.add(named[1]);
    }
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
      let values = argument.possible_values ? argument.possible_values.map(String) : argument.type === 'boolean' ? ['true', 'false'] : null;
      if (values) values = ['', ...values];
      const made = field(argument.id, value, set(argument.id), {unit: argument.unit, note: note, key: argument.id, isSet: isSet, values: values, isPath: argument.is_path,
        placeholder: standard === '' ? (argument.is_optional ? 'not set' : 'has to be set') : standard});
      if (values) made.querySelector('option[value=""]').textContent = standard === '' ? '(not set)' : standard + ' (default)';
      if (isSet || !argument.is_optional || all.length <= 6 || wrong.has(argument.id)) host.append(made); else { rare.append(made); ++count; }
    }
    summary.textContent = count + ' more arguments';
    if (count) { host.append(rare); rare.open = this.isMoreOpen === id; rare.addEventListener('toggle', () => { this.isMoreOpen = rare.open ? id : ''; }); }
  },
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
      const isRecorded = this.state.model.observes.some((observe) => observe.is.Item === name), isWatched = this.watched.has(name);
      const record = button(isRecorded ? 'Recorded' : 'Record', () => this.edit([isRecorded ? {op: 'remove-observe', item: name} : {op: 'add-observe', item: name, attributes: []}]));
      record.setAttribute('aria-pressed', String(isRecorded));
      record.setAttribute('aria-label', record.textContent + ' ' + name);
      const watch = button(isWatched ? 'Watched' : 'Watch', () => { this.watch(name, !isWatched); this.showDetails(); });
      watch.setAttribute('aria-pressed', String(isWatched));
      watch.setAttribute('aria-label', watch.textContent + ' ' + name + ' while a run goes on');
      acts.append(record, watch);
      if (item.elements && item.elements.type && item.elements.type !== 'IdBased') {
        const isOnMap = this.liveMaps.has(name), live = button(isOnMap ? 'Watched on map' : 'Watch on map', () => this.watchMap(name, !isOnMap).then(() => this.showDetails()));
        live.setAttribute('aria-pressed', String(isOnMap));
        live.setAttribute('aria-label', live.textContent + ' ' + name + ' while a run goes on');
        acts.append(button('Map', () => this.showMap(name)), live);
      }
      if (!isOutput && !fed) acts.append(button('Link …', () => this.openLinking('', name)));
      one.append(acts);
      list.append(one);
    }
    host.append(list);
  }
};
