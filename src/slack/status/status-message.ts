/** Health check: feeds, requests, credits, version. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Instant } from '../../clock.ts';
import type { ClockState } from '../../clock-watch.ts';
import type { AccountState, BudgetState } from '../../credits/credits.ts';
import type { FeedStatus, FilterHealth } from '../../feed/feed.ts';
import type { ChannelId } from '../../ids.ts';
import type { GateStatus } from '../../marketplace/gate/gate.ts';
import type { ProfileFeedStatus } from '../../profiles/profiles.ts';
import { optionalScopeLosses } from '../../slack-scopes.ts';
import {
  accountCreditsText,
  channelBudgetLine,
  creditsRenewalText,
  isBudgetTooLow,
  sharedBudgetLine,
} from '../budgets/budgets.ts';
import { clockErrorText } from '../core/failures.ts';
import type { Message } from '../core/routes.ts';
import type { VisibleChannels } from '../core/user-channels.ts';
import type { DeliveryHealth } from '../delivery/health.ts';
import {
  actionsBlock,
  contextBlock,
  fieldsSection,
  joinFacts,
  joinLines,
  sectionBlock,
  sectionBlocks,
  textSections,
} from '../kit/block-builders.ts';
import { setUpButton } from '../kit/command-button.ts';
import { channelLink, codeText, formatDate, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { trialAdvice } from '../kit/words/credits-text.ts';
import { filterName } from '../kit/words/filters.ts';
import { describeMarketplaceFailure, NOT_CONNECTED } from '../kit/words/marketplace-failure.ts';
import { type ProposalsCoverage, proposalsStatusText } from '../proposals/proposals.ts';
import { countFeeds } from '../subscriptions/subscriptions.ts';
import {
  deliveryPausedText,
  groupByProfileFeed,
  isProfileFeedFailing,
  listShownFailingProfiles,
  profileFeedsStatusText,
  refusedConversationsText,
  requestsDelayedText,
  requestUsageText,
  stoppedChannelsText,
} from './status-parts.ts';

const MOST_FEEDS = 15;
const MOST_BUDGETS = 10;
const MOST_NAMED = 5;
const WORKS: DeliveryHealth = { refused: [] };

interface Standstill {
  readonly feed: Pick<FeedStatus, 'trouble'>;
  readonly account: AccountState;
}

export interface StatusFacts extends Standstill, VisibleChannels {
  readonly version: string;
  readonly startedAt: Instant;
  readonly at: Instant;
  readonly isUnconnected?: boolean;
  /** How many damaged parts of the store the start found. */
  readonly notices?: number;
  /** Records that only a newer version can read. */
  readonly invalidRecords?: number;
  readonly missingScopes?: readonly string[];
  /** Missing: the clock is trusted. */
  readonly clock?: ClockState;
  readonly feed: FeedStatus;
  readonly gate: GateStatus;
  readonly account: AccountState;
  readonly budgets: readonly BudgetState[];
  readonly profiles: readonly ProfileFeedStatus[];
  /** Missing if no profile is followed. */
  readonly proposals?: ProposalsCoverage;
  readonly delivery?: DeliveryHealth;
}

function paceText(perHour: number): string {
  if (perHour <= 0) return 'pace unknown';
  return perHour >= 1
    ? `about ${formatCount(perHour, 'project')} an hour`
    : `about ${formatCount(Math.max(1, Math.round(perHour * 24)), 'project')} a day`;
}

/** The failure that blocks all feeds, unless the credits ran out after it began. */
function presentTrouble({ feed, account }: Standstill): FeedStatus['trouble'] {
  return feed.trouble && feed.trouble.since > (account.spentSince ?? 0) ? feed.trouble : undefined;
}

/** Whose new projects wait for their own budget. */
function shortChannels({ budgets, feed }: StatusFacts): ReadonlySet<ChannelId> {
  const following = new Set(feed.filters.flatMap(({ channels }) => channels));
  const short = budgets.filter((budget) => isBudgetTooLow(budget) && following.has(budget.channel));
  return new Set(short.map(({ channel }) => channel));
}

