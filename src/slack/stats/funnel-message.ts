/** The funnel from found to hired: what each step keeps and loses; a row for each filter or channel. Pure. */
import type { Button, KnownBlock, StaticSelect } from '@slack/types';
import { z } from 'zod';
import {
  FUNNEL_DIMENSIONS,
  FUNNEL_STEPS,
  type Funnel,
  type FunnelCount,
  type FunnelDimension,
  type FunnelGroup,
  type FunnelStep,
  LOSS_REASONS,
  type LossReason,
  MOST_FUNNEL_DAYS,
} from '../../funnel/funnel.ts';
import type { ChannelId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, cleanLine, clipText } from '../kit/mrkdwn.ts';
import { formatCount, formatLastDays, formatNumber, formatPercent } from '../kit/numbers.ts';
import { dataTableBlock, mrkdwnCell, numberCell, type TableCell, textCell } from '../kit/rich-blocks.ts';
import { SKIP_REASON_LABELS } from '../kit/words/labels.ts';

export const DEFAULT_FUNNEL_DAYS = 30;
const OFFERED_DAYS = [7, 14, 30, MOST_FUNNEL_DAYS] as const;
const MOST_GROUPS = 50;
/** The rest of a step's reasons are added up. */
const MOST_REASONS = 4;
const MOST_REASONS_OF_GROUP = 2;

export const funnelValueCodec = jsonValueCodec(
  z.object({ days: z.number().int().min(1).max(MOST_FUNNEL_DAYS), by: z.enum(FUNNEL_DIMENSIONS) }),
);
export type FunnelChoice = NonNullable<ReturnType<typeof funnelValueCodec.read>>;

export interface FunnelFacts extends FunnelChoice {
  readonly funnel: Funnel;
  readonly channel?: ChannelId;
  /** It leaves out channels that the reader may not see. */
  readonly isLimited?: boolean;
}

const LOSS_TEXTS: Readonly<Record<LossReason, string>> = {
  past: 'published before you subscribed',
  'no-match': 'hidden by rules',
  muted: 'muted',
  deferred: 'waiting for budget or a pause',
  unsubscribed: 'unsubscribed before posting',
  'not-a-fit': `skipped: ${SKIP_REASON_LABELS['not-a-fit']}`,
  'budget-too-low': `skipped: ${SKIP_REASON_LABELS['budget-too-low']}`,
  client: `skipped: ${SKIP_REASON_LABELS.client}`,
  'too-late': `skipped: ${SKIP_REASON_LABELS['too-late']}`,
  'skipped-other': `skipped: ${SKIP_REASON_LABELS.other}`,
  'bid-elsewhere': 'bid from another channel',
  unclaimed: 'unclaimed',
  'bid-waiting': 'bid waiting to be sent',
  'bid-canceled': 'bid canceled',
  'bid-not-approved': 'bid not approved',
  'bid-never-sent': 'bid never sent',
  'bid-refused': 'bid refused',
  'bid-skipped': 'skipped by the marketplace',
  'bid-unclear': 'bid without an answer',
  'no-bid': 'no bid yet',
  withdrawn: 'withdrawn',
  'not-sent': 'proposal not sent yet',
  'not-viewed': 'not viewed yet',
  'no-interview': 'no interview yet',
  'no-hire': 'not hired yet',
};

type Losses = readonly (readonly [LossReason, number])[];

function mostFirst(losses: Losses): Losses {
  return losses.toSorted(([, a], [, b]) => b - a);
}

function lossesOf({ lost }: FunnelCount, step: FunnelStep): Losses {
  const reasons: readonly LossReason[] = LOSS_REASONS[step];
  return mostFirst(
    reasons.map((reason) => [reason, lost[step].get(reason) ?? 0] as const).filter(([, count]) => count > 0),
  );
}

function mainLosses({ count }: FunnelGroup): Losses {
  return mostFirst(FUNNEL_STEPS.flatMap((step) => lossesOf(count, step))).slice(0, MOST_REASONS_OF_GROUP);
}

function reasonTexts(losses: Losses): readonly string[] {
  return losses.map(([reason, n]) => `${formatNumber(n)} ${LOSS_TEXTS[reason]}`);
}

/** `200 unclaimed, 12 skipped: not a fit` */
function lossText(funnel: Funnel, step: FunnelStep): string | undefined {
  const losses = lossesOf(funnel.all, step);
  if (losses.length === 0) return undefined;
  const shown = reasonTexts(losses.slice(0, MOST_REASONS));
  const rest = losses.slice(MOST_REASONS).reduce((sum, [, n]) => sum + n, 0);
  const others = rest > 0 ? [`${formatNumber(rest)} for other reasons`] : [];
  return `stopped here: ${[...shown, ...others].join(', ')}`;
}

/** `*48 claimed* (16% of posted) · stopped here: 5 no bid yet` */
function stepText(funnel: Funnel, step: FunnelStep, before: FunnelStep | undefined): string {
  const { reached } = funnel.all;
  const share =
    before && reached[before] > 0 ? ` (${formatPercent(reached[step] / reached[before])} of ${before})` : '';
  return joinFacts(`*${formatNumber(reached[step])} ${step}*${share}`, lossText(funnel, step));
}

