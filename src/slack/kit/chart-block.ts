/**
 * Blocks that some workspaces' Slack may refuse: `plain-blocks.ts` has their plain form. Also Slack's charts,
 * which `@slack/types` doesn't have yet; for messages, at most two in each. Pure.
 */
import type { KnownBlock } from '@slack/types';
import { slackLimits } from './limits.ts';
import { clipText, escapeMrkdwn } from './mrkdwn.ts';
import { formatNumber } from './numbers.ts';

/** The block types that have a plain form, and so may be refused. */
export const REPLACEABLE_BLOCKS = ['data_table', 'alert', 'container', 'data_visualization'] as const;
export type ReplaceableBlock = (typeof REPLACEABLE_BLOCKS)[number];

export function listReplaceableBlocks(blocks: readonly { readonly type: string }[] = []) {
  return new Set(blocks.flatMap(({ type }) => REPLACEABLE_BLOCKS.find((each) => each === type) ?? []));
}

export interface ChartBlock {
  readonly type: 'data_visualization';
  readonly block_id?: string;
  readonly title: string;
  readonly chart: {
    readonly type: 'bar' | 'line';
    /** Names are unique. The labels are the categories, each once. */
    readonly series: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config: {
      readonly categories: readonly string[];
      readonly x_label: string;
      readonly y_label: string;
    };
  };
}

export type MessageBlock = KnownBlock | ChartBlock;

export interface ChartFacts {
  readonly type: ChartBlock['chart']['type'];
  /** Plain, as all its texts. */
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Along the axis, all different: 1 to 20. */
  readonly categories: readonly string[];
  /** By unique name, a value for each category. */
  readonly series: Readonly<Record<string, readonly number[]>>;
}

export function chartBlock({ type, title, xLabel, yLabel, categories, series }: ChartFacts): ChartBlock {
  const { chartTitle, chartAxisLabel } = slackLimits;
  return {
    type: 'data_visualization',
    title: clipText(title, chartTitle.max),
    chart: {
      type,
      series: Object.entries(series).map(([name, values]) => ({
        name,
        data: categories.map((label, at) => ({ label, value: values[at] ?? 0 })),
      })),
      axis_config: {
        categories,
        x_label: clipText(xLabel, chartAxisLabel.max),
        y_label: clipText(yLabel, chartAxisLabel.max),
      },
    },
  };
}

/** All its numbers in words: `*Spent* Nov 1: 12 · Nov 2: 40`, a line for each series. mrkdwn. */
export function chartText({ title, chart: { series } }: ChartBlock): string {
  const lines = series.map(({ name, data }) => {
    const points = data.map(({ label, value }) => `${label}: ${formatNumber(value)}`);
    return `*${escapeMrkdwn(name)}* ${escapeMrkdwn(points.join(' · '))}`;
  });
  return [escapeMrkdwn(title), ...lines].join('\n');
}
