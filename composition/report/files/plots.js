// Plots over time that can be looked into: zoomed, panned, read, with lines on and off, a logarithmic axis, a scatter
// plot, and downloads. Draws what PlotData.cpp writes into `data-plot`; the picture of the report stays for print.
(function () {
'use strict';
const root = document.documentElement;
const kDay = 86400000, kEpoch = 40587;  // of Modified Julian Days, at 1970-01-01
const kLeft = 62, kRight = 14;
const plots = [];
let together = false;  // zooms and cursors of all plots

function numbersOf(text, Kind) {
  if (typeof text === 'object' && text) return Kind.from(text);  // of a page that has the numbers at hand
  const raw = atob(text || ''), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return new Kind(bytes.buffer);
}

// A line with its times in milliseconds since 1970.
function lineOf(data, from) {
  const values = numbersOf(data.v, Float32Array), times = new Float64Array(values.length);
  const rows = data.rows ? numbersOf(data.rows, Uint32Array) : null;
  const ends = data.t ? numbersOf(data.t, Float64Array) : null;
  for (let i = 0; i < values.length; ++i) {
    const seconds = ends ? ends[i] : data.first + (rows ? rows[i] : i) * data.every;
    times[i] = from + seconds * 1000;
  }
  let begins = null;
  if (data.whole) begins = times.map((time) => time - data.every * 1000);
  if (data.b) begins = numbersOf(data.b, Float64Array).map((seconds) => from + seconds * 1000);
  if (!begins && data.step) begins = times.map((time, i) => i > 0 ? times[i - 1] : time);
  return {name: data.n, unit: data.u, look: data.c, isStep: !!data.step, isDots: !!data.dots, of: data.of || 0,
          times: times, values: values, begins: begins, rows: rows, isOn: true};
}

// The first index whose time is not below `time`.
function firstAt(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}
function nearest(times, time) {
  const after = firstAt(times, time);
  if (after === 0) return 0;
  if (after === times.length) return after - 1;
  return times[after] - time < time - times[after - 1] ? after : after - 1;
}

function roundStep(span, most) {
  const rough = span / Math.max(most, 1), power = Math.pow(10, Math.floor(Math.log10(rough)));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  return 10 * power;
}
function digits(number, many) {
  if (number === 0) return '0';
  const size = Math.abs(number);
  if (size >= 1e7 || size < 1e-4) return powers(number.toExponential(many - 1).replace(/\.?0+e/, 'e'));
  return String(Number(number.toPrecision(many)));
}
const kHigh = {'-': '\u207b', 0: '\u2070', 1: '\u00b9', 2: '\u00b2', 3: '\u00b3', 4: '\u2074', 5: '\u2075', 6: '\u2076',
               7: '\u2077', 8: '\u2078', 9: '\u2079'};
function powers(text) {
  return text.replace(/e\+?(-?\d+)$/, (all, power) => ' \u00d7 10' + Array.from(power, (c) => kHigh[c]).join(''));
}

// Ticks of a value axis, its ends, and the power of ten that goes to the unit.
function valueAxis(low, high, most, isLog) {
  if (!(low <= high)) return {low: 0, high: 1, ticks: [], power: 0, isLog: isLog};
  if (isLog) {
    const ticks = [];
    const first = Math.floor(Math.log10(low) + 1e-9), last = Math.max(Math.ceil(Math.log10(high) - 1e-9), first + 1);
    const every = Math.max(1, Math.ceil((last - first) / most));
    for (let power = first; power <= last; ++power) {
      if ((power - first) % every === 0) ticks.push({value: Math.pow(10, power), label: powers('1e' + power).slice(4)});
      if (last - first <= 2 && power < last) {
        for (const factor of [2, 5]) ticks.push({value: factor * Math.pow(10, power), label: digits(factor * Math.pow(10, power), 3)});
      }
    }
    return {low: Math.pow(10, first), high: Math.pow(10, last), ticks: ticks, power: 0, isLog: true};
  }
  if (low === high) {
    const half = low === 0 ? 0.5 : Math.abs(low) * 0.05;
    low -= half; high += half;
  }
  const step = roundStep(high - low, most);
  low = Math.floor(low / step + 1e-9) * step;
  high = Math.ceil(high / step - 1e-9) * step;
  const largest = Math.max(Math.abs(low), Math.abs(high)), exponent = Math.floor(Math.log10(largest) + 1e-9);
  const power = exponent >= 5 || exponent <= -3 ? 3 * Math.floor(exponent / 3) : 0;
  const scale = Math.pow(10, power), places = Math.max(0, -Math.floor(Math.log10(step / scale) + 1e-9));
  const ticks = [];
  for (let i = 0; i <= Math.round((high - low) / step); ++i) {
    const value = low + i * step;
    ticks.push({value: value, label: (Math.abs(value) < step / 1e6 ? 0 : value / scale).toFixed(places).replace('-', '\u2212')});
  }
  return {low: low, high: high, ticks: ticks, power: power, isLog: false};
}
function share(axis, value) {
  return axis.isLog ? (Math.log10(value) - Math.log10(axis.low)) / (Math.log10(axis.high) - Math.log10(axis.low))
                    : (value - axis.low) / (axis.high - axis.low);
}
function unitLabel(axis, unit) {
  return (axis.power ? powers('1e' + axis.power).slice(2) + ' ' : '') + (unit || '');
}

const kSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500].concat([1, 2, 5, 10, 15, 30].map((s) => s * 1000))
  .concat([1, 2, 5, 10, 15, 30].map((m) => m * 60000)).concat([1, 2, 3, 6, 12].map((h) => h * 3600000))
  .concat([1, 2, 7, 14].map((d) => d * kDay));
function two(number) { return String(number).padStart(2, '0'); }
function dayOf(date) { return date.getUTCFullYear() + '-' + two(date.getUTCMonth() + 1) + '-' + two(date.getUTCDate()); }
// Ticks of a time axis: the label, and below it what it belongs to where that changes.
function timeTicks(from, to, most) {
  const rough = (to - from) / Math.max(most, 1), ticks = [];
  let above = '';
  const add = (time, label, over) => {
    ticks.push({time: time, label: label, over: over !== above ? over : ''});
    above = over;
  };
  const step = kSteps.find((one) => one >= rough);
  if (step) {
    const origin = step % (7 * kDay) === 0 ? -3 * kDay : 0;  // weeks begin on a Monday
    for (let time = Math.ceil((from - origin) / step) * step + origin; time <= to; time += step) {
      const date = new Date(time), clock = two(date.getUTCHours()) + ':' + two(date.getUTCMinutes());
      if (step >= kDay) add(time, two(date.getUTCMonth() + 1) + '-' + two(date.getUTCDate()), String(date.getUTCFullYear()));
      else if (step >= 60000) add(time, clock, dayOf(date));
      else if (step >= 1000) add(time, clock + ':' + two(date.getUTCSeconds()), dayOf(date));
      else add(time, two(date.getUTCSeconds()) + '.' + String(date.getUTCMilliseconds()).padStart(3, '0'), dayOf(date) + ' ' + clock);
    }
    return ticks;
  }
  const months = [1, 3, 6].find((one) => one * 30.4 * kDay >= rough);
  const every = months || 12 * roundStep((to - from) / (365.25 * kDay), most);
  const start = new Date(from);
  let month = months ? Math.floor((start.getUTCFullYear() * 12 + start.getUTCMonth()) / every) * every
                     : Math.floor(start.getUTCFullYear() / (every / 12)) * every;
  for (;; month += Math.max(every, 1)) {
    const time = Date.UTC(Math.floor(month / 12), month % 12, 1), date = new Date(time);
    if (time > to) return ticks;
    if (time < from) continue;
    if (months) add(time, date.getUTCFullYear() + '-' + two(date.getUTCMonth() + 1), '');
    else add(time, String(date.getUTCFullYear()), '');
  }
}
function timeText(time) {
  return new Date(Math.round(time)).toISOString().replace(/:00\.000Z$/, 'Z').replace(/\.000Z$/, 'Z').replace('T', ' ');
}

function colour(name) { return getComputedStyle(root).getPropertyValue('--' + name).trim(); }
function isBand(line) { return line.look === 'range' || line.look === 'quart'; }
function lookOf(line) {
  if (line.look === 'obs') return {colour: 'observed', width: 1.4, dash: []};
  if (line.look === 'rain') return {colour: 'rain', width: 1, dash: []};
  if (isBand(line)) return {colour: 'seriesa', width: 1, dash: []};
  if (line.look === 'difference') return {colour: 'muted', width: 1, dash: []};
  const series = /\bs(\d)/.exec(line.look);
  return {colour: 'series' + 'abcdefgh'[series ? Number(series[1]) % 8 : 0], width: 1.7,
          dash: /dash/.test(line.look) ? [5, 3] : []};
}

// What a plot is drawn with: a canvas, or the text of an SVG file.
const kFont = "11px Inter,'Segoe UI','Helvetica Neue',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif";
function CanvasPen(canvas, width, height) {
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.font = kFont;
  context.lineJoin = 'round';
  const trace = (pieces, isClosed) => {
    context.beginPath();
    for (const piece of pieces) {
      for (let i = 0; i < piece.length; i += 2) {
        if (i === 0) context.moveTo(piece[0], piece[1]); else context.lineTo(piece[i], piece[i + 1]);
      }
      if (isClosed) context.closePath();
    }
  };
  return {
    box: (x, y, w, h, fill, alpha) => {
      context.globalAlpha = alpha === undefined ? 1 : alpha; context.fillStyle = colour(fill);
      context.fillRect(x, y, w, h); context.globalAlpha = 1;
    },
    lines: (pieces, stroke, width, dash) => {
      trace(pieces, false);
      context.strokeStyle = colour(stroke); context.lineWidth = width; context.setLineDash(dash || []);
      context.stroke(); context.setLineDash([]);
    },
    areas: (pieces, fill, alpha) => {
      trace(pieces, true);
      context.globalAlpha = alpha; context.fillStyle = colour(fill); context.fill(); context.globalAlpha = 1;
    },
    dots: (points, fill, size) => {
      context.fillStyle = colour(fill);
      for (let i = 0; i < points.length; i += 2) {
        context.beginPath(); context.arc(points[i], points[i + 1], size, 0, 7); context.fill();
      }
    },
    text: (x, y, text, fill, align, turned) => {
      context.save(); context.translate(x, y); if (turned) context.rotate(-Math.PI / 2);
      context.fillStyle = colour(fill); context.textAlign = align; context.fillText(text, 0, 0); context.restore();
    },
    clip: (x, y, w, h) => { context.save(); context.beginPath(); context.rect(x, y, w, h); context.clip(); },
    unclip: () => context.restore()
  };
}
function SvgPen(width, height) {
  const out = [];
  let clips = 0;
  const safe = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
  const path = (pieces, isClosed) => pieces.map((piece) => {
    let text = '';
    for (let i = 0; i < piece.length; i += 2) text += (i ? 'L' : 'M') + piece[i].toFixed(1) + ' ' + piece[i + 1].toFixed(1);
    return text + (isClosed ? 'Z' : '');
  }).join('');
  return {
    box: (x, y, w, h, fill, alpha) => out.push('<rect x="' + x + '" y="' + y + '" width="' + w + '" height="' + h + '" fill="' +
      colour(fill) + '" fill-opacity="' + (alpha === undefined ? 1 : alpha) + '"/>'),
    lines: (pieces, stroke, width, dash) => out.push('<path d="' + path(pieces, false) + '" fill="none" stroke="' + colour(stroke) +
      '" stroke-width="' + width + '"' + (dash && dash.length ? ' stroke-dasharray="' + dash.join(' ') + '"' : '') + '/>'),
    areas: (pieces, fill, alpha) => out.push('<path d="' + path(pieces, true) + '" fill="' + colour(fill) + '" fill-opacity="' + alpha + '"/>'),
    dots: (points, fill, size) => {
      for (let i = 0; i < points.length; i += 2) {
        out.push('<circle cx="' + points[i].toFixed(1) + '" cy="' + points[i + 1].toFixed(1) + '" r="' + size + '" fill="' + colour(fill) + '"/>');
      }
    },
    text: (x, y, text, fill, align, turned) => out.push('<text transform="translate(' + x + ' ' + y + ')' + (turned ? ' rotate(-90)' : '') +
      '" fill="' + colour(fill) + '" text-anchor="' + {left: 'start', center: 'middle', right: 'end'}[align] + '">' + safe(text) + '</text>'),
    clip: (x, y, w, h) => out.push('<clipPath id="c' + (++clips) + '"><rect x="' + x + '" y="' + y + '" width="' + w + '" height="' + h +
      '"/></clipPath><g clip-path="url(#c' + clips + ')">'),
    unclip: () => out.push('</g>'),
    file: () => '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ' + width + ' ' + height + '" width="' + width + '" height="' + height +
      '" font-family="Inter,\'Segoe UI\',Roboto,\'Liberation Sans\',Arial,sans-serif" font-size="11">\n' + out.join('\n') + '\n</svg>\n'
  };
}

// The pieces of a line between two times, with at most a few points in each pixel column.
function piecesOf(line, x, y, from, to, width, isLog) {
  const pieces = [], lonely = [];
  const first = Math.max(0, firstAt(line.times, from) - 1), last = Math.min(line.times.length - 1, firstAt(line.times, to) + 1);
  const isDense = last - first > 4 * width;
  let piece = null, before = 0, column = NaN, low = 0, high = 0, isLowFirst = true;
  const end = () => {
    if (piece && piece.length === 2) lonely.push(piece[0], piece[1]); else if (piece) pieces.push(piece);
    piece = null;
  };
  const flush = () => {
    if (piece && column === column && low < high) {
      if (isLowFirst) piece.push(column, low, column, high); else piece.push(column, high, column, low);
    }
    column = NaN;
  };
  for (let i = first; i <= last; ++i) {
    const value = line.values[i];
    if (!isFinite(value) || (isLog && value <= 0)) { flush(); end(); continue; }
    const px = x(line.times[i]), py = y(value);
    if (piece && line.begins && line.begins[i] - line.times[i - 1] > 1 && !line.of) { flush(); end(); }
    const isNew = !piece;
    if (isNew) { piece = []; if (line.begins && line.begins[i] < line.times[i]) piece.push(x(line.begins[i]), py); }
    if (isDense && !isNew && Math.round(px) === column) {
      if (py < low) { low = py; isLowFirst = true; }
      if (py > high) { high = py; isLowFirst = false; }
      before = py;
      continue;
    }
    flush();
    if (line.isStep && !isNew && py !== before) piece.push(x(line.begins ? line.begins[i] : line.times[i - 1]), py);
    piece.push(px, py);
    before = py;
    if (isDense) { column = Math.round(px); low = high = py; }
  }
  flush();
  end();
  return {pieces: pieces, lonely: lonely};
}

function button(text, title, act) {
  const made = document.createElement('button');
  made.type = 'button'; made.textContent = text; made.title = title;
  made.addEventListener('click', act);
  return made;
}
function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob); link.download = name; link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
function cell(text) { return /[",\n]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text; }

const tip = document.createElement('div');
tip.className = 'tip'; tip.hidden = true;
tip.setAttribute('role', 'status');
document.body.appendChild(tip);

// A plot in place of the picture `svg`. Its lines come from `data-plot`, or from `given` of the same form.
function Plot(svg, given) {
  const data = given || JSON.parse(svg.getAttribute('data-plot')), box = svg.parentNode, figure = svg.closest('figure');
  let from = (data.from - kEpoch) * kDay, to = (data.to - kEpoch) * kDay;
  const self = {from: from, to: to, lines: data.lines.map((line) => lineOf(line, from)), isLog: false, cursor: null, brush: null};
  const titled = figure ? figure.querySelector('figcaption b') : null;
  self.title = titled ? titled.textContent : 'plot';
  const height = svg.viewBox.baseVal.height, canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.className = 'plot';
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', self.title + ', plot over time. Left and right move the reading, with shift the time shown; ' +
    'plus and minus zoom, 0 shows all, L is a logarithmic axis.');
  const keys = document.createElement('div');
  keys.className = 'keys';
  svg.classList.add('still');
  box.insertBefore(canvas, svg);
  box.parentNode.insertBefore(keys, box);
  box.classList.add('live');

  const isWhole = () => self.from <= from && self.to >= to;
  const rain = self.lines.filter((line) => line.look === 'rain'), flows = self.lines.filter((line) => line.look !== 'rain');
  const isShown = (line) => line.isOn && !isBand(line);
  const canLog = flows.some((line) => line.look !== 'difference' && line.values.some((value) => value > 0));

  function rangeOf(lines, isLog) {
    let low = Infinity, high = -Infinity;
    for (const line of lines) {
      if (!line.isOn) continue;
      const first = Math.max(0, firstAt(line.times, self.from) - (line.begins ? 0 : 1));
      const last = Math.min(line.times.length - 1, firstAt(line.times, self.to) + (line.begins ? 0 : 1));
      for (let i = first; i <= last; ++i) {
        const value = line.values[i];
        if (isFinite(value) && (!isLog || value > 0)) { if (value < low) low = value; if (value > high) high = value; }
      }
    }
    return [low, high];
  }

  function draw(pen, width) {
    const ticks = timeTicks(self.from, self.to, (width - kLeft - kRight) / 88), hasOver = ticks.some((tick) => tick.over);
    const bottom = height - (hasOver ? 38 : 24), left = kLeft, right = width - kRight;
    const x = (time) => left + (time - self.from) / (self.to - self.from) * (right - left);
    pen.box(0, 0, width, height, 'panel');
    let top = 10;
    const panel = (lines, upper, lower, isInverted, axis) => {
      const y = (value) => {
        const part = Math.max(-2, Math.min(3, share(axis, value)));
        return isInverted ? upper + part * (lower - upper) : lower - part * (lower - upper);
      };
      for (const span of data.spans) {
        const a = Math.max(left, x(from + span.from * 1000)), b = Math.min(right, x(from + span.to * 1000));
        if (b > a) pen.box(a, upper, b - a, lower - upper, 'warmup');
        if (b - a > 60 && !isInverted) pen.text(a + 6, upper + 14, span.n, 'muted', 'left');
      }
      pen.lines(ticks.map((tick) => [x(tick.time), upper, x(tick.time), lower]), 'faint', 1);
      for (const tick of axis.ticks) {
        const at = y(tick.value);
        if (at < upper - 1 || at > lower + 1) continue;
        pen.lines([[left, at, right, at]], tick.value === 0 ? 'border' : 'faint', 1);
        pen.text(left - 8, at + 3.8, tick.label, 'muted', 'right');
      }
      const named = lines.find((line) => line.isOn) || lines[0];
      if (named) pen.text(13, (upper + lower) / 2, unitLabel(axis, named.unit), 'muted', 'center', true);
      pen.clip(left, upper, right - left, lower - upper);
      for (const look of ['range', 'quart']) {
        const edges = lines.filter((line) => line.look === look && line.isOn)
          .map((line) => piecesOf(line, x, y, self.from, self.to, right - left, self.isLog).pieces);
        if (edges.length !== 2) continue;
        edges[1].forEach((piece, i) => {
          if (!edges[0][i]) return;
          const back = [];
          for (let k = edges[0][i].length - 2; k >= 0; k -= 2) back.push(edges[0][i][k], edges[0][i][k + 1]);
          pen.areas([piece.concat(back)], 'seriesa', 0.17);
        });
      }
      for (const line of lines) {
        if (!isShown(line)) continue;
        const look = lookOf(line), drawn = piecesOf(line, x, y, self.from, self.to, right - left, self.isLog && !isInverted);
        if (line.look === 'rain' || line.look === 'difference') {
          const zero = y(0);
          const closed = (pieces) => pieces.map((piece) => [piece[0], zero].concat(piece, [piece[piece.length - 2], zero]));
          if (line.look === 'rain') { pen.areas(closed(drawn.pieces), look.colour, 1); continue; }
          pen.clip(left, upper, right - left, Math.max(0, zero - upper)); pen.areas(closed(drawn.pieces), 'seriesb', 0.55); pen.unclip();
          pen.clip(left, zero, right - left, Math.max(0, lower - zero)); pen.areas(closed(drawn.pieces), 'seriesa', 0.55); pen.unclip();
          pen.lines([[left, zero, right, zero]], 'muted', 1);
          continue;
        }
        const isSparse = line.isDots || (right - left) / Math.max(1, drawn.pieces.reduce((sum, piece) => sum + piece.length / 2, 0)) > 14;
        if (!line.isDots) pen.lines(drawn.pieces, look.colour, look.width, look.dash);
        pen.dots(drawn.lonely, look.colour, 2);
        if (isSparse && !line.isStep) drawn.pieces.forEach((piece) => pen.dots(piece, look.colour, 2));
      }
      pen.unclip();
    };
    self.panels = [];
    if (rain.some((line) => line.isOn)) {
      const lower = top + Math.floor((bottom - top) * 0.24), range = rangeOf(rain, false);
      const axis = valueAxis(0, Math.max(range[1], 0), 3, false);
      panel(rain, top, lower, true, axis);
      top = lower + 18;
    }
    const range = rangeOf(flows, self.isLog);
    let low = range[0], high = range[1];
    if (!self.isLog && low > 0 && low < 0.6 * high) low = 0;
    if (!self.isLog && high < 0 && high > 0.6 * low) high = 0;
    if (flows.some((line) => line.look === 'difference')) { low = Math.min(low, 0); high = Math.max(high, 0); }
    panel(flows, top, bottom, false, valueAxis(low, high, Math.floor((bottom - top) / 42) + 1, self.isLog));
    for (const tick of ticks) {
      const at = x(tick.time);
      pen.text(Math.min(at, right), bottom + 16, tick.label, 'muted', at > right - 20 ? 'right' : 'center');
      if (tick.over) pen.text(Math.min(Math.max(at, left), right), bottom + 29, tick.over, 'ink', at > right - 40 ? 'right' : 'center');
    }
    self.x = x; self.left = left; self.right = right;
    return {top: 10, bottom: bottom};
  }

  let asked = false;
  self.redraw = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      const width = box.clientWidth;
      if (width < 50) return;
      canvas.style.height = height + 'px';
      const pen = CanvasPen(canvas, width, height), area = draw(pen, width);
      if (self.brush) {
        const a = Math.min(self.brush[0], self.brush[1]), b = Math.max(self.brush[0], self.brush[1]);
        pen.box(a, area.top, b - a, area.bottom - area.top, 'accent', 0.18);
      }
      if (!isWhole()) {  // where the part stands in the whole
        const part = (time) => self.left + (time - from) / (to - from) * (self.right - self.left);
        pen.box(self.left, 3, self.right - self.left, 3, 'faint');
        pen.box(part(self.from), 3, Math.max(3, part(self.to) - part(self.from)), 3, 'accent');
      }
      if (self.cursor !== null && self.cursor >= self.from && self.cursor <= self.to) {
        pen.lines([[self.x(self.cursor), area.top, self.x(self.cursor), area.bottom]], 'muted', 1, [3, 3]);
      }
      whole.hidden = isWhole();
    });
  };

  self.show = (first, last, isShared) => {
    const least = Math.max((to - from) / 1e6, 1);
    if (last - first < least) { const middle = (first + last) / 2; first = middle - least / 2; last = middle + least / 2; }
    const span = Math.min(last - first, to - from);
    first = Math.max(from, Math.min(first, to - span));
    self.from = first; self.to = first + span;
    self.redraw();
    if (together && !isShared) plots.forEach((plot) => { if (plot !== self) plot.show(first, first + span, true); });
  };
  // New values of the same lines, such as those of a run that goes on.
  self.take = (next) => {
    const wasWhole = isWhole();
    from = (next.from - kEpoch) * kDay; to = (next.to - kEpoch) * kDay;
    next.lines.forEach((line, i) => Object.assign(self.lines[i], lineOf(line, from), {isOn: self.lines[i].isOn}));
    if (wasWhole) { self.from = from; self.to = to; }
    self.redraw();
  };
  const zoom = (factor, at) => self.show(at - (at - self.from) * factor, at + (self.to - at) * factor);
  const pan = (part) => { const by = part * (self.to - self.from); self.show(self.from + by, self.to + by); };
  const timeAt = (event) => {
    const rect = canvas.getBoundingClientRect();
    return self.from + (event.clientX - rect.left - self.left) / (self.right - self.left) * (self.to - self.from);
  };

  // The reading at the point that is nearest to a time.
  function read(time, place) {
    let best = null;
    for (const line of self.lines) {
      if (!line.isOn || !line.times.length) continue;
      const at = line.times[nearest(line.times, time)];
      if (best === null || Math.abs(at - time) < Math.abs(best - time)) best = at;
    }
    self.cursor = best;
    self.redraw();
    if (together) plots.forEach((plot) => { if (plot !== self) { plot.cursor = best; plot.redraw(); } });
    if (best === null) { tip.hidden = true; return; }
    tip.textContent = '';
    const head = document.createElement('b');
    head.textContent = timeText(best);
    tip.appendChild(head);
    let isThinned = false;
    for (const line of self.lines) {
      if (!line.isOn || !line.times.length) continue;
      const i = nearest(line.times, best);
      if (Math.abs(line.times[i] - best) > (self.to - self.from) / 100) continue;
      const row = document.createElement('div'), name = document.createElement('span'), value = document.createElement('span');
      name.textContent = line.name || self.title;
      value.textContent = isFinite(line.values[i]) ? digits(line.values[i], 6) + ' ' + line.unit : 'missing';
      row.appendChild(name); row.appendChild(value); tip.appendChild(row);
      isThinned = isThinned || line.of > 0;
    }
    if (isThinned) {
      const note = document.createElement('small');
      note.textContent = 'drawn from the smallest and largest values; the results files hold all';
      tip.appendChild(note);
    }
    tip.hidden = false;
    const rect = canvas.getBoundingClientRect();
    const px = place ? place.clientX : rect.left + self.x(best), py = place ? place.clientY : rect.top + 30;
    let left = px + 16;
    if (left + tip.offsetWidth > window.innerWidth - 8) left = px - 16 - tip.offsetWidth;
    tip.style.left = Math.max(4, left) + 'px';
    tip.style.top = Math.max(4, Math.min(py + 14, window.innerHeight - tip.offsetHeight - 8)) + 'px';
  }
  const unread = () => { self.cursor = null; tip.hidden = true; self.redraw(); };

  // Pointers: drag chooses a part, with shift it moves; two fingers zoom, one moves what is zoomed.
  const down = new Map();
  let drag = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button > 0) return;
    down.set(event.pointerId, event.clientX);
    canvas.setPointerCapture(event.pointerId);
    const rect = canvas.getBoundingClientRect(), x = event.clientX - rect.left;
    drag = {x: x, from: self.from, to: self.to, isPan: event.shiftKey || event.pointerType === 'touch'};
  });
  canvas.addEventListener('pointermove', (event) => {
    const rect = canvas.getBoundingClientRect(), x = event.clientX - rect.left, width = self.right - self.left;
    if (down.size === 2) {
      const others = Array.from(down.entries()).filter((one) => one[0] !== event.pointerId).map((one) => one[1]);
      const before = Math.abs(down.get(event.pointerId) - others[0]), now = Math.abs(event.clientX - others[0]);
      if (before > 8 && now > 8) zoom(before / now, timeAt(event));
      down.set(event.pointerId, event.clientX);
      return;
    }
    if (drag && down.size === 1 && drag.isPan) {
      if (!isWhole()) {
        const by = (drag.x - x) / width * (drag.to - drag.from);
        self.show(drag.from + by, drag.to + by);
        return;
      }
    } else if (drag && down.size === 1 && Math.abs(x - drag.x) > 4) {
      self.brush = [Math.max(self.left, Math.min(drag.x, self.right)), Math.max(self.left, Math.min(x, self.right))];
    }
    const time = timeAt(event);
    if (time < self.from || time > self.to) { unread(); return; }
    read(time, event);
  });
  const release = (event) => {
    down.delete(event.pointerId);
    if (self.brush) {
      const time = (x) => self.from + (x - self.left) / (self.right - self.left) * (self.to - self.from);
      const a = time(Math.min(self.brush[0], self.brush[1])), b = time(Math.max(self.brush[0], self.brush[1]));
      self.brush = null;
      self.show(a, b);
    }
    drag = null;
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => { if (!down.size) unread(); });
  canvas.addEventListener('blur', unread);
  canvas.addEventListener('dblclick', () => self.show(from, to));
  canvas.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;  // the page scrolls
    event.preventDefault();
    if (event.shiftKey) pan(Math.sign(event.deltaY || event.deltaX) * 0.1);
    else zoom(Math.pow(1.0015, Math.max(-300, Math.min(300, event.deltaY))), timeAt(event));
  }, {passive: false});
  canvas.addEventListener('keydown', (event) => {
    const middle = self.cursor !== null ? self.cursor : (self.from + self.to) / 2;
    const steps = {ArrowLeft: -1, ArrowRight: 1};
    if (steps[event.key] && event.shiftKey) pan(0.1 * steps[event.key]);
    else if (steps[event.key]) {
      const line = self.lines.find((one) => one.isOn && one.times.length);
      if (!line) return;
      const i = self.cursor === null ? nearest(line.times, middle) : nearest(line.times, middle) + steps[event.key];
      const at = line.times[Math.max(0, Math.min(line.times.length - 1, i))];
      if (at < self.from || at > self.to) pan(0.5 * steps[event.key]);
      read(at, null);
    } else if (event.key === '+' || event.key === '=') zoom(0.6, middle);
    else if (event.key === '-') zoom(1 / 0.6, middle);
    else if (event.key === '0' || event.key === 'Home') self.show(from, to);
    else if (event.key === 'Escape') unread();
    else if ((event.key === 'l' || event.key === 'L') && canLog) log.click();
    else return;
    event.preventDefault();
  });

  // Lines on and off, and what else can be done.
  const toggles = self.lines.filter((line) => !isBand(line)).map((line) => ({lines: [line], name: line.name}));
  for (const look of ['quart', 'range']) {
    const edges = self.lines.filter((line) => line.look === look);
    if (edges.length === 2) toggles.unshift({lines: edges, name: edges[0].name + ' to ' + edges[1].name, isArea: true});
  }
  if (toggles.length > 1) {
    for (const toggle of toggles) {
      const look = lookOf(toggle.lines[0]), made = button(toggle.name, 'shows or hides this line; with Alt, this line alone', (event) => {
        if (event.altKey) {
          const isAlone = toggles.every((one) => one.lines[0].isOn === (one === toggle));
          toggles.forEach((one) => one.lines.forEach((line) => { line.isOn = isAlone || one === toggle; }));
        } else {
          toggle.lines.forEach((line) => { line.isOn = !line.isOn; });
        }
        toggles.forEach((one) => one.made.setAttribute('aria-pressed', String(one.lines[0].isOn)));
        self.redraw();
      });
      const sample = document.createElement('i');
      sample.style.background = 'var(--' + look.colour + ')';
      if (toggle.isArea) sample.className = 'area';
      if (look.dash.length) sample.className = 'dash';
      made.insertBefore(sample, made.firstChild);
      made.setAttribute('aria-pressed', 'true');
      toggle.made = made;
      keys.appendChild(made);
    }
  }
  const tools = document.createElement('span');
  tools.className = 'tools';
  keys.appendChild(tools);
  const whole = button('show all', 'shows the whole time again (double click, or 0)', () => self.show(from, to));
  whole.hidden = true;
  tools.appendChild(whole);
  const log = button('log', 'a logarithmic axis of values', () => {
    self.isLog = !self.isLog;
    log.setAttribute('aria-pressed', String(self.isLog));
    self.redraw();
  });
  log.setAttribute('aria-pressed', 'false');
  if (canLog) tools.appendChild(log);
  let scatter = null;
  const against = button('scatter', 'one line against another', () => {
    if (scatter) { scatter.remove(); scatter = null; } else { scatter = Scatter(self); box.parentNode.insertBefore(scatter, box.nextSibling); }
    against.setAttribute('aria-pressed', String(scatter !== null));
  });
  against.setAttribute('aria-pressed', 'false');
  tools.appendChild(against);
  const fileName = self.title.replace(/[^\w.-]+/g, '-') || 'plot';
  tools.appendChild(button('CSV', 'the values that are shown, as a table; the results files hold every value', () => {
    const rows = ['series,unit,time,value'];
    for (const line of self.lines) {
      if (!line.isOn) continue;
      for (let i = 0; i < line.times.length; ++i) {
        if (line.times[i] < self.from || line.times[i] > self.to) continue;
        const time = new Date(Math.round(line.times[i])).toISOString().replace(/\.000Z$/, 'Z');
        rows.push([cell(line.name || self.title), cell(line.unit), time, isFinite(line.values[i]) ? Number(line.values[i].toPrecision(7)) : ''].join(','));
      }
    }
    save(fileName + '.csv', new Blob([rows.join('\n') + '\n'], {type: 'text/csv'}));
  }));
  tools.appendChild(button('PNG', 'this picture as it is shown', () => canvas.toBlob((blob) => save(fileName + '.png', blob))));
  tools.appendChild(button('SVG', 'this picture as it is shown, to print or to edit', () => {
    const pen = SvgPen(box.clientWidth, height);
    draw(pen, box.clientWidth);
    save(fileName + '.svg', new Blob([pen.file()], {type: 'image/svg+xml'}));
  }));
  if (window.ResizeObserver) new ResizeObserver(self.redraw).observe(box);
  box.dispatchEvent(new Event('scroll'));  // it is as wide as the page now
  self.redraw();
  return self;
}

