import { describe, expect, it } from 'vitest';
import { findSetupByIdOrName, findSetupWarnings, sortSetups } from '../../src/bidding/setup-warnings.ts';
import { refillBidForm } from '../../src/bidding/validate-bid-form.ts';
import { SetupId, TemplateId } from '../../src/ids.ts';
import type { BiddingSetup } from '../../src/marketplace/schema.ts';

function setup(id: number, name: string, change: Partial<BiddingSetup> = {}): BiddingSetup {
  return { id: SetupId.parse(id), name, status: 'active', template: { id: TemplateId.parse(1) }, ...change };
}

describe('what is noted of a setup', () => {
  it('is nothing while it is active, has a template and may still send', () => {
    expect(findSetupWarnings(setup(1, 'Day', { status: 'Active', dailyLimit: 20, sentToday: 19 }))).toEqual(
      {},
    );
  });

  it('is its status, a limit that is used up, and a template that is missing', () => {
    const { template: _none, ...bare } = setup(1, 'Day', { status: 'Paused', dailyLimit: 20, sentToday: 20 });
    expect(findSetupWarnings(bare)).toEqual({
      status: 'paused',
      limitUsedUp: { sent: 20, limit: 20 },
      noTemplate: true,
    });
  });

  it('is no limit where a number is missing, or where the limit is 0', () => {
    expect(findSetupWarnings(setup(1, 'Day', { dailyLimit: 20 }))).toEqual({});
    expect(findSetupWarnings(setup(1, 'Day', { sentToday: 20 }))).toEqual({});
    expect(findSetupWarnings(setup(1, 'Day', { dailyLimit: 0, sentToday: 0 }))).toEqual({});
  });
});

describe('the order of setups', () => {
  it('is active first, then by name, then by age', () => {
    const all = [setup(1, 'b'), setup(2, 'A', { status: 'draft' }), setup(4, 'A'), setup(3, 'a')];
    expect(sortSetups(all).map(({ id }) => id)).toEqual([3, 4, 1, 2]);
  });
});

describe('a setup in words', () => {
  const all = [setup(7, 'Night shift'), setup(8, 'Night shift EU'), setup(9, 'Day'), setup(70, '7')];

  it.each([
    ['7', 7],
    ['Night shift', 7],
    ['“night  SHIFT”', 7],
    ['eu', 8],
    ['day', 9],
  ])('%j is setup %d', (words, id) => {
    expect(findSetupByIdOrName(all, words)).toMatchObject({ kind: 'found', setup: { id } });
  });

  it('is none, or one of several', () => {
    expect(findSetupByIdOrName(all, 'evening')).toEqual({ kind: 'none' });
    expect(findSetupByIdOrName(all, ' ')).toEqual({ kind: 'none' });
    expect(findSetupByIdOrName(all, 'night')).toMatchObject({
      kind: 'several',
      setups: [{ id: 7 }, { id: 8 }],
    });
  });
});

describe('a form filled in again', () => {
  const request = { setup: SetupId.parse(7), marketplaceJobId: '~1' };

  it('holds what was sent, each answer under its own question', () => {
    const answers = [
      { question: 'A?', answer: 'a' },
      { question: 'B?', answer: 'b' },
    ];
    const whole = {
      ...request,
      bidAmount: 35.5,
      boostConnects: 10,
      scheduledInMinutes: 20,
      coverLetter: ' Hi',
      answers,
    };
    expect(refillBidForm(whole, ['B?', 'C?'])).toEqual({
      setup: 7,
      marketplaceJobId: '~1',
      projectId: '',
      bidAmount: '35.5',
      boostConnects: '10',
      when: 'in-minutes',
      inMinutes: '20',
      coverLetter: ' Hi',
      answers: ['b', ''],
    });
  });

  it('keeps the moment that was chosen', () => {
    expect(refillBidForm({ ...request, scheduledAt: 5 })).toMatchObject({ when: 'at', at: 5 });
    expect(refillBidForm(request)).toMatchObject({ when: 'as-set-up', projectId: '', answers: [] });
  });
});