function feedText(it: FilterHealth, facts: StatusFacts): string {
  const { trouble, lastGoodAt } = it;
  const general = presentTrouble(facts);
  const short = shortChannels(facts);
  const waiting = it.channels.filter((channel) => short.has(channel)).length;
  const isStill =
    general !== undefined || facts.account.spentSince !== undefined || waiting === it.channels.length;
  // No filter is green while all feeds are stopped.
  const sign = trouble ? ':warning:' : isStill ? ':white_circle:' : ':large_green_circle:';
  const failing =
    trouble &&
    trouble.code !== general?.code &&
    `   ${describeMarketplaceFailure(trouble.code).what}, since ${formatDate(trouble.since)}, ` +
      `next try ${formatDate(trouble.retryAt, 'time')}`;
  return joinLines(
    joinFacts(
      `${sign} ${filterName(it.filter)}`,
      lastGoodAt === undefined
        ? 'not checked yet'
        : `${trouble ? 'last worked' : 'checked'} ${formatTimeAgo(lastGoodAt)}`,
      paceText(it.perHour),
      formatCount(it.channels.length, 'channel'),
      waiting > 0
        ? `${waiting === it.channels.length ? '' : `${formatNumber(waiting)} `}waiting for budget`
        : undefined,
      it.gaps > 0 ? 'catching up on older projects' : undefined,
    ),
    failing || undefined,
  );
}

/** Why no channel gets anything; undefined while feeds work. mrkdwn. */
export function allFeedsStoppedText(facts: Standstill): string | undefined {
  const { account } = facts;
  const general = presentTrouble(facts);
  if (general) {
    const { what, next } = describeMarketplaceFailure(general.code, account);
    return (
      `:red_circle: *Feeds stopped since ${formatDate(general.since)}: ${what}.*\n` +
      `${next} Next try ${formatDate(general.retryAt, 'time')}.`
    );
  }
  if (account.spentSince === undefined) return undefined;
  const since = formatDate(account.spentSince);
  const what = `:octagonal_sign: *The account has been out of credits* since ${since}.`;
  if (account.looksLikeTrial) return joinLines(what, trialAdvice(creditsRenewalText(account)));
  return (
    `${what} New projects wait until credits renew ${formatDate(account.resetsAt)} or the account owner ` +
    'tops up.'
  );
}

const others = (channels: number) => formatCount(channels, 'other channel');

/** Names only channels that the reader may see. */
function shortText(channels: readonly ChannelId[], { sees }: VisibleChannels): string {
  const named = channels.filter(sees).slice(0, MOST_NAMED);
  const more = channels.length - named.length;
  const parts = [named.map(channelLink).join(', '), more > 0 ? others(more) : ''];
  const all = parts.filter(Boolean).join(' and ');
  return (
    `:octagonal_sign: *Not enough budget in ${all}.* ` +
    'New projects there wait until the budget resets or an admin raises it.'
  );
}

function headline(facts: StatusFacts): string {
  const { clock, feed, delivery = WORKS } = facts;
  if (clock?.kind === 'off')
    return (
      `:red_circle: *${clockErrorText(clock.byMs)}* Gigdesk doesn't read projects or send bids until the ` +
      'clock is correct. Ask the person who runs Gigdesk to fix it.'
    );
  const stopped =
    deliveryPausedText(delivery) ??
    (facts.isUnconnected ? `:warning: ${NOT_CONNECTED}` : allFeedsStoppedText(facts));
  if (stopped) return stopped;
  const profiles = groupByProfileFeed(facts.profiles);
  const filters = feed.filters.map(({ filter }) => filter.id);
  const feeds = countFeeds({ filters, profiles: facts.profiles });
  const failing =
    feed.filters.filter((each) => each.trouble).length + profiles.filter(isProfileFeedFailing).length;
  if (failing > 0) return `:warning: *${formatNumber(failing)} of ${formatCount(feeds, 'feed')} failing*`;
  const delayed = refusedConversationsText(delivery) ?? requestsDelayedText(facts.gate, facts.at);
  if (delayed) return delayed;
  const short = [...shortChannels(facts)];
  if (short.length > 0) return shortText(short, facts);
  return feeds === 0
    ? '*Everything works, but there are no feeds yet.*'
    : `:white_check_mark: *Everything works: ${formatCount(feeds, 'feed')} live*`;
}

