// Small pieces of the page: elements, fields, and the frame of a plot.
export const byId = (id) => document.getElementById(id);

export function make(name, css, text) {
  const made = document.createElement(name);
  if (css) made.className = css;
  if (text !== undefined) made.textContent = text;
  return made;
}
export function button(text, act, css) {
  const made = make('button', css, text);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}
export function row(...parts) {
  const made = make('div', 'row');
  made.append(...parts);
  return made;
}
// A problem as a paragraph: what is wrong, and what to do.
export function problemText(problem) {
  return make('p', problem.severity === 'error' ? 'bad' : problem.severity === 'note' ? 'fine' : '', problem.problem + (problem.remedy ? '; ' + problem.remedy : ''));
}
let lastField = 0;
// A label with its field. `change` is called with the new text.
export function field(name, value, change, options) {
  const set = options || {}, box = make('div', 'field' + (set.isSet ? ' set' : '')), label = make('label');
  const input = set.values ? make('select') : make('input');
  input.id = 'field-' + (++lastField);
  label.htmlFor = input.id;
  label.append(make('b', '', name), set.unit && set.unit !== '1' ? ' [' + set.unit + ']' : '');
  if (set.values) {
    for (const one of set.values.includes(value) ? set.values : [value, ...set.values]) { const option = make('option', '', String(one)); option.value = one; input.append(option); }
    if (set.none) input.querySelector('option[value=""]').textContent = set.none;
  }
  input.value = value;
  if (set.placeholder) input.placeholder = set.placeholder;
  if (set.key) input.dataset.key = set.key;
  if (set.isPath) input.setAttribute('list', 'files');
  input.addEventListener('change', () => change(input.value, input));
  input.addEventListener('keydown', (event) => { if (event.key === 'Escape') { input.value = value; input.blur(); } });
  box.append(label, input);
  if (set.note) { const note = make('p', 'fine', set.note); note.id = input.id + '-note'; input.setAttribute('aria-describedby', note.id); box.append(note); }
  return box;
}
// A small field with a label that only a screen reader needs, since its placeholder says the same.
export function small(name, value, change, values, placeholder) {
  const input = make(values ? 'select' : 'input');
  if (values) for (const one of values) { const option = make('option', '', one); option.value = one; input.append(option); }
  input.value = value;
  input.setAttribute('aria-label', name);
  input.title = name;
  input.className = 'little';
  if (placeholder) input.placeholder = name + ': ' + placeholder;
  input.addEventListener('change', () => change(input.value));
  return input;
}
// Where a file of the folder is served.
export const addressOf = (path) => 'files/' + path.split('/').map(encodeURIComponent).join('/');
export function plotBox(title, height) {
  const figure = make('figure'), caption = make('figcaption'), box = make('div', 'scroll'), svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  caption.append(make('b', '', title));
  svg.setAttribute('viewBox', '0 0 600 ' + (height || 190));
  box.append(svg);
  figure.append(caption, box);
  return {figure: figure, caption: caption, svg: svg, plot: null};
}
export const lookOf = (index) => 'l s' + index % 8 + (index >= 8 ? ' dash' : '');

// What a composition has once: its name in the model, and in the file.
export const kOnce = {run: 'Run', checkpoints: 'Checkpoints', results: 'Results'};

// The size of a box in the diagram, as studio.css draws it.
export const kWidth = 200, kHead = 46, kRow = 22;
export function sizeOf(box) {
  return {width: kWidth, height: kHead + kRow * Math.max(1, box.rows)};
}
export function unitOf(item, before, after) {
  const unit = item.values && item.values.unit ? item.values.unit.caption : '';
  return unit ? (before || '') + unit + (after || '') : '';
}