function funnelSection(facts: FunnelFacts): KnownBlock {
  const { funnel, channel, days } = facts;
  const where = channel ? ` in ${channelLink(channel)}` : '';
  return sectionBlock(
    joinLines(
      `*Project funnel${where}, ${formatLastDays(days)}*`,
      ...FUNNEL_STEPS.map((step, place) => stepText(funnel, step, FUNNEL_STEPS[place - 1])),
    ),
  );
}

function groupCell({ key, name }: FunnelGroup): TableCell {
  switch (key.kind) {
    case 'filter': {
      const words = clipText(cleanLine(name ?? ''), 80);
      return textCell(words ? `“${words}” (${key.filter})` : `Filter ${key.filter}`);
    }
    case 'shared':
      return textCell('Shared by people');
    case 'channel':
      return mrkdwnCell(channelLink(key.channel));
  }
}

function groupsTable({ by, funnel, ...facts }: FunnelFacts): readonly KnownBlock[] {
  if (funnel.groups.length === 0) return [];
  const what = by === 'filter' ? 'filter' : 'channel';
  return [
    dataTableBlock({
      caption: `By ${what}, ${formatLastDays(facts.days)}`,
      columns: [capitalize(what), ...FUNNEL_STEPS.map(capitalize), 'Main reasons'],
      rows: funnel.groups
        .slice(0, MOST_GROUPS)
        .map((group) => [
          groupCell(group),
          ...FUNNEL_STEPS.map((step) => numberCell(group.count.reached[step])),
          textCell(reasonTexts(mainLosses(group)).join(', ')),
        ]),
    }),
  ];
}

const RULE =
  'A project counts once in each row, and in all steps before the one it reached: a bid without a claim ' +
  'counts as claimed.';
const UNKNOWN =
  `Gigdesk deletes projects after ${MOST_FUNNEL_DAYS} days, keeps no released claims, ` +
  "and doesn't know bids made outside Gigdesk unless they were opened here with `/gig job`.";
const CUT = ':warning: There are too many projects, so the oldest are left out.';
const LIMITED = "Channels that you can't see, or that couldn't be checked, are left out.";

function noteBlock({ funnel, isLimited, by }: FunnelFacts): KnownBlock {
  const more = funnel.groups.length - MOST_GROUPS;
  return contextBlock(
    joinLines(
      RULE,
      UNKNOWN,
      more > 0 ? `${formatCount(more, by)} more with fewer projects.` : undefined,
      isLimited ? LIMITED : undefined,
      funnel.isCut ? CUT : undefined,
    ),
  );
}

/** Opens the funnel, or shows its other dimension. */
export function funnelButton(choice: FunnelChoice, label: string): Button {
  return buttonElement({
    id: actionIds.statsFunnel,
    label,
    value: funnelValueCodec.write(choice),
    accessibilityLabel: `Project funnel by ${choice.by}`,
  });
}

const OTHER: Readonly<Record<FunnelDimension, { readonly by: FunnelDimension; readonly label: string }>> = {
  filter: { by: 'channel', label: 'By Channel' },
  channel: { by: 'filter', label: 'By Filter' },
};

function periodSelect({ days, by }: FunnelChoice): StaticSelect {
  const choice = (each: number) =>
    menuOption(`Last ${formatCount(each, 'day')}`, funnelValueCodec.write({ days: each, by }));
  const offered = OFFERED_DAYS.find((each) => each === days);
  return {
    type: 'static_select',
    action_id: actionIds.statsFunnelDays,
    placeholder: plainTextObject('Choose a period'),
    options: OFFERED_DAYS.map(choice),
    initial_option: offered === undefined ? undefined : choice(offered),
  };
}

/** Plain text without a channel's name: Slack draws that in blocks alone. */
function fallbackText({ days, funnel }: FunnelFacts): string {
  const { reached } = funnel.all;
  const steps = FUNNEL_STEPS.map((step) => `${formatNumber(reached[step])} ${step}`);
  return `Project funnel, ${formatLastDays(days)}: ${steps.join(', ')}`;
}

/** Ephemeral: its own menu and button update it. */
export function funnelMessage(facts: FunnelFacts): Message {
  const { funnel, days, by, channel } = facts;
  const other = OTHER[by];
  const toOther = funnelButton({ days, by: other.by }, other.label);
  const controls = actionsBlock([periodSelect(facts), toOther]);
  if (funnel.all.reached.found === 0) {
    const where = channel ? ' in this channel' : '';
    const what = `No projects were found${where} in ${formatLastDays(days)}.`;
    return { text: what, blocks: [sectionBlock(what), controls] };
  }
  return {
    text: fallbackText(facts),
    blocks: [funnelSection(facts), ...groupsTable(facts), noteBlock(facts), controls],
  };
}
