// Populations: a component for each row of a table. Methods of Panels.
import {button, field, make, row, small} from './parts.js';

const isTable = (name) => /\.(csv|tsv|txt|geojson|json|gpkg|shp|fgb)$/i.test(name);

export const population = {
  // Which loop a component is in.
  showLoopOf(host, id) {
    const loop = this.graph.loops.find((one) => one.ids.includes(id));
    if (!loop) return;
    const act = loop.at >= 0 ? button('How it is iterated', () => this.select({loop: loop.at})) : button('Iterate this loop', () => this.iterate(loop));
    host.append(make('p', 'fine', 'It is in a loop of links with ' + loop.ids.filter((one) => one !== id).join(', ') + (loop.at >= 0 ? ', which is iterated.' : '.')), row(act));
  },

  // Makes one component of an OMI file many.
  offerPopulation(host, component) {
    const tables = this.files.filter(isTable);
    if (!tables.length) return;
    const box = make('details'), select = small('table of the population', tables[0], () => {}, tables);
    select.style.width = '100%';
    box.append(make('summary', '', 'One for each row of a table'), make('p', 'fine', 'A population has a member for each row of a table or for each feature of a layer, and stays one box.'), select,
      row(button('Make it a population', () => this.edit([{op: 'make-population', id: component.id, of: select.value}]))));
    host.append(box);
  },

  showPopulation(host, component, known) {
    const table = component.population, one = table.is, id = component.id, path = [['Population', table.at]];
    const set = (attribute) => (value) => this.edit([{op: 'set-component', id: id, attribute: attribute, value: value || null}]);
    const items = known ? known.outputs.concat(known.inputs) : [], counted = items.find((item) => item.elements && item.elements.count);
    host.append(make('h3', '', 'Population'), make('p', 'fine', counted ? counted.elements.count + ' members, one for each row of ' + one.Of : 'one member for each row of ' + (one.Of || 'a table')));
    host.append(field('Of', one.Of || '', set('Of'), {key: 'Of', isPath: true, note: 'the table or layer: CSV, GeoJSON, GeoPackage, shapefile, FlatGeobuf'}));
    const columns = this.columnsOf(one.Of || '');
    host.append(field('Key', one.Key || '', set('Key'), {key: 'Key', values: columns ? ['', ...columns] : null, note: 'the column that names the rows'}),
                field('Layer', one.Layer || '', set('Layer'), {key: 'Layer', placeholder: 'the only one'}));
    const fromColumns = component.arguments.filter((argument) => argument.value.includes('{{')).map((argument) => argument.key + ' = ' + argument.value);
    host.append(make('p', 'fine', 'An argument takes a column of the table as {{column}}' + (columns ? ': ' + columns.map((name) => '{{' + name + '}}').join(' ') : '') + '.' +
      (fromColumns.length ? ' Now: ' + fromColumns.join('; ') + '.' : '')));
    (table.Table || []).forEach((further, at) => {
      const there = [...path, ['Table', at]], change = (attribute) => (value) => this.edit([{op: 'set-element', path: there, attribute: attribute, value: value || null}]);
      host.append(row(small('id of the table', further.Id || '', change('Id'), null, 'before its columns'), small('file', further.Of || '', change('Of'), null, 'path'), small('key', further.Key || '', change('Key'), null, 'column'),
        button('Remove table', () => this.edit([{op: 'remove-element', path: there}]))));
    });
    (table.Network || []).forEach((network, at) => {
      const there = [...path, ['Network', at]], change = (attribute) => (value) => this.edit([{op: 'set-element', path: there, attribute: attribute, value: value || null}]);
      host.append(make('p', 'fine', 'Network: an output of each row feeds an input of the row downstream.'), row(small('output', network.From || '', change('From'), null, 'output'), small('input', network.To || '', change('To'), null, 'input'),
        network.Edges ? make('small', '', 'edges of ' + network.Edges) : small('column', network.Column || '', change('Column'), columns && columns.includes(network.Column || '') ? columns : null, 'key downstream'),
        button('Remove network', () => this.edit([{op: 'remove-element', path: there}]))));
    });
    const outputs = known ? known.outputs.map((item) => item.id) : [], inputs = known ? known.inputs.map((item) => item.id) : [];
    host.append(row(button('Add table', () => this.edit([{op: 'add-element', parent: path, name: 'Table', attributes: [['Id', 'more'], ['Of', one.Of || '']].concat(one.Key ? [['Key', one.Key]] : [])}])),
      button('Add network', () => this.edit([{op: 'add-element', parent: path, name: 'Network', attributes: [['From', outputs[0] || 'outflow'], ['To', inputs[0] || 'inflow'], ['Column', columns && columns.find((name) => /^to/i.test(name)) || 'to']]}])),
      button('Make it one component', () => this.edit([{op: 'make-component', id: id}]))));
  },

  // The names of the columns of a table, once they are known; null for layers that only GDAL reads.
  columnsOf(file) {
    if (this.columns.has(file)) return this.columns.get(file);
    this.columns.set(file, null);
    if (!/\.(csv|tsv|txt|geojson|json)$/i.test(file)) return null;
    fetch('files/' + file.split('/').map(encodeURIComponent).join('/')).then(async (got) => {
      if (!got.ok) return;
      const text = await got.text();
      let names = [];
      if (/json$/i.test(file)) {
        try { const first = JSON.parse(text).features[0]; names = Object.keys(first.properties || {}); } catch (error) { return; }
      } else {
        const head = text.split('\n').find((line) => line.trim() && !line.startsWith('#')) || '';
        names = head.trim().split(head.includes('\t') ? '\t' : head.includes(';') ? ';' : ',').map((name) => name.replace(/^"|"$/g, '').trim());
      }
      this.columns.set(file, names.filter(Boolean));
      this.showDetails();
    });
    return null;
  }
};
