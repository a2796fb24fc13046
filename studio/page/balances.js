// The balances of a run as they grow. Methods of Panels.
import {lookOf, make, plotBox} from './parts.js';

const page = window.openmiPage, kMostLines = 8;

export const balances = {
  // Shows what the run told: a table of links and components, and what has arrived over time.
  takeBalances(message) {
    const parts = this.parts;
    if (!message.links || (!message.links.length && !message.components.length)) return;
    const figure = (number) => (number === null || number === undefined ? '–' : Math.abs(number) >= 1000 && Math.abs(number) < 1e12 ?
      String(Math.round(Number(number.toPrecision(6)))).replace(/\B(?=(\d{3})+$)/g, '\u202f') : page.digits(number, 5));
    const gap = (relative) => (relative === null ? 'unknown' : Math.abs(relative) < 1e-9 ? 'closed' : page.digits(100 * relative, 3) + ' %');
    const table = (heads, lines) => {
      const made = make('table', 'figures'), head = make('tr');
      head.append(...heads.map((text) => make('th', '', text)));
      made.append(head, ...lines.map((cells) => { const line = make('tr'); line.append(...cells.map((text) => make('td', '', text))); return line; }));
      return made;
    };
    const made = [make('h2', '', 'Balances at ' + page.timeText(Date.parse(message.now)))];
    if (message.links.length) {
      made.push(table(['Link', 'Left', 'Arrived', 'Outside', 'Unit', 'Balance'], message.links.map((one) => [one.link.replace(' -> ', ' → '), figure(one.left), figure(one.arrived), figure(one.outside), one.unit, gap(one.relative)])));
    }
    if (message.components.length) {
      made.push(table(['Component', 'Start', 'In', 'Out', 'Losses', 'Held', 'Unit', 'Balance'],
        message.components.map((one) => [one.component, figure(one.start), figure(one.in), figure(one.out), figure(one.losses), figure(one.held), one.unit, gap(one.relative)])));
    }
    parts.balances.replaceChildren(...made);
    this.drawBalances(message);
  },
  // What has arrived on each link, against the time of the run: links of the commonest unit.
  drawBalances(message) {
    const now = Date.parse(message.now), units = message.links.map((one) => one.unit), unit = units.sort((a, b) => units.filter((one) => one === b).length - units.filter((one) => one === a).length)[0];
    if (!now || !unit) return;
    const grown = this.grown, time = now / 86400000 + 40587;
    if (grown.times.length && time <= grown.times[grown.times.length - 1]) return;
    grown.times.push(time);
    grown.rows.push(new Map(message.links.filter((one) => one.unit === unit).map((one) => [one.link, one.arrived])));
    if (grown.times.length < 2) return;
    const from = grown.times[0], ends = grown.times.map((mjd) => (mjd - from) * 86400);
    const lines = [...grown.rows[grown.rows.length - 1].keys()].slice(0, kMostLines).map((name, i) => ({n: name.replace(' -> ', ' → '), u: unit, c: lookOf(i), t: ends, v: grown.rows.map((one) => (one.has(name) && one.get(name) !== null ? one.get(name) : NaN))}));
    const data = {from: from, to: time, spans: [], lines: lines};
    if (!grown.box) {
      grown.box = plotBox('Arrived on links so far');
      this.parts.right.insertBefore(grown.box.figure, this.parts.balances);
      grown.box.plot = page.add(grown.box.svg, data);
    } else grown.box.plot.take(data);
  },
  // Forgets the balances of the run before.
  clearBalances() {
    if (this.grown && this.grown.box) { this.grown.box.plot.leave(); this.grown.box.figure.remove(); }
    this.grown = {times: [], rows: [], box: null};
    this.parts.balances.replaceChildren();
  }
};
