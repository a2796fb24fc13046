// Remedies of problems that the page can apply, as buttons. They are read from the words of a problem, which have one form
// everywhere: what was expected, what was found, and what to do. Methods of Panels.
import {button, kOnce, problemText, row} from './parts.js';

// Adaptors that each output has (docs/adaptors.md); those of components are added as they become known.
const kStandard = ('by-id one-value times-element-area nearest inverse-distance kriging area-weighted-mean area-weighted-sum linear cubic previous next nearest-in-time delay ' +
  'mean-over-span minimum-over-span maximum-over-span sum-over-span disaggregate integral-over-span accumulate resample fill-gaps unit-conversion linear-operation clip threshold ' +
  'fill-missing divide-by-span multiply-by-span density').split(' ');

export const remedies = {
  remediesOf(problem) {
    const place = this.placeOf(problem), text = problem.problem + '; ' + (problem.remedy || ''), found = new Map();
    const add = (name, edits) => { if (edits && !found.has(name)) found.set(name, button(name, () => (typeof edits === 'function' ? edits() : this.edit(edits)))); };
    this.remediesByAdaptor(place, text, add);
    this.remediesBySpelling(place, problem, text, add);
    this.remediesByAttribute(place, problem, add);
    this.remediesByRemoval(place, problem, add);
    this.remediesByAct(place, problem, text, add);
    return [...found.values()];
  },

  // What the user can do, in words. What would be written into the file is left out where a button writes it.
  remedyText(problem, buttons) { return buttons && /<[A-Z]\w+[ />]/.test(problem.remedy || '') ? '' : problem.remedy || ''; },
  // A problem with its buttons, as it is shown in the properties.
  explained(problem) {
    const acts = this.remediesOf(problem);
    return [problemText({...problem, remedy: this.remedyText(problem, acts.length)}), row(...acts)];
  },

  // 'times-element-area' and others that the text names go on the link.
  remediesByAdaptor(place, text, add) {
    if (place.link === undefined) return;
    const link = this.state.model.links[place.link], ids = this.adaptorIds();
    const named = [...text.matchAll(/'([a-z][a-z0-9-]*)'/g)].map((one) => one[1]);
    for (const id of [...new Set(named)].slice(0, 3)) {
      if (!ids.has(id) || link.adaptors.some((one) => one.id === id)) continue;
      add('put ' + id + ' on the link', [{op: 'add-adaptor', from: link.from, to: link.to, at: link.adaptors.length, id: id, arguments: []}]);
    }
    // The values that an argument of an adaptor can have.
    const argument = /^adaptor '([\w-]+)': .*argument '([\w-]+)'/.exec(text), values = /set it to ([\w, -]+)/.exec(text);
    const at = argument ? link.adaptors.findIndex((one) => one.id === argument[1]) : -1;
    if (at < 0 || !values) return;
    for (const value of values[1].split(/, | or /).slice(0, 6)) {
      add('set ' + argument[2] + ' to ' + value, [{op: 'set-adaptor-argument', from: link.from, to: link.to, at: at, key: argument[2], value: value}]);
    }
  },
  adaptorIds() {
    const ids = new Set(kStandard);
    for (const known of Object.values(this.state.described)) for (const output of known.outputs) for (const id of output.adaptors || []) ids.add(id);
    for (const link of this.state.model.links) for (const one of link.adaptors) ids.add(one.id);
    for (const offer of this.offered || []) ids.add(offer.id);
    return ids;
  },

  // The nearest name takes the place of the one that there is not.
  remediesBySpelling(place, problem, text, add) {
    const meant = /did you mean '([^']+)'/.exec(text), wrong = /found (?:no file )?'([^']+)'|the library '([^']+)', found none/.exec(text);
    if (!meant || !wrong) return;
    const model = this.state.model, old = wrong[1] || wrong[2], library = /^.*\/lib([\w-]+)\.so$/.exec(meant[1]), right = library ? library[1] : meant[1];
    // In an item "component.item" either part may be wrong.
    const corrected = (item) => {
      const at = item.indexOf('.'), component = item.slice(0, at), name = item.slice(at + 1);
      if (item === old) return right;
      if (name === old) return right.includes('.') ? right : component + '.' + right;
      return component === old ? right + '.' + name : null;
    };
    const listed = (words) => { const list = (words || '').split(/\s+/); return list.includes(old) ? list.map((one) => one === old ? right : one).join(' ') : null; };
    const set = (op, attribute, value) => { if (value) add('use ' + value, [{...op, attribute: attribute, value: value}]); };
    if (place.link !== undefined) {
      const link = model.links[place.link], ends = {op: 'set-link', from: link.from, to: link.to};
      set(ends, 'From', corrected(link.from));
      set(ends, 'To', corrected(link.to));
      link.adaptors.forEach((adaptor, at) => {
        const path = [['Link', place.link], ['Adaptor', at]];
        if (adaptor.id === old) set({op: 'set-element', path: path}, 'Id', right);
        const argument = adaptor.arguments.find((one) => one.key === old), where = {from: link.from, to: link.to, at: at};
        if (argument) add('use ' + right, [{op: 'set-adaptor-argument', ...where, key: old, value: null}, {op: 'set-adaptor-argument', ...where, key: right, value: argument.value}]);
        else for (const one of adaptor.arguments) if (one.value === old) add('use ' + right, [{op: 'set-adaptor-argument', ...where, key: one.key, value: right}]);
      });
    } else if (place.observe !== undefined) {
      const one = model.observes[place.observe].is, path = {op: 'set-element', path: [['Observe', place.observe]]};
      set(path, 'Item', corrected(one.Item || ''));
      set(path, 'Elements', listed(one.Elements));
    } else if (place.compare !== undefined) {
      const one = model.comparisons[place.compare].is, path = {op: 'set-element', path: [['Compare', place.compare]]};
      set(path, 'Simulated', corrected(one.Simulated || ''));
      set(path, 'Observed', corrected(one.Observed || ''));
      set(path, 'Measures', listed(one.Measures));
    } else if (place.loop !== undefined) {
      const loop = model.loops[place.loop], path = [['Iterate', place.loop]];
      set({op: 'set-element', path: path}, 'Components', listed(loop.is.Components));
      (loop.Tolerance || []).forEach((one, at) => set({op: 'set-element', path: [...path, ['Tolerance', at]]}, 'Item', corrected(one.Item || '')));
    } else if (place.run) {
      const trigger = listed(model.run.is.Trigger);
      if (trigger) add('use ' + trigger, [{op: 'set-run', attributes: [['Trigger', trigger]]}]);
    } else if (place.component) {
      const component = model.components.find((one) => one.id === place.component);
      const argument = component.arguments.find((one) => one.key === old);
      if (argument) add('use ' + right, [{op: 'set-argument', id: component.id, key: old, value: null}, {op: 'set-argument', id: component.id, key: right, value: argument.value}]);
      else for (const one of component.arguments) if ((one.value === old || one.value.endsWith('/' + old)) && (!problem.item || one.key === problem.item)) {
        const value = one.value.slice(0, one.value.length - old.length) + right;
        add('use ' + value, [{op: 'set-argument', id: component.id, key: one.key, value: value}]);
      }
      if (component.type === old) set({op: 'set-component', id: component.id}, 'Type', right);
      if (component.assembly === old) set({op: 'set-component', id: component.id}, 'Assembly', right);
    }
    // A value of an attribute, such as Mode="pul".
    const attribute = /'(\w+)' of \w+/.exec(problem.problem);
    if (attribute && this.attributesAt(place)[attribute[1]] === old) add('set ' + attribute[1] + ' to ' + right, this.settingAt(place, attribute[1], right));
  },

  attributesAt(place) {
    const model = this.state.model;
    if (place.observe !== undefined) return model.observes[place.observe].is;
    if (place.compare !== undefined) return model.comparisons[place.compare].is;
    if (place.loop !== undefined) return model.loops[place.loop].is;
    if (place.link !== undefined) return model.links[place.link].is || {};
    if (place.component) return model.components.find((one) => one.id === place.component).is || {};
    const once = Object.keys(kOnce).find((key) => place[key]);
    return !once ? {} : (place[once] === true ? model[once] : model[once].again[place[once] - 1]).is;
  },
  // The edit that sets an attribute of what a problem is about.
  settingAt(place, attribute, value) {
    const model = this.state.model;
    if (place.component) return [{op: 'set-component', id: place.component, attribute: attribute, value: value}];
    if (place.link !== undefined) { const link = model.links[place.link]; return [{op: 'set-link', from: link.from, to: link.to, attribute: attribute, value: value}]; }
    if (place.run === true) return [{op: 'set-run', attributes: [[attribute, value === null ? '' : value]]}];
    for (const [key, name] of [['observe', 'Observe'], ['compare', 'Compare'], ['loop', 'Iterate'], ...Object.entries(kOnce)]) {
      if (place[key] !== undefined) return [{op: 'set-element', path: [[name, place[key] === true ? 0 : place[key]]], attribute: attribute, value: value}];
    }
    return null;
  },

  // 'write Components="a b"': the remedy says what to write; examples ("as in ...") and places to fill ("...") do not count.
  remediesByAttribute(place, problem, add) {
    const attributes = {component: ['Isolation', 'OnFailure', 'KeepState', 'TimeLimit'], link: ['Loop', 'Balance'], observe: ['As', 'Every'], loop: ['Components', 'Method', 'OnFailure'], compare: ['Measures'], run: ['Mode', 'Pace']};
    for (const [, before, attribute, value] of (problem.remedy || '').matchAll(/(as in |<\w+ )?\b([A-Z]\w+)="([^".]*)"/g)) {
      if (before) continue;
      if (attribute === 'Mode') { if (this.state.model.run) add('set Mode to ' + value, this.settingAt({run: true}, attribute, value)); continue; }
      const kind = Object.keys(attributes).find((key) => place[key] !== undefined && attributes[key].includes(attribute));
      if (kind) add('set ' + attribute + ' to ' + value, this.settingAt(place, attribute, value));
    }
  },

  // 'remove Loop', 'leave it out', 'remove one of the two'.
  remediesByRemoval(place, problem, add) {
    const remedy = problem.remedy || '';
    const named = /\bremove '?([A-Z]\w+)'?/.exec(remedy) || /\bleave out '?([A-Z]\w+)'?/.exec(remedy);
    if (named && named[1] === 'Iterate' && place.loop !== undefined) add('remove the iteration', [{op: 'remove-element', path: [['Iterate', place.loop]]}]);
    else if (named && this.attributesAt(place)[named[1]] !== undefined) add('remove ' + named[1], this.settingAt(place, named[1], null));
    const unfit = /\bremove the limit\b/.test(remedy) ? /expected '(\w+)'/.exec(problem.problem) : /in '(Trigger)' of Run/.exec(problem.problem) || /^expected a (warm-up)/.exec(problem.problem) || (/there are none/.test(remedy) ? /expected an (element) of/.exec(problem.problem) : null);
    const attribute = unfit && ({'warm-up': 'WarmUp', element: 'Elements'}[unfit[1]] || unfit[1]);
    if (attribute && this.attributesAt(place)[attribute] !== undefined) add('remove ' + attribute, this.settingAt(place, attribute, null));
    const isUnwanted = /\b(leave it out|remove it|remove one of the two|remove the link|there is no such|remove this)\b/.test(remedy) || /^expected (each .* once|an input without provider)/.test(problem.problem);
    if (!isUnwanted) return;
    if (place.link !== undefined) {
      add('remove this link', [{op: 'remove-element', path: [['Link', place.link]]}]);
    } else if (place.observe !== undefined) add('remove it from the results', [{op: 'remove-element', path: [['Observe', place.observe]]}]);
    else if (place.compare !== undefined) add('remove the comparison', [{op: 'remove-element', path: [['Compare', place.compare]]}]);
    else if (place.loop !== undefined) add('remove the iteration', [{op: 'remove-element', path: [['Iterate', place.loop]]}]);
    else if (place.component && /that no trigger needs/.test(problem.problem)) add('remove ' + place.component, [{op: 'remove-component', id: place.component}]);
  },

  // What needs a look or a choice: the button leads there.
  remediesByAct(place, problem, text, add) {
    const model = this.state.model;
    if (/expected a Run element/.test(text) && !model.run) add('set the time of the run', () => this.setRunFromComponents());
    else if (model.run && /the run's From and To|let the run (start|end)|shorten the warm-up|after the start of the run|before the end of the run|the run to (end|start)/.test(text)) add('fit the run to the series', () => this.setRunFromComponents());
    const iterate = /<Iterate Components="([^"]+)"\/>/.exec(text);
    if (iterate) add('iterate this loop', () => this.iterate({ids: iterate[1].split(' ')}));
    if (/different ids, found/.test(problem.problem) && place.observe !== undefined) {
      const one = model.observes[place.observe].is, base = (one.Item || 'item').split('.').pop(), used = new Set(model.observes.map((other) => other.is.Id || other.is.Item));
      let number = 2;
      while (used.has(base + '-' + number)) ++number;
      add('call it ' + base + '-' + number, [{op: 'set-element', path: [['Observe', place.observe]], attribute: 'Id', value: base + '-' + number}]);
    }
    const window = /exchange 'From' and 'To'/.test(problem.remedy || '') && place.compare !== undefined ? (model.comparisons[place.compare].Window || []).findIndex((one) => Date.parse(one.To) <= Date.parse(one.From)) : -1;
    if (window >= 0) {
      const one = model.comparisons[place.compare].Window[window], path = [['Compare', place.compare], ['Window', window]];
      add('exchange From and To', [{op: 'set-element', path: path, attribute: 'From', value: one.To}, {op: 'set-element', path: path, attribute: 'To', value: one.From}]);
    }
    const open = /^([^.:\s]+)\.([^:]+): expected a provider/.exec(problem.problem), input = open ? open[1] + '.' + open[2] : place.component && problem.item ? place.component + '.' + problem.item : '';
    const known = place.component && this.state.described[place.component];
    const isInput = known && known.inputs.some((one) => one.id === (open ? open[2] : problem.item));
    if ((open || (isInput && /provider|link/.test(text))) && !model.links.some((one) => one.to === input)) add('link it', () => this.openLinking('', input));
    if (place.component && problem.item && known && known.arguments.some((one) => one.id === problem.item)) add('set ' + problem.item, () => this.focusArgument(place.component, problem.item));
    if (place.component && /expected the argument|needs the argument|argument '([\w-]+)'/.test(text)) {
      const key = (/argument '([\w-]+)'/.exec(text) || [])[1];
      if (key && known && known.arguments.some((one) => one.id === key)) add('set ' + key, () => this.focusArgument(place.component, key));
    }
  }
};
