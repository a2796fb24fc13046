// The diagram: boxes with items, links from item to item, adaptors on them. Boxes near the window are elements of the page,
// so that a keyboard and a screen reader reach them; links, and boxes that are too small to read, are drawn on a canvas.
import {kHead, kRow, kWidth, make, sizeOf, unitOf} from './parts.js';
import {frames, groupsOf, loopsOf} from './frames.js';
import {gestures} from './gestures.js';

const kMostRows = 12, kFewBoxes = 60, kReadable = 0.45;

// The items that are shown: those with links first, up to the most that fit.
function choose(items, isLinked) {
  if (items.length <= kMostRows) return {shown: items, hidden: 0};
  const linked = items.filter((item) => isLinked(item.id)), others = items.filter((item) => !isLinked(item.id));
  const shown = linked.concat(others).slice(0, Math.max(kMostRows - 1, linked.length));
  return {shown: shown, hidden: items.length - shown.length};
}

export class Graph {
  // `act` has: select(what), move(ids), link(from, to), mayLink(from, to), remove(), drop(entry, x, y)
  constructor(host, act) {
    this.host = host; this.act = act;
    this.layer = host.querySelector('#layer');
    this.canvas = host.querySelector('#lines');
    this.hint = host.querySelector('#hint');
    this.view = {x: 0, y: 0, scale: 1};
    this.boxes = new Map(); this.links = []; this.groups = []; this.loops = []; this.elements = new Map();
    this.selected = new Set(); this.chosenLink = null;
    this.kept = {};  // places that boxes have had on this page
    this.colours = {};
    this.frames = 0;
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(host);
    matchMedia('(prefers-color-scheme:dark)').addEventListener('change', () => { this.colours = {}; this.redraw(); });
  }

  show(model, described, marks) {
    const isFirst = this.boxes.size === 0;
    this.boxes = new Map();
    const linked = new Map();
    for (const link of model.links) {
      for (const end of [link.from, link.to]) {
        const id = end.slice(0, end.indexOf('.'));
        if (!linked.has(id)) linked.set(id, new Set());
        linked.get(id).add(end.slice(id.length + 1));
      }
    }
    for (const component of model.components) {
      const id = component.id, known = described[id], ofLinks = linked.get(id) || new Set();
      const inputs = known ? known.inputs : [], outputs = known ? known.outputs : [];
      const add = (list, item) => { if (!list.some((one) => one.id === item)) list.push({id: item, isUnknown: true}); };
      const allInputs = inputs.slice(), allOutputs = outputs.slice();
      for (const link of model.links) {
        if (link.from.startsWith(id + '.')) add(allOutputs, link.from.slice(id.length + 1));
        if (link.to.startsWith(id + '.')) add(allInputs, link.to.slice(id.length + 1));
      }
      const left = choose(allInputs, (item) => ofLinks.has(item)), right = choose(allOutputs, (item) => ofLinks.has(item));
      const rows = Math.max(left.shown.length + (left.hidden ? 1 : 0), right.shown.length + (right.hidden ? 1 : 0), 1);
      const place = model.places[id] || this.kept[id] || model.automatic[id] || [0, 0];
      this.boxes.set(id, {id: id, component: component, inputs: left, outputs: right, rows: rows, x: place[0], y: place[1],
                          mark: marks.components.get(id) || '', items: marks.items.get(id) || new Map(), isKnown: Boolean(known),
                          icon: known && (known.icon_of ? described[known.icon_of].icon : known.icon)});
      if (known || model.places[id]) this.kept[id] = place.slice();
    }
    this.groups = groupsOf(model);
    this.loops = loopsOf(model);
    const loopOf = new Map(this.loops.flatMap((loop) => loop.ids.map((id) => [id, loop])));
    this.links = model.links.map((link, index) => {
      const from = link.from.indexOf('.'), to = link.to.indexOf('.');
      return {index: index, link: link, from: link.from.slice(0, from), out: link.from.slice(from + 1), to: link.to.slice(0, to),
              into: link.to.slice(to + 1), mark: marks.links.get(index) || '',
              isOfLoop: loopOf.has(link.from.slice(0, from)) && loopOf.get(link.from.slice(0, from)) === loopOf.get(link.to.slice(0, to))};
    });
    this.selected = new Set([...this.selected].filter((id) => this.boxes.has(id)));
    if (this.chosenLink && !this.links.some((one) => this.isChosen(one))) this.chosenLink = null;
    for (const element of this.elements.values()) element.isStale = true;  // is built again when it is placed
    this.host.querySelector('#empty').hidden = this.boxes.size > 0;
    if (isFirst && this.boxes.size) this.fit(true); else this.redraw();
  }

