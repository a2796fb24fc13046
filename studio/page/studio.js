// The page of a composition: what the server says is shown, and what the user does is sent as edits. The server holds the
// text of the file; the page holds nothing that is not sent.
import {Graph} from './canvas.js';
import {Panels} from './panels.js';

const byId = (id) => document.getElementById(id);
const state = {model: null, described: {}, problems: [], isChecking: true, run: {state: 'none'}, file: ''};

// Requests over the WebSocket, each with a number that the answer repeats.
const wire = {
  waiting: new Map(), last: 0,
  open() {
    this.socket = new WebSocket('ws://' + location.host + '/page');
    this.socket.addEventListener('message', (event) => {
      const message = JSON.parse(event.data);
      if (message.event) { receive(message); return; }
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (waiting) waiting(message);
    });
    this.socket.addEventListener('close', () => {
      for (const waiting of this.waiting.values()) waiting({ok: false, error: 'the connection was lost'});
      this.waiting.clear();
      saved('openmi studio does not answer; it was ended, or the page was asleep', true);
      setTimeout(() => this.open(), 1500);
    });
    this.socket.addEventListener('open', () => { panels.again(); });
  },
  // Resolves with the answer; an answer that is not ok is shown, and resolves to null.
  ask(word, more, isQuiet) {
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) { resolve(null); return; }
      const id = ++this.last;
      this.waiting.set(id, (answer) => {
        if (answer.ok || isQuiet) { resolve(answer); return; }
        complain(answer.error + (answer.remedy ? '; ' + answer.remedy : ''));
        resolve(null);
      });
      this.socket.send(JSON.stringify({...more, do: word, id: id}));
    });
  }
};

function saved(text, isBad) {
  byId('saved').textContent = text;
  byId('saved').className = isBad ? 'bad' : '';
}
function complain(text) {
  graph.say(text);
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => graph.say(''), 7000);
}

const edit = (edits) => wire.ask('edit', {edits: edits});

// Whether two items may be linked, as far as their descriptions tell; the server says which adaptors make it possible.
function mayLink(from, to) {
  const find = (item, list) => {
    const point = item.indexOf('.'), known = state.described[item.slice(0, point)];
    return known ? known[list].find((one) => one.id === item.slice(point + 1)) : null;
  };
  const taken = state.model.links.find((link) => link.to === to);
  if (taken) return {isPossible: false, text: to + ' gets its values from ' + taken.from + ' already; an input has one provider'};
  const output = find(from, 'outputs'), input = find(to, 'inputs');
  if (!output || !input) return {isPossible: true, text: 'link ' + from + ' to ' + to + '; its items are not known yet'};
  const a = output.values, b = input.values;
  if (a.kind !== b.kind) return {isPossible: false, text: from + ' gives a ' + a.kind + ' and ' + to + ' takes a ' + b.kind};
  const count = (item) => item.elements ? item.elements.count : 1, notes = [];
  if (a.unit && b.unit && a.unit.dimension !== b.unit.dimension) notes.push(a.unit.caption + ' does not convert to ' + b.unit.caption);
  if (count(output) !== count(input)) notes.push(count(output) + ' elements for ' + count(input));
  return {isPossible: true, text: notes.length ? 'needs an adaptor: ' + notes.join(', ') : 'link ' + from + ' to ' + to};
}

async function link(from, to) {
  const verdict = mayLink(from, to);
  if (!verdict.isPossible) { complain(verdict.text); return; }
  panels.openLinking(from, to);
}

function freshId(name) {
  const base = name.replace(/[^A-Za-z0-9_-]+/g, '-') || 'component', ids = new Set(state.model.components.map((one) => one.id));
  if (!ids.has(base)) return base;
  let number = 2;
  while (ids.has(base + '-' + number)) ++number;
  return base + '-' + number;
}

async function add(index, x, y) {
  const entry = panels.entries[index];
  if (!entry) return;
  const id = freshId(entry.name), edits = [{op: 'add-component', id: id, attributes: entry.attributes, arguments: entry.arguments}];
  if (x === undefined) {
    const rect = byId('canvas').getBoundingClientRect(), all = graph.boxes.size ? graph.bounds() : null;
    x = all ? Math.round(all.right + 60) : Math.round(rect.width / 2 - 100);
    y = all ? Math.round(all.top) : 60;
    const last = [...graph.boxes.values()].pop();  // links go to the right: the next box stands there, four in a row
    if (last) { x = Math.round(last.x + 320); y = Math.round(last.y); }
    if (all && graph.boxes.size % 4 === 0) { x = Math.round(all.left); y = Math.round(all.bottom + 60); }
  }
  edits.push({op: 'place', id: id, x: x, y: y});
  if (await edit(edits)) { wanted = id; }
}
let wanted = '';  // the box that gets the focus when it is there