const UNSURE =
  "Couldn't check with Slack which channels you're in, so some may be missing here. Try again in a minute.";

/** Channels that the reader may see, and a total for the rest. */
function budgetsBlocks({ budgets, sees, isUnsure }: StatusFacts): KnownBlock[] {
  if (budgets.length === 0) return [];
  const shown = budgets.filter(({ channel }) => sees(channel)).slice(0, MOST_BUDGETS);
  const rest = budgets.filter((budget) => !shown.includes(budget));
  const sum = rest.reduce((total, { settled }) => total + settled, 0);
  const text = joinFacts(
    ...shown.map(channelBudgetLine),
    rest.length > 0 ? `${others(rest.length)}: ${formatCount(sum, 'credit')}` : undefined,
  );
  const unsure = isUnsure ? UNSURE : undefined;
  return [contextBlock(joinLines(`Spent by channel: ${text}`, sharedBudgetLine(budgets), unsure))];
}

function damageText(notices: number): string | undefined {
  if (notices === 0) return undefined;
  return (
    ':warning: *Some stored data was damaged* when Gigdesk started, so Gigdesk set it aside. ' +
    `Ask the person who runs Gigdesk to check the log (${formatCount(notices, 'notice')}).`
  );
}

function unfitText(records: number): string | undefined {
  if (records === 0) return undefined;
  return (
    `:warning: *A newer version of Gigdesk wrote ${formatCount(records, 'record')} that this version ` +
    "can't read.* Gigdesk keeps them unchanged and errs on the side of caution. The log lists them. " +
    'Upgrade again to use them.'
  );
}

function missingScopesBlocks(scopes: readonly string[]): KnownBlock[] {
  if (scopes.length === 0) return [];
  const each = scopes.map((scope) => `${codeText(scope)}: ${optionalScopeLosses[scope] ?? ''}`);
  return [contextBlock(joinLines("Optional Slack permissions that Gigdesk doesn't have:", ...each))];
}

export function statusMessage(facts: StatusFacts): Message {
  const { feed, version, startedAt, delivery = WORKS } = facts;
  // Failing filters first, since they are why someone looks.
  const feeds = feed.filters.toSorted((a, b) => Number(!a.trouble) - Number(!b.trouble));
  const followed = groupByProfileFeed(facts.profiles);
  const profiles = profileFeedsStatusText(followed);
  const more = andMoreText(feeds.length - MOST_FEEDS);
  const first = headline(facts);
  return {
    text: first,
    blocks: [
      sectionBlock(first),
      ...(feeds.length + followed.length === 0 ? [actionsBlock([setUpButton('Set Up Channel')])] : []),
      ...textSections(
        ...[refusedConversationsText(delivery), stoppedChannelsText(delivery)].filter((it) => it !== first),
      ),
      ...sectionBlocks([
        ...feeds.slice(0, MOST_FEEDS).map((each) => feedText(each, facts)),
        ...(more ? [more] : []),
      ]),
      ...textSections(profiles),
      fieldsSection([
        requestUsageText(facts.gate, facts.at),
        joinLines('*Credits*', accountCreditsText(facts.account)),
      ]),
      ...budgetsBlocks(facts),
      ...(facts.proposals
        ? [sectionBlock(proposalsStatusText(facts.proposals, listShownFailingProfiles(followed)))]
        : []),
      ...textSections(damageText(facts.notices ?? 0), unfitText(facts.invalidRecords ?? 0)),
      ...missingScopesBlocks(facts.missingScopes ?? []),
      contextBlock(`Gigdesk ${safeLine(version, 40)}, running since ${formatDate(startedAt)}`),
    ],
  };
}