// A picture of one line against another: values of equal times, their correlation, and where both are equal.
function Scatter(plot) {
  const made = document.createElement('div'), canvas = document.createElement('canvas'), said = document.createElement('p');
  made.className = 'scatter';
  said.className = 'fine';
  plots.forEach((one) => one.start());
  const all = [];
  for (const one of [plot].concat(plots.filter((other) => other !== plot))) {
    for (const line of one.lines) if (!isBand(line) && line.times.length) all.push({line: line, name: one.title + (line.name && line.name !== one.title ? ', ' + line.name : '')});
  }
  const choose = (label, at) => {
    const outer = document.createElement('label'), list = document.createElement('select');
    outer.textContent = label + ' ';
    all.forEach((one, i) => { const option = document.createElement('option'); option.value = String(i); option.textContent = one.name; list.appendChild(option); });
    list.selectedIndex = Math.min(at, all.length - 1);
    list.addEventListener('change', draw);
    outer.appendChild(list);
    made.appendChild(outer);
    return list;
  };
  const shown = plot.lines.filter((line) => line.isOn && !isBand(line) && line.look !== 'rain');
  const place = (line, otherwise) => Math.max(0, line ? all.findIndex((one) => one.line === line) : otherwise);
  const alike = all.findIndex((one) => shown[0] && one.line.unit === shown[0].unit && one.name !== plot.title && plot.lines.indexOf(one.line) < 0);
  const across = choose('across', place(shown[0], 0)), up = choose('up', place(shown[1], alike < 0 ? 1 : alike));
  made.appendChild(canvas);
  made.appendChild(said);
  function draw() {
    const a = all[across.selectedIndex].line, b = all[up.selectedIndex].line, xs = [], ys = [];
    for (let i = 0, k = 0; i < a.times.length && k < b.times.length;) {
      const gap = a.times[i] - b.times[k];
      if (Math.abs(gap) < 1) {
        if (isFinite(a.values[i]) && isFinite(b.values[k])) { xs.push(a.values[i]); ys.push(b.values[k]); }
        ++i; ++k;
      } else if (gap < 0) ++i; else ++k;
    }
    const size = 420, pen = CanvasPen(canvas, size, size);
    canvas.style.width = canvas.style.height = size + 'px';
    pen.box(0, 0, size, size, 'panel');
    if (!xs.length) { said.textContent = 'These two lines have no values at equal times.'; return; }
    const ends = (list) => list.reduce((range, value) => [Math.min(range[0], value), Math.max(range[1], value)], [Infinity, -Infinity]);
    let rangeX = ends(xs), rangeY = ends(ys);
    if (a.unit === b.unit) rangeX = rangeY = [Math.min(rangeX[0], rangeY[0]), Math.max(rangeX[1], rangeY[1])];
    const axisX = valueAxis(rangeX[0], rangeX[1], 6, false), axisY = valueAxis(rangeY[0], rangeY[1], 8, false);
    const x = (value) => kLeft + share(axisX, value) * (size - kLeft - kRight), y = (value) => size - 44 - share(axisY, value) * (size - 54);
    for (const tick of axisX.ticks) { pen.lines([[x(tick.value), 10, x(tick.value), size - 44]], 'faint', 1); pen.text(x(tick.value), size - 28, tick.label, 'muted', 'center'); }
    for (const tick of axisY.ticks) { pen.lines([[kLeft, y(tick.value), size - kRight, y(tick.value)]], 'faint', 1); pen.text(kLeft - 8, y(tick.value) + 4, tick.label, 'muted', 'right'); }
    pen.text(size / 2 + 20, size - 10, all[across.selectedIndex].name + ' [' + unitLabel(axisX, a.unit) + ']', 'ink', 'center');
    pen.text(13, size / 2 - 20, all[up.selectedIndex].name + ' [' + unitLabel(axisY, b.unit) + ']', 'ink', 'center', true);
    if (a.unit === b.unit) pen.lines([[x(axisX.low), y(axisX.low), x(axisX.high), y(axisX.high)]], 'muted', 1, [4, 4]);
    const points = [];
    for (let i = 0; i < xs.length; ++i) points.push(x(xs[i]), y(ys[i]));
    pen.dots(points, 'seriesa', xs.length > 3000 ? 1.1 : 2);
    const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length, mx = mean(xs), my = mean(ys);
    let sxy = 0, sxx = 0, syy = 0;
    for (let i = 0; i < xs.length; ++i) { sxy += (xs[i] - mx) * (ys[i] - my); sxx += (xs[i] - mx) ** 2; syy += (ys[i] - my) ** 2; }
    const r = sxx > 0 && syy > 0 ? (sxy / Math.sqrt(sxx * syy)).toFixed(3) : 'unknown, as one does not change';
    said.textContent = xs.length + ' pairs of values at equal times; correlation ' + r + (a.of || b.of ? '; of lines that are thinned out, only common points count' : '') + '.';
  }
  draw();
  return made;
}