function remove() {
  if (graph.chosenLink) { edit([{op: 'remove-link', ...graph.chosenLink}]); return; }
  if (graph.selected.size) edit([...graph.selected].map((id) => ({op: 'remove-component', id: id})));
}

// Components as text, so that they can be put into another composition too.
function copyText() {
  const chosen = state.model.components.filter((one) => graph.selected.has(one.id));
  const links = state.model.links.filter((one) => graph.selected.has(one.from.split('.')[0]) && graph.selected.has(one.to.split('.')[0]));
  return JSON.stringify({openmi: 'components', components: chosen, links: links,
                         places: Object.fromEntries(chosen.map((one) => [one.id, [graph.boxes.get(one.id).x, graph.boxes.get(one.id).y]]))});
}
function paste(text) {
  let copied;
  try { copied = JSON.parse(text); } catch (error) { return; }
  if (!copied || copied.openmi !== 'components') return;
  const names = new Map(), edits = [];
  for (const one of copied.components) {
    let id = freshId(one.id);
    while ([...names.values()].includes(id)) id += '-2';
    names.set(one.id, id);
    const attributes = [['Caption', one.caption], ['Omi', one.omi], ['Type', one.type], ['Assembly', one.assembly]].filter((pair) => pair[1]);
    if (one.invented) attributes.push(['Invented', 'true']);
    edits.push({op: 'add-component', id: id, attributes: attributes, arguments: one.arguments.map((argument) => [argument.key, argument.value])});
    edits.push({op: 'place', id: id, x: copied.places[one.id][0] + 40, y: copied.places[one.id][1] + 40});
  }
  const moved = (item) => names.get(item.slice(0, item.indexOf('.'))) + item.slice(item.indexOf('.'));
  for (const one of copied.links) {
    edits.push({op: 'add-link', from: moved(one.from), to: moved(one.to),
                adaptors: one.adaptors.map((adaptor) => ({id: adaptor.id, arguments: adaptor.arguments.map((argument) => [argument.key, argument.value])}))});
  }
  edit(edits);
}

const graph = new Graph(byId('canvas'), {
  select: (what) => panels.select(what),
  move: (ids) => edit(ids.map((id) => ({op: 'place', id: id, x: graph.boxes.get(id).x, y: graph.boxes.get(id).y}))),
  link: link, mayLink: mayLink, drop: (index, x, y) => add(index, x, y)
});
const panels = new Panels({state: state, wire: wire, edit: edit, graph: graph, add: add, mayLink: mayLink, complain: complain});

function showGraph() {
  graph.show(state.model, state.described, panels.marks());
  if (wanted && graph.boxes.has(wanted)) { const id = wanted; wanted = ''; if (graph.boxes.size <= 12) graph.fit(); graph.draw(); graph.focus(id); }
}

function receive(message) {
  switch (message.event) {
    case 'document': {
      state.model = message.model; state.file = message.file; state.isChecking = message.is_checking;
      document.title = message.model.id + ' – OpenMI studio';
      byId('title').textContent = message.file;
      byId('undo').disabled = !message.model.undo; byId('redo').disabled = !message.model.redo; byId('save').disabled = !message.model.changed;
      saved(message.model.changed ? 'not saved' : 'saved');
      const names = [];
      for (const one of message.model.components) names.push(one.id);
      for (const one of message.model.links) names.push(one.from, one.to);
      byId('found').replaceChildren(...[...new Set(names)].slice(0, 3000).map((name) => { const option = document.createElement('option'); option.value = name; return option; }));
      showGraph();
      panels.changed();
      break;
    }
    case 'inspecting': state.isChecking = true; panels.showProblems(); break;
    case 'inspection':
      state.described = message.components; state.problems = message.problems; state.isChecking = message.is_checking;
      if (state.model) showGraph();
      panels.changed();
      break;
    case 'purposes': panels.purposes = message.of; panels.showPalette(); break;
    case 'taken': complain('The file was changed elsewhere; the page shows it now. Undo gives back what was here before.'); break;
    case 'outside': panels.askOutside(message); break;
    default: panels.hear(message);
  }
}