  isChosen(one) { return this.chosenLink && one.link.from === this.chosenLink.from && one.link.to === this.chosenLink.to; }

  colour(name) {
    if (!this.colours[name]) this.colours[name] = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    return this.colours[name];
  }

  toWorld(event) {
    const rect = this.host.getBoundingClientRect();
    return {x: (event.clientX - rect.left - this.view.x) / this.view.scale, y: (event.clientY - rect.top - this.view.y) / this.view.scale};
  }

  // The rectangle around all boxes, or around some.
  bounds(ids) {
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (const box of ids ? ids.map((id) => this.boxes.get(id)).filter(Boolean) : this.boxes.values()) {
      const size = sizeOf(box);
      left = Math.min(left, box.x); top = Math.min(top, box.y);
      right = Math.max(right, box.x + size.width); bottom = Math.max(bottom, box.y + size.height);
    }
    return {left: left, top: top, right: right, bottom: bottom};
  }

  fit(isFirst) {
    if (!this.boxes.size) return;
    const all = this.bounds(), width = this.host.clientWidth, height = this.host.clientHeight;
    const scale = Math.max(0.02, Math.min(1, (width - 48) / (all.right - all.left), (height - 48) / (all.bottom - all.top)));
    this.view = {scale: scale, x: (width - (all.left + all.right) * scale) / 2, y: (height - (all.top + all.bottom) * scale) / 2};
    if (isFirst && scale < 0.4 && this.boxes.size <= kFewBoxes) {  // too small to read: from the left, as far as it goes
      this.view = {scale: 0.6, x: 24 - 0.6 * all.left, y: Math.max(24, (height - (all.bottom - all.top) * 0.6) / 2) - 0.6 * all.top};
    }
    this.redraw();
  }

  zoom(factor, at) {
    const point = at || {x: this.host.clientWidth / 2, y: this.host.clientHeight / 2}, scale = Math.max(0.02, Math.min(3, this.view.scale * factor));
    const part = scale / this.view.scale;
    this.view = {scale: scale, x: point.x - (point.x - this.view.x) * part, y: point.y - (point.y - this.view.y) * part};
    this.redraw();
  }

  // Brings a box into the window, at a size that can be read.
  reveal(id) {
    const box = this.boxes.get(id);
    if (!box) return;
    const size = sizeOf(box), scale = Math.max(this.view.scale, 0.7), x = box.x * this.view.scale + this.view.x, y = box.y * this.view.scale + this.view.y;
    const isSeen = this.view.scale >= kReadable && x > 0 && y > 0 && x + size.width * this.view.scale < this.host.clientWidth && y + size.height * this.view.scale < this.host.clientHeight;
    if (!isSeen) {
      this.view = {scale: scale, x: this.host.clientWidth / 2 - (box.x + size.width / 2) * scale, y: this.host.clientHeight / 2 - (box.y + size.height / 2) * scale};
    }
    this.draw();
  }

