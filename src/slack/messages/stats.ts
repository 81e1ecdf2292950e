/** Statistics of proposals: the funnel, what an interview cost, and one dimension at a time. For one person, and as it is shared. */
import type { KnownBlock, StaticSelect } from '@slack/types';
import { DAY } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import { FEWEST } from '../../statistics/compare.ts';
import { type Funnel, STAGES, type Stage } from '../../statistics/funnel.ts';
import { DIMENSIONS, type Dimension } from '../../statistics/groups.ts';
import { type Statistics, YOUNG_MS } from '../../statistics/statistics.ts';
import { actionIds, COMMAND } from '../blocks/ids.ts';
import { mention } from '../blocks/mrkdwn.ts';
import { count, number, percent } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { codeText } from './mistake.ts';
import { outcomeSign } from './outcome-words.ts';
import { actions, capital, context, line, lines, option, plain, section } from './parts.ts';
import { type Coverage, coverageText, isCopying } from './proposals-coverage.ts';
import { SHARED_NOTE, shareButton } from './proposals-share.ts';
import { groupBlocks, priceText, reachText } from './stats-groups.ts';
import { statsValue } from './stats-values.ts';
import { DIMENSION_WORDS, lookBackText } from './stats-words.ts';
import { ago } from './when.ts';

export const STATS_DAYS = 30;
const YOUNG_DAYS = YOUNG_MS / DAY;

export interface StatsFacts {
  readonly days: number;
  /** What is shown of the groups. */
  readonly dimension: Dimension;
  readonly statistics: Statistics;
  readonly coverage: Coverage;
  /** By which it can be shared; missing: it can't be. */
  readonly share?: string;
  /** The person has shared it. */
  readonly isShared?: boolean;
}

function spanText(days: number): string {
  return days === 1 ? 'the last 24 hours' : `the last ${count(days, 'day')}`;
}

function stageText({ all }: Statistics, stage: Stage): string {
  const { rate, count: came, of } = all.rates[stage];
  const reach = `${reachText(all.rates[stage])}, ${number(came)} of ${number(of)}`;
  return `${outcomeSign([stage])} *${percent(rate)} ${stage}* (${reach})`;
}

/** `192 connects for each interview · 625 connects for each hire`, and of how many that is known. */
function spendingText({ all: { spending, funnel } }: Statistics): string | undefined {
  const { proposals, connects } = spending;
  if (connects === 0) return undefined;
  const each = line(priceText(spending, 'interviewed'), priceText(spending, 'hired'));
  const known =
    proposals < funnel.sent ? ` (known for ${number(proposals)} of ${number(funnel.sent)} proposals)` : '';
  return `:coin: ${count(connects, 'connect')} spent${known}${each ? `: *${each}*` : ''}${funnel.interviewed === 0 ? ', no interviews yet' : ''}`;
}

/** `5 viewed, 1 interviewed`; `none viewed`. */
function fateText(funnel: Funnel): string {
  const came = STAGES.filter((stage) => funnel[stage] > 0).map(
    (stage) => `${number(funnel[stage])} ${stage}`,
  );
  return came.length > 0 ? came.join(', ') : 'none viewed';
}

/** What the shares above do not hold. */
function apartText({ young, invited, withdrawn }: Statistics): string {
  const apart = line(
    young.sent > 0
      ? `${number(young.sent)} sent in the last ${YOUNG_DAYS} days, too recent to measure (${fateText(young)})`
      : undefined,
    invited.sent > 0
      ? `${count(invited.sent, 'reply', 'replies')} to invitations (${fateText(invited)})`
      : undefined,
  );
  return lines(
    apart && `Counted separately: ${apart}`,
    withdrawn > 0
      ? `${count(withdrawn, 'withdrawn proposal is', 'withdrawn proposals are')} included, because ${withdrawn === 1 ? 'it was' : 'they were'} sent and paid for.`
      : undefined,
  );
}

/** `163 proposals sent in the last 30 days` */
function headText(days: number, { all, young }: Statistics): string {
  return `${count(all.funnel.sent + young.sent, 'proposal')} sent in ${spanText(days)}`;
}

