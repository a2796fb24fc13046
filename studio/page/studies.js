// Studies of the folder: their members, their bands, and the best. Methods of Panels.
import {addressOf, button, make, plotBox, row, small} from './parts.js';
import {cells} from './tables.js';

const page = window.openmiPage;

export const studies = {
  // The list of studies, below the runs.
  listStudies(host) {
    if (!this.studyList.length) return;
    host.append(make('h2', '', 'Studies'));
    const list = make('ul', 'list');
    for (const study of this.studyList) {
      const item = make('li'), links = row(), show = button(study.id, () => { this.shownStudy = this.shownStudy === study.members ? '' : study.members; this.showResults(); });
      show.setAttribute('aria-pressed', String(this.shownStudy === study.members));
      for (const [name, path] of [['members', study.members], ['report', study.report], ['best composition', study.best]]) {
        if (!path) continue;
        const link = make('a', '', name);
        link.href = addressOf(path); link.target = '_blank'; link.rel = 'noopener';
        links.append(link);
      }
      item.append(show, links);
      list.append(item);
    }
    host.append(list);
  },

  async showStudy(host) {
    const study = this.studyList.find((one) => one.members === this.shownStudy);
    if (!study) return;
    const section = make('section', 'study');
    section.append(make('h2', '', 'Study ' + study.id));
    host.append(section);
    const got = await fetch(addressOf(study.members));
    if (!got.ok) { section.append(make('p', 'bad', 'its table of members cannot be read')); return; }
    const bands = make('div', 'curves');
    this.showMembers(section, bands, (await got.text()).split('\n').filter((line) => line && !line.startsWith('#')).map(cells));
    if (study.report) await this.showBands(bands, study);
  },

  // The members as dots, one column over another, and as a table with the best first; `bands` stands in between.
  showMembers(section, bands, lines) {
    const heads = lines[0], rows = lines.slice(1), cost = heads.indexOf('cost'), end = heads.indexOf('end');
    const number = (text) => (text === '' || text === undefined || text === 'NaN' ? NaN : Number(text));
    const order = rows.map((_, i) => i).sort((a, b) => { const x = number(rows[a][cost]), y = number(rows[b][cost]); return (isFinite(x) ? x : Infinity) - (isFinite(y) ? y : Infinity) || a - b; });
    const best = cost >= 0 && rows.length && isFinite(number(rows[order[0]][cost])) ? order[0] : -1;
    const ends = new Map();
    for (const line of rows) ends.set(line[end], (ends.get(line[end]) || 0) + 1);
    section.append(make('p', '', rows.length + ' members: ' + [...ends].map(([name, count]) => count + ' ' + name).join(', ') +
      (best >= 0 ? '. The best is member ' + rows[best][0] + ' with a cost of ' + page.digits(number(rows[best][cost]), 5) + '.' : '.')));
    const columns = heads.map((name, i) => ({name: name, i: i})).filter((one) => one.i > 0 && rows.some((line) => isFinite(number(line[one.i]))));
    if (columns.length > 1) {
      const names = columns.map((one) => one.name), upName = cost >= 0 ? 'cost' : names[names.length - 1], box = make('div', 'dots');
      const across = small('across', names[0], () => draw(), names), up = small('up', upName, () => draw(), names);
      const draw = () => box.replaceChildren(dotsOf(rows.map((line) => [number(line[heads.indexOf(across.value)]), number(line[heads.indexOf(up.value)]), line[0]]), best, across.value, up.value));
      draw();
      section.append(row(make('span', '', 'Up'), up, make('span', '', 'over'), across), box);
    }
    section.append(bands);
    const table = make('table', 'figures'), head = make('tr');
    const short = (text) => { const cell = make('td', '', /^-?\d+\.\d{4,}/.test(text) ? page.digits(Number(text), 6) : text); cell.title = text; return cell; };
    head.append(...heads.map((name) => make('th', '', name)));
    table.append(head, ...order.slice(0, 50).map((i) => { const line = make('tr', i === best ? 'best' : ''); line.append(...rows[i].map(short)); return line; }));
    const scroll = make('div', 'scroll');
    scroll.tabIndex = 0;
    scroll.append(table);
    section.append(scroll);
    if (rows.length > 50) section.append(make('p', 'fine', 'the 50 of the lowest cost; the file has all ' + rows.length));
  },

  // The bands of the study are in its report, which holds them as data for the same plots.
  async showBands(curves, study) {
    const got = await fetch(addressOf(study.report));
    if (!got.ok) return;
    const report = new DOMParser().parseFromString(await got.text(), 'text/html');
    for (const picture of [...report.querySelectorAll('svg[data-plot]')].slice(0, 12)) {
      let data;
      try { data = JSON.parse(picture.getAttribute('data-plot')); } catch (error) { continue; }
      const caption = picture.closest('figure') && picture.closest('figure').querySelector('figcaption b'), box = plotBox(caption ? caption.textContent : study.id);
      curves.append(box.figure);
      this.shownPlots.push(page.add(box.svg, data));
    }
  }
};

// A dot for each member; the best is marked.
function dotsOf(points, best, across, up) {
  const known = points.map((point, i) => ({x: point[0], y: point[1], name: point[2], isBest: i === best})).filter((one) => isFinite(one.x) && isFinite(one.y));
  const kWide = 460, kHigh = 260, svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'), add = (name, attributes, text) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    svg.append(made);
    return made;
  };
  svg.setAttribute('viewBox', '0 0 ' + kWide + ' ' + kHigh);
  svg.setAttribute('class', 'om');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', up + ' over ' + across + ' of ' + known.length + ' members');
  if (!known.length) { add('text', {x: 20, y: 30}, 'no members have both'); return svg; }
  const ends = (list) => { const low = Math.min(...list), high = Math.max(...list); return high > low ? [low, high] : [low - 0.5, high + 0.5]; };
  const [left, right] = ends(known.map((one) => one.x)), [low, high] = ends(known.map((one) => one.y));
  const x = (value) => 70 + (value - left) / (right - left) * (kWide - 90), y = (value) => kHigh - 46 - (value - low) / (high - low) * (kHigh - 66);
  add('path', {d: 'M70 14V' + (kHigh - 40) + 'H' + (kWide - 14), class: 'axis', fill: 'none'});
  for (const value of [left, right]) add('text', {x: x(value), y: kHigh - 24, class: 'm', 'text-anchor': 'middle'}, page.digits(value, 3));
  for (const value of [low, high]) add('text', {x: 62, y: y(value) + 4, class: 'm', 'text-anchor': 'end'}, page.digits(value, 3));
  add('text', {x: (kWide + 56) / 2, y: kHigh - 8, 'text-anchor': 'middle'}, across);
  add('text', {x: 14, y: kHigh / 2, 'text-anchor': 'middle', transform: 'rotate(-90 14 ' + kHigh / 2 + ')'}, up);
  for (const one of known.sort((a, b) => a.isBest - b.isBest)) {
    const dot = add('circle', {cx: x(one.x).toFixed(1), cy: y(one.y).toFixed(1), r: one.isBest ? 6 : 3, class: one.isBest ? 'f1' : 'f0', 'fill-opacity': one.isBest ? 1 : 0.55});
    dot.append(Object.assign(document.createElementNS('http://www.w3.org/2000/svg', 'title'), {textContent: 'member ' + one.name + ': ' + page.digits(one.x, 5) + ', ' + page.digits(one.y, 5) + (one.isBest ? ', the best' : '')}));
  }
  return svg;
}
