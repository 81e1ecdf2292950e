/** Slack's charts with axes as SVG. Pure. */
import { listOrEmpty, objectOrEmpty, objectsInList, stringOrUndefined } from '../../slack/json-reading.ts';
import type { JsonObject } from '../../slack/objects.ts';
import { escapeHtml } from './text-objects.ts';

/** As wide as a thread's pane. */
const [WIDTH, HEIGHT] = [290, 180];
const PLOT = { left: 40, right: WIDTH - 4, top: 8, bottom: HEIGHT - 40 };
/** Of a bar and its gap. */
const BAR_SHARE = 0.7;
/** Of a label's character, on average. */
const CHARACTER = 5.5;
/** The style sheet has as many colors. */
const COLORS = 2;

interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

function readSeries(chart: JsonObject, categories: readonly string[]): readonly Series[] {
  return objectsInList(chart['series']).map(({ name, data }) => {
    const values = new Map(objectsInList(data).map(({ label, value }) => [label, Number(value)]));
    return { name: String(name), values: categories.map((category) => values.get(category) ?? 0) };
  });
}

/** The next number above that is easy to read: 1, 2 or 5 with zeros. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value;
}

function textAt(x: number, y: number, anchor: 'start' | 'middle' | 'end', words: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${escapeHtml(words)}</text>`;
}

function axes(categories: readonly string[], top: number, yOf: (value: number) => number): string {
  const lines = [0, top / 2, top].map((value) => {
    const y = yOf(value);
    const line = `<line x1="${PLOT.left}" x2="${PLOT.right}" y1="${y}" y2="${y}"/>`;
    return `${line}${textAt(PLOT.left - 6, y + 4, 'end', value.toLocaleString('en-US'))}`;
  });
  const width = (PLOT.right - PLOT.left) / categories.length;
  const every = Math.ceil((Math.max(...categories.map(({ length }) => length)) * CHARACTER) / width);
  const labels = categories.map((label, at) =>
    at % every === 0 ? textAt(PLOT.left + width * (at + 0.5), PLOT.bottom + 16, 'middle', label) : '',
  );
  return [...lines, ...labels].join('');
}

function bars(series: readonly Series[], width: number, yOf: (value: number) => number): string {
  const bar = (width * BAR_SHARE) / series.length;
  return series
    .map(({ values }, index) => {
      const rects = values.map((value, at) => {
        const x = PLOT.left + width * (at + (1 - BAR_SHARE) / 2) + bar * index;
        return `<rect x="${x}" y="${yOf(value)}" width="${bar}" height="${yOf(0) - yOf(value)}"/>`;
      });
      return `<g class="series-${index % COLORS}">${rects.join('')}</g>`;
    })
    .join('');
}

function lines(series: readonly Series[], width: number, yOf: (value: number) => number): string {
  return series
    .map(({ values }, index) => {
      const points = values.map((value, at) => `${PLOT.left + width * (at + 0.5)},${yOf(value)}`);
      return `<polyline class="series-${index % COLORS}" points="${points.join(' ')}"/>`;
    })
    .join('');
}

/** A `data_visualization` block with axes; the numbers are in its label. */
export function chartHtml(block: JsonObject): string {
  const title = stringOrUndefined(block['title']) ?? '';
  const chart = objectOrEmpty(block['chart']);
  const axis = objectOrEmpty(chart['axis_config']);
  const categories = listOrEmpty(axis['categories']).map(String);
  const series = readSeries(chart, categories);
  const top = roundUp(Math.max(...series.flatMap(({ values }) => values)));
  const yOf = (value: number) => PLOT.bottom - (value / top) * (PLOT.bottom - PLOT.top);
  const width = (PLOT.right - PLOT.left) / Math.max(1, categories.length);
  const drawn = (chart['type'] === 'bar' ? bars : lines)(series, width, yOf);
  const descriptions = series.map(
    ({ name, values }) =>
      `${name}: ${values.map((value, at) => `${categories[at] ?? ''} ${value}`).join(', ')}`,
  );
  const keys = series.map(
    ({ name }, index) => `<span class="key series-${index % COLORS}">${escapeHtml(name)}</span>`,
  );
  const axisName = textAt(
    (PLOT.left + PLOT.right) / 2,
    HEIGHT - 8,
    'middle',
    stringOrUndefined(axis['x_label']) ?? '',
  );
  return (
    `<figure class="chart"><figcaption>${escapeHtml(title)}</figcaption>` +
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(descriptions.join('; '))}">` +
    `${axes(categories, top, yOf)}${drawn}${axisName}</svg>` +
    `${series.length > 1 ? `<div class="keys">${keys.join('')}</div>` : ''}</figure>`
  );
}
