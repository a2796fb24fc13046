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

function LiveMap(svg) {
  const data = JSON.parse(svg.getAttribute('data-map')), count = data.n.length;
  const times = Array.from(page.numbersOf(data.t, Float64Array), (mjd) => Math.round((mjd - kEpoch) * kDay));
  const values = page.numbersOf(data.v, Float32Array), bar = svg.querySelector('.bar');
  const shapes = Array.from(svg.querySelectorAll('g[data-e]'), (group) => {
    const index = Number(group.getAttribute('data-e')), title = group.querySelector('title'), text = title ? title.textContent : '';
    if (title) title.remove();
    return {index: index, text: text, group: group, parts: Array.from(group.querySelectorAll('.elem,.river'))};
  });
  let shown = -1;  // which time; -1: the picture as it was written
  const keys = make('div', 'keys time'), play = page.button('play', 'shows one time after the other', start);
  const slider = make('input'), label = make('output'), scale = make('span', 'colours');
  slider.type = 'range'; slider.min = '-1'; slider.max = String(times.length - 1); slider.value = '-1';
  slider.setAttribute('aria-label', 'time of the map');
  const low = make('span', '', page.digits(data.low, 3)), high = make('span', '', page.digits(data.high, 3) + ' ' + data.u), ramp = make('i');
  ramp.style.background = 'linear-gradient(90deg,' + kScale.map((rgb) => 'rgb(' + rgb.join(',') + ')').join(',') + ')';
  [low, ramp, high].forEach((part) => scale.appendChild(part));
  [play, slider, label, scale].forEach((part) => keys.appendChild(part));
  svg.parentNode.parentNode.insertBefore(keys, svg.parentNode);

  function show(time) {
    shown = time;
    slider.value = String(time);
    const isWhole = time < 0;
    label.textContent = isWhole ? 'whole time' : page.timeText(times[time]);
    slider.setAttribute('aria-valuetext', label.textContent);
    scale.hidden = isWhole;
    if (bar) bar.style.display = isWhole ? '' : 'none';
    for (const shape of shapes) {
      const value = isWhole ? NaN : values[time * count + shape.index];
      for (const part of shape.parts) {
        const paint = part.classList.contains('river') ? 'stroke' : 'fill';
        part.style[paint] = isWhole ? '' : isFinite(value) ? colourOf(data.high > data.low ? (value - data.low) / (data.high - data.low) : 0.5) : '#8a929b';
      }
    }
  }
  let timer = 0;
  function start() {
    if (timer) { clearInterval(timer); timer = 0; play.textContent = 'play'; return; }
    play.textContent = 'stop';
    timer = setInterval(() => {
      if (shown + 1 >= times.length) { start(); return; }
      show(shown + 1);
    }, Math.max(30, 12000 / times.length));
    if (shown + 1 >= times.length) show(-1);
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
      tip.textContent = '';
      const head = make('b', '', data.n[shape.index]), row = make('div');
      const value = shown < 0 ? shape.text.replace(/^[^:]*: /, '') : isFinite(values[shown * count + shape.index]) ?
        page.digits(values[shown * count + shape.index], 6) + ' ' + data.u : 'missing';
      row.appendChild(make('span', '', label.textContent));
      row.appendChild(make('span', '', value));
      tip.appendChild(head); tip.appendChild(row);
      tip.hidden = false;
      tip.style.left = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + 'px';
      tip.style.top = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8) + 'px';
    });
    shape.group.addEventListener('pointerleave', () => { tip.hidden = true; });
  }
  show(-1);
  svg.parentNode.scrollLeft = (svg.parentNode.scrollWidth - svg.parentNode.clientWidth) / 2;
}
document.querySelectorAll('svg[data-map]').forEach(LiveMap);

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
