// The list of components that can be added. Methods of Panels.
import {button, byId, make} from './parts.js';

export const palette = {
  showPalette() {
    const filter = byId('filter').value.trim().toLowerCase(), list = byId('entries'), titles = {folder: 'In this folder', fmu: 'FMUs', bmi: 'BMI libraries', python: 'Components in Python', ready: 'Ready components'};
    list.replaceChildren();
    let group = '';
    this.entries.forEach((entry, index) => {
      if (filter && !(entry.name + ' ' + entry.where + ' ' + (this.purposes[entry.name] || '')).toLowerCase().includes(filter)) return;
      if (entry.group !== group) { group = entry.group; const head = make('li'); head.append(make('h3', '', titles[group])); list.append(head); }
      const item = make('li'), one = button('', () => this.add(index));
      one.append(entry.name, make('small', '', entry.group === 'ready' ? this.purposes[entry.name] || 'comes with the SDK' : entry.where));
      one.draggable = true;
      one.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/x-openmi-entry', String(index)));
      item.append(one);
      list.append(item);
    });
    if (!list.children.length) list.append(make('li', 'muted', this.entries.length ? 'nothing is named like that' : 'found none'));
  }
};
