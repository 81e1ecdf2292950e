/** The funnel's numbers: they never rise, and what is lost adds up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Card, SkipReason } from '../../src/feed/feed.ts';
import {
  FUNNEL_STEPS,
  type FunnelCount,
  FunnelCounter,
  LOSS_REASONS,
  type LossReason,
  type ProjectProgress,
} from '../../src/funnel/count-steps.ts';
import {
  decideBidProgress,
  decideCardProgress,
  decideJobProgress,
  type ProjectBid,
  splitByFilter,
} from '../../src/funnel/decide-progress.ts';
import { ChannelId, FilterId, ProjectKey, UserId } from '../../src/ids.ts';
import { HoldEnd } from '../../src/spending/hold.ts';

const by = UserId.parse('U1');
const channels = ['C1', 'C2', 'C3'].map((id) => ChannelId.parse(id));
const filters = [1, 2, 3].map((id) => FilterId.parse(id));
const keys = Array.from({ length: 6 }, (_, n) => ProjectKey.parse(`~${n}`));

const anyState = fc.oneof(
  fc.constantFrom({ state: 'posted' as const }, { state: 'deferred' as const }),
  fc
    .constantFrom('past' as const, 'no-match' as const, 'muted' as const, 'unsubscribed' as const)
    .map((because) => ({ state: 'suppressed' as const, because })),
);

const anyCard: fc.Arbitrary<Card> = fc
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

const anyProgress = fc.oneof(
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

const anyBid: fc.Arbitrary<ProjectBid> = fc.record({
  channel: fc.constantFrom(...channels),
  hasCard: fc.boolean(),
  progress: anyProgress,
});

const [here = expect.fail(), elsewhere = expect.fail()] = channels;
const filter = (id: number) => FilterId.parse(id);
const posted = { channel: here, state: 'posted' as const, filters: [filter(1)] };
const proposal = {
  id: 1,
  viewed: false,
  interviewed: false,
  hired: false,
  withdrawn: false,
  boostOutbid: false,
};

function expectSound({ reached, lost }: FunnelCount): void {
  for (const [place, step] of FUNNEL_STEPS.entries()) {
    const next = FUNNEL_STEPS[place + 1];
    const rest = next ? reached[next] : reached.hired;
    const reasons: readonly LossReason[] = LOSS_REASONS[step];
    const gone = [...lost[step].entries()].map(([reason, count]) => {
      expect(reasons).toContain(reason);
      return count;
    });
    expect(gone.reduce((sum, each) => sum + each, 0)).toBe(reached[step] - rest);
  }
}

function countCards(cards: readonly (readonly [Card, readonly ProjectBid[]])[]): FunnelCounter {
  const counter = new FunnelCounter();
  for (const [card, bids] of cards) {
    const progress = decideCardProgress(card, bids);
    counter.add(card.project, progress);
    counter.addToGroup({ kind: 'channel', channel: card.channel }, card.project, progress);
    for (const { filter: of, progress: there } of splitByFilter(card, progress))
      counter.addToGroup(
        of === undefined ? { kind: 'shared' } : { kind: 'filter', filter: of },
        card.project,
        there,
      );
  }
  return counter;
}

describe('a funnel', () => {
  it('never rises, and each step loses what the next one lacks, in all and in each group', () => {
    const game = fc.array(fc.tuple(anyCard, fc.array(anyBid, { maxLength: 3 })), { maxLength: 30 });
    fc.assert(
      fc.property(game, (cards) => {
        const counter = countCards(cards);
        const all = counter.countAll();
        expectSound(all);
        expect(all.reached.found).toBe(new Set(cards.map(([{ project }]) => project)).size);
        for (const { count } of counter.countGroups()) {
          expectSound(count);
          for (const step of FUNNEL_STEPS) expect(count.reached[step]).toBeLessThanOrEqual(all.reached[step]);
        }
      }),
    );
  });

  it('counts a project once, as far as it got anywhere', () => {
    const counter = new FunnelCounter();
    const project = anyKey();
    counter.add(project, { step: 'posted', lost: 'unclaimed' });
    counter.add(project, { step: 'bid', lost: 'not-viewed' });
    counter.add(project, { step: 'found', lost: 'muted' });
    const { reached, lost } = counter.countAll();
    expect(reached).toMatchObject({ found: 1, bid: 1, viewed: 0 });
    expect([...lost.bid]).toEqual([['not-viewed', 1]]);
    expect([...lost.posted]).toEqual([]);
  });
});

function anyKey() {
  return fc.sample(anyCard, 1)[0]?.project ?? expect.fail();
}

type Decided = readonly [string, ProjectProgress, ProjectProgress];

describe('a card', () => {
  const sent = { channel: here, hasCard: true, progress: { step: 'bid', lost: 'not-sent' } } as const;
  const claim = { by, at: 1 };

  it.each<Decided>([
    ['posted', decideCardProgress(posted, []), { step: 'posted', lost: 'unclaimed' }],
    [
      'skipped',
      decideCardProgress({ ...posted, skip: { by, at: 1, reason: 'too-late' } }, []),
      { step: 'posted', lost: 'too-late' },
    ],
    ['claimed', decideCardProgress({ ...posted, claim }, []), { step: 'claimed', lost: 'no-bid' }],
    ['bid on without a claim', decideCardProgress(posted, [sent]), { step: 'bid', lost: 'not-sent' }],
    [
      'bid on from another channel that has the card',
      decideCardProgress(posted, [{ ...sent, channel: elsewhere }]),
      { step: 'posted', lost: 'bid-elsewhere' },
    ],
    [
      'bid on where there is no card, such as a direct message',
      decideCardProgress(posted, [{ ...sent, channel: elsewhere, hasCard: false }]),
      { step: 'bid', lost: 'not-sent' },
    ],
    [
      'hidden by rules, and bid on all the same',
      decideCardProgress({ ...posted, state: 'suppressed', because: 'no-match' }, [sent]),
      { step: 'bid', lost: 'not-sent' },
    ],
    [
      'muted',
      decideCardProgress({ ...posted, state: 'suppressed', because: 'muted' }, []),
      { step: 'found', lost: 'muted' },
    ],
    [
      'not posted before the subscription ended',
      decideCardProgress({ ...posted, state: 'suppressed', because: 'unsubscribed' }, []),
      { step: 'matched', lost: 'unsubscribed' },
    ],
    [
      'deferred',
      decideCardProgress({ ...posted, state: 'deferred' }, []),
      { step: 'matched', lost: 'deferred' },
    ],
  ])('%s', (_, decided, expected) => expect(decided).toEqual(expected));

  it('counts for the filters whose rules it passed, and for nobody’s rules if a person shared it', () => {
    const progress = { step: 'posted', lost: 'unclaimed' } as const;
    const hidden = { step: 'found', lost: 'no-match' };
    const both = { ...posted, filters: [filter(1), filter(2)] };
    expect(splitByFilter({ ...both, passed: [filter(2)] }, progress)).toEqual([
      { filter: 1, progress: hidden },
      { filter: 2, progress },
    ]);
    expect(splitByFilter(both, progress)).toEqual([
      { filter: 1, progress },
      { filter: 2, progress },
    ]);
    expect(splitByFilter({ ...both, sharedBy: by }, progress)).toEqual([
      { filter: 1, progress: hidden },
      { filter: 2, progress: hidden },
      { filter: undefined, progress },
    ]);
    expect(splitByFilter({ ...posted, filters: [], sharedBy: by }, progress)).toEqual([
      { filter: undefined, progress },
    ]);
  });
});

describe('a bid', () => {
  it.each<Decided>([
    ['refused', decideBidProgress({ state: 'refused' }, undefined), { step: 'claimed', lost: 'bid-refused' }],
    [
      'refused because of another job',
      decideBidProgress({ state: 'refused' }, { status: 'completed', proposal }),
      { step: 'claimed', lost: 'bid-refused' },
    ],
    [
      'without an answer',
      decideBidProgress({ state: 'unknown' }, undefined),
      { step: 'claimed', lost: 'bid-unclear' },
    ],
    [
      'skipped by the marketplace',
      decideBidProgress({ state: 'skipped' }, { status: 'skipped' }),
      { step: 'claimed', lost: 'bid-skipped' },
    ],
    [
      'skipped later',
      decideBidProgress({ state: 'created' }, { status: 'skipped' }),
      { step: 'claimed', lost: 'bid-skipped' },
    ],
    [
      'waiting',
      decideBidProgress({ state: 'created' }, { status: 'scheduled' }),
      { step: 'bid', lost: 'not-sent' },
    ],
    ['sent', decideJobProgress({ status: 'completed', proposal }), { step: 'bid', lost: 'not-viewed' }],
    [
      'viewed',
      decideJobProgress({ status: 'completed', proposal: { ...proposal, viewed: true } }),
      { step: 'viewed', lost: 'no-interview' },
    ],
    [
      'interviewed, though nothing says it was viewed',
      decideJobProgress({ status: 'completed', proposal: { ...proposal, interviewed: true } }),
      { step: 'interviewed', lost: 'no-hire' },
    ],
    [
      'withdrawn after an interview',
      decideJobProgress({
        status: 'completed',
        proposal: { ...proposal, interviewed: true, withdrawn: true },
      }),
      { step: 'interviewed', lost: 'withdrawn' },
    ],
    [
      'hired',
      decideJobProgress({ status: 'completed', proposal: { ...proposal, hired: true } }),
      { step: 'hired' },
    ],
  ])('%s', (_, decided, expected) => expect(decided).toEqual(expected));
});
