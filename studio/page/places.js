// Maps: where the elements of an item are, how a spatial adaptor weighs them, and values on a map while a run goes on.
// Methods of Panels.
import {button, byId, make, row} from './parts.js';

const page = window.openmiPage;

// A picture that the server drew, as an element of the page: no scripts, no links.
function pictureOf(text) {
  const svg = new DOMParser().parseFromString(text, 'text/html').body.firstElementChild;
  for (const foreign of svg.querySelectorAll('script,foreignObject,a,image')) foreign.remove();
  return svg;
}

export const places = {
  // The picture of the elements of an item, asked once; null if they have no places.
  async mapOf(name) {
    if (!this.maps.has(name)) {
      const answer = await this.wire.ask('map', {item: name}, true);
      if (!answer || !answer.svg) return {error: answer ? answer.error : 'no answer'};
      this.maps.set(name, answer);
    }
    const answer = this.maps.get(name);
    return {...answer, picture: pictureOf(answer.svg)};
  },

  dialogFor(text) {
    const dialog = byId('asking'), title = make('h2', '', text), box = make('div', 'map', 'drawing …');
    title.id = 'asking-title';
    dialog.replaceChildren(title, box, row(button('Close', () => dialog.close())));
    dialog.showModal();
    return box;
  },

  async showMap(name) {
    const box = this.dialogFor('Where ' + name + ' is'), map = await this.mapOf(name);
    if (map.error) { box.textContent = map.error; return; }
    box.replaceChildren(map.picture);
    if (map.drawn < map.elements) box.append(make('p', 'fine', 'the first ' + map.drawn + ' of ' + map.elements + ' elements'));
  },

  // Both element sets of a spatial adaptor: the target under the pointer, and its sources with their weights.
  async showWeights(link, at) {
    const box = this.dialogFor('Weights of ' + link.adaptors[at].id + ', ' + link.from + ' → ' + link.to);
    const answer = await this.wire.ask('weights', {from: link.from, to: link.to, at: at}, true);
    if (!answer || answer.error) { box.textContent = answer ? answer.error : 'no answer'; return; }
    const said = make('p', 'fine', answer.svg ? 'Point at a target (filled) to see its sources (outlined) with their weights; or choose one.' : 'The elements have ids and no places; choose one.');
    const select = make('select'), list = make('table', 'weights'), percent = (weight) => page.digits(weight, 4);
    select.setAttribute('aria-label', 'target element');
    answer.targets.forEach((id, i) => { const option = make('option', '', id || String(i)); option.value = i; select.append(option); });
    const picture = answer.svg ? pictureOf(answer.svg) : null, sources = new Map();
    if (picture) for (const group of picture.querySelectorAll('g[data-c]')) sources.set(Number(group.getAttribute('data-c')), group);
    if (picture) picture.append(...sources.values());  // above the targets
    const targets = new Map();
    if (picture) for (const group of picture.querySelectorAll('g[data-e]')) targets.set(Number(group.getAttribute('data-e')), group);
    const show = (target) => {
      select.value = String(target);
      const pairs = answer.weights[target] || [], most = Math.max(...pairs.map((pair) => Math.abs(pair[1])), 0);
      for (const [index, group] of targets) group.classList.toggle('chosen', index === target);
      for (const group of sources.values()) { group.classList.remove('source'); group.style.removeProperty('--share'); }
      for (const [source, weight] of pairs) {
        const group = sources.get(source);
        if (group) { group.classList.add('source'); group.style.setProperty('--share', String(most > 0 ? 0.12 + 0.5 * Math.abs(weight) / most : 0)); }
      }
      list.replaceChildren(...pairs.slice().sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, 60).map(([source, weight]) => {
        const line = make('tr');
        line.append(make('td', '', answer.sources[source] || 'source ' + (source + 1)), make('td', '', percent(weight)));
        return line;
      }));
      const sum = pairs.reduce((total, pair) => total + pair[1], 0);
      said.textContent = (answer.targets[target] || 'element ' + (target + 1)) + ': ' + (pairs.length ? pairs.length + (pairs.length === 1 ? ' source' : ' sources') + ', weights sum to ' + percent(sum) : 'no source reaches it');
      return pairs;
    };
    for (const [index, group] of targets) {
      group.addEventListener('pointermove', (event) => {
        const pairs = show(index);
        page.tell(event, answer.targets[index], pairs.slice(0, 12).map(([source, weight]) => [answer.sources[source] || 'source ' + (source + 1), percent(weight)]));
      });
      group.addEventListener('pointerleave', () => { page.tip.hidden = true; });
    }
    select.addEventListener('change', () => show(Number(select.value)));
    box.replaceChildren(...(picture ? [picture] : []), row(select, said), list);
    if (answer.targets.length < answer.elements) box.append(make('p', 'fine', 'the first ' + answer.targets.length + ' of ' + answer.elements + ' targets'));
    if (!picture) show(0);
  },

  // The elements of an item, coloured by their values while a run goes on.
  async watchMap(name, isOn) {
    const there = this.liveMaps.get(name);
    if (!isOn && there) { if (there.map) there.map.leave(); there.figure.remove(); this.liveMaps.delete(name); }
    if (isOn && !there) {
      const figure = make('figure'), caption = make('figcaption'), box = make('div', 'scroll map', 'drawing …'), one = {figure: figure, map: null, pending: null};
      caption.append(make('b', '', name), make('span', 'muted', 'on the map'), button('Close', () => { this.watchMap(name, false); this.showDetails(); }));
      figure.append(caption, box);
      if (!this.watched.size && !this.liveMaps.size) this.parts.curves.replaceChildren();
      this.parts.curves.append(figure);
      this.liveMaps.set(name, one);
      this.tab('live');
      const drawn = await this.mapOf(name);
      if (drawn.error) { box.textContent = drawn.error; return; }
      box.replaceChildren(drawn.picture);
      one.map = page.map(drawn.picture, {n: drawn.ids, u: '', low: Infinity, high: -Infinity, t: [], v: []});
      if (one.pending) this.takeOnMap(name, one.pending);
    }
    this.sendWatched();
    this.showLive();
  },
  takeOnMap(name, values) {
    const one = this.liveMaps.get(name);
    if (!one || !values.begin) return;
    if (!one.map) { one.pending = values; return; }
    one.map.take(this.endOf(values), values.values, values.unit);
  },

  // A map of recorded values with a slider over their times. `series` is of a table of results.
  async showResultMap(host, name, item, series) {
    const figure = make('figure'), caption = make('figcaption'), box = make('div', 'scroll map', 'drawing …');
    caption.append(make('b', '', name), make('span', 'muted', 'on the map'));
    figure.append(caption, box);
    host.append(figure);
    const drawn = await this.mapOf(item);
    if (drawn.error) { figure.remove(); return; }
    const columns = drawn.ids.map((id) => series.columns.find((column) => column.element === id));
    const every = Math.max(1, Math.ceil(series.times.length / 1000)), times = [], rows = [];  // enough for a slider
    let low = Infinity, high = -Infinity, fullest = 0;
    for (let i = 0; i < series.times.length; i += every) {
      times.push(Math.round((series.times[i] - 40587) * 86400000));
      rows.push(columns.map((column) => column ? column.values[i] : NaN));
      for (const value of rows[rows.length - 1]) if (isFinite(value)) { low = Math.min(low, value); if (value > high) { high = value; fullest = rows.length - 1; } }
    }
    box.replaceChildren(drawn.picture);
    const map = page.map(drawn.picture, {n: drawn.ids, u: series.unit, low: low, high: high, t: times, v: rows});
    map.show(fullest);
    if (every > 1) figure.append(make('p', 'fine', 'each ' + every + 'th of ' + series.times.length + ' times'));
  }
};
