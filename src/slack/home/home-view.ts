/** A user's App Home: what is still to be set up, open work, then health. Pure. */
import type { Button, HomeView, KnownBlock } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import { sortSetups } from '../../bidding/setup-warnings.ts';
import type { SubscriptionStatus } from '../../feed/feed.ts';
import type { ProfileFeedStatus } from '../../profiles/profiles.ts';
import { connectBlocks, connectedBlocks } from '../account/account.ts';
import { setupLine } from '../bids/bids.ts';
import { accountCreditsText, BUDGET_TOO_LOW } from '../budgets/budgets.ts';
import type { Person } from '../core/routes.ts';
import {
  buttonElement,
  contextBlock,
  headerBlock,
  joinLines,
  sectionBlock,
  textSections,
} from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { channelLink, cleanLine, clipText, formatTimeAgo } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { filterName } from '../kit/words/filters.ts';
import { describeMarketplaceFailure } from '../kit/words/marketplace-failure.ts';
import { profileFeedText } from '../kit/words/profiles.ts';
import { allFeedsStoppedText, requestsDelayedText } from '../status/status.ts';
import {
  countFeeds,
  describeProfileFailure,
  profileFeedKey,
  toProfileFeedName,
} from '../subscriptions/subscriptions.ts';
import { channelsBlocks } from './home-channel-blocks.ts';
import { type HomeChannel, type HomeFacts, homeChannelValueCodec } from './home-facts.ts';
import {
  claimBlocks,
  draftsBlocks,
  homeApprovalsBlocks,
  isApprovalAwaited,
  ownHeldBlocks,
  uncertainBidsBlocks,
} from './home-work-blocks.ts';

/** Where Gigdesk was invited to; more hardly wait at once. */
const MOST_WAITING = 3;

type Place = Pick<HomeChannel, 'channel' | 'name'>;

function setUpButton({ channel, name }: Place): Button {
  return buttonElement({
    id: actionIds.homeSetUp,
    label: 'Set Up',
    value: homeChannelValueCodec.write({ channel }),
    accessibilityLabel: `Set Up ${clipText(cleanLine(name), 50)}`,
  });
}

/** @param what a sentence; it names the place if there is only one */
function stepBlocks(what: string, places: readonly Place[]): KnownBlock[] {
  const text = `:point_right: *Next step:* ${what}`;
  const [only, ...more] = places;
  if (only && more.length === 0) return [sectionBlock(text, setUpButton(only))];
  const shown = places.slice(0, MOST_WAITING);
  return [
    sectionBlock(text),
    ...shown.map((place) => sectionBlock(channelLink(place.channel), setUpButton(place))),
  ];
}

/** At most four blocks. */
function nextStepBlocks({ channels, invitedTo, remembered }: HomeFacts): KnownBlock[] {
  // Without Slack's answer, nobody knows what the person's channels have.
  if (remembered) return [];
  const [invited, ...others] = invitedTo;
  if (invited) {
    const which = others.length > 0 ? 'these channels' : channelLink(invited.id);
    const where = others.length > 0 ? 'in them' : 'in it';
    return stepBlocks(
      `Set up ${which}. Gigdesk is ${where}, but posts nothing yet. Setup costs no credits.`,
      invitedTo.map(({ id, name }) => ({ channel: id, name })),
    );
  }
  if (channels.length === 0)
    return stepBlocks(
      'Open a channel and type `/invite @gigdesk`. Then press *Set Up This Channel* in the message there.',
      [],
    );
  const first = channels.find(({ role }) => hasRoleAtLeast(role, 'viewer'));
  if (!first) return [];
  if (!channels.some(({ profiles }) => profiles.length > 0))
    return stepBlocks(
      `Get invitations and proposal updates, for example in ${channelLink(first.channel)}. ` +
        'They cost no credits.',
      [first],
    );
  if (!channels.some(({ digest }) => digest !== undefined))
    return stepBlocks(
      `Get a daily digest, for example in ${channelLink(first.channel)}. It costs no credits.`,
      [first],
    );
  return [];
}

const MOST_SETUPS = 10;

function home(blocks: readonly KnownBlock[]): HomeView {
  return { type: 'home', callback_id: viewIds.home, blocks: [...blocks] };
}

const REFUSED = "Slack doesn't let Gigdesk post there; press Resume to restart";

function troubleOf({ state }: SubscriptionStatus): string | undefined {
  if (state.kind === 'stopped') return REFUSED;
  if (state.kind === 'out-of-budget') return BUDGET_TOO_LOW;
  return state.kind === 'failing' ? describeMarketplaceFailure(state.code).what : undefined;
}

