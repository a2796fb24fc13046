// Properties of the composition: its run, and what it records. Methods of Panels.
import {button, field, kOnce, make, row, small} from './parts.js';

const kMeasures = 'nse kge volume peak';

export const composition = {
  showMany(host, ids) {
    const chosen = this.state.model.components.filter((one) => ids.includes(one.id)), groups = new Set(chosen.map((one) => one.group || ''));
    host.append(make('h2', '', ids.length + ' components'), make('p', 'muted', ids.join(', ')));
    host.append(field('Group', groups.size === 1 ? [...groups][0] : '', (value) => this.edit(ids.map((id) => ({op: 'set-component', id: id, attribute: 'Group', value: value || null}))),
      {key: 'Group', placeholder: groups.size === 1 ? 'none' : 'several', note: 'components of a group run in a process of their own, here or on another host; the diagram has a frame around them'}));
    const loop = this.graph.loops.find((one) => one.at < 0 && one.ids.every((id) => ids.includes(id)) && one.ids.length === ids.length);
    if (loop) host.append(row(button('Iterate this loop', () => this.iterate(loop))));
    host.append(row(button('Remove', () => this.edit(ids.map((id) => ({op: 'remove-component', id: id}))), 'danger')));
  },

  showComposition(host, model) {
    const run = model.run && model.run.is || {}, set = (attribute) => (value) => this.edit([{op: 'set-run', attributes: [[attribute, value]]}]);
    host.append(make('h2', '', 'Composition'), ...this.problemsAt({composition: true}));
    host.append(field('Id', model.id, (value) => this.edit([{op: 'set-composition', attribute: 'Id', value: value}]), {key: 'Id', note: 'result files are named after it'}));
    host.append(field('Caption', model.caption || '', (value) => this.edit([{op: 'set-composition', attribute: 'Caption', value: value || null}]), {key: 'Caption'}));
    host.append(make('h2', '', 'Run'), ...this.problemsAt({run: true}));
    if (!model.run) {
      host.append(make('p', 'muted', 'The composition has no time to run yet.'), row(button('Set the time of the run', () => this.setRunFromComponents())));
    } else {
      host.append(field('From', run.From || '', set('From'), {key: 'From', note: 'a time as in 2024-03-01T00:00Z'}), field('To', run.To || '', set('To'), {key: 'To'}),
                  field('Warm-up', run.WarmUp || '', set('WarmUp'), {key: 'WarmUp', placeholder: 'none', note: 'a span as in P3D; measures leave it out'}),
                  field('Trigger', run.Trigger || '', set('Trigger'), {key: 'Trigger', placeholder: 'all that no other takes values from', note: 'components that are updated first'}),
                  field('Threads', run.Threads || '', set('Threads'), {key: 'Threads', placeholder: '1'}));
    }
    this.showObserves(host, model);
    this.showComparisons(host, model);
    this.showLoops(host, model);
    this.showOnce(host, 'checkpoints', {title: 'Checkpoints', remove: 'Remove checkpoints', none: 'refuse (default)'}, 'The state of the run in files, from which it can go on.',
                  [['Every', 'none', 'simulated time between two, such as P1D'], ['EveryWall', 'PT1M', 'time between two, such as PT10M', null, 'Every (clock time)'], ['Keep', '2', 'this many are kept'], ['WithoutState', '', 'what to do with a component that keeps no state', ['', 'skip'], 'Without state']]);
    this.showOnce(host, 'results', {title: 'Result files', remove: 'Use the default file names'}, 'The files of a run, in its folder.',
                  [['Csv', model.id + '.csv'], ['NetCDF', model.id + '.nc'], ['Report', model.id + '.html'], ['GeoPackage', 'none'], ['Compression', '0', 'of the NetCDF file: 0 (none), or 1 (fast) to 9 (small)']]);
    if (Object.keys(model.places).length) host.append(row(button('Arrange all boxes', () => { this.graph.kept = {}; this.edit([{op: 'unplace'}]).then(() => this.graph.fit()); })));
  },

  // An element that the composition has once, and need not have. Fields: its attributes with what counts without them, and
  // their names where these are others.
  showOnce(host, key, names, said, fields) {
    const name = kOnce[key], element = this.state.model[key], path = [[name, 0]];
    const set = (attribute) => (value) => this.edit(element ? [{op: 'set-element', path: path, attribute: attribute, value: value || null}] : [{op: 'add-element', parent: [], name: name, attributes: [[attribute, value]]}]);
    const box = make('details'), problems = this.problemsAt({[key]: true});
    box.open = element !== null || problems.length > 0;
    box.append(make('summary', '', names.title), make('p', 'fine', said), ...problems,
               ...fields.map(([attribute, placeholder, note, values, shown]) => field(shown || attribute, element && element.is[attribute] || '', set(attribute), {key: name + attribute, placeholder: placeholder, note: note, values: values, none: names.none})));
    if (element) box.append(row(button(names.remove, () => this.edit([{op: 'remove-element', path: path}]))));
    host.append(box);
  },

  showObserves(host, model) {
    host.append(make('h2', '', 'Recorded items'));
    const list = make('ul', 'list');
    model.observes.forEach((observe, at) => {
      const item = make('li', 'record'), one = observe.is;
      const remove = button('Remove', () => this.edit([{op: 'remove-observe', item: one.Item}]), 'small');
      remove.setAttribute('aria-label', 'Remove ' + one.Item + ' from the results');
      item.append(make('b', 'grow', one.Item || ''), remove, row(
        small('every', one.Every || '', (value) => this.edit([{op: 'set-observe', item: one.Item, attribute: 'Every', value: value || null}]), null, 'each row'),
        small('as', one.As || 'instant', (value) => this.edit([{op: 'set-observe', item: one.Item, attribute: 'As', value: value}]), ['instant', 'mean', 'sum', 'minimum', 'maximum']),
        small('id', one.Id || '', (value) => this.edit([{op: 'set-observe', item: one.Item, attribute: 'Id', value: value || null}]), null, 'none')), ...this.problemsAt({observe: at}));
      list.append(item);
    });
    host.append(model.observes.length ? list : make('p', 'muted', 'None: choose a component and record one of its items, so that a run has results.'));
  },

  // Comparisons of a simulated with an observed item.
  showComparisons(host, model) {
    host.append(make('h2', '', 'Comparisons'));
    const list = make('ul', 'list'), outputs = this.outputNames();
    model.comparisons.forEach((comparison, at) => {
      const item = make('li'), one = comparison.is, path = [['Compare', at]];
      const set = (attribute) => (value) => this.edit([{op: 'set-element', path: path, attribute: attribute, value: value || null}]);
      item.append(field('Simulated', one.Simulated || '', set('Simulated'), {values: outputs, key: 'Simulated' + at}),
                  field('Observed', one.Observed || '', set('Observed'), {values: outputs, key: 'Observed' + at}),
                  field('Measures', one.Measures || '', set('Measures'), {key: 'Measures' + at, note: 'such as nse, kge, log-nse, volume, peak, rmse; separated by blanks'}),
                  field('Id', one.Id || '', set('Id'), {key: 'CompareId' + at, placeholder: 'none'}));
      (comparison.Window || []).forEach((window, number) => {
        const there = [...path, ['Window', number]], change = (attribute) => (value) => this.edit([{op: 'set-element', path: there, attribute: attribute, value: value || null}]);
        item.append(row(small('label', window.Label || '', change('Label'), null, 'name of the window'), small('from', window.From || '', change('From'), null, 'start'),
                        small('to', window.To || '', change('To'), null, 'end'), button('Remove window', () => this.edit([{op: 'remove-element', path: there}]))));
      });
      const run = model.run && model.run.is || {};
      item.append(row(button('Add window', () => this.edit([{op: 'add-element', parent: path, name: 'Window', attributes:
        [['Label', 'part ' + ((comparison.Window || []).length + 1)], ['From', run.From || '2024-01-01T00:00Z'], ['To', run.To || '2024-02-01T00:00Z']]}])),
        button('Remove comparison', () => this.edit([{op: 'remove-element', path: path}]))), ...this.problemsAt({compare: at}));
      list.append(item);
    });
    if (model.comparisons.length) host.append(list);
    else host.append(make('p', 'muted', 'None: a comparison measures how well a simulated item follows an observed one, element by element of the same id. The measures are in Results and in the report of a run.'));
    if (outputs.length > 1) host.append(row(button('Compare two items', () => this.edit([{op: 'add-element', parent: [], name: 'Compare', attributes: this.likelyComparison(outputs)}]))));
  },
  outputNames() {
    return Object.entries(this.state.described).flatMap(([id, known]) => known.outputs.map((item) => id + '.' + item.id));
  },
  // Two items that a user may want to compare: of one dimension, the observed one from a component without inputs.
  likelyComparison(outputs) {
    const find = (name) => { const at = name.indexOf('.'), known = this.state.described[name.slice(0, at)]; return {known: known, item: known.outputs.find((one) => one.id === name.slice(at + 1))}; };
    const dimension = (name) => { const unit = find(name).item.values.unit; return unit ? unit.dimension : ''; };
    const observed = outputs.filter((name) => !find(name).known.inputs.length && dimension(name));
    const idsOf = (name) => find(name).item.elements && find(name).item.elements.ids || [''];
    const havePairs = (a, b) => (idsOf(a).length === 1 && idsOf(b).length === 1) || idsOf(a).some((id) => idsOf(b).includes(id));
    for (const one of observed) {
      const simulated = outputs.find((name) => find(name).known.inputs.length && dimension(name) === dimension(one) && havePairs(name, one));
      if (simulated) return [['Simulated', simulated], ['Observed', one], ['Measures', kMeasures]];
    }
    return [['Simulated', outputs[0]], ['Observed', outputs[1]], ['Measures', kMeasures]];
  },

  // The problems of a place, as paragraphs with their remedies.
  problemsAt(place) {
    const [key, value] = Object.entries(place)[0];
    return this.shownProblems().filter((one) => one.severity !== 'note' && this.placeOf(one)[key] === value).flatMap((one) => this.explained(one));
  }
};