// Plots start when they come near the window: a page with many opens at once.
document.querySelectorAll('svg[data-plot]').forEach((svg) => {
  const holder = {title: '', lines: [], show: () => {}, redraw: () => {}, cursor: null, start: () => {
    if (holder.isStarted) return;
    holder.isStarted = true;
    const index = plots.indexOf(holder), plot = Plot(svg);
    plot.start = () => {};
    plots[index] = plot;
    if (together) { const first = plots.find((one) => one.from); if (first) plot.show(first.from, first.to, true); }
  }};
  plots.push(holder);
  if (!window.IntersectionObserver) { holder.start(); return; }
  const seen = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) { seen.disconnect(); holder.start(); }
  }, {rootMargin: '300px'});
  seen.observe(svg);
});
// A plot of a page that makes it while it is shown: `svg` is in its place already.
function add(svg, data) {
  const plot = Plot(svg, data);
  plot.start = () => {};
  plots.push(plot);
  plot.leave = () => plots.splice(plots.indexOf(plot), 1);
  return plot;
}
window.openmiPage = {numbersOf: numbersOf, timeText: timeText, digits: digits, button: button, tip: tip, add: add};
// The timeline of processes: what one did in the part of the time under the pointer, or chosen by the arrow keys.
document.querySelectorAll('svg[data-waits]').forEach((svg) => {
  const data = JSON.parse(svg.getAttribute('data-waits')), width = data.columns.length;
  const values = data.v.map((text) => numbersOf(text, Float32Array)), bins = Math.ceil(data.to / data.bin);
  const mark = document.createElementNS(svg.namespaceURI, 'rect');
  mark.setAttribute('class', 'mark');
  mark.setAttribute('height', data.height);
  let bin = 0, row = 0;
  function show() {
    const from = bin * data.bin, to = Math.min(from + data.bin, data.to), scale = data.width / data.to;
    const part = values[row].subarray(bin * width, (bin + 1) * width), all = part.reduce((sum, value) => sum + value, 0);
    const lines = [];
    part.forEach((value, column) => {
      if (all > 0 && value > 0.005 * all) lines.push([(column ? 'waiting for ' : '') + data.columns[column], digits(100 * value / all, 3) + ' %']);
    });
    tip.textContent = '';
    const head = document.createElement('b');
    head.textContent = data.names[row] + ', ' + digits(from, 4) + ' to ' + digits(to, 4) + ' s';
    tip.appendChild(head);
    for (const texts of lines) {
      const line = document.createElement('div');
      for (const text of texts) { const cell = document.createElement('span'); cell.textContent = text; line.appendChild(cell); }
      tip.appendChild(line);
    }
    mark.setAttribute('x', data.left + from * scale);
    mark.setAttribute('width', Math.max((to - from) * scale, 2));
    mark.setAttribute('y', data.top + row * data.row + (data.row - data.height) / 2);
    svg.appendChild(mark);
    tip.hidden = false;
    const box = mark.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(box.right + 10, window.innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = Math.max(4, Math.min(box.bottom + 8, window.innerHeight - tip.offsetHeight - 8)) + 'px';
  }
  function hide() { tip.hidden = true; mark.remove(); }
  const within = (value, count) => Math.max(0, Math.min(count - 1, value));
  svg.setAttribute('tabindex', '0');
  svg.addEventListener('pointermove', (event) => {
    const box = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / box.width;
    const x = (event.clientX - box.left) * scale - data.left, y = (event.clientY - box.top) * scale - data.top;
    if (x < 0 || x > data.width || y < 0 || y > data.row * values.length) { hide(); return; }
    bin = within(Math.floor(x / data.width * data.to / data.bin), bins);
    row = within(Math.floor(y / data.row), values.length);
    show();
  });
  svg.addEventListener('pointerleave', hide);
  svg.addEventListener('blur', hide);
  svg.addEventListener('keydown', (event) => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    if (event.key === 'Escape') hide();
    if (!step) return;
    event.preventDefault();
    bin = within(bin + step[0], bins);
    row = within(row + step[1], values.length);
    show();
  });
});
const redrawAll = () => plots.forEach((plot) => plot.redraw());
new MutationObserver(redrawAll).observe(root, {attributes: true, attributeFilter: ['data-theme']});
window.matchMedia('(prefers-color-scheme:dark)').addEventListener('change', redrawAll);
const over = document.querySelector('.over');
if (over && plots.length > 1) {
  const all = button('zoom all plots together', 'each plot over time shows the same part', () => {
    together = !together;
    all.setAttribute('aria-pressed', String(together));
  });
  all.setAttribute('aria-pressed', 'false');
  over.appendChild(all);
}
if (plots.length) {
  const hint = document.createElement('p');
  hint.className = 'fine hint';
  hint.textContent = 'Plots over time: drag to zoom in, double click to see all again; Ctrl and the wheel, two fingers, or + and - zoom as well; shift and drag moves.';
  const figure = document.querySelector('svg[data-plot]').closest('figure');
  if (figure) figure.parentNode.insertBefore(hint, figure);
}
})();
