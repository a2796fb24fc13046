// Loops of links: which there are, and how they are iterated. Methods of Panels.
import {button, field, make, row, small} from './parts.js';

const kChoices = {
  Method: ['fixed-point', 'relaxation', 'aitken', 'anderson', 'quasi-newton'], Order: ['gauss-seidel', 'jacobi'],
  Guess: ['last', 'linear', 'quadratic'], OnFailure: ['fail', 'warn', 'shorten']
};
const kDefaults = {Method: 'quasi-newton', Order: 'gauss-seidel', Guess: 'linear', OnFailure: 'fail', RelativeTolerance: '1e-6', AbsoluteTolerance: '0', MaxIterations: '50', Relaxation: '0.5'};
const kNotes = {
  Method: 'how the next values are made from the last ones', Order: 'one component after the other, or all from the same values', Guess: 'what a step starts with',
  OnFailure: 'if a step does not converge', RelativeTolerance: 'of the largest value of each input', AbsoluteTolerance: 'in the unit of each input', MaxIterations: 'of a step',
  Relaxation: 'above 0, at most 2; for relaxation and aitken'
};

export const loops = {
  showLoops(host, model) {
    if (!this.graph.loops.length && !model.loops.length) return;
    host.append(make('h2', '', 'Loops of links'));
    const list = make('ul', 'list'), shown = new Set();
    for (const loop of this.graph.loops) {
      const item = make('li');
      item.append(button(loop.ids.join(', '), () => this.graph.select(loop.ids), 'link'));
      if (loop.at >= 0) { shown.add(loop.at); item.append(row(button('How it is iterated', () => this.select({loop: loop.at})))); }
      else item.append(make('div', 'fine', 'not iterated: who is asked while it waits answers with its last value'), row(button('Iterate this loop', () => this.iterate(loop))));
      list.append(item);
    }
    model.loops.forEach((loop, at) => {
      if (shown.has(at)) return;
      const item = make('li');
      item.append(button(loop.is.Components || '(no components)', () => this.select({loop: at}), 'link'), ...this.problemsAt({loop: at}));
      list.append(item);
    });
    host.append(list);
  },

  // Iterates a loop, in the order in which its components stand.
  async iterate(loop) {
    const at = this.state.model.loops.length;
    if (await this.edit([{op: 'add-element', parent: [], name: 'Iterate', attributes: [['Components', loop.ids.join(' ')]]}])) this.select({loop: at});
  },

  showLoop(host, at) {
    const loop = this.state.model.loops[at], one = loop.is, path = [['Iterate', at]];
    const set = (attribute) => (value) => this.edit([{op: 'set-element', path: path, attribute: attribute, value: value || null}]);
    host.append(make('h2', '', 'Iterated loop'), ...this.problemsAt({loop: at}));
    const ids = (one.Components || '').split(/\s+/).filter(Boolean), list = make('ul', 'list');
    const reorder = (next) => this.edit([{op: 'set-element', path: path, attribute: 'Components', value: next.join(' ')}]);
    host.append(make('h3', '', 'Components, in the order in which they compute'));
    ids.forEach((id, i) => {
      const item = make('li'), acts = row(), up = button('Earlier', () => { const next = ids.slice(); [next[i - 1], next[i]] = [next[i], next[i - 1]]; reorder(next); });
      up.disabled = i === 0;
      up.setAttribute('aria-label', 'Earlier: ' + id);
      const out = button('Take out', () => reorder(ids.filter((other) => other !== id)));
      out.setAttribute('aria-label', 'Take out ' + id);
      out.disabled = ids.length < 2;
      acts.append(up, out);
      item.append(button(id, () => this.graph.focus(id), 'link'), acts);
      list.append(item);
    });
    const others = this.state.model.components.map((other) => other.id).filter((id) => !ids.includes(id));
    host.append(list);
    if (others.length) {
      const select = small('component to add', others[0], () => {}, others);
      host.append(row(select, button('Add component', () => reorder([...ids, select.value]))));
    }
    for (const attribute of ['Method', 'RelativeTolerance', 'AbsoluteTolerance', 'MaxIterations', 'Order', 'Guess', 'OnFailure', 'Relaxation']) {
      const values = kChoices[attribute];
      host.append(field(attribute.replace(/(?<=[a-z])([A-Z])/g, (letter) => ' ' + letter.toLowerCase()), one[attribute] || (values ? kDefaults[attribute] : ''),
        (value) => set(attribute)(value === kDefaults[attribute] && !one[attribute] ? null : value),
        {key: attribute, values: values, placeholder: kDefaults[attribute], note: kNotes[attribute], isSet: Boolean(one[attribute])}));
    }
    this.showTolerances(host, loop, path);
    host.append(row(button('Do not iterate', () => this.edit([{op: 'remove-element', path: path}]).then(() => this.graph.select([])), 'danger')));
  },

  showTolerances(host, loop, path) {
    host.append(make('h3', '', 'Tolerances of single inputs'));
    const ids = (loop.is.Components || '').split(/\s+/), inputs = this.state.model.links.filter((link) => ids.includes(link.from.split('.')[0]) && ids.includes(link.to.split('.')[0])).map((link) => link.to);
    const given = loop.Tolerance || [], list = make('ul', 'list');
    given.forEach((tolerance, at) => {
      const item = make('li'), there = [...path, ['Tolerance', at]], set = (attribute) => (value) => this.edit([{op: 'set-element', path: there, attribute: attribute, value: value || null}]);
      item.append(make('b', '', tolerance.Item || ''), row(small('absolute', tolerance.Absolute || '', set('Absolute'), null, 'in its unit'), small('relative', tolerance.Relative || '', set('Relative'), null, 'that of the loop'),
        button('Remove', () => this.edit([{op: 'remove-element', path: there}]))));
      list.append(item);
    });
    if (given.length) host.append(list);
    const free = inputs.filter((item) => !given.some((one) => one.Item === item));
    if (!free.length) return;
    const select = small('input', free[0], () => {}, free);
    host.append(row(select, button('Add tolerance', () => this.edit([{op: 'add-element', parent: path, name: 'Tolerance', attributes: [['Item', select.value], ['Relative', loop.is.RelativeTolerance || '1e-6']]}]))));
  }
};
