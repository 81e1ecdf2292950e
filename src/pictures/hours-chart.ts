/** When projects are published: the hours of the week, the darker the more. Pure. */
import { busiestHours, DAYS, HOURS, NAMED, type WeekHour, weekHours } from './busiest-hours.ts';
import { describePicture } from './describe-picture.ts';
import {
  BASE,
  type Chart,
  COLOURS,
  heading,
  MARGIN,
  RIGHT,
  SMALL,
  SMALLEST_TEXT,
  text,
  WIDTH,
  widthOf,
} from './look.ts';
import type { HoursPicture } from './pictures.ts';
import { count, number } from './words.ts';

const TOP = 230;
const LEFT = 132;
const CELL = { width: (RIGHT - LEFT) / HOURS, height: 58 };
const BOTTOM = TOP + DAYS.length * CELL.height;
const HEIGHT = BOTTOM + 104;
/** One blue from pale to dark: its lightness alone tells the number, whatever colours somebody sees. */
const SHADES = ['#E2E8F0', '#B5D3EC', '#6CAAD9', '#2A78B8', '#0A3F75'];
const SCALE_CELL = 44;

/** What few projects bring is told apart from none, also where one hour has very many. */
const shade = (projects: number) => Math.sqrt(projects);

/** How many projects each shade stands for, in words at the ends. */
function scale(most: number) {
  const y = BOTTOM + 62;
  const style = { size: SMALL, colour: COLOURS.muted };
  const last = text(count(most, 'project'), RIGHT, y, { ...style, align: 'right' });
  const width = widthOf(count(most, 'project'), style) + 14;
  const left = RIGHT - width - SHADES.length * SCALE_CELL;
  return [
    text('0', left - 18, y, { ...style, align: 'right' }),
    ...SHADES.map((fill, at) => ({
      type: 'rect' as const,
      silent: true,
      shape: { x: left + at * SCALE_CELL, y: y - 16, width: SCALE_CELL - 4, height: 32, r: 4 },
      style: { fill },
    })),
    last,
  ];
}

function axes(timezone: string) {
  const hours = Array.from({ length: HOURS / 3 }, (_, at) => at * 3);
  const style = { size: SMALLEST_TEXT, colour: COLOURS.muted };
  return [
    ...DAYS.map((name, at) => text(name, MARGIN, TOP + (at + 0.5) * CELL.height, { size: SMALL })),
    ...hours.map((hour) =>
      text(`${String(hour).padStart(2, '0')}:00`, LEFT + hour * CELL.width, TOP - 26, style),
    ),
    text(`Times in ${timezone}`, MARGIN, BOTTOM + 62, { size: SMALLEST_TEXT, colour: COLOURS.muted }),
  ];
}

/** Every hour of the week; the busiest have an edge, and their number where it fits. */
function cells({ counts }: HoursPicture) {
  const { first, next, most } = busiestHours(counts);
  const named = first.length <= NAMED && most > 1 ? [...first, ...next] : [];
  const isNamed = (it: WeekHour) => named.some(({ day, hour }) => it.day === day && it.hour === hour);
  const value = ({ day, hour, count: projects }: WeekHour) => [hour, day, shade(projects)];
  const others = weekHours(counts).filter((it) => !isNamed(it));
  // What comes last lies above the rest, so that its edge is whole.
  return [
    ...others.map((it) => ({ value: value(it) })),
    ...named.map((it) => ({
      value: value(it),
      itemStyle: { borderColor: COLOURS.orange, borderWidth: 5 },
      label: { show: it.count < 100, formatter: number(it.count) },
    })),
  ];
}

export function hoursChart(picture: HoursPicture): Chart {
  const { title, subtitle } = describePicture(picture);
  const { most } = busiestHours(picture.counts);
  const cell = { borderColor: COLOURS.background, borderWidth: 4, borderRadius: 8 };
  return {
    height: HEIGHT,
    option: {
      ...BASE,
      grid: { left: LEFT, right: WIDTH - RIGHT, top: TOP, bottom: HEIGHT - BOTTOM, outerBoundsMode: 'none' },
      xAxis: {
        type: 'category',
        show: false,
        data: Array.from({ length: HOURS }, (_, hour) => String(hour)),
      },
      yAxis: { type: 'category', show: false, inverse: true, data: [...DAYS] },
      visualMap: { show: false, min: 0, max: Math.max(1, shade(most)), inRange: { color: SHADES } },
      series: [
        {
          type: 'heatmap',
          silent: true,
          itemStyle: cell,
          label: { color: '#FFFFFF', fontSize: SMALLEST_TEXT, fontWeight: 'bold' },
          data: cells(picture),
        },
      ],
      graphic: [...heading(title, subtitle), ...axes(picture.timezone), ...(most > 0 ? scale(most) : [])],
    },
  };
}