// Shows what is named like a text. \returns whether there is such a thing
function find(text) {
  if (!text || !state.model) return false;
  const lower = text.toLowerCase(), isIn = (name) => name.toLowerCase().includes(lower);
  const exact = state.model.components.find((one) => one.id === text) || state.model.components.find((one) => isIn(one.id) || isIn(one.caption || ''));
  if (exact) { graph.focus(exact.id); return true; }
  const ofLink = state.model.links.find((one) => isIn(one.from) || isIn(one.to) || one.adaptors.some((adaptor) => isIn(adaptor.id)));
  if (ofLink) { graph.reveal(ofLink.to.slice(0, ofLink.to.indexOf('.'))); graph.choose(ofLink); return true; }
  const ofItem = Object.entries(state.described).find(([, one]) => one.inputs.concat(one.outputs).some((item) => isIn(item.id)));
  if (ofItem) graph.focus(ofItem[0]); else complain('nothing is named like that');
  return Boolean(ofItem);
}

byId('undo').addEventListener('click', () => wire.ask('undo'));
byId('redo').addEventListener('click', () => wire.ask('redo'));
byId('save').addEventListener('click', () => wire.ask('save'));
byId('fit').addEventListener('click', () => graph.fit());
byId('zoomin').addEventListener('click', () => graph.zoom(1.25));
byId('zoomout').addEventListener('click', () => graph.zoom(0.8));
byId('run').addEventListener('click', () => panels.run({}));
byId('more').addEventListener('click', () => panels.showKeys());
byId('search').addEventListener('change', (event) => { if (find(event.target.value.trim())) event.target.value = ''; });
// The height of the drawer, by the pointer and by keys.
{
  const divider = byId('divider'), main = document.querySelector('main');
  const set = (height) => {
    const fit = Math.round(Math.max(80, Math.min(main.clientHeight - 120, height)));
    main.style.setProperty('--drawer', fit + 'px');
    divider.setAttribute('aria-valuenow', String(fit));
  };
  divider.addEventListener('pointerdown', (event) => divider.setPointerCapture(event.pointerId));
  divider.addEventListener('pointermove', (event) => { if (divider.hasPointerCapture(event.pointerId)) set(main.getBoundingClientRect().bottom - event.clientY); });
  divider.addEventListener('keydown', (event) => {
    const step = {ArrowUp: 40, ArrowDown: -40}[event.key];
    if (step) { event.preventDefault(); set(byId('drawer').clientHeight + step); }
  });
}
document.querySelectorAll('#narrow button').forEach((one) => one.addEventListener('click', () => panels.open(one.dataset.panel)));
document.addEventListener('copy', (event) => {
  if (event.target.closest('input,textarea,pre') || !graph.selected.size) return;
  event.clipboardData.setData('text/plain', copyText());
  event.preventDefault();
});
document.addEventListener('paste', (event) => {
  if (!event.target.closest('input,textarea')) paste(event.clipboardData.getData('text/plain'));
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input,textarea,select,dialog'), isControl = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
  if (isControl && key === 's') { event.preventDefault(); wire.ask('save'); return; }
  if (isTyping) return;
  if (isControl && key === 'z') { event.preventDefault(); wire.ask(event.shiftKey ? 'redo' : 'undo'); return; }
  if (isControl && key === 'y') { event.preventDefault(); wire.ask('redo'); return; }
  if (isControl && key === 'a') { event.preventDefault(); graph.select([...graph.boxes.keys()]); return; }
  if (isControl || event.altKey) return;
  const acts = {
    '/': () => byId('search').focus(), a: () => { panels.open('palette'); byId('filter').focus(); }, f: () => graph.fit(), '+': () => graph.zoom(1.25), '=': () => graph.zoom(1.25),
    '-': () => graph.zoom(0.8), delete: remove, backspace: remove, r: () => panels.run({}), l: () => panels.openLinking(),
    e: () => panels.focusDetails(), p: () => panels.tab('problems', true), '?': () => panels.showKeys(),
    escape: () => graph.select([]), enter: event.target.closest('.box') ? () => panels.focusDetails() : null
  };
  if (event.target.closest('canvas.plot')) return;
  if (acts[key]) { event.preventDefault(); acts[key](); }
});
window.addEventListener('beforeunload', (event) => { if (state.model && state.model.changed) event.preventDefault(); });
window.studio = {graph: graph, state: state, panels: panels};  // for tests and benchmarks
panels.open('canvas');
wire.open();
