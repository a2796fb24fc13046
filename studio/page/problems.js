// Problems: what each is about, shown where it is. Methods of Panels.
import {button, byId, kOnce, make} from './parts.js';

export const problems = {
  // What a problem is about: {component, item}, {link}, {observe}, {compare}, {loop} (each by its number), {run},
  // {checkpoints}, {results} (true, or the number of one too many), or the {composition} as a whole.
  placeOf(problem) {
    const model = this.state.model;
    if (!model) return {};
    // "h.inflow: expected a provider" names its item in the text.
    const said = /^([^.:\s]+)\.([^:\s]+): /.exec(problem.problem);
    if (said && !problem.item && model.components.some((one) => one.id === said[1])) return {component: said[1], item: said[2]};
    const isHere = (one) => problem.line >= one.line && problem.line <= one.last;
    if (problem.line && (!problem.file || problem.file.endsWith(this.state.file))) {
      for (const [key, list] of [['link', model.links], ['observe', model.observes], ['compare', model.comparisons], ['loop', model.loops]]) {
        const at = list.findIndex(isHere);
        if (at >= 0) return {[key]: at};
      }
      const component = model.components.find(isHere);
      if (component) return {component: component.id, item: problem.item || ''};
      for (const key of Object.keys(kOnce)) {
        const at = model[key] ? [model[key], ...model[key].again || []].findIndex(isHere) : -1;
        if (at >= 0) return {[key]: at === 0 ? true : at};
      }
    }
    const named = /^link (.+) -> (.+)$/.exec(problem.item || '');
    const link = named ? model.links.findIndex((one) => one.from === named[1] && one.to === named[2]) : -1;
    if (link >= 0) return {link: link};
    if (problem.component && model.components.some((one) => one.id === problem.component)) return {component: problem.component, item: problem.item || ''};
    return {composition: true};
  },
  // Its name, for a link that leads there.
  nameOf(place, problem) {
    const model = this.state.model, at = (list, place, name) => list[place].is[name] || '?';
    if (place.link !== undefined) return at(model.links, place.link, 'From') + ' → ' + at(model.links, place.link, 'To');
    if (place.component) return place.component + (place.item ? '.' + place.item : '');
    if (place.observe !== undefined) return 'recorded ' + at(model.observes, place.observe, 'Item');
    if (place.compare !== undefined) return 'comparison of ' + at(model.comparisons, place.compare, 'Simulated');
    if (place.loop !== undefined) return 'loop of ' + at(model.loops, place.loop, 'Components');
    const once = Object.keys(kOnce).find((key) => place[key]);
    if (once) return once;
    return problem.item || problem.component || 'composition';
  },

  showProblems() {
    const host = byId('problems'), list = make('ul', 'list'), order = {error: 0, warning: 1, note: 2};
    const errors = this.shownProblems().filter((one) => one.severity === 'error').length, tab = byId('tab-problems');
    tab.replaceChildren('Problems');
    if (errors) tab.append(make('span', 'count', String(errors)));
    const counts = ['error', 'warning', 'note'].map((kind) => [this.shownProblems().filter((one) => one.severity === kind).length, kind]).filter((one) => one[0]);
    const said = make('p', 'muted', this.state.isChecking ? 'checking …' : !this.state.model || !this.state.model.components.length ? '' : counts.length ? counts.map((one) => one[0] + ' ' + one[1] + (one[0] === 1 ? '' : 's')).join(', ') : 'No problems.');
    said.setAttribute('role', 'status');
    for (const problem of this.shownProblems().slice().sort((a, b) => order[a.severity] - order[b.severity]).slice(0, 300)) {
      const item = make('li', 'problem'), where = make('div'), place = this.placeOf(problem), acts = make('div', 'row');
      item.append(make('span', 'kind ' + problem.severity, problem.severity));
      where.append(button(this.nameOf(place, problem), () => this.go(place), 'link'), make('br'), problem.problem);
      acts.append(...this.remediesOf(problem));
      const remedy = this.remedyText(problem, acts.children.length);
      if (remedy) where.append(make('div', 'muted', remedy));
      item.append(where, acts);
      list.append(item);
    }
    const next = this.nextStep();
    host.replaceChildren(...(next ? [next] : []), said, list);
  },
  // What to do next on the way to a run with results.
  nextStep() {
    const model = this.state.model, step = make('p', 'next');
    if (!model || this.state.isChecking) return null;
    const say = (text, name, act) => { step.append(make('b', '', 'Next: '), text, ' '); if (name) step.append(button(name, act)); return step; };
    if (!model.components.length) return say('add a component from the list on the left.');
    if (this.shownProblems().some((one) => one.severity === 'error')) return null;  // they say it themselves
    if (!model.links.length && model.components.length > 1) return say('link an output to an input: drag from its dot to the dot of the other.', 'Link …', () => this.openLinking());
    if (this.shownProblems().some((one) => /expected a Run element/.test(one.problem + one.remedy))) return null;
    if (!model.run) return say('the run has no time yet.', 'Set the time of the run', () => this.setRunFromComponents());
    const last = [...model.components].reverse().find((one) => this.state.described[one.id] && this.state.described[one.id].outputs.length);
    if (!model.observes.length && last) return say('record an item, so that the run has results.', 'Record ' + last.id + '.' + this.state.described[last.id].outputs[0].id,
      () => this.edit([{op: 'add-observe', item: last.id + '.' + this.state.described[last.id].outputs[0].id, attributes: []}]));
    return this.runs.length || this.isRunning() ? null : say('run it.', 'Run', () => this.run({}));
  },
  // An empty page is no error to its user.
  shownProblems() { return this.state.model && !this.state.model.components.length ? [] : this.state.problems; },
  // Shows what a problem is about.
  go(place) {
    if (place.component) { this.open('canvas'); this.graph.focus(place.component); return; }
    if (place.loop !== undefined) { this.open('details'); this.select({loop: place.loop}); return; }
    if (place.link === undefined) { this.open('details'); this.graph.select([]); return; }
    this.open('canvas');
    const link = this.state.model.links[place.link];
    this.graph.reveal(link.to.slice(0, link.to.indexOf('.')));
    this.graph.choose(link);
  },
  // What the diagram marks: components, their items, and links by their numbers.
  marks() {
    const components = new Map(), items = new Map(), links = new Map(), worse = (a, b) => a === 'error' || b === 'error' ? 'error' : a || b;
    const mark = (id, item, problem) => {
      components.set(id, worse(components.get(id), problem.severity));
      if (!item) return;
      if (!items.has(id)) items.set(id, new Map());
      const before = items.get(id).get(item);
      items.get(id).set(item, {severity: worse(before && before.severity, problem.severity), text: (before ? before.text + '\n' : '') + problem.problem});
    };
    const markItem = (name, problem) => { const at = (name || '').indexOf('.'); if (at > 0) mark(name.slice(0, at), name.slice(at + 1), problem); };
    for (const problem of this.state.problems) {
      if (problem.severity === 'note') continue;
      const at = this.placeOf(problem);
      if (at.link !== undefined) links.set(at.link, worse(links.get(at.link), problem.severity));
      else if (at.component) mark(at.component, at.item, problem);
      else if (at.observe !== undefined) markItem(this.state.model.observes[at.observe].is.Item, problem);
      else if (at.compare !== undefined) markItem(this.state.model.comparisons[at.compare].is.Simulated, problem);
    }
    return {components: components, items: items, links: links};
  },
  focusArgument(component, key) {
    this.isMoreOpen = component;  // the argument may be in the fold
    this.graph.select([component]);
    this.open('details');
    const input = byId('details').querySelector('[data-key="' + CSS.escape(key) + '"]');
    if (input) input.focus();
  },
  // Sets the time of the run to what all series cover.
  setRunFromComponents() {
    let from = -Infinity, to = Infinity;
    for (const known of Object.values(this.state.described)) {
      for (const output of known.outputs) {
        const begin = Date.parse(output.times && output.times.begin), end = Date.parse(output.times && output.times.end);
        if (!(begin < end)) continue;  // without an end of its own, it has values for any time
        from = Math.max(from, begin); to = Math.min(to, end);
      }
    }
    const text = (time) => new Date(time).toISOString().replace(/:00\.000Z$/, 'Z');
    const isKnown = from < to && isFinite(from) && isFinite(to);
    this.edit([{op: 'set-run', attributes: [['From', isKnown ? text(from) : '2024-01-01T00:00Z'], ['To', isKnown ? text(to) : '2024-02-01T00:00Z']]}]);
    this.graph.select([]);
  }
};
