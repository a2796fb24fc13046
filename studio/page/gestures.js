// What pointers and keys do in the diagram. Methods of Graph.
import {kWidth, sizeOf} from './parts.js';

export const gestures = {
  listen() {
    const host = this.host;
    let drag = null;
    const pointers = new Map();
    host.addEventListener('pointerdown', (event) => {
      if (event.button > 0 || event.target.closest('.pill,.framename')) return;
      pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
      const box = event.target.closest('.box'), cell = event.target.closest('.item[data-item]');
      const start = this.toWorld(event);
      if (cell && box && event.target.closest('.port,.item')) {
        drag = {kind: 'link', id: box.dataset.id, item: cell.dataset.item, isOutput: cell.classList.contains('out'), start: start, moved: false};
      } else {
        const id = box ? box.dataset.id : this.smallAt(start);
        if (id) {
          if (event.shiftKey || event.ctrlKey || event.metaKey) {
            const next = new Set(this.selected);
            if (next.has(id)) next.delete(id); else next.add(id);
            this.select([...next]);
          } else if (!this.selected.has(id)) this.select([id]);
          const origin = new Map([...this.selected].map((one) => [one, {x: this.boxes.get(one).x, y: this.boxes.get(one).y}]));
          drag = {kind: 'move', start: start, origin: origin, moved: false};
        } else {
          drag = {kind: 'pan', x: event.clientX, y: event.clientY, view: {...this.view}, moved: false};
        }
      }
      host.setPointerCapture(event.pointerId);
    });
    host.addEventListener('pointermove', (event) => {
      if (!drag) return;
      const before = pointers.get(event.pointerId);
      if (pointers.size === 2 && before) {
        const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)[1];
        const was = Math.hypot(before.x - other.x, before.y - other.y), now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        pointers.set(event.pointerId, {x: event.clientX, y: event.clientY});
        const rect = host.getBoundingClientRect();
        if (was > 10 && now > 10) this.zoom(now / was, {x: (event.clientX + other.x) / 2 - rect.left, y: (event.clientY + other.y) / 2 - rect.top});
        drag.moved = true; drag.kind = 'pinch';
        return;
      }
      const at = this.toWorld(event);
      if (drag.kind === 'pan') {
        if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 3) drag.moved = true;
        this.view = {...this.view, x: drag.view.x + event.clientX - drag.x, y: drag.view.y + event.clientY - drag.y};
        this.redraw();
      } else if (drag.kind === 'move') {
        const dx = at.x - drag.start.x, dy = at.y - drag.start.y;
        if (!drag.moved && Math.hypot(dx, dy) * this.view.scale < 4) return;
        drag.moved = true;
        for (const [id, from] of drag.origin) {
          const box = this.boxes.get(id);
          box.x = Math.round(from.x + dx); box.y = Math.round(from.y + dy);
        }
        this.redraw();
      } else if (drag.kind === 'link') {
        if (!drag.moved && Math.hypot(at.x - drag.start.x, at.y - drag.start.y) * this.view.scale < 5) return;
        drag.moved = true;
        drag.target = this.targetAt(event);
        const end = drag.isOutput ? this.port(drag.id, drag.item, true) : at, into = drag.isOutput ? at : this.port(drag.id, drag.item, false);
        const ends = this.endsOf(drag), verdict = ends ? this.act.mayLink(ends.from, ends.to) : null;
        this.pulled = {a: end, b: into, isGood: verdict && verdict.isPossible};
        this.say(verdict ? verdict.text : 'release on an ' + (drag.isOutput ? 'input' : 'output'));
        this.redraw();
      }
    });
    const release = (event) => {
      pointers.delete(event.pointerId);
      const done = drag;
      drag = null;
      this.pulled = null;
      this.say('');
      this.redraw();
      if (!done || event.type === 'pointercancel') return;
      if (done.kind === 'move' && done.moved) this.act.move([...done.origin.keys()]);
      if (done.kind === 'pan' && !done.moved) this.select([]);
      if (done.kind === 'link') {
        const ends = done.moved ? this.endsOf({...done, target: this.targetAt(event)}) : null;
        if (ends) this.act.link(ends.from, ends.to);
        else if (!done.moved) this.select([done.id]);
      }
    };
    host.addEventListener('pointerup', release);
    host.addEventListener('pointercancel', release);
    host.addEventListener('wheel', (event) => {
      event.preventDefault();
      const rect = host.getBoundingClientRect();
      if (event.shiftKey) { this.view = {...this.view, x: this.view.x - event.deltaY}; this.redraw(); return; }
      this.zoom(Math.pow(1.0016, -Math.max(-300, Math.min(300, event.deltaY))), {x: event.clientX - rect.left, y: event.clientY - rect.top});
    }, {passive: false});
    host.addEventListener('dragover', (event) => event.preventDefault());
    host.addEventListener('drop', (event) => {
      event.preventDefault();
      const at = this.toWorld(event), index = event.dataTransfer.getData('text/x-openmi-entry');
      if (index !== '') this.act.drop(Number(index), Math.round(at.x - kWidth / 2), Math.round(at.y - 20));
    });
    host.addEventListener('keydown', (event) => this.key(event));
    host.addEventListener('focusin', (event) => {
      const box = event.target.closest('.box');
      if (box && !this.selected.has(box.dataset.id) && event.target.matches(':focus-visible')) { this.select([box.dataset.id]); this.reveal(box.dataset.id); }
    });
  },

  endsOf(drag) {
    if (!drag.target || drag.target.isOutput === drag.isOutput) return null;
    const own = drag.id + '.' + drag.item, other = drag.target.id + '.' + drag.target.item;
    return drag.isOutput ? {from: own, to: other} : {from: other, to: own};
  },
  targetAt(event) {
    const under = document.elementFromPoint(event.clientX, event.clientY), cell = under && under.closest('.item[data-item]');
    if (!cell) return null;
    return {id: cell.closest('.box').dataset.id, item: cell.dataset.item, isOutput: cell.classList.contains('out')};
  },
  smallAt(point) {
    for (const box of [...this.boxes.values()].reverse()) {
      const size = sizeOf(box);
      if (point.x >= box.x && point.x <= box.x + size.width && point.y >= box.y && point.y <= box.y + size.height) return box.id;
    }
    return '';
  },

  key(event) {
    const box = event.target.closest('.box'), steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}, step = steps[event.key];
    if (!box || !step) return;
    event.preventDefault();
    const here = this.boxes.get(box.dataset.id);
    if (event.ctrlKey || event.metaKey) {
      for (const id of this.selected) { const one = this.boxes.get(id); one.x += 20 * step[0]; one.y += 20 * step[1]; }
      this.redraw();
      clearTimeout(this.moving);
      this.moving = setTimeout(() => this.act.move([...this.selected]), 400);
      return;
    }
    let best = null, least = Infinity;
    for (const other of this.boxes.values()) {
      const dx = other.x - here.x, dy = other.y - here.y, along = dx * step[0] + dy * step[1], across = Math.abs(dx * step[1]) + Math.abs(dy * step[0]);
      if (other === here || along <= 0) continue;
      const far = along + 2 * across;
      if (far < least) { least = far; best = other; }
    }
    if (best) this.focus(best.id);
  },

  focus(id) {
    this.select([id]);
    this.reveal(id);
    const element = this.elements.get(id);
    if (element) element.focus({preventScroll: true});
  }
};
