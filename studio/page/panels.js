// What stands around the diagram. Each panel has a file with its methods.
import {byId, make, button, row} from './parts.js';
import {palette} from './palette.js';
import {problems} from './problems.js';
import {remedies} from './remedies.js';
import {composition} from './composition.js';
import {component} from './component.js';
import {population} from './population.js';
import {loops} from './loops.js';
import {linking} from './linking.js';
import {places} from './places.js';
import {running} from './run.js';
import {balances} from './balances.js';
import {results} from './results.js';
import {studies} from './studies.js';

export class Panels {
  constructor(parts) {
    Object.assign(this, parts);
    this.entries = [];
    this.chosen = {};
    this.watched = new Map();  // item: {box, times, rows}
    this.chosenRuns = new Set(); this.chosenSeries = new Set(); this.tables = new Map(); this.seenSeries = new Set(); this.measures = new Map();
    this.runs = []; this.studyList = []; this.log = []; this.firstShown = new Map();
    this.purposes = {}; this.files = []; this.columns = new Map(); this.maps = new Map(); this.liveMaps = new Map(); this.chosenMaps = new Set();
    byId('filter').addEventListener('input', () => this.showPalette());
    byId('filter').addEventListener('keydown', (event) => {
      const first = byId('entries').querySelector('button');
      if ((event.key === 'ArrowDown' || event.key === 'Enter') && first) { event.preventDefault(); if (event.key === 'Enter') { first.click(); byId('filter').value = ''; this.showPalette(); } else first.focus(); }
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
    // Plots of results take the height that there is.
    let resized = 0;
    new ResizeObserver(() => {
      clearTimeout(resized);
      resized = setTimeout(() => { const height = byId('results').clientHeight; if (height && (this.shownPlots || []).length && Math.abs(height - this.shownHeight) > 20) this.showResults(); }, 200);
    }).observe(byId('results'));
    this.buildLive();
  }

  // After a connection: everything that is not sent unasked.
  async again() {
    const answer = await this.wire.ask('palette');
    if (answer) { this.entries = answer.entries; this.files = answer.files.sort(); this.showPalette(); byId('files').replaceChildren(...this.files.map((name) => { const option = make('option'); option.value = name; return option; })); }
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

  showDetails() {
    const host = byId('details'), model = this.state.model;
    if (!model) return;
    const active = host.contains(document.activeElement) ? document.activeElement : null, key = active && (active.dataset.key || ''), scroll = host.scrollTop;
    host.replaceChildren();
    if (this.chosen.link) {
      const link = model.links.find((one) => one.from === this.chosen.link.from && one.to === this.chosen.link.to);
      if (link) { this.showLink(host, link); this.back(host, key, active, scroll); return; }
    }
    if (this.chosen.loop !== undefined && model.loops[this.chosen.loop]) { this.showLoop(host, this.chosen.loop); this.back(host, key, active, scroll); return; }
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
}
Object.assign(Panels.prototype, palette, problems, remedies, composition, component, population, loops, linking, places, running, balances, results, studies);
