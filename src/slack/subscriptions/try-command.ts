/** `/gig try`: what other rules would have shown of a filter's projects, before anyone changes them. */
import {
  MOST_TRIED,
  type TeamOutcome,
  TRIED_DAYS,
  type TriedProject,
  type TriedRules,
} from '../../funnel/funnel.ts';
import type { CommandCall, CommandRoute, Message } from '../core/routes.ts';
import {
  actionsBlocks,
  buttonElement,
  contextBlock,
  joinLines,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { inputErrorMessage, queryErrorMessage } from '../kit/command-text.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { andMoreText, fitRows } from '../kit/paged-list.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import {
  filterName,
  matchLeadingFilter,
  parseWithFilterNames,
  unknownCountriesText,
} from '../kit/words/filters.ts';
import { unclearFilterMessage } from './subscribe-to-filter.ts';
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

function listRows(title: string, projects: readonly TriedProject[], more = 0): readonly string[] {
  if (projects.length === 0) return [];
  const rows = projects.map(
    ({ outcome, ...project }) =>
      `• ${projectLink(project, LONGEST_TITLE)}${outcome ? `: ${OUTCOME_TEXTS[outcome]}` : ''}`,
  );
  const rest = andMoreText(more);
  return [title, ...rows, ...(rest ? [rest] : [])];
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

const MOST_ROWS = 10;

function drawMessage(tried: TriedRules): Message {
  const { filter, rules, rulesToday, counts } = tried;
  const value = filterValueCodec.write({ filter: filter.id });
  const edit = buttonElement({ id: actionIds.setupEdit, label: 'Edit Subscription', value });
  const buttons = actionsBlocks(rulesToday === undefined ? [] : [edit]);
  if (counts.known === 0) {
    const text =
      `Gigdesk has no projects of ${filterName(filter)} from the last ${TRIED_DAYS} days, ` +
      'so there is nothing to try the rules on.';
    return { text, blocks: [sectionBlock(text), ...buttons] };
  }
  const command = codeText(`${SLASH_COMMAND} subscribe filter ${filter.id} ${rules}`.trim(), 700);
  return {
    text: headText(tried),
    blocks: [
      ...sectionBlocks(triedRows(tried)),
      contextBlock(basisText(tried)),
      ...(rules === rulesToday ? [] : [contextBlock(`To use these rules: ${command}`)]),
      ...buttons,
    ],
  };
}

const EXAMPLE = 'try 123 budget:>1000 -wordpress';

async function runTry(call: CommandCall): Promise<void> {
  const { services, channel } = call;
  // `try filter 123` is the same as `try 123`.
  const text = call.args.replace(/^filter\s+(?=\S)/iu, '');
  if (text === '')
    return call.answer(inputErrorMessage("Add the filter's ID or name, then the rules.", EXAMPLE));
  const { found, ...names } = await parseWithFilterNames(services, text, (known) =>
    matchLeadingFilter(text, known),
  );
  if (found.kind !== 'found') return call.answer(unclearFilterMessage(found, names, 'try'));
  const { filter, rest } = found;
  const tried = await services.funnel.tryRules({ channel, filter: filter.id, rules: rest });
  if (tried.kind === 'tried')
    return call.answer(fitRows(MOST_ROWS, (most) => drawMessage(withShorterLists(tried, most))));
  return call.answer(queryErrorMessage(rest, tried.mistake, `${SLASH_COMMAND} try ${filter.id} `));
}

export const tryCommand: CommandRoute = {
  word: 'try',
  topic: 'feed',
  needs: 'viewer',
  usage: ['try <filter id|name> [<rules>]'],
  summary: "Try rules on known projects. See what they would show and hide of a filter's last 14 days.",
  details: [
    `Shows how many projects of the last ${TRIED_DAYS} days the rules would show, compared with this ` +
      "channel's rules of today, and names hidden ones that your team claimed, bid on or won.",
    'It costs no credits and changes nothing. Without rules, it tries no rules at all. ' +
      '*Preview Rules* in the form of a subscription does the same.',
  ].join('\n'),
  examples: ['try 123 budget:>1000 -wordpress', 'try "Node jobs" verified:yes'],
  isSlow: true,
  run: runTry,
};
