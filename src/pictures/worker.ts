/** The worker thread that draws charts: data in, a PNG or an error out. `chart-renderer.ts` starts it. */
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import { BarChart, HeatmapChart, LineChart } from 'echarts/charts';
import { GraphicComponent, GridComponent, VisualMapContinuousComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { asError } from '../errors.ts';
import { burnChart } from './burn-chart.ts';
import type { ChartData, ChartImage, ChartWorkerResponse } from './chart-renderer.ts';
import { CHART_FONT_FAMILY, CHART_WIDTH, type EchartsChart } from './chart-style.ts';
import { funnelChart } from './funnel-chart.ts';
import { hoursChart } from './hours-chart.ts';

use([
  BarChart,
  GraphicComponent,
  GridComponent,
  HeatmapChart,
  LineChart,
  SVGRenderer,
  VisualMapContinuousComponent,
]);

const require = createRequire(import.meta.url);

/** Resolved through the package, so it works both from source and from the build. */
const fontFiles = [
  require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  require.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
];

function chartOf(picture: ChartData): EchartsChart {
  switch (picture.kind) {
    case 'burn':
      return burnChart(picture);
    case 'funnel':
      return funnelChart(picture);
    case 'hours':
      return hoursChart(picture);
  }
}

/** @throws RangeError when the chart names an invalid time zone. */
export function renderChartSvg(picture: ChartData): string {
  const { option, height } = chartOf(picture);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: CHART_WIDTH, height });
  try {
    chart.setOption(option);
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** Uses only the bundled font: with system fonts, charts would differ between machines. */
export function buildSvgFontOptions(files: readonly string[] = fontFiles) {
  return { loadSystemFonts: false, fontFiles: [...files], defaultFontFamily: CHART_FONT_FAMILY };
}

/**
 * Takes some 100 ms of one core.
 * @throws Error when the chart can't be drawn, RangeError when it names an invalid time zone.
 */
export function renderChartPng(picture: ChartData): ChartImage {
  const image = new Resvg(renderChartSvg(picture), { font: buildSvgFontOptions() }).render();
  return { png: image.asPng(), width: image.width, height: image.height };
}

function answer(picture: ChartData): ChartWorkerResponse {
  try {
    return { kind: 'drawn', picture: renderChartPng(picture) };
  } catch (thrown) {
    return { kind: 'refused', error: asError(thrown) };
  }
}

parentPort?.on('message', (picture: ChartData) => parentPort?.postMessage(answer(picture)));
