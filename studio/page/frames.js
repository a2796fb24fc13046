// What belongs together in the diagram: frames around the components of a group and of an iterated loop. Methods of Graph.
import {make} from './parts.js';

const kAround = 16, kName = 22;

// The groups of a composition: components that run in one process (Group), by their names.
export function groupsOf(model) {
  const groups = new Map();
  for (const component of model.components) {
    if (!component.group) continue;
    if (!groups.has(component.group)) groups.set(component.group, []);
    groups.get(component.group).push(component.id);
  }
  return [...groups].map(([name, ids]) => ({kind: 'group', name: name, ids: ids}));
}

// The loops of links: components that all take values from each other, directly or through others, as far as links say
// it. `at` is the number of the Iterate that names one of its components; -1 if the loop is not iterated.
export function loopsOf(model) {
  const next = new Map(model.components.map((one) => [one.id, []]));
  for (const link of model.links) {
    const from = link.from.slice(0, link.from.indexOf('.')), to = link.to.slice(0, link.to.indexOf('.'));
    if (next.has(from) && next.has(to)) next.get(from).push(to);
  }
  // Tarjan's strongly connected components, without recursion since chains may be long.
  const index = new Map(), low = new Map(), open = [], isOpen = new Set(), loops = [];
  for (const start of next.keys()) {
    if (index.has(start)) continue;
    const work = [{id: start, at: 0}];
    while (work.length) {
      const top = work[work.length - 1], id = top.id;
      if (top.at === 0 && !index.has(id)) { index.set(id, index.size); low.set(id, index.get(id)); open.push(id); isOpen.add(id); }
      const to = next.get(id)[top.at];
      if (to !== undefined) {
        ++top.at;
        if (!index.has(to)) work.push({id: to, at: 0});
        else if (isOpen.has(to)) low.set(id, Math.min(low.get(id), index.get(to)));
        continue;
      }
      work.pop();
      if (work.length) { const above = work[work.length - 1].id; low.set(above, Math.min(low.get(above), low.get(id))); }
      if (low.get(id) !== index.get(id)) continue;
      const ids = [];
      for (let one = null; one !== id;) { one = open.pop(); isOpen.delete(one); ids.unshift(one); }
      if (ids.length > 1 || next.get(id).includes(id)) loops.push(ids);
    }
  }
  return loops.map((ids) => ({kind: 'loop', ids: ids, name: 'iterated loop',
                              at: model.loops.findIndex((one) => (one.is.Components || '').split(/\s+/).some((id) => ids.includes(id)))}));
}

export const frames = {
  // Draws the frames, and places their names, which choose what is inside.
  drawFrames(context, isSeen, wanted) {
    for (const frame of [...this.groups, ...this.loops.filter((loop) => loop.at >= 0)]) {
      const around = this.bounds(frame.ids), isLoop = frame.kind === 'loop', pad = kAround + (isLoop ? 8 : 0), above = kName * (isLoop ? 2 : 1);
      if (!(around.left <= around.right) || !isSeen(around.left - pad, around.top - pad - above, around.right + pad, around.bottom + pad)) continue;
      const left = around.left - pad, top = around.top - pad - above;
      context.beginPath();
      context.roundRect(left, top, around.right - around.left + 2 * pad, around.bottom - around.top + 2 * pad + above, 12);
      context.globalAlpha = 0.35;
      context.fillStyle = this.colour(isLoop ? 'sunken' : 'chip');
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = this.colour(isLoop ? 'loop' : 'chipline');
      context.lineWidth = 1.4 / Math.min(1, Math.max(this.view.scale, 0.3));
      context.setLineDash(isLoop ? [7, 4] : []);
      context.stroke();
      context.setLineDash([]);
      const key = frame.kind + ' ' + frame.ids.join(' ');
      wanted.add(key);
      this.placeFrameName(key, frame, left, top);
    }
  },
  placeFrameName(key, frame, left, top) {
    let element = this.elements.get(key);
    if (!element || element.isStale) {
      const made = make('button', 'framename ' + frame.kind, frame.kind === 'group' ? 'group ' + frame.name : frame.name);
      made.type = 'button';
      made.title = frame.ids.join(', ');
      made.setAttribute('aria-label', made.textContent + ' of ' + frame.ids.join(', ') + '; chooses them');
      made.addEventListener('click', () => { if (frame.kind === 'loop') this.act.select({loop: frame.at}); else this.select(frame.ids); });
      if (element) element.replaceWith(made); else this.layer.appendChild(made);
      element = made;
      this.elements.set(key, made);
    }
    element.style.transform = 'translate(' + (left + 10) + 'px,' + (top + 3) + 'px)';
  }
};
