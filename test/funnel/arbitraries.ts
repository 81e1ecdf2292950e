/** Any card and any bids on its project. */
import fc from 'fast-check';
import type { Card } from '../../src/feed/feed.ts';
import { SkipReason } from '../../src/feed/feed.ts';
import { decideBidProgress, decideJobProgress, type ProjectBid } from '../../src/funnel/decide-progress.ts';
import { ChannelId, FilterId, ProjectKey, TeamId, UserId } from '../../src/ids.ts';
import { HoldEnd } from '../../src/spending/hold.ts';

export const team = TeamId.parse('T1');
export const channels = ['C1', 'C2', 'C3'].map((id) => ChannelId.parse(id));
const filters = [1, 2, 3].map((id) => FilterId.parse(id));
const keys = Array.from({ length: 6 }, (_, n) => ProjectKey.parse(`~${n}`));
const by = UserId.parse('U1');

const anyState = fc.oneof(
  fc.constantFrom({ state: 'posted' as const }, { state: 'deferred' as const }),
  fc
    .constantFrom('past' as const, 'no-match' as const, 'muted' as const, 'unsubscribed' as const)
    .map((because) => ({ state: 'suppressed' as const, because })),
);

export const anyCard: fc.Arbitrary<Card> = fc
  .record({
    channel: fc.constantFrom(...channels),
    project: fc.constantFrom(...keys),
    filters: fc.subarray(filters),
    passed: fc.option(fc.subarray(filters), { nil: undefined }),
    state: anyState,
    isClaimed: fc.boolean(),
    skip: fc.option(fc.constantFrom(...SkipReason.options), { nil: undefined }),
    isShared: fc.boolean(),
  })
  .map(({ state, passed, isClaimed, skip, isShared, ...rest }) => ({
    team,
    foundAt: 1,
    ...rest,
    ...state,
    ...(passed ? { passed } : {}),
    ...(isClaimed && state.state === 'posted' ? { claim: { by, at: 1 } } : {}),
    ...(skip && state.state === 'posted' ? { skip: { by, at: 1, reason: skip } } : {}),
    ...(isShared ? { sharedBy: by } : {}),
  }));

const anyJob = fc.record(
  {
    status: fc.constantFrom('scheduled', 'skipped', 'completed', 'pending_review'),
    applicationUid: fc.constant('a1'),
    proposal: fc
      .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
      .map(([viewed, interviewed, hired, withdrawn]) => ({
        id: 1,
        viewed,
        interviewed,
        hired,
        withdrawn,
        boostOutbid: false,
      })),
  },
  { requiredKeys: ['status'] },
);

export const anyProgress = fc.oneof(
  anyJob.map(decideJobProgress),
  fc
    .tuple(
      fc.constantFrom(
        'sending' as const,
        'created' as const,
        'skipped' as const,
        'refused' as const,
        'unknown' as const,
        'held' as const,
      ),
      fc.option(fc.constantFrom(...HoldEnd.options), { nil: undefined }),
      fc.option(anyJob, { nil: undefined }),
    )
    .map(([state, kind, job]) => {
      const hold = kind && { at: 1, seconds: 60, shown: 'a', ended: { kind, at: 2 } };
      return decideBidProgress({ state, ...(hold ? { hold } : {}) }, job);
    }),
);

export const anyBid: fc.Arbitrary<ProjectBid> = fc.record({
  channel: fc.constantFrom(...channels),
  hasCard: fc.boolean(),
  progress: anyProgress,
});