/** Of which the shares are, where not of all; and whether these are few. */
function basisText({ all: { funnel }, young }: Statistics): string | undefined {
  const few = funnel.sent < FEWEST ? `small sample (under ${FEWEST})` : undefined;
  const basis = young.sent > 0 ? `${number(funnel.sent)} old enough to measure` : undefined;
  const text = line(basis, few);
  return text && `${text}:`;
}

function funnelBlocks({ days, statistics }: StatsFacts): KnownBlock[] {
  const apart = apartText(statistics);
  return [
    section(
      lines(
        line(`*${headText(days, statistics)}*`, basisText(statistics)),
        ...STAGES.map((stage) => stageText(statistics, stage)),
        spendingText(statistics),
      ),
    ),
    ...(apart ? [context(apart)] : []),
  ];
}

function fallbackText({ days, statistics }: StatsFacts): string {
  const { rates } = statistics.all;
  const shares = STAGES.map((stage) => `${percent(rates[stage].rate)} ${stage}`);
  return `${headText(days, statistics)}: ${shares.join(', ')}`;
}

function dimensionSelect({ days, dimension }: StatsFacts): StaticSelect {
  const choice = (each: Dimension) =>
    option(capital(`by ${DIMENSION_WORDS[each]}`), statsValue.write({ days, dimension: each }));
  return {
    type: 'static_select',
    action_id: actionIds.statsDimension,
    placeholder: plain('Compare by'),
    options: DIMENSIONS.map(choice),
    initial_option: choice(dimension),
  };
}

/** Which profiles are covered, and how fresh. How far the search's index has come is of no concern here. */
function freshBlocks(coverage: Coverage): KnownBlock[] {
  const copying = isCopying(coverage)
    ? ":hourglass_flowing_sand: Copying isn't finished. These numbers only include proposals copied so far."
    : undefined;
  const text = lines(copying, coverageText({ ...coverage, isLoaded: true, behind: 0 }));
  return text ? [context(text)] : [];
}

/** Nothing was sent, or nothing that is old enough. */
function nothingMessage({ days, statistics, coverage }: StatsFacts): Message {
  const apart = apartText(statistics);
  const what =
    statistics.young.sent > 0
      ? `No proposals from ${spanText(days)} are old enough to measure.`
      : `No proposals were sent in ${spanText(days)}.`;
  return {
    text: what,
    blocks: [
      section(lines(`*${what}*`, lookBackText(days))),
      ...(apart ? [context(apart)] : []),
      ...freshBlocks(coverage),
    ],
  };
}

/** Ephemeral: its own choices draw it anew. */
export function statsMessage(facts: StatsFacts): Message {
  const { statistics, share, isShared, coverage } = facts;
  if (statistics.all.funnel.sent === 0) return nothingMessage(facts);
  const buttons = share !== undefined && !isShared ? [shareButton(share, 'these statistics')] : [];
  return {
    text: fallbackText(facts),
    blocks: [
      ...funnelBlocks(facts),
      ...groupBlocks(facts),
      ...freshBlocks(coverage),
      ...(isShared ? [context(SHARED_NOTE)] : []),
      actions([dimensionSelect(facts), ...buttons]),
    ],
  };
}

/** For the channel: without choices, since they would be those of whoever shared it. */
export function sharedStatsMessage(facts: StatsFacts, by: UserId): Message {
  const { statistics, days } = facts;
  const head = `${mention(by)} shared proposal statistics`;
  const again = codeText(`${COMMAND} stats${days === STATS_DAYS ? '' : ` ${days}`}`);
  return {
    text: `${head}: ${fallbackText(facts)}`,
    blocks: [
      section(`${head}:`),
      ...funnelBlocks(facts),
      ...groupBlocks(facts),
      context(line(`As of ${ago(statistics.to)}`, `see current numbers with ${again}`)),
    ],
  };
}

/** A choice whose value says nothing. */
export const STATS_PRESS_OUTDATED: Message = {
  text: `These statistics are out of date. Get new ones with ${codeText(`${COMMAND} stats`)}.`,
};
