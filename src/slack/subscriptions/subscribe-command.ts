/** `/gig subscribe`: parses its arguments, and subscribes the channel to a filter or a profile. */
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits.ts';
import { parseRules } from '../../feed/decide-card.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import { MAX_BACKFILL_PROJECTS } from '../../feed/subscribe.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage, parseWholeNumberInRange, splitFirstWord } from '../kit/command-text.ts';
import { cleanLine, codeText } from '../kit/mrkdwn.ts';
import {
  type FilterMatch,
  matchLeadingFilter,
  parseFilterId,
  parseWithFilterNames,
} from '../kit/words/filters.ts';
import {
  parseProfileArguments,
  parseProfileFeedKind,
  type RequestedProfileFeed,
} from '../kit/words/profiles.ts';
import { askAboutBackfill, MAX_UNASKED_BACKFILL } from './backfill-question.ts';
import { followProfile } from './follow-profile.ts';
import { subscribeToFilter, unclearFilterMessage } from './subscribe-to-filter.ts';

/** `what` is a sentence, `example` a command without `/gig`. */
interface Mistake {
  readonly kind: 'mistake';
  readonly what: string;
  readonly example: string;
}

interface FilterSubscriptionRequest {
  readonly kind: 'wanted';
  readonly filter: NamedFilter;
  /** The corrected command's start, for the example after invalid rules. */
  readonly before: string;
  readonly backfill: number;
  readonly rules: string;
}

const EXAMPLE = 'subscribe filter 123';

function mistake(what: string, example: string): Mistake {
  return { kind: 'mistake', what, example };
}

type Subject = { readonly kind: 'filter'; readonly text: string } | RequestedProfileFeed | Mistake;

