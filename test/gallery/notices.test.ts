/** What channels and admins are told by themselves. */
import { expect, it } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { ChannelId, FilterId, ProjectKey } from '../../src/ids.ts';
import type { ChannelNotice } from '../../src/outbox/posts.ts';
import { noticeMessage } from '../../src/slack/status/notice.ts';

const NOW = Date.UTC(2026, 10, 20, 9);
const CHANNEL = ChannelId.parse('C0WEB');
const REACT = { id: FilterId.parse(101), name: 'React work' };

const NOTICES: readonly ChannelNotice[] = [
  { about: 'budget-low', used: 400, limit: 500, resetsAt: NOW + 10 * DAY, runsOutAt: NOW + 3 * DAY },
  { about: 'budget-low', used: 400, limit: 500, resetsAt: NOW + 10 * DAY },
  { about: 'budget-spent', left: 7, limit: 500, resetsAt: NOW + 10 * DAY },
  { about: 'budget-spent', left: 0, limit: 500, resetsAt: NOW + 10 * DAY },
  { about: 'account-credits-spent', remaining: 4, resetsAt: NOW + 10 * DAY },
  { about: 'account-credits-spent', remaining: 0 },
  { about: 'account-credits-spent', remaining: 0, resetsAt: NOW + 10 * DAY, looksLikeTrial: true },
  { about: 'account-credits-spent', remaining: 4, looksLikeTrial: true },
  { about: 'budget-spent', left: 0, limit: 50, resetsAt: NOW + 10 * DAY, looksLikeTrial: true },
  { about: 'feed-failing', code: 'unauthorised', since: NOW, filters: [] },
  { about: 'feed-failing', code: 'not-found', since: NOW, filters: [REACT] },
  { about: 'feed-recovered', since: NOW, filters: [] },
  { about: 'channel-unreachable', channel: CHANNEL, error: 'is_archived' },
  { about: 'channel-unreachable', channel: CHANNEL, error: 'some_new_error<!channel>' },
  { about: 'conversation-refused', channel: CHANNEL, error: 'missing_scope' },
  { about: 'conversation-refused', channel: ChannelId.parse('U1'), error: 'some_new_error<!channel>' },
  {
    about: 'post-given-up',
    channel: CHANNEL,
    why: 'refused',
    error: 'blocked_by_dlp_policy',
    project: ProjectKey.parse('~0219'),
  },
  { about: 'post-given-up', channel: ChannelId.parse('U1'), why: 'unclear', error: 'missing_scope' },
  {
    about: 'post-given-up',
    channel: CHANNEL,
    why: 'refused',
    error: 'new<!here>',
    project: ProjectKey.parse('x` <!channel>'),
  },
  { about: 'backfill-done', filter: REACT, asked: 20, posted: 20 },
  { about: 'backfill-done', filter: { id: FilterId.parse(7) }, asked: 20, posted: 3 },
];

it('notices', () => {
  expect(NOTICES.map((it) => noticeMessage(it).text).join('\n\n')).toMatchSnapshot();
});