function troubleOfProfile(view: ProfileFeedStatus): string | undefined {
  if (view.feed.stopped) return REFUSED;
  const { trouble } = view.sync ?? {};
  return trouble && describeProfileFailure({ ...toProfileFeedName(view), code: trouble.code }).what;
}

/** `feed` is equal in each channel that follows it; `name` is lazy, because only one of them is named. */
function failuresIn({ channel, subscriptions, profiles }: HomeChannel) {
  const all = [
    ...subscriptions.map((view) => ({
      feed: `filter:${view.filter.id}`,
      name: () => filterName(view.filter),
      why: troubleOf(view),
    })),
    ...profiles.map((view) => ({
      feed: profileFeedKey(view),
      name: () => profileFeedText(toProfileFeedName(view)),
      why: troubleOfProfile(view),
    })),
  ];
  return all.flatMap(({ feed, name, why }) => (why ? [{ channel, feed, name, why }] : []));
}

function healthText({ feed, account, gate, at, channels }: HomeFacts): string | undefined {
  const standstill = allFeedsStoppedText({ feed, account });
  if (standstill) return standstill;
  const feeds = countFeeds({
    filters: channels.flatMap((it) => it.subscriptions.map(({ filter }) => filter.id)),
    profiles: channels.flatMap((it) => it.profiles),
  });
  const failing = channels.flatMap(failuresIn);
  const [first] = failing;
  if (first)
    return joinLines(
      `:warning: *Problems with ${formatNumber(new Set(failing.map((each) => each.feed)).size)} of ` +
        `${formatCount(feeds, 'feed')} in your channels*`,
      `${first.name()} in ${channelLink(first.channel)}: ${first.why}.`,
    );
  const heldBack = requestsDelayedText(gate, at, true);
  if (heldBack) return heldBack;
  return feeds === 0
    ? undefined
    : `:white_check_mark: *Everything works.* Your channels follow ${formatCount(feeds, 'feed')}.`;
}

function setupsBlocks({ setups: { setups, readAt } }: HomeFacts): KnownBlock[] {
  if (setups.length === 0) return [];
  const ordered = sortSetups(setups);
  const more = ordered.length - MOST_SETUPS;
  const rest = more > 0 ? `…and ${formatNumber(more)} more. ` : '';
  const read = readAt === undefined ? '' : ` Last checked ${formatTimeAgo(readAt)}.`;
  return [
    headerBlock('Auto bidding setups'),
    sectionBlock(joinLines(...ordered.slice(0, MOST_SETUPS).map(setupLine))),
    contextBlock(`${rest}\`/gig setups\` shows details.${read}`),
  ];
}

/** Never more than 100 blocks; see the limits of each part. */
export function homeView(facts: HomeFacts): HomeView {
  const { person, isConnected } = facts;
  const isAwaited = isApprovalAwaited(facts);
  const health = joinLines('*Project credits*', accountCreditsText(facts.account), healthText(facts));
  const nextStep = isConnected === false ? [] : nextStepBlocks(facts);
  return home([
    ...textSections(facts.notice),
    ...(isConnected === false ? connectBlocks(person.role) : [sectionBlock(health)]),
    // People who wait for an approval come first.
    ...(isAwaited ? [] : nextStep),
    ...uncertainBidsBlocks(facts),
    ...homeApprovalsBlocks(facts),
    ...ownHeldBlocks(facts),
    ...claimBlocks(facts),
    ...draftsBlocks(facts),
    ...(isAwaited ? nextStep : []),
    ...channelsBlocks(facts),
    ...setupsBlocks(facts),
    ...(isConnected && hasRoleAtLeast(person.role, 'admin') ? connectedBlocks() : []),
    contextBlock('`/gig help` lists all commands. `/gig status` shows the health of the feeds.'),
  ]);
}

/** For guests and external members, and while Slack does not say who the user is. */
export function outsiderHome({ unsure }: Pick<Person, 'unsure'>): HomeView {
  const what =
    'Gigdesk posts new projects from a freelance marketplace to your channels, ' +
    'as cards that your team claims and bids on.';
  const may = unsure
    ? "Slack can't confirm who you are right now. Reopen this tab in a minute."
    : 'As a guest or external member, you can read the cards in your channels, ' +
      'and use `/gig list` and `/gig help`. For anything else, ask a member of the team.';
  return home([sectionBlock(joinLines('*Gigdesk*', what)), sectionBlock(may)]);
}
