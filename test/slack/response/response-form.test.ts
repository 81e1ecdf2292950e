import { describe, expect, it } from 'vitest';
import { UserId } from '../../../src/ids.ts';
import { DEFAULT_RESPONSE_PLAN, type ResponsePlan } from '../../../src/response/response.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { checkView } from '../../../src/slack/kit/check-limits.ts';
import { parseResponseForm, responseModal } from '../../../src/slack/response/response-form.ts';
import { ANA, BEN, CHANNEL } from '../samples.ts';

type Values = Readonly<Record<string, ViewInputValue>>;

const FILLED: Values = {
  'response-on': { options: ['on'] },
  'claim-target': { text: '10' },
  'bid-target': { text: '30' },
  'nudge-after': { text: '10' },
  'lead-after': { text: '10' },
  'claim-expiry': { text: '60' },
  'work-days': { options: ['2', '1'] },
  'hours-from': { time: '09:00' },
  'hours-to': { time: '18:00' },
};

function parse(values: Values) {
  return parseResponseForm(new Map(Object.entries({ ...FILLED, ...values })));
}

function errorsOf(values: Values): readonly string[] {
  const parsed = parse(values);
  return parsed.kind === 'mistakes' ? Object.keys(parsed.errors) : expect.fail(parsed.kind);
}

describe('the form with response times', () => {
  it('reads what was chosen', () => {
    expect(parse({})).toEqual({
      kind: 'filled',
      wanted: { ...DEFAULT_RESPONSE_PLAN, isOn: true, days: [1, 2] } satisfies ResponsePlan,
    });
    const nudged = { 'duty-user': { users: [ANA] }, 'lead-group': { option: 'S1' } };
    expect(parse(nudged)).toMatchObject({
      wanted: { duty: { kind: 'person', user: ANA }, lead: { kind: 'group', group: 'S1' } },
    });
    expect(parse({ 'claim-expiry': {} })).toMatchObject({ wanted: { claimExpiry: 0 } });
  });

  it('says each mistake at its field', () => {
    expect(errorsOf({ 'claim-target': { text: '1.5' } })).toEqual(['claim-target']);
    expect(errorsOf({ 'bid-target': { text: '5' } })).toEqual(['bid-target']);
    expect(errorsOf({ 'hours-to': {} })).toEqual(['hours-to']);
    expect(errorsOf({ 'hours-to': { time: '09:30' } })).toEqual(['hours-to']);
    const both = { 'lead-user': { users: [BEN] }, 'lead-group': { option: 'S1' } };
    expect(errorsOf(both)).toEqual(['lead-group']);
    expect(errorsOf({ 'duty-user': { users: [BEN] }, 'duty-group': { option: 'S1' } })).toEqual([
      'duty-group',
    ]);
  });

  it('reads nothing that it cannot produce', () => {
    expect(parse({ 'work-days': { options: ['8'] } }).kind).toBe('unreadable');
    const forged = {
      'duty-user': { users: [UserId.parse('<!channel>')] },
      'duty-group': { option: '@here' },
    };
    expect(parse(forged)).toEqual(parse({}));
  });

  it('is within the limits of a view, with 100 groups', () => {
    const groups = Array.from({ length: 120 }, (_, at) => ({
      id: `S${at}`,
      name: 'x'.repeat(99),
      handle: 'y',
    }));
    const shown: ResponsePlan = { ...DEFAULT_RESPONSE_PLAN, duty: { kind: 'person', user: ANA } };
    const view = responseModal({
      form: { id: 'a'.repeat(26), channel: CHANNEL, shown },
      groups: { kind: 'known', groups },
      timezone: 'UTC',
      skipped: [{ kind: 'person', user: BEN }],
      groupNames: new Map(),
    });
    expect(() => checkView(view)).not.toThrow();
  });
});
