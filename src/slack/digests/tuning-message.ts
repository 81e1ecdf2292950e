/** A weekly report on a channel's filters, so that they can be improved. Fits one screen of a phone. Pure. */
import type { KnownBlock } from '@slack/types';
import type { FilterTuningFacts } from '../../digests/facts.ts';
import { SkipReason } from '../../feed/feed.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { commandButton } from '../kit/command-button.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { filterName } from '../kit/words/filters.ts';
import { SKIP_REASON_LABELS } from '../kit/words/labels.ts';
import { muteText } from '../subscriptions/subscriptions.ts';
import { formatShortDate } from './digest-state.ts';

type FilterFacts = FilterTuningFacts['filters'][number];

const MOST_FILTERS = 6;
const MOST_MUTES = 5;
/** A longer command would be clipped, which would change its meaning. */
const LONGEST_COMMAND = 400;

function reasonWords(reason: string): string {
  const known = SkipReason.safeParse(reason);
  return known.success ? SKIP_REASON_LABELS[known.data] : SKIP_REASON_LABELS.other;
}

/** `12 skipped (budget too low 8, not a fit 4)`. */
function skippedText({ skipped }: FilterFacts): string | undefined {
  const byWords = new Map<string, number>();
  for (const [reason, many] of Object.entries(skipped))
    byWords.set(reasonWords(reason), (byWords.get(reasonWords(reason)) ?? 0) + many);
  const reasons = [...byWords].filter(([, many]) => many > 0).sort((a, b) => b[1] - a[1]);
  const all = reasons.reduce((sum, [, many]) => sum + many, 0);
  if (all === 0) return undefined;
  return (
    `${formatNumber(all)} skipped ` +
    `(${reasons.map(([words, many]) => `${words} ${formatNumber(many)}`).join(', ')})`
  );
}

function some(many: number, words: string): string | undefined {
  return many > 0 ? `${formatNumber(many)} ${words}` : undefined;
}

function adviceText({ advice, filter, rules }: FilterFacts): string | undefined {
  if (!advice) return undefined;
  const { rule, skippedWithout, skipped, wantedLost } = advice;
  const command = [SLASH_COMMAND, 'subscribe filter', String(filter), rules, rule].filter(Boolean).join(' ');
  const lost = wantedLost === 0 ? 'none' : formatNumber(wantedLost);
  const copy = command.length <= LONGEST_COMMAND ? ` To add this rule: ${codeText(command)}` : '';
  return (
    `:bulb: ${codeText(rule, 100)} would have filtered out ${formatNumber(skippedWithout)} of the ` +
    `${formatNumber(skipped)} skipped projects, and ${lost} of those claimed or bid on.${copy}`
  );
}

function filterText(filter: FilterFacts): string {
  const { told, claimed, bid, left, muted } = filter;
  return joinLines(
    `*${capitalize(filterName({ id: filter.filter, name: filter.name }))}*: ${formatCount(told, 'project')}`,
    joinFacts(
      some(claimed, 'claimed'),
      some(bid, 'bid on'),
      skippedText(filter),
      some(left, 'no action'),
      some(muted, 'hidden by mutes'),
    ),
    adviceText(filter),
  );
}

function mutesText({ mutes }: FilterTuningFacts): string | undefined {
  const kept = mutes
    .slice(0, MOST_MUTES)
    .map(({ what, value, kept: many }) => `${muteText({ kind: what, value })} ${formatNumber(many)}`);
  const more = mutes.length - kept.length;
  return kept.length === 0
    ? undefined
    : `Hidden by mutes: ${[...kept, ...(more > 0 ? [formatCount(more, 'more mute')] : [])].join(', ')}`;
}

function moreText(more: number): string | undefined {
  return more > 0 ? `…and ${formatCount(more, 'more filter')} with fewer projects` : undefined;
}

export function filterTuningMessage(facts: FilterTuningFacts): Message {
  const { from, to, timezone, filters } = facts;
  const stretch = `${formatShortDate(from, timezone)} to ${formatShortDate(to, timezone)}`;
  const busy = filters.filter(({ told, muted }) => told + muted > 0);
  const [silent] = filters.filter(({ told, muted }) => told + muted === 0);
  const foot = joinLines(
    moreText(busy.length - MOST_FILTERS),
    silent && `${formatCount(filters.length - busy.length, 'filter')} found no projects`,
    mutesText(facts),
  );
  const blocks: KnownBlock[] = busy.slice(0, MOST_FILTERS).map((filter) => sectionBlock(filterText(filter)));
  return {
    text: `This channel's filter performance, ${stretch}`,
    blocks: [
      sectionBlock(`:wrench: *Filter performance* · ${stretch}`),
      ...blocks,
      ...(foot ? [contextBlock(foot)] : []),
      actionsBlock([commandButton({ command: 'list', label: 'Subscriptions' })]),
    ],
  };
}
