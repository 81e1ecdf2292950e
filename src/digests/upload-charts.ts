/** Draws a digest's charts and uploads them to Slack without showing them yet. */
import { asError } from '../errors.ts';
import { type ChartData, ChartError, type ChartImage } from '../pictures/chart-renderer.ts';
import { describeChart } from '../pictures/describe-chart.ts';
import type { DigestsContext } from './context.ts';
import type { SharedChartFile } from './decide-chart-sharing.ts';
import type { DigestFacts } from './facts.ts';
import { gatherCharts } from './gather-charts.ts';

/** Slack's limit for the alternative text. */
const LONGEST_ALT = 1_000;

/** Slack shows the title next to the chart, whose headline says the rest. */
const FILES: Readonly<Record<ChartData['kind'], { readonly name: string; readonly title: string }>> = {
  burn: { name: 'credits.png', title: 'Credits' },
  funnel: { name: 'proposals.png', title: 'Proposals' },
  hours: { name: 'hours.png', title: 'When projects arrive' },
};

/** undefined: this chart can't be drawn, but others can. @throws ChartError that a retry may fix */
async function draw({ charts, log }: DigestsContext, picture: ChartData): Promise<ChartImage | undefined> {
  try {
    return await charts.renderChart(picture);
  } catch (thrown) {
    if (!(thrown instanceof ChartError) || thrown.code !== 'refused') throw thrown;
    log.error("Couldn't draw a chart", { picture: picture.kind, error: asError(thrown) });
    return undefined;
  }
}

/**
 * @returns an empty list if there is nothing to show
 * @throws ChartError, the port's errors, and the signal's reason
 */
export async function uploadCharts(
  context: DigestsContext,
  facts: DigestFacts,
  signal: AbortSignal,
): Promise<readonly SharedChartFile[]> {
  const files: SharedChartFile[] = [];
  for (const picture of await gatherCharts(context, facts)) {
    const drawn = await draw(context, picture);
    signal.throwIfAborted();
    if (!drawn) continue;
    const { name, title } = FILES[picture.kind];
    const alt = describeChart(picture).alt.slice(0, LONGEST_ALT);
    const id = await context.port.uploadChart({ png: drawn.png, name, alt });
    files.push({ id, title });
  }
  return files;
}