  select(ids, isSilent) {
    this.selected = new Set(ids); this.chosenLink = null;
    this.redraw();
    if (!isSilent) this.act.select({boxes: [...this.selected]});
  }
  choose(link) {
    this.selected = new Set(); this.chosenLink = {from: link.from, to: link.to};
    this.redraw();
    this.act.select({link: link});
  }

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.draw(); });
  }

  // Where a link starts or ends, in the coordinates of the diagram.
  port(id, item, isOutput) {
    const box = this.boxes.get(id);
    if (!box) return null;
    const side = isOutput ? box.outputs : box.inputs;
    let row = side.shown.findIndex((one) => one.id === item);
    if (row < 0) row = Math.max(0, side.shown.length - 1);
    return {x: box.x + (isOutput ? kWidth : 0), y: box.y + kHead + kRow * (row + 0.5)};
  }

  curve(one) {
    const a = this.port(one.from, one.out, true), b = this.port(one.to, one.into, false);
    if (!a || !b) return null;
    const isBack = b.x < a.x + 20, reach = isBack ? 90 + Math.min(200, Math.abs(b.x - a.x) / 4) : Math.max(40, (b.x - a.x) / 2);
    let dip = 0;
    if (isBack) {
      const from = this.boxes.get(one.from), to = this.boxes.get(one.to);
      dip = Math.max(from.y + sizeOf(from).height, to.y + sizeOf(to).height) + 40;
    }
    return {a: a, b: b, reach: reach, isBack: isBack, dip: dip};
  }
  middle(curve) {
    if (curve.isBack) return {x: (curve.a.x + curve.b.x) / 2, y: curve.dip};
    return {x: (curve.a.x + curve.b.x) / 2, y: (curve.a.y + curve.b.y) / 2};
  }
  trace(context, curve) {
    const {a, b, reach} = curve;
    context.moveTo(a.x, a.y);
    if (!curve.isBack) { context.bezierCurveTo(a.x + reach, a.y, b.x - reach, b.y, b.x, b.y); return; }
    const middle = this.middle(curve);
    context.bezierCurveTo(a.x + reach, a.y, a.x + reach, middle.y, middle.x, middle.y);
    context.bezierCurveTo(b.x - reach, middle.y, b.x - reach, b.y, b.x, b.y);
  }

  draw() {
    const width = this.host.clientWidth, height = this.host.clientHeight, ratio = window.devicePixelRatio || 1, {x, y, scale} = this.view;
    if (!width || !height) return;
    ++this.frames;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio); this.canvas.height = Math.round(height * ratio);
    }
    const context = this.canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
    const seen = {left: -x / scale, top: -y / scale, right: (width - x) / scale, bottom: (height - y) / scale};
    const isSeen = (left, top, right, bottom) => right >= seen.left && left <= seen.right && bottom >= seen.top && top <= seen.bottom;
    const isDetailed = this.boxes.size <= kFewBoxes || scale >= kReadable;
    const batches = new Map(), pills = [], wanted = new Set();
    this.drawFrames(context, isSeen, wanted);
    for (const one of this.links) {
      const curve = this.curve(one);
      if (!curve) continue;
      if (!isSeen(Math.min(curve.a.x, curve.b.x) - 100, Math.min(curve.a.y, curve.b.y) - 20, Math.max(curve.a.x, curve.b.x) + 100,
                  Math.max(curve.a.y, curve.b.y, curve.dip) + 20)) continue;
      const look = this.isChosen(one) ? 'accent' : one.mark === 'error' ? 'bad' : one.isOfLoop ? 'loop' : 'link';
      if (!batches.has(look)) batches.set(look, []);
      batches.get(look).push(curve);
      if (isDetailed) pills.push({one: one, at: this.middle(curve)});
    }
    for (const [look, curves] of batches) {
      context.strokeStyle = this.colour(look); context.lineWidth = (look === 'accent' ? 3 : 1.8) / Math.min(1, Math.max(scale, 0.3));
      context.setLineDash(look === 'loop' ? [7, 4] : []);
      context.beginPath();
      for (const curve of curves) this.trace(context, curve);
      context.stroke();
    }
    context.setLineDash([]);
    if (this.pulled) {  // a link that is being drawn
      context.strokeStyle = this.colour(this.pulled.isGood ? 'accent' : 'muted'); context.lineWidth = 2.5; context.beginPath();
      this.trace(context, {a: this.pulled.a, b: this.pulled.b, reach: Math.max(40, Math.abs(this.pulled.b.x - this.pulled.a.x) / 2), isBack: false});
      context.stroke();
    }
    if (!isDetailed) this.drawSmall(context, isSeen);
    for (const box of this.boxes.values()) {
      const size = sizeOf(box);
      if (isDetailed && isSeen(box.x, box.y, box.x + size.width, box.y + size.height)) { wanted.add(box.id); this.place(box); }
    }
    for (const {one, at} of pills) {
      if (!isSeen(at.x - 120, at.y - 60, at.x + 120, at.y + 60)) continue;
      const key = one.link.from + ' > ' + one.link.to;
      wanted.add(key);
      this.placePills(key, one, at);
    }
    const active = document.activeElement;
    const isThere = (key) => this.boxes.has(key) || this.links.some((one) => one.link.from + ' > ' + one.link.to === key);
    for (const [key, element] of this.elements) {
      if (wanted.has(key) || (element.contains(active) && isThere(key))) continue;  // out of sight, it keeps the focus
      element.remove();
      this.elements.delete(key);
    }
    this.layer.style.transform = 'translate(' + x + 'px,' + y + 'px) scale(' + scale + ')';
  }

  drawSmall(context, isSeen) {
    context.lineWidth = 1 / this.view.scale;
    context.font = '600 ' + Math.min(60, 11 / this.view.scale) + 'px sans-serif';
    for (const box of this.boxes.values()) {
      const size = sizeOf(box);
      if (!isSeen(box.x, box.y, box.x + size.width, box.y + size.height)) continue;
      context.fillStyle = this.colour(box.mark === 'error' ? 'badbg' : 'head');
      context.fillRect(box.x, box.y, size.width, size.height);
      context.strokeStyle = this.colour(this.selected.has(box.id) ? 'accent' : 'link');
      context.strokeRect(box.x, box.y, size.width, size.height);
      if (this.view.scale < 0.12) continue;
      context.fillStyle = this.colour('ink');
      context.fillText(box.id, box.x + 8, box.y + size.height / 2 + 4, size.width - 16);
    }
  }

  place(box) {
    let element = this.elements.get(box.id);
    const hadFocus = element && element.isStale && element.contains(document.activeElement);
    if (!element || element.isStale) {
      const made = this.build(box);
      if (element) element.replaceWith(made); else this.layer.appendChild(made);
      element = made;
      this.elements.set(box.id, element);
      if (hadFocus) element.focus({preventScroll: true});
    }
    element.style.transform = 'translate(' + box.x + 'px,' + box.y + 'px)';
    element.classList.toggle('selected', this.selected.has(box.id));
  }

  build(box) {
    const element = make('div', 'box' + (box.mark ? ' ' + box.mark : '') + (box.component.invented ? ' invented' : '') + (box.component.population ? ' population' : ''));
    element.tabIndex = 0;
    element.dataset.id = box.id;
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', box.id + (box.component.caption ? ', ' + box.component.caption : '') + ', ' + (box.component.population ? 'population' : 'component') +
      (box.mark ? ', has an ' + box.mark : '') + ', ' + box.inputs.shown.length + ' inputs, ' + box.outputs.shown.length + ' outputs');
    const head = make('div', 'boxhead'), population = box.component.population;
    if (box.icon) {  // from strangers: an image, in which no script runs
      const icon = make('img', 'icon');
      icon.src = box.icon; icon.alt = ''; icon.draggable = false;
      head.appendChild(icon);
    }
    head.appendChild(make('b', '', box.id));
    head.appendChild(make('small', '', (population ? 'one for each row of ' + (population.is.Of || '?') : '') || box.component.caption || box.component.omi || box.component.type || ''));
    element.appendChild(head);
    const rows = make('div', 'rows');
    for (let i = 0; i < box.rows; ++i) {
      const pair = make('div', 'pair');
      rows.appendChild(pair);
      for (const [side, css] of [[box.inputs, 'in'], [box.outputs, 'out']]) {
        const item = side.shown[i], cell = make('span', 'item ' + css);
        if (item) {
          cell.dataset.item = item.id;
          cell.title = item.id + unitOf(item, ' [', ']') + (item.caption ? ': ' + item.caption : '');
          cell.appendChild(make('i', 'port'));
          cell.appendChild(make('span', '', item.id));
          if (item.isUnknown) cell.classList.add('unknown');
          const mark = box.items.get(item.id);
          if (mark) { cell.classList.add(mark.severity); cell.title += '\n' + mark.text; }
        } else if (i === side.shown.length && side.hidden) {
          cell.appendChild(make('span', 'muted', '+' + side.hidden + ' more'));
        }
        pair.appendChild(cell);
      }
    }
    element.appendChild(rows);
    return element;
  }

  placePills(key, one, at) {
    let element = this.elements.get(key);
    if (!element || element.isStale) {
      const hadFocus = element && element.contains(document.activeElement), made = make('div', 'pills');
      const texts = one.link.adaptors.length ? one.link.adaptors.map((adaptor) => adaptor.id) : [''];
      texts.forEach((text, i) => {
        const pill = make('button', 'pill' + (text ? '' : ' plain') + (one.mark ? ' ' + one.mark : ''), text);
        pill.type = 'button';
        pill.tabIndex = i === 0 ? 0 : -1;
        pill.setAttribute('aria-label', 'link from ' + one.link.from + ' to ' + one.link.to + (text ? ', adaptor ' + text : '') + (one.mark ? ', has an ' + one.mark : ''));
        pill.addEventListener('click', () => this.choose(this.links.find((other) => other.link.from === one.link.from && other.link.to === one.link.to).link));
        made.appendChild(pill);
      });
      if (element) element.replaceWith(made); else this.layer.appendChild(made);
      element = made;
      this.elements.set(key, made);
      if (hadFocus) made.firstChild.focus({preventScroll: true});
    }
    element.classList.toggle('selected', this.isChosen(one) === true);
    element.style.transform = 'translate(' + at.x + 'px,' + at.y + 'px) translate(-50%,-50%)';
  }

  say(text) { this.hint.textContent = text; this.hint.classList.toggle('shown', Boolean(text)); }
}
Object.assign(Graph.prototype, gestures, frames);
