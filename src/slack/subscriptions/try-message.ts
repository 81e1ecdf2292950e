/** What tried rules would have shown and hidden, in words. Titles are strangers' text. Pure. */
import type { Button } from '@slack/types';
import {
  MOST_TRIED,
  type TeamOutcome,
  TRIED_DAYS,
  type TriedProject,
  type TriedRules,
} from '../../funnel/funnel.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlocks,
  buttonElement,
  contextBlock,
  joinLines,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { andMoreText, fitRows } from '../kit/paged-list.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { filterName, unknownCountriesText } from '../kit/words/filters.ts';
import { filterValueCodec } from './subscription-list.ts';

const LONGEST_TITLE = 80;

const OUTCOME_TEXTS: Readonly<Record<TeamOutcome, string>> = {
  hired: 'hired',
  interviewed: 'interviewed',
  viewed: 'bid on and viewed',
  bid: 'bid on',
  claimed: 'claimed',
};

function rulesText(rules: string): string {
  return rules === '' ? 'no rules' : `the rules ${codeText(rules, 300)}`;
}

function projectRow({ outcome, ...project }: TriedProject): string {
  return `• ${projectLink(project, LONGEST_TITLE)}${outcome ? `: ${OUTCOME_TEXTS[outcome]}` : ''}`;
}

function listRows(title: string, projects: readonly TriedProject[], more = 0): readonly string[] {
  if (projects.length === 0) return [];
  const rest = andMoreText(more);
  return [title, ...projects.map(projectRow), ...(rest ? [rest] : [])];
}

function headText({ filter, rules, rulesToday, counts }: TriedRules): string {
  const { known, shown, shownToday } = counts;
  const today =
    rulesToday === undefined || shownToday === undefined
      ? ". This channel doesn't follow the filter."
      : ` (now: ${formatNumber(shownToday)}, with ${rulesText(rulesToday)}).`;
  return (
    `With ${rulesText(rules)}, *${formatNumber(shown)} of ${formatCount(known, 'project')}* from ` +
    `${filterName(filter)} in the last ${TRIED_DAYS} days would be shown${today}`
  );
}

function changeText({ counts }: TriedRules): string | undefined {
  const { hidden, added, shownByOthers, shownToday } = counts;
  if (shownToday === undefined) return undefined;
  if (hidden + added === 0) return 'These rules show the same projects as today.';
  const others =
    shownByOthers > 0
      ? ` Another filter of this channel still shows ${formatNumber(shownByOthers)} of the hidden ones.`
      : '';
  return `${formatNumber(hidden)} would be hidden, ${formatNumber(added)} would be added.${others}`;
}

function lostText({ counts, lists }: TriedRules): string | undefined {
  const { hidden, shownByOthers } = counts;
  if (hidden === shownByOthers || lists.missed.length > 0) return undefined;
  return `Nobody claimed, bid on or won the ${shownByOthers > 0 ? 'other hidden ones' : 'hidden ones'}.`;
}

/** mrkdwn rows. */
function triedRows(tried: TriedRules): readonly string[] {
  const { counts, lists, rules } = tried;
  return [
    headText(tried),
    ...[changeText(tried), lostText(tried), unknownCountriesText(rules)].flatMap((text) => text ?? []),
    ...listRows(':warning: *Hidden, though your team took them on:*', lists.missed, lists.moreMissed),
    ...listRows('*Shown, and won:*', lists.won, counts.wonAndShown - lists.won.length),
    ...listRows('*Newly shown, for example:*', lists.examples, counts.added - lists.examples.length),
  ];
}

function basisText({ isCut }: TriedRules): string {
  return joinLines(
    "Tried on stored projects with today's mutes. It costs no credits, and nothing has changed.",
    isCut
      ? `Only the newest projects were tried, at most ${formatNumber(MOST_TRIED)}: there are older ones.`
      : undefined,
  );
}

function nothingText({ filter }: TriedRules): string {
  return (
    `Gigdesk has no projects of ${filterName(filter)} from the last ${TRIED_DAYS} days, ` +
    'so there is nothing to try the rules on.'
  );
}

/** With at most `most` projects of each list. */
function withShorterLists(tried: TriedRules, most: number): TriedRules {
  const { missed, moreMissed, examples, won } = tried.lists;
  return {
    ...tried,
    lists: {
      missed: missed.slice(0, most),
      moreMissed: moreMissed + Math.max(0, missed.length - most),
      examples: examples.slice(0, most),
      won: won.slice(0, most),
    },
  };
}

/** All of it, for a form. mrkdwn. */
export function triedRulesRows(tried: TriedRules): readonly string[] {
  return [...triedRows(tried), basisText(tried)];
}

function editButton({ filter, rulesToday }: TriedRules): readonly Button[] {
  if (rulesToday === undefined) return [];
  const value = filterValueCodec.write({ filter: filter.id });
  return [buttonElement({ id: actionIds.setupEdit, label: 'Edit Subscription', value })];
}

const MOST_ROWS = 10;

/** Ephemeral. */
export function triedRulesMessage(tried: TriedRules): Message {
  return fitRows(MOST_ROWS, (most) => drawMessage(withShorterLists(tried, most)));
}

function drawMessage(tried: TriedRules): Message {
  const { filter, rules, counts } = tried;
  const command = codeText(`${SLASH_COMMAND} subscribe filter ${filter.id} ${rules}`.trim(), 700);
  const isKnown = counts.known > 0;
  return {
    text: isKnown ? headText(tried) : nothingText(tried),
    blocks: [
      ...(isKnown ? sectionBlocks(triedRows(tried)) : [sectionBlock(nothingText(tried))]),
      ...(isKnown ? [contextBlock(basisText(tried))] : []),
      ...(isKnown && rules !== tried.rulesToday ? [contextBlock(`To use these rules: ${command}`)] : []),
      ...actionsBlocks(editButton(tried)),
    ],
  };
}
