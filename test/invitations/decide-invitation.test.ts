/** What a channel gets of an invitation, what is stored of it, and which profile is read next. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import { ChannelId, InvitationUid, ProfileId, ProjectKey, UserId } from '../../src/ids.ts';
import {
  decideInvitationState,
  isLetterTruncated,
  isTooOldForFeed,
  MAX_LETTER_LENGTH,
  mergeInvitation,
  toInvitationRecord,
} from '../../src/invitations/decide-invitation.ts';
import { findInvitedProject } from '../../src/invitations/records.ts';
import { findNextReadTask } from '../../src/invitations/sources.ts';
import type { Invitation } from '../../src/marketplace/schema.ts';
import type { ProfileSync } from '../../src/profiles/records.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const uid = InvitationUid.parse('i1');

describe('an unknown invitation', () => {
  const begun = { startsAt: NOW - HOUR, firstReadAt: NOW - HOUR };
  const starting = { startsAt: NOW - HOUR };
  it.each([
    ['of now is posted', NOW, begun, 'posted'],
    ['of the start is posted', NOW - HOUR, starting, 'posted'],
    ['from before is the past at the first read', NOW - HOUR - 1, starting, 'past'],
    ['from before that was missing then is late', NOW - HOUR - 1, begun, 'posted'],
    ['without a date is the past at the first read', undefined, starting, 'past'],
    ['without a date is posted later', undefined, begun, 'posted'],
    ['a day older than the start is behind', NOW - HOUR - DAY - 1, begun, 'behind'],
    ['of 60 days ago is behind', NOW - 60 * DAY - 1, { ...begun, startsAt: 0 }, 'behind'],
  ] as const)('%s', (_, at, feed, state) => {
    expect(decideInvitationState(at, feed, NOW)).toBe(state);
    expect(isTooOldForFeed(at, feed.startsAt, NOW)).toBe(state === 'behind');
  });
});

describe('what is stored of an invitation', () => {
  const read: Invitation = {
    uid: 'i1',
    title: 'Chairs',
    letter: 'Dear you',
    profile: { id: ProfileId.parse(1), label: 'Ana' },
    status: 'Pending',
    createdAt: NOW - MINUTE,
    updatedAt: NOW,
  };
  const before = toInvitationRecord(uid, read, NOW);

  it('is dated by its creation if need be, and its letter fits a message', () => {
    expect(before).toMatchObject({ invitedAt: NOW - MINUTE, letterLength: 8, statusChanges: 0 });
    expect(before.organization).toBeUndefined();
    const long = toInvitationRecord(uid, { ...read, letter: 'x'.repeat(20_000) }, NOW);
    expect([long.letter.length, long.letterLength]).toEqual([MAX_LETTER_LENGTH, 20_000]);
  });

  it('keeps what an answer leaves out, and counts changes of its status', () => {
    const blank = { ...read, title: '', letter: '', status: 'Accepted' };
    const changed = { ...before, status: 'Accepted', statusChanges: 1 };
    expect(mergeInvitation(before, blank)).toEqual(changed);
    expect(mergeInvitation(changed, blank)).toEqual(changed);
    const { status: _, ...silent } = read;
    expect(mergeInvitation(changed, silent)).toEqual(changed);
    const rewritten = { ...read, letter: 'Dear Ana' };
    expect(mergeInvitation(before, rewritten)).toEqual({ ...before, letter: 'Dear Ana' });
  });

  it('takes nothing from an older answer; one without a date counts', () => {
    expect(mergeInvitation(before, { ...read, title: 'Old', updatedAt: NOW - 1 })).toEqual(before);
    const { updatedAt: _, ...undated } = read;
    expect(mergeInvitation(before, { ...undated, title: 'New' })).toMatchObject({
      title: 'New',
      updatedAt: NOW,
    });
  });

  it('has a letter that the card shows in full, or cuts off', () => {
    expect(isLetterTruncated(`Dear  you,\n\n${'x'.repeat(289)} `)).toBe(false);
    expect(isLetterTruncated('x'.repeat(301))).toBe(true);
  });

  it('names the same project as /gig bid with its ID, or none', () => {
    expect(findInvitedProject({ jobPostingUid: ' ~0123 ' })).toEqual({
      reference: { ciphertext: '~0123' },
      project: ProjectKey.parse('~0123'),
      marketplaceJobId: '~0123',
    });
    expect(findInvitedProject({ jobPostingUid: '1900' })?.project).toBe('uid:1900');
    for (const jobPostingUid of [undefined, '', 'two words', '<!channel>', 'x'.repeat(101)])
      expect(findInvitedProject({ jobPostingUid })).toBeUndefined();
  });
});

describe('the next read', () => {
  const source = (profile: number) => ({ profile: ProfileId.parse(profile) });
  const feed = (change: object = {}) => ({
    channel: ChannelId.parse('C1'),
    kind: 'invitations' as const,
    ...source(1),
    by: UserId.parse('U1'),
    createdAt: 0,
    startsAt: 0,
    firstReadAt: 1,
    ...change,
  });
  const state = (profile: number, sync: Partial<ProfileSync>, feeds = [feed()]) => ({
    source: source(profile),
    sync: { of: 'invitations' as const, ...source(profile), sweptAt: NOW, ...sync },
    feeds,
  });
  const trouble = (retryAt: Instant) => ({ code: 'server', since: NOW - MINUTE, failures: 1, retryAt });
  const next = (states: readonly ReturnType<typeof state>[], pauses: object = {}) =>
    findNextReadTask(states, NOW, { notBefore: () => 0, sweepsFrom: 0, ...pauses });

  it.each([
    ['is none if nothing is followed', [], undefined],
    ['is two minutes after the last', [state(1, { readAt: NOW })], { kind: 'newest', at: NOW + 2 * MINUTE }],
    ['is at once before the first', [state(1, {})], { kind: 'newest', at: NOW }],
    [
      'is at once for a channel that begins to follow',
      [state(1, { readAt: NOW }, [feed(), feed({ firstReadAt: undefined })])],
      { kind: 'newest', at: NOW },
    ],
    ['is at once if the last is of a wrong clock', [state(1, { readAt: NOW + DAY })], { at: NOW }],
    [
      'is of the profile that waits longest',
      [state(1, { readAt: NOW - MINUTE }), state(2, { readAt: NOW - 90 * SECOND })],
      { source: source(2), at: NOW + 30 * SECOND },
    ],
    [
      'is a sweep a day after the last',
      [state(1, { readAt: NOW, sweptAt: NOW - DAY })],
      { kind: 'sweep', at: NOW },
    ],
    ['is the next page of a sweep', [state(1, { readAt: NOW, sweepPage: 2 })], { kind: 'sweep', at: NOW }],
    [
      'is a retry of one that failed, and no sweep of it',
      [state(1, { readAt: NOW - HOUR, sweepPage: 2, trouble: trouble(NOW + MINUTE) })],
      { kind: 'newest', at: NOW + MINUTE },
    ],
  ])('%s', (_, states, expected) => {
    const found = next(states);
    if (expected) expect(found).toMatchObject(expected);
    else expect(found).toBeUndefined();
  });

  it('waits for the end of a pause, and sweeps leave other reads their turns', () => {
    const due = [state(1, { readAt: NOW - HOUR, sweepPage: 2 })];
    expect(next(due, { notBefore: () => NOW + HOUR })).toMatchObject({ at: NOW + HOUR });
    const swept = [state(1, { readAt: NOW, sweepPage: 2 })];
    expect(next(swept, { sweepsFrom: NOW + SECOND })).toMatchObject({ kind: 'sweep', at: NOW + SECOND });
  });

  it('after a pause of all is of the one that waited longest, so each has its turn', () => {
    const failed = state(1, { readAt: NOW - HOUR, trouble: trouble(NOW + MINUTE) });
    const waits = state(2, { readAt: NOW - HOUR });
    for (const states of [
      [failed, waits],
      [waits, failed],
    ])
      expect(next(states, { notBefore: () => NOW + MINUTE })).toMatchObject({ source: source(2) });
  });
});
