/** A person's Home: what is worth their time first, then how all stands. Pure. */

import type { HomeView, KnownBlock } from '@slack/types';
import { orderSetups } from '../../bidding/setup-notes.ts';
import type { SubscriptionView } from '../../feed/feed.ts';
import type { ChannelId } from '../../ids.ts';
import type { ProfileFeedView } from '../../profiles/profiles.ts';
import { viewIds } from '../blocks/ids.ts';
import { channelLink } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import { accountText, BUDGET_SHORT } from '../messages/budget.ts';
import { countFeeds, profileFeedKey } from '../messages/feed-count.ts';
import { filterName } from '../messages/filter-name.ts';
import { heldBackText } from '../messages/gate-words.ts';
import { context, lines, section } from '../messages/parts.ts';
import { feedNameOf } from '../messages/profile-feed-block.ts';
import { profileFeedText } from '../messages/profile-name.ts';
import { describeProfileTrouble } from '../messages/profile-trouble.ts';
import { setupLine } from '../messages/setups-list.ts';
import { standstillText } from '../messages/status.ts';
import { describeTrouble } from '../messages/trouble.ts';
import { ago } from '../messages/when.ts';
import type { Person } from '../routes.ts';
import { channelsBlocks } from './home-channels.ts';
import type { HomeChannel, HomeFacts } from './home-facts.ts';
import { header } from './home-parts.ts';
import { claimBlocks, draftsBlocks, waitingBlocks } from './home-work.ts';

const MOST_SETUPS = 10;

function home(blocks: readonly KnownBlock[]): HomeView {
  return { type: 'home', callback_id: viewIds.home, blocks: [...blocks] };
}

const REFUSED = "Slack doesn't let Gigdesk post there; use `/gig resume` to restart";

function troubleOf({ state }: SubscriptionView): string | undefined {
  if (state.kind === 'stopped') return REFUSED;
  if (state.kind === 'out-of-budget') return BUDGET_SHORT;
  return state.kind === 'failing' ? describeTrouble(state.code).what : undefined;
}

function troubleOfProfile(view: ProfileFeedView): string | undefined {
  if (view.feed.stopped) return REFUSED;
  const { trouble } = view.sync ?? {};
  return trouble && describeProfileTrouble({ ...feedNameOf(view), code: trouble.code }).what;
}

interface Failing {
  /** The same in each channel that follows it. */
  readonly feed: string;
  readonly channel: ChannelId;
  /** Only one is named of however many. mrkdwn. */
  readonly name: () => string;
  readonly why: string;
}

function failuresIn({ channel, subscriptions, profiles }: HomeChannel): Failing[] {
  const all = [
    ...subscriptions.map((view) => ({
      feed: `filter:${view.filter.id}`,
      name: () => filterName(view.filter),
      why: troubleOf(view),
    })),
    ...profiles.map((view) => ({
      feed: profileFeedKey(view),
      name: () => profileFeedText(feedNameOf(view)),
      why: troubleOfProfile(view),
    })),
  ];
  return all.flatMap(({ feed, name, why }) => (why ? [{ channel, feed, name, why }] : []));
}

/** Whether all is well with what the reader's channels follow, with what fails first. */
function healthText({ feed, account, gate, at, channels }: HomeFacts): string | undefined {
  const standstill = standstillText({ feed, account });
  if (standstill) return standstill;
  const feeds = countFeeds({
    filters: channels.flatMap((it) => it.subscriptions.map(({ filter }) => filter.id)),
    profiles: channels.flatMap((it) => it.profiles),
  });
  const failing = channels.flatMap(failuresIn);
  const [first] = failing;
  if (first)
    return lines(
      `:warning: *Problems with ${number(new Set(failing.map((each) => each.feed)).size)} of ${count(feeds, 'feed')} in your channels*`,
      `${first.name()} in ${channelLink(first.channel)}: ${first.why}.`,
    );
  const heldBack = heldBackText(gate, at, true);
  if (heldBack) return heldBack;
  return feeds === 0
    ? undefined
    : `:white_check_mark: *Everything works.* Your channels follow ${count(feeds, 'feed')}.`;
}

function setupsBlocks({ setups: { setups, readAt } }: HomeFacts): KnownBlock[] {
  if (setups.length === 0) return [];
  const ordered = orderSetups(setups);
  const more = ordered.length - MOST_SETUPS;
  const read = readAt === undefined ? '' : ` Last checked ${ago(readAt)}.`;
  return [
    header('Auto bidding setups'),
    section(lines(...ordered.slice(0, MOST_SETUPS).map(setupLine))),
    context(`${more > 0 ? `…and ${number(more)} more. ` : ''}\`/gig setups\` shows details.${read}`),
  ];
}

/** At most 100 blocks whatever there is; see the bounds of each part. */
export function homeView(facts: HomeFacts): HomeView {
  const health = healthText(facts);
  return home([
    ...(facts.notice ? [section(facts.notice)] : []),
    section(lines('*Project credits*', accountText(facts.account), health)),
    ...waitingBlocks(facts),
    ...claimBlocks(facts),
    ...draftsBlocks(facts),
    ...channelsBlocks(facts),
    ...setupsBlocks(facts),
    context('`/gig help` lists all commands. `/gig status` shows the health of the feeds.'),
  ]);
}

/** For guests and people of other workspaces, and while Slack does not say who somebody is. */
export function outsiderHome({ unsure }: Pick<Person, 'unsure'>): HomeView {
  const what =
    'Gigdesk posts new projects from a freelance marketplace to your channels, as cards that your team claims and bids on.';
  const may = unsure
    ? "Slack can't confirm who you are right now. Reopen this tab in a minute."
    : 'As a guest or external member, you can read the cards in your channels, and use `/gig list` and `/gig help`. For anything else, ask a member of the team.';
  return home([section(lines('*Gigdesk*', what)), section(may)]);
}
