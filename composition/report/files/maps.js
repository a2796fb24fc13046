// Maps whose colours follow the time: a slider, the values under the pointer, and one map at a time. Reads what SvgMap.cpp
// writes into `data-map`.
(function () {
'use strict';
const page = window.openmiPage, tip = page.tip, kDay = 86400000, kEpoch = 40587;
const kScale = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99],
                [170, 220, 50], [253, 231, 37]];
function colourOf(share) {
  const place = Math.max(0, Math.min(1, share)) * (kScale.length - 1), below = Math.min(Math.floor(place), kScale.length - 2);
  return 'rgb(' + kScale[below].map((part, i) => Math.round(part + (place - below) * (kScale[below + 1][i] - part))).join(',') + ')';
}
function make(name, css, text) {
  const made = document.createElement(name);
  if (css) made.className = css;
  if (text) made.textContent = text;
  return made;
}

// `given` is for a page that has the values at hand: what `data-map` has, where `t` are milliseconds since 1970 and `v`
// rows. Then there is no picture of the whole time, and rows can be added while it is shown.
function LiveMap(svg, given) {
  const data = given || JSON.parse(svg.getAttribute('data-map')), count = data.n.length, first = given ? 0 : -1;
  let times, rows;
  if (given) {
    times = given.t.slice();
    rows = given.v.slice();
  } else {
    const values = page.numbersOf(data.v, Float32Array);
    times = Array.from(page.numbersOf(data.t, Float64Array), (mjd) => Math.round((mjd - kEpoch) * kDay));
    rows = times.map((_, i) => values.subarray(i * count, (i + 1) * count));
  }
  const bar = svg.querySelector('.bar');
  const shapes = Array.from(svg.querySelectorAll('g[data-e]'), (group) => {
    const index = Number(group.getAttribute('data-e')), title = group.querySelector('title'), text = title ? title.textContent : '';
    if (title) title.remove();
    return {index: index, text: text, group: group, parts: Array.from(group.querySelectorAll('.elem,.river'))};
  });
  let shown = first;  // which time; -1: the picture as it was written
  const keys = make('div', 'keys time'), play = page.button('play', 'shows one time after the other', start);
  const slider = make('input'), label = make('output'), scale = make('span', 'colours');
  slider.type = 'range'; slider.min = String(first); slider.max = String(times.length - 1); slider.value = String(first);
  slider.setAttribute('aria-label', 'time of the map');
  const low = make('span'), high = make('span'), ramp = make('i');
  ramp.style.background = 'linear-gradient(90deg,' + kScale.map((rgb) => 'rgb(' + rgb.join(',') + ')').join(',') + ')';
  [low, ramp, high].forEach((part) => scale.appendChild(part));
  [play, slider, label, scale].forEach((part) => keys.appendChild(part));
  svg.parentNode.parentNode.insertBefore(keys, svg.parentNode);
  function showRange() {
    low.textContent = page.digits(data.low, 3);
    high.textContent = page.digits(data.high, 3) + ' ' + data.u;
  }

  function show(time) {
    shown = time;
    slider.value = String(time);
    const isWhole = time < 0;
    label.textContent = isWhole ? (given ? 'no values yet' : 'whole time') : page.timeText(times[time]);
    slider.setAttribute('aria-valuetext', label.textContent);
    scale.hidden = isWhole;
    if (bar) bar.style.display = isWhole ? '' : 'none';
    for (const shape of shapes) {
      const value = isWhole ? NaN : valueOf(time, shape.index);
      for (const part of shape.parts) {
        const paint = part.classList.contains('river') ? 'stroke' : 'fill';
        part.style[paint] = isWhole ? '' : isFinite(value) ? colourOf(data.high > data.low ? (value - data.low) / (data.high - data.low) : 0.5) : '#8a929b';
      }
    }
  }
  function valueOf(time, index) {
    const value = rows[time] && rows[time][index];
    return value === null || value === undefined ? NaN : value;
  }
  // Adds a row, or replaces the last one if the time is the same. Colours cover all values so far.
  function take(time, row, unit) {
    if (unit !== undefined) data.u = unit;
    const isLast = shown >= times.length - 1;
    if (times.length && times[times.length - 1] === time) { times.pop(); rows.pop(); }
    if (times.length && times[times.length - 1] > time) { times.length = rows.length = 0; data.low = Infinity; data.high = -Infinity; }
    times.push(time);
    rows.push(row);
    if (times.length > 2000) { times.splice(0, 1000); rows.splice(0, 1000); }
    for (const value of row) if (value !== null && isFinite(value)) { data.low = Math.min(data.low, value); data.high = Math.max(data.high, value); }
    showRange();
    slider.max = String(times.length - 1);
    if (isLast) show(times.length - 1); else if (shown >= times.length) show(times.length - 1);
  }
  let timer = 0;
  function start() {
    if (timer) { clearInterval(timer); timer = 0; play.textContent = 'play'; return; }
    play.textContent = 'stop';
    timer = setInterval(() => {
      if (shown + 1 >= times.length) { start(); return; }
      show(shown + 1);
    }, Math.max(30, 12000 / times.length));
    if (shown + 1 >= times.length) show(first);
  }
  slider.addEventListener('input', () => show(Number(slider.value)));
  for (const shape of shapes) {
    for (const part of shape.parts) {
      if (!part.classList.contains('river')) continue;
      const wide = part.cloneNode();  // so that a thin line can be pointed at
      wide.setAttribute('class', '');
      wide.style.cssText = 'fill:none;stroke:transparent;stroke-width:14';
      shape.group.appendChild(wide);
    }
    shape.group.addEventListener('pointermove', (event) => {
      const value = shown < 0 ? shape.text.replace(/^[^:]*: /, '') : isFinite(valueOf(shown, shape.index)) ?
        page.digits(valueOf(shown, shape.index), 6) + ' ' + data.u : 'missing';
      page.tell(event, data.n[shape.index], [[label.textContent, value]]);
    });
    shape.group.addEventListener('pointerleave', () => { tip.hidden = true; });
  }
  showRange();
  show(times.length ? first : -1);
  svg.parentNode.scrollLeft = (svg.parentNode.scrollWidth - svg.parentNode.clientWidth) / 2;
  return {show: show, take: take, leave: () => clearInterval(timer)};
}
// Shows a title and rows of two texts beside the pointer.
page.tell = function (event, title, lines) {
  tip.textContent = '';
  tip.appendChild(make('b', '', title));
  for (const [left, right] of lines) {
    const row = make('div');
    row.appendChild(make('span', '', left));
    row.appendChild(make('span', '', right));
    tip.appendChild(row);
  }
  tip.hidden = false;
  tip.style.left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + 'px';
  tip.style.top = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8) + 'px';
};
page.map = LiveMap;
document.querySelectorAll('svg[data-map]').forEach((svg) => LiveMap(svg));

// One map at a time: they show the same place.
const section = document.getElementById('maps'), figures = section ? Array.from(section.querySelectorAll('figure')) : [];
if (figures.length > 1) {
  const keys = make('div', 'keys layers'), buttons = [];
  const choose = (chosen) => {
    figures.forEach((figure, i) => figure.classList.toggle('other', chosen >= 0 && i !== chosen));
    buttons.forEach((one, i) => one.setAttribute('aria-pressed', String(i === (chosen < 0 ? figures.length : chosen))));
  };
  figures.forEach((figure, i) => {
    const name = figure.querySelector('figcaption b');
    buttons.push(page.button(name ? name.textContent : String(i + 1), 'shows this map', () => choose(i)));
  });
  buttons.push(page.button('all', 'shows all maps', () => choose(-1)));
  buttons.forEach((one) => keys.appendChild(one));
  section.insertBefore(keys, figures[0]);
  choose(0);
}
})();
