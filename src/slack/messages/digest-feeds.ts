/** What does not come as it should, and setups near their limit: what to do stands beside it. */

import type { DigestFacts } from '../../digests/facts.ts';
import { SHOWN } from '../../digests/split-digest.ts';
import { FilterId } from '../../ids.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, number } from '../blocks/numbers.ts';
import { BUDGET_SHORT } from './budget.ts';
import { beforeText } from './digest-times.ts';
import { filterName } from './filter-name.ts';
import { capital, lines } from './parts.ts';
import { feedWords, profileFeedText } from './profile-name.ts';
import { describeProfileTrouble } from './profile-trouble.ts';
import { describeSlackTrouble } from './slack-trouble.ts';
import { describeTrouble, type Trouble } from './trouble.ts';

type FeedFacts = DigestFacts['feeds'][number];

function nameOf({ feed, id, name, state }: FeedFacts): string {
  // A pause keeps back both; what fails as a whole is the reading of filters.
  if (feed === 'all') return state === 'paused' ? 'New projects and invitations' : 'New projects';
  if (id === undefined) return feed === 'filter' ? 'A filter' : capital(feedWords(feed));
  if (feed !== 'filter') return profileFeedText({ feed, profile: { id, name } });
  const filter = FilterId.safeParse(id);
  return filter.success ? capital(filterName({ id: filter.data, name })) : 'A filter';
}

function troubleOf({ feed, id, name, code = '' }: FeedFacts, { credits }: DigestFacts): Trouble {
  const account = { looksLikeTrial: credits.accountLooksLikeTrial };
  if (feed === 'filter' || feed === 'all' || id === undefined) return describeTrouble(code, account);
  return describeProfileTrouble({ feed, profile: { id, name }, code });
}

function feedText(it: FeedFacts, facts: DigestFacts): string {
  const { to, timezone } = facts;
  const since = it.since === undefined ? '' : ` since ${beforeText(it.since, to, timezone)}`;
  const name = `*${nameOf(it)}*`;
  switch (it.state) {
    case 'failing': {
      const { what, next } = troubleOf(it, facts);
      return `:warning: ${name}: failing${since}. ${capital(what)}. ${next}`;
    }
    case 'failed':
      return `:white_check_mark: ${name}: working again after failing${since} (${troubleOf(it, facts).what}).`;
    case 'paused':
      return `:double_vertical_bar: ${name}: paused${since}. Resume with \`/gig resume\`.`;
    case 'stopped':
      return `:red_circle: ${name}: stopped${since}. Slack rejects posts here: ${describeSlackTrouble(it.code ?? '')}. Restart with \`/gig resume\`.`;
    case 'out-of-budget':
      return `:octagonal_sign: ${name}: waiting${since}. ${capital(BUDGET_SHORT)}. An admin can raise it with \`/gig budget\`.`;
  }
}

/** What is wrong now before what is over. mrkdwn; undefined where all is well. */
export function feedsText(facts: DigestFacts): string | undefined {
  const feeds = facts.feeds.toSorted((a, b) => Number(a.state === 'failed') - Number(b.state === 'failed'));
  const more = feeds.length - SHOWN.feeds;
  return (
    lines(
      ...feeds.slice(0, SHOWN.feeds).map((each) => feedText(each, facts)),
      more > 0 ? `…and ${count(more, 'more feed')}: \`/gig list\`` : undefined,
    ) || undefined
  );
}

/** mrkdwn; undefined where none is near it. */
export function setupsText({ setups }: DigestFacts): string | undefined {
  if (setups.length === 0) return undefined;
  const shown = setups
    .slice(0, SHOWN.setups)
    .map(
      ({ id, name, sentToday, dailyLimit }) =>
        `${safeLine(name, 60) || `setup ${id}`} ${number(sentToday)} of ${number(dailyLimit)}`,
    );
  const more = setups.length - shown.length;
  return `:hourglass_flowing_sand: *Setups near their daily limit:* ${[...shown, ...(more > 0 ? [`${number(more)} more`] : [])].join(', ')}`;
}