function parseSubscribeTarget(args: string): Subject {
  const kind = splitFirstWord(args);
  const feed = parseProfileFeedKind(kind.word);
  if (feed) return parseProfileArguments(feed, kind.rest);
  if (kind.word.toLowerCase() !== 'filter') {
    if (parseFilterId(kind.word) !== undefined) return { kind: 'filter', text: args };
    return mistake(
      'You can subscribe to a `filter`, or to the `invitations` or `outcomes` (proposal updates) ' +
        `of a profile, not to ${codeText(kind.word, 60)}.`,
      EXAMPLE,
    );
  }
  const { word } = splitFirstWord(kind.rest);
  if (word === '') return mistake("Add the filter's ID or name.", EXAMPLE);
  if (/^#?\d+$/u.test(word) && parseFilterId(word) === undefined)
    return mistake(`${codeText(word, 60)} isn't a valid filter ID. Enter a whole number above 0.`, EXAMPLE);
  return { kind: 'filter', text: kind.rest };
}

/** `<id|name> [backfill <n>] [<rules>]` */
function parseFilterSubscription(
  text: string,
  known: readonly NamedFilter[],
): FilterSubscriptionRequest | Mistake | Exclude<FilterMatch, { readonly kind: 'found' }> {
  const taken = matchLeadingFilter(text, known);
  if (taken.kind !== 'found') return taken;
  const { filter } = taken;
  const before = `subscribe filter ${filter.id}`;
  const { amounts, rules } = takeBackfill(taken.rest);
  const [amount] = amounts;
  if (amount === undefined) return { kind: 'wanted', filter, before, backfill: 0, rules };
  const example = cleanLine(`${before} backfill 20 ${rules}`);
  if (amounts.length > 1) return mistake('Use `backfill` only once.', example);
  const backfill = parseWholeNumberInRange(amount, 1, MAX_BACKFILL_PROJECTS);
  if (backfill === undefined)
    return mistake(
      `\`backfill\` needs a number of past projects, from 1 to ${MAX_BACKFILL_PROJECTS}. ` +
        'To search for the word itself, put it in quotes.',
      example,
    );
  return { kind: 'wanted', filter, before: `${before} backfill ${backfill}`, backfill, rules };
}

/** Quoted text, to skip; or `backfill` and its number. */
const BACKFILL = /["“”„][^"“”„]*["“”„]?|(?<!\S)backfill(?:\s*[:=]\s*|\s+|$)(\S*)\s*/giu;

function takeBackfill(text: string) {
  const amounts: string[] = [];
  const rules = text.replace(BACKFILL, (whole, amount: string | undefined) => {
    if (amount === undefined) return whole;
    amounts.push(amount);
    return '';
  });
  return { amounts, rules: rules.trim() };
}

async function runSubscribe(call: CommandCall): Promise<void> {
  const subject = parseSubscribeTarget(call.args);
  if (subject.kind === 'mistake') return call.answer(inputErrorMessage(subject.what, subject.example));
  if (subject.kind === 'profile') return followProfile(call, subject);
  const { text } = subject;
  const { found: wanted, ...names } = await parseWithFilterNames(call.services, text, (known) =>
    parseFilterSubscription(text, known),
  );
  switch (wanted.kind) {
    case 'wanted':
      return subscribeTo(call, wanted);
    case 'mistake':
      return call.answer(inputErrorMessage(wanted.what, wanted.example));
    case 'several':
    case 'none':
      return call.answer(unclearFilterMessage(wanted, names, 'subscribe filter'));
  }
}

async function subscribeTo(call: CommandCall, wanted: FilterSubscriptionRequest): Promise<void> {
  const reach = await call.services.slack.checkReachability(call.channel);
  if (reach.kind === 'unreachable') return call.answer(channelUnreachableMessage(reach.error));
  const { filter, backfill, rules, before } = wanted;
  const read = parseRules(rules);
  if (backfill > MAX_UNASKED_BACKFILL && read.kind !== 'mistake')
    return askAboutBackfill(call, { filter, backfill, rules: read.printed });
  await subscribeToFilter(call, { filter: filter.id, backfill, rules, before });
}

/** @param openSetup opens the setup form, for the command without arguments */
export function createSubscribeCommand(openSetup: (call: CommandCall) => Promise<void>): CommandRoute {
  return { ...subscribeCommand, run: (call) => (call.args === '' ? openSetup(call) : runSubscribe(call)) };
}

const subscribeCommand: Omit<CommandRoute, 'run'> = {
  word: 'subscribe',
  topic: 'feed',
  needs: 'viewer',
  usage: [
    'subscribe',
    'subscribe filter <id|name> [backfill <n>] [<rules>]',
    'subscribe invitations <profile id|name> [organization <id|name>]',
    'subscribe outcomes <profile id|name>',
  ],
  summary: "Get a filter's new projects here. Or get a profile's invitations or proposal updates.",
  details: [
    '`/gig subscribe` alone opens a form: choose a filter from a list and set the rules, without IDs. ' +
      '`/gig subscribe 123` is short for `/gig subscribe filter 123`.',
    "*Filters.* Each new project costs at most 1 credit of the channel's budget (`/gig budget`). " +
      'To change the rules, subscribe again.',
    '`backfill &lt;n&gt;` also posts that many past projects. ' +
      `Gigdesk reads at least ${MIN_PROJECTS_PAGE_SIZE} at a time, ` +
      'and each one it reads may cost 1 credit. ' +
      `Above ${MAX_UNASKED_BACKFILL}, it asks first.`,
    'Use rules to narrow it down: words, "phrases", `-word` to exclude a word, and `budget: ' +
      'type:fixed type:hourly country: rating: spent: hires: hirerate: verified:yes qualified:yes skill: ' +
      'category: questions:`. Compare numbers with `&gt;`, `&gt;=`, `&lt;`, `&lt;=`.',
    '*Profiles.* `outcomes` are proposal updates: viewed, interviewed, hired, withdrawn, ' +
      'or the boost outbid. Invitations and proposal updates cost no credits.',
  ].join('\n'),
  examples: [
    'subscribe',
    'subscribe filter 123',
    'subscribe filter "Node jobs" backfill 20',
    'subscribe filter 123 budget:>500 verified:yes -wordpress',
    'subscribe invitations 301',
    'subscribe outcomes 301',
  ],
  isSlow: true,
};
