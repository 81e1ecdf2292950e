/** Hostile proposals. */
import * as fc from 'fast-check';
import { ProfileId, ProposalId } from '../../../src/ids.ts';
import type { Proposal } from '../../../src/marketplace/schema.ts';
import type { ProposalsCoverage } from '../../../src/slack/proposals/proposals-coverage.ts';
import { HOSTILE } from '../bids/bidding-samples.ts';
import { NOW } from '../samples.ts';

const hostile = fc.constantFrom(...HOSTILE, 'word '.repeat(8_000), '\n\n'.repeat(500));
const maybe = fc.option(hostile, { nil: undefined });
const amount = fc.option(fc.oneof(fc.nat(), fc.double()), { nil: undefined });
const instant = fc.option(fc.integer({ min: -1_000, max: 8_640_000_000_000_000 }), { nil: undefined });
const named = fc.option(fc.record({ id: fc.nat(), name: maybe }), { nil: undefined });

function without(value: object): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
      each === undefined
        ? []
        : [[key, typeof each === 'object' && each && !Array.isArray(each) ? without(each) : each]],
    ),
  );
}

const place = <T>(id: fc.Arbitrary<T>) =>
  fc.option(fc.record({ id, label: maybe, type: maybe }), { nil: undefined });
const profileId = fc.integer({ min: 1, max: 1e9 }).map((id) => ProfileId.parse(id));

export const anyProposal: fc.Arbitrary<Proposal> = fc
  .record({
    id: fc.integer({ min: 1, max: 1e15 }).map((id) => ProposalId.parse(id)),
    applicationUid: maybe,
    submittedAt: instant,
    coverLetter: hostile,
    answers: fc.array(fc.record({ question: hostile, answer: hostile }), { maxLength: 60 }),
    jobTitle: maybe,
    jobPostedAt: instant,
    freelancer: named,
    businessManager: named,
    profile: place(profileId),
    organization: place(fc.nat()),
    connects: amount,
    boost: amount,
    terms: fc.record({
      fixedPrice: amount,
      hourlyRate: amount,
      increasePercent: amount,
      increaseFrequency: amount,
    }),
    viewed: fc.boolean(),
    interviewed: fc.boolean(),
    hired: fc.boolean(),
    withdrawn: fc.boolean(),
    fromInvitation: fc.boolean(),
    archived: fc.boolean(),
    occupationUid: maybe,
    occupation: maybe,
    position: amount,
    boostOutbid: fc.boolean(),
    variant: maybe,
    template: named,
  })
  .map((it) => without(it) as Proposal);

export const anyCoverage: fc.Arbitrary<ProposalsCoverage> = fc.record({
  profiles: fc.array(
    fc
      .record({
        profile: profileId,
        name: maybe,
        state: fc.constantFrom('waiting', 'copying', 'complete'),
        held: fc.nat(),
        total: fc.option(fc.nat(), { nil: undefined }),
        leftMs: fc.option(fc.nat(), { nil: undefined }),
        readAt: fc.option(fc.integer({ min: NOW - 1e9, max: NOW }), { nil: undefined }),
        trouble: fc.option(fc.record({ code: hostile, since: fc.constant(NOW), retryAt: fc.constant(NOW) }), {
          nil: undefined,
        }),
      })
      .map((it) => without(it) as ProposalsCoverage['profiles'][number]),
    { maxLength: 40 },
  ),
  isLoaded: fc.boolean(),
  behind: fc.nat(),
});
