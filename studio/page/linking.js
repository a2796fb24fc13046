// Links: their properties, and the dialog that makes one. Methods of Panels.
import {button, byId, field, make, row, unitOf} from './parts.js';

// How badly an output fits to an input, from 0: the same name and units that convert, the same unit, units that convert.
const kMisfit = 3;
function misfitOf(a, b) {
  const one = a.values || {}, other = b.values || {}, u = one.unit, v = other.unit;
  if (one.kind !== other.kind) return kMisfit + 1;
  const isConvertible = u && v ? u.dimension === v.dimension : !u && !v;
  if (!isConvertible) return kMisfit;
  if (a.id === b.id) return 0;
  if (!u || u.dimension === '' || u.dimension === '1') return kMisfit;  // ratios of all kinds
  return u.factor_to_si === v.factor_to_si && u.offset_to_si === v.offset_to_si ? 1 : 2;
}

export const linking = {
  showLink(host, link) {
    host.append(make('h2', '', 'Link'), make('p', '', link.from + ' → ' + link.to));
    const index = this.state.model.links.indexOf(link);
    for (const one of this.state.problems.filter((problem) => this.placeOf(problem).link === index)) host.append(...this.explained(one));
    host.append(make('h3', '', 'Adaptors, from the output on'));
    const list = make('ul', 'list'), offers = this.offersOf(link.from, link.to);
    link.adaptors.forEach((adaptor, at) => {
      const item = make('li'), offer = (offers || []).find((one) => one.id === adaptor.id), ends = {from: link.from, to: link.to, at: at};
      item.append(make('b', '', adaptor.id));
      if (offer && offer.description) item.append(make('div', 'fine', offer.description));
      const acts = row(button('Remove', () => this.edit([{op: 'remove-adaptor', ...ends}])));
      acts.firstChild.setAttribute('aria-label', 'Remove ' + adaptor.id);
      if (this.mapsPlaces(link, at)) acts.prepend(button('Weights on the map', () => this.showWeights(link, at)));
      item.append(acts);
      const given = new Map(adaptor.arguments.map((one) => [one.key, one.value])), names = new Set(), rare = make('details'), isOpen = this.openAdaptor === at + adaptor.id;
      for (const argument of offer ? offer.arguments : []) {
        names.add(argument.id);
        (given.has(argument.id) || offer.arguments.length <= 3 ? item : rare).append(field(argument.id, given.get(argument.id) || '', (value) => this.edit([{op: 'set-adaptor-argument', ...ends, key: argument.id, value: value || null}]),
          {unit: argument.unit, key: at + argument.id, isSet: given.has(argument.id), placeholder: argument.value === null || argument.value === '' ? 'not set' : String(argument.value),
           note: argument.caption !== argument.id ? argument.caption : '', values: argument.possible_values ? ['', ...argument.possible_values.map(String)] : argument.type === 'boolean' ? ['', 'true', 'false'] : null}));
      }
      if (rare.children.length) {
        rare.prepend(make('summary', '', rare.children.length + (given.size ? ' more' : '') + ' arguments'));
        rare.open = isOpen;
        rare.addEventListener('toggle', () => { this.openAdaptor = rare.open ? at + adaptor.id : ''; });
        item.append(rare);
      }
      for (const empty of item.querySelectorAll('select option[value=""]')) {
        const argument = offer.arguments.find((one) => at + one.id === empty.parentNode.dataset.key);
        empty.textContent = argument && argument.value !== null && argument.value !== '' ? argument.value + ' (default)' : '(not set)';
      }
      for (const [key, value] of given) {
        if (!names.has(key)) item.append(field(key, value, (text) => this.edit([{op: 'set-adaptor-argument', ...ends, key: key, value: text || null}]), {key: at + key, isSet: true}));
      }
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
    const isOfLoop = this.graph.links.some((one) => one.link === link && one.isOfLoop);
    if (isOfLoop || link.loop) host.append(field('Requests that come back around a loop', link.loop || 'last', (value) => this.edit([{op: 'set-link', from: link.from, to: link.to, attribute: 'Loop', value: value === 'last' ? null : value}]),
      {values: ['last', 'extrapolate'], key: 'Loop', note: 'what answers while the component is asked already'}));
    host.append(row(button('Remove link', () => this.edit([{op: 'remove-link', from: link.from, to: link.to}]), 'danger')));
  },
  // Whether an adaptor on a link may map from elements to elements: both ends have some.
  mapsPlaces(link, at) {
    const find = (name, list) => { const point = name.indexOf('.'), known = this.state.described[name.slice(0, point)]; return known && known[list].find((one) => one.id === name.slice(point + 1)); };
    const from = find(link.from, 'outputs'), to = find(link.to, 'inputs');
    return Boolean(from && from.elements && to && to.elements) && !/span|time|hold|linear|element-area|density/.test(link.adaptors[at].id);
  },
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
  },
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
      const none = make('option', '', 'choose …');
      none.value = ''; none.hidden = true;
      select.replaceChildren(none, ...list.map((one) => { const option = make('option', '', one.name + unitOf(one.item, ' [', ']') + (one.taken ? ' – has a provider' : '')); option.value = one.name; option.disabled = one.taken === true; return option; }));
      select.value = value && list.some((one) => one.name === value) ? value : '';
    };
    const rank = (list, other) => list.slice().sort((a, b) => (a.taken ? 1 : 0) - (b.taken ? 1 : 0) || (other ? misfitOf(a.item, other) - misfitOf(b.item, other) : 0) || a.name.localeCompare(b.name));
    // The pair that fits best; what does not fit is not chosen for the user.
    const best = (from, to) => {
      let found = {misfit: kMisfit};
      if (from.length * to.length > 250000) return found;
      for (const output of from) for (const input of to) {
        const misfit = output.id === input.id || input.taken ? kMisfit : misfitOf(output.item, input.item);
        if (misfit < found.misfit) found = {misfit: misfit, from: output.name, to: input.name};
      }
      return found;
    };
    // A component whose input has to be linked gets its link; another one gives what it has.
    const own = component ? inputs.filter((one) => one.id === component && !one.taken) : [], isFreeElsewhere = inputs.some((one) => one.id !== component && !one.taken);
    const open = own.filter((one) => one.item.needs_link), wanting = open.length ? open : isFreeElsewhere ? [] : own.slice(0, 1);
    if (!to && wanting.length && outputs.some((one) => one.id !== component)) to = best(outputs, wanting).to || wanting[0].name;
    let first = from && from.includes('.') ? from : '';
    if (!first && !to) {
      const givers = component ? outputs.filter((one) => one.id === component) : outputs, pair = best(givers, inputs);
      first = pair.from || (component && givers.length ? givers[0].name : ''); to = pair.to;
    }
    if (!first) first = best(outputs, inputs.filter((one) => one.name === to).map((one) => ({...one, taken: false}))).from;
    if (!to) to = best(outputs.filter((one) => one.name === first), inputs).to;
    const fromItem = outputs.find((one) => one.name === first), toItem = inputs.find((one) => one.name === to);
    fill(source, rank(toItem ? outputs.filter((one) => one.id !== toItem.id) : outputs, toItem && toItem.item), first);
    const others = inputs.filter((one) => one.id !== source.value.split('.')[0] || one.name === to);
    fill(target, rank(others, fromItem && fromItem.item), to);
    let asked = 0;
    const look = async () => {
      chosen.adaptor = '';
      offers.replaceChildren();
      if (outputs.length && inputs.length && (!source.value || !target.value)) { verdict.textContent = source.value || target.value ? 'Nothing fits well: choose the ' + (source.value ? 'input' : 'output') + '.' : 'Choose an output and an input.'; done.disabled = true; return; }
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
      const name = 'offer-' + asked, add = (id, text, note, isChecked, list) => {
        const item = make('li'), label = make('label'), input = make('input'), body = make('span', '', text);
        input.type = 'radio'; input.name = name; input.checked = isChecked;
        if (isChecked) chosen.adaptor = id;
        input.addEventListener('change', () => { chosen.adaptor = id; });
        if (note) body.append(make('small', '', note));
        label.append(input, body); item.append(label); (list || offers).append(item);
      };
      const fitting = answer.adaptors.filter((one) => one.fits), advised = answer.adaptors.find((one) => answer.advice && answer.advice.includes(one.id));
      const preferred = isPlainFine ? '' : (fitting[0] || advised || {id: ''}).id;
      add('', 'no adaptor', isPlainFine ? 'units convert and elements agree' : 'more adaptors can be put on the link afterwards', preferred === '');
      for (const offer of fitting) add(offer.id, offer.id, offer.description, offer.id === preferred);
      const others = answer.adaptors.filter((one) => !one.fits);
      for (const offer of others.filter((one) => one.id === preferred)) add(offer.id, offer.id + ' (with others)', (offer.description || '') + (offer.reason ? ' – ' + offer.reason : ''), true);
      const rest = others.filter((one) => one.id !== preferred).slice(0, 14);
      if (!rest.length) return;
      const fold = make('details'), inner = make('ul', 'list offers'), item = make('li');
      fold.append(make('summary', '', rest.length + ' more, which need others beside them'), inner);
      item.append(fold);
      offers.append(item);
      for (const offer of rest) add(offer.id, offer.id + ' (with others)', (offer.description || '') + (offer.reason ? ' – ' + offer.reason : ''), false, inner);
    };
    source.addEventListener('change', () => {
      const item = outputs.find((one) => one.name === source.value), before = target.value;
      fill(target, rank(inputs.filter((one) => one.id !== item.id), item.item), before || best([item], inputs).to);
      look();
    });
    target.addEventListener('change', look);
    const acts = row(done, button('Cancel', () => dialog.close()));
    acts.classList.add('foot');
    dialog.replaceChildren(title, labels[0], source, labels[1], target, verdict, offers, acts);
    dialog.showModal();
    look();
  }
};
