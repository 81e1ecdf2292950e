/** Drawn charts: their visible content, and that no numbers break them. */

import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChartImage } from '../../src/pictures/chart-renderer.ts';
import { buildSvgFontOptions, renderChartPng, renderChartSvg } from '../../src/pictures/worker.ts';
import { type Area, readPixels } from './pixels.ts';
import { burn, dense, funnel, hours, pictures, startsAt } from './samples.ts';

const TITLE: Area = { x: 48, y: 44, width: 1104, height: 60 };
const SUBTITLE: Area = { x: 48, y: 118, width: 1104, height: 40 };
const MOST_BYTES = 120_000;
/** No ink may come closer to the edge. */
const EDGE = 20;

/** As drawn on a machine without the font's files. */
function drawWithoutFont(svg: string): ChartImage {
  const image = new Resvg(svg, { font: buildSvgFontOptions([]) }).render();
  return { png: image.asPng(), width: image.width, height: image.height };
}

function edgesOf({ width, height }: Pick<Area, 'width' | 'height'>): readonly Area[] {
  return [
    { x: 0, y: 0, width, height: EDGE },
    { x: 0, y: height - EDGE, width, height: EDGE },
    { x: 0, y: 0, width: EDGE, height },
    { x: width - EDGE, y: 0, width: EDGE, height },
  ];
}

describe.each(Object.entries(pictures))('%s', (_, picture) => {
  const drawn = renderChartPng(picture);
  const pixels = readPixels(drawn);

  it('has words that can be seen', () => {
    // A bold title of 52 px; the minimum is the width of a few words at 28 px.
    expect(pixels.inked(TITLE)).toBeGreaterThan(3_000);
    expect(pixels.inked(SUBTITLE)).toBeGreaterThan(1_000);
  });

  it('is opaque, as wide as promised, and small enough to be sent', () => {
    expect({ width: drawn.width, height: drawn.height }).toEqual({
      width: pixels.width,
      height: pixels.height,
    });
    expect(drawn.width).toBe(1200);
    expect(drawn.height).toBeLessThanOrEqual(800);
    expect(pixels.isOpaque).toBe(true);
    expect(drawn.png.length).toBeLessThan(MOST_BYTES);
  });

  it('keeps everything within its edges', () => {
    expect(edgesOf(drawn).map((area) => pixels.inked(area))).toEqual([0, 0, 0, 0]);
  });

  it('has no word too small for a phone', () => {
    const sizes = [...renderChartSvg(picture).matchAll(/font-size:([\d.]+)px/gu)].map(([, size]) =>
      Number(size),
    );
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(26);
  });

  it('is drawn the same each time', () => {
    expect(Buffer.from(renderChartPng(picture).png).equals(drawn.png)).toBe(true);
  });
});

describe('a font that is missing', () => {
  it.each([burn({ limit: 500 }), funnel(), dense])('would show: $kind', (picture) => {
    const blank = readPixels(drawWithoutFont(renderChartSvg(picture)));
    expect(blank.inked(TITLE)).toBe(0);
    expect(blank.inked(SUBTITLE)).toBe(0);
  });

  it('would show in the bold words alone, too', () => {
    const [regular = ''] = buildSvgFontOptions().fontFiles;
    const svg = renderChartSvg(funnel());
    const image = new Resvg(svg, { font: buildSvgFontOptions([regular]) }).render();
    const thin = readPixels({ png: image.asPng(), width: image.width, height: image.height });
    expect(thin.inked(TITLE)).toBeLessThan(0.9 * readPixels(renderChartPng(funnel())).inked(TITLE));
  });
});

describe('the charts', () => {
  it('draw whatever numbers come', () => {
    const credits = fc.integer({ min: 0, max: 10_000 });
    const time = fc.integer({ min: -5, max: 35 }).map((day) => startsAt + day * 86_400_000);
    const anyBurn = fc.record(
      {
        limit: credits,
        runsOutAt: time,
        now: time,
        spent: fc.array(fc.record({ at: time, total: credits })),
      },
      { requiredKeys: ['now', 'spent'] },
    );
    const anyFunnel = fc.record({ sent: credits, viewed: credits, interviewed: credits, hired: credits });
    const anyHour = fc.record({
      day: fc.integer({ min: 0, max: 6 }),
      hour: fc.integer({ min: 0, max: 23 }),
      count: credits,
    });
    const any = fc.oneof(
      anyBurn.map(burn),
      anyFunnel.map(funnel),
      fc.array(anyHour, { maxLength: 30 }).map((busy) => hours(...busy)),
    );
    fc.assert(
      fc.property(any, (picture) => {
        expect(renderChartSvg(picture)).not.toMatch(/NaN|Infinity|undefined|null/u);
      }),
      { numRuns: 100 },
    );
  });

  it('refuse dates in a time zone that there is not', () => {
    expect(() => renderChartSvg(burn({ timezone: 'Mars/Olympus' }))).toThrow(RangeError);
  });

  it('let nothing become a part of the SVG that should be a word in it', () => {
    const svg = renderChartSvg({ ...dense, timezone: '</text><script>"&' });
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;');
  });

  it('do not grow with how often something was spent', () => {
    const many = pictures['very many moments of spending'];
    expect(many && renderChartSvg(many).length).toBeLessThan(30_000);
  });
});
