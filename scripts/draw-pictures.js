/**
 * Draws the example charts of docs/pictures for review: `npm run pictures` compiles the renderer and calls
 * this.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { keepProcessAlive, machineClock } from '../dist/clock.js';
import { createChartRenderer } from '../dist/pictures/chart-renderer.js';
import { describeChart } from '../dist/pictures/describe-chart.js';

const DAY = 86_400_000;
const folder = new URL('../docs/pictures/', import.meta.url);
const startsAt = Date.UTC(2026, 9, 31, 23);
const resetsAt = startsAt + 30 * DAY;

/** Daily spending of about this many credits, more on weekdays. */
function spending(days, daily) {
  let total = 0;
  return Array.from({ length: Math.round(days * 8) }, (_, at) => {
    const isWeekend = Math.floor(at / 8) % 7 === 0 || Math.floor(at / 8) % 7 === 6;
    total += Math.round((daily / 8) * (isWeekend ? 0.3 : 1.25) * (0.4 + ((at * 7) % 5) * 0.3));
    return { at: startsAt + (at / 8) * DAY, total };
  });
}

function burn(days, daily, more) {
  const now = startsAt + days * DAY;
  return {
    kind: 'burn',
    timezone: 'Europe/Berlin',
    startsAt,
    resetsAt,
    now,
    spent: spending(days, daily),
    ...more,
  };
}

/** A week of activity in office hours. */
const week = (height) =>
  Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_, hour) => {
      const wave = Math.exp(-(((hour - 15) / 4.5) ** 2)) * (day > 4 ? 0.4 : 1 - Math.abs(day - 1) * 0.08);
      return Math.round(height * (wave + (((hour * 5 + day * 11) % 7) / 7) * 0.12));
    }),
  );
const none = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));

const examples = {
  burn: burn(14.4, 24, { limit: 500, runsOutAt: startsAt + 19.5 * DAY }),
  'burn-calm': burn(21, 8, { limit: 500 }),
  'burn-unlimited': burn(11, 3000, {}),
  funnel: { kind: 'funnel', days: 30, sent: 412, viewed: 187, interviewed: 46, hired: 9 },
  hours: { kind: 'hours', days: 30, timezone: 'Europe/Berlin', counts: week(40) },
  'hours-empty': { kind: 'hours', days: 30, timezone: 'Europe/Berlin', counts: none },
};

keepProcessAlive();
await mkdir(folder, { recursive: true });
const pictures = createChartRenderer({ clock: machineClock });
for (const [name, picture] of Object.entries(examples)) {
  const { png, width, height } = await pictures.renderChart(picture);
  await writeFile(new URL(`${name}.png`, folder), png);
  console.log(
    `${name}.png: ${width} x ${height}, ${Math.round(png.length / 1000)} kB. ${describeChart(picture).alt}`,
  );
}
await pictures.close();
process.exit(0);
