/** When the buttons of a stage's message lead nowhere. */
import { describe, expect, it } from 'vitest';
import { UserId } from '../../src/ids.ts';
import { decideItemEnd } from '../../src/response/ended-items.ts';

const ANA = UserId.parse('U0ANA');
const BEN = UserId.parse('U0BEN');
const BENS = { by: BEN, at: 1 };
const card = { isBidding: false };
const expires = { claimExpiry: 60 };
const warning = { stage: 'warning', claimedBy: BEN, since: 1 } as const;

describe.each(['nudge', 'lead', 'expiry'] as const)('a message of the stage %s', (stage) => {
  it.each([
    ['while the card is free', card, undefined],
    ['while a bid without a claim is on its way', { isBidding: true }, undefined],
    ['once it was claimed', { ...card, claim: BENS }, { what: 'claimed', by: BEN }],
    ['once it was assigned', { ...card, claim: { ...BENS, assignedBy: ANA } }, { what: 'assigned', by: BEN }],
    [
      'once it was skipped',
      { ...card, over: { what: 'skipped', by: ANA } as const },
      { what: 'skipped', by: ANA },
    ],
    ['once there is a bid', { ...card, claim: BENS, over: { what: 'bid' } as const }, { what: 'bid' }],
  ])('%s', (_, now, end) => {
    expect(decideItemEnd({ stage, since: 1 }, now, expires)).toEqual(end);
  });
});

describe('a warning', () => {
  it.each([
    ['of the claim that runs', { ...card, claim: BENS }, expires, undefined],
    ['whose claim is gone', card, expires, { what: 'released' }],
    ['of an earlier claim', { ...card, claim: { ...BENS, at: 2 } }, expires, { what: 'claimed', by: BEN }],
    ['of another person', { ...card, claim: { by: ANA, at: 1 } }, expires, { what: 'claimed', by: ANA }],
    ['while a bid is on its way', { isBidding: true, claim: BENS }, expires, { what: 'bidding' }],
    ['where claims never expire', { ...card, claim: BENS }, { claimExpiry: 0 }, { what: 'off' }],
  ])('%s', (_, now, plan, end) => {
    expect(decideItemEnd(warning, now, plan)).toEqual(end);
  });
});
