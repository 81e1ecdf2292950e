/** Feeds with problems and setups near their limit, each with what to do. Pure. */

import type { DigestFacts } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN } from '../../digests/split-digest.ts';
import { FilterId } from '../../ids.ts';
import { BUDGET_TOO_LOW } from '../budgets/budgets.ts';
import { describeSlackError } from '../core/failures.ts';
import { capitalize, joinLines } from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { formatPastTime } from '../kit/words/digest-times.ts';
import { filterName } from '../kit/words/filter-name.ts';
import { describeMarketplaceFailure, type FailureDescription } from '../kit/words/marketplace-failure.ts';
import { feedKindText, profileFeedText } from '../kit/words/profile-name.ts';
import { describeProfileFailure } from '../subscriptions/subscriptions.ts';

type FeedFacts = DigestFacts['feeds'][number];

function nameOf({ feed, id, name, state }: FeedFacts): string {
  // A pause delays both projects and invitations; a feed-wide failure affects only the filters.
  if (feed === 'all') return state === 'paused' ? 'New projects and invitations' : 'New projects';
  if (id === undefined) return feed === 'filter' ? 'A filter' : capitalize(feedKindText(feed));
  if (feed !== 'filter') return profileFeedText({ feed, profile: { id, name } });
  const filter = FilterId.safeParse(id);
  return filter.success ? capitalize(filterName({ id: filter.data, name })) : 'A filter';
}

function troubleOf({ feed, id, name, code = '' }: FeedFacts, { credits }: DigestFacts): FailureDescription {
  const account = { looksLikeTrial: credits.accountLooksLikeTrial };
  if (feed === 'filter' || feed === 'all' || id === undefined)
    return describeMarketplaceFailure(code, account);
  return describeProfileFailure({ feed, profile: { id, name }, code });
}

function feedText(it: FeedFacts, facts: DigestFacts): string {
  const { to, timezone } = facts;
  const since = it.since === undefined ? '' : ` since ${formatPastTime(it.since, to, timezone)}`;
  const name = `*${nameOf(it)}*`;
  switch (it.state) {
    case 'failing': {
      const { what, next } = troubleOf(it, facts);
      return `:warning: ${name}: failing${since}. ${capitalize(what)}. ${next}`;
    }
    case 'failed': {
      const { what } = troubleOf(it, facts);
      return `:white_check_mark: ${name}: working again. It was failing${since} (${what}).`;
    }
    case 'paused':
      return `:double_vertical_bar: ${name}: paused${since}. Resume with \`/gig resume\`.`;
    case 'stopped':
      return (
        `:red_circle: ${name}: stopped${since}. ` +
        `Slack rejects posts here: ${describeSlackError(it.code ?? '')}. Restart with \`/gig resume\`.`
      );
    case 'out-of-budget':
      return (
        `:octagonal_sign: ${name}: waiting${since}. ${capitalize(BUDGET_TOO_LOW)}. ` +
        'An admin can raise it with `/gig budget`.'
      );
  }
}

/** Current problems before past ones. mrkdwn; undefined if there are none. */
export function digestFeedsText(facts: DigestFacts): string | undefined {
  const feeds = facts.feeds.toSorted((a, b) => Number(a.state === 'failed') - Number(b.state === 'failed'));
  const more = feeds.length - DIGEST_ROWS_SHOWN.feeds;
  return (
    joinLines(
      ...feeds.slice(0, DIGEST_ROWS_SHOWN.feeds).map((each) => feedText(each, facts)),
      more > 0 ? `…and ${formatCount(more, 'more feed')}: \`/gig list\`` : undefined,
    ) || undefined
  );
}

/** mrkdwn; undefined if none is near its limit. */
export function setupsNearLimitText({ setups }: DigestFacts): string | undefined {
  if (setups.length === 0) return undefined;
  const shown = setups
    .slice(0, DIGEST_ROWS_SHOWN.setups)
    .map(
      ({ id, name, sentToday, dailyLimit }) =>
        `${safeLine(name, 60) || `setup ${id}`} ` +
        `(${formatNumber(sentToday)} of ${formatNumber(dailyLimit)} sent)`,
    );
  const more = setups.length - shown.length;
  return (
    ':hourglass_flowing_sand: *Setups at or near their daily limit:* ' +
    `${[...shown, ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ')}`
  );
}
