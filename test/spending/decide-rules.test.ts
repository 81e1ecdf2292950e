import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { ChannelId, UserId } from '../../src/ids.ts';
import {
  countConnects,
  findExceededCap,
  findSecondNeed,
  findSecondReasons,
  findWeek,
  isNearCap,
  joinRules,
} from '../../src/spending/decide-rules.ts';
import { NO_SPENDING_RULES, type SpendingRules, spendingRules } from '../../src/spending/spending.ts';

const rules = (choices: Partial<SpendingRules> = {}): SpendingRules => ({
  channel: ChannelId.parse('C1'),
  revision: 1,
  ...NO_SPENDING_RULES,
  ...choices,
});

describe('a second approval', () => {
  it.each([
    [{}, {}, []],
    [{ amountAbove: 500 }, { amount: 500 }, []],
    [{ amountAbove: 500 }, { amount: 500.01 }, ['amount']],
    [{ amountAbove: 500 }, {}, ['amount-unknown']],
    [{ connectsAbove: 30 }, { price: 20, boost: 10 }, []],
    [{ connectsAbove: 30 }, { price: 20, boost: 11 }, ['connects']],
    [{ connectsAbove: 30 }, { boost: 31 }, ['connects']],
    [{ connectsAbove: 30 }, { boost: 3 }, ['connects-unknown']],
    [{ connectsAbove: 30 }, { price: 3 }, ['connects-unknown']],
    [{ newClients: true }, {}, ['new-client']],
    [{ newClients: true }, { client: {} }, ['new-client']],
    [{ newClients: true }, { client: { totalHires: 0, totalSpent: 0 } }, ['new-client']],
    [{ newClients: true }, { client: { totalHires: 1 } }, []],
    [{ newClients: true }, { client: { totalSpent: 5 } }, []],
    [{ newClients: true }, { client: { totalSpentLabel: '$50K+' } }, []],
    [{ newClients: true }, { client: { totalSpentLabel: '$0' } }, ['new-client']],
    [
      { amountAbove: 1, connectsAbove: 1, newClients: true },
      { amount: 2, price: 2, boost: 0 },
      ['amount', 'connects', 'new-client'],
    ],
  ] as const)('%o with %o: %o', (chosen, facts, reasons) => {
    expect(findSecondReasons(rules(chosen), facts)).toEqual(reasons);
  });

  it('excludes the person who asked only where the team says so', () => {
    const asker = UserId.parse('UASK');
    expect(findSecondNeed(rules({ amountAbove: 1 }), [], { amount: 2 }, [asker])?.not).toEqual([]);
    expect(
      findSecondNeed(rules({ amountAbove: 1, notByAsker: true }), [], { amount: 2 }, [asker])?.not,
    ).toEqual([asker]);
    expect(findSecondNeed(rules({ notByAsker: true }), [], { amount: 2 }, [asker])).toBeUndefined();
    expect(findSecondNeed(rules({ amountAbove: 1, notByAsker: true }), [], { amount: 2 })?.not).toEqual([]);
  });
});

describe('rules of two channels', () => {
  const choices = fc.record(
    {
      cancelSeconds: fc.nat(300),
      amountAbove: fc.nat(50),
      connectsAbove: fc.nat(50),
      newClients: fc.boolean(),
      approvals: fc.integer({ min: 1, max: 3 }),
      notByAsker: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const orders = fc.record({ amount: fc.nat(60), price: fc.nat(30), boost: fc.nat(30) });
  const asker = UserId.parse('UASK');

  it('ask together for all that either asks for, and for nothing else', () => {
    fc.assert(
      fc.property(choices, choices, orders, (a, b, facts) => {
        const joined = joinRules(rules(a), rules(b));
        const each = [a, b].map((it) => findSecondNeed(rules(it), [], facts, [asker]));
        const reasons = findSecondReasons(joined, facts);
        expect(new Set(reasons)).toEqual(new Set(each.flatMap((need) => need?.reasons ?? [])));
        expect(joined.cancelSeconds).toBe(Math.max(a.cancelSeconds ?? 0, b.cancelSeconds ?? 0));
        const need = findSecondNeed(rules(a), [rules(b)], facts, [asker]);
        expect(need?.reasons.includes('elsewhere') ?? false).toBe(
          (each[0]?.reasons.length ?? 0) < reasons.length || (need?.needed ?? 0) > (a.approvals ?? 1),
        );
        for (const one of each) {
          expect(need?.needed ?? 0).toBeGreaterThanOrEqual(one?.needed ?? 0);
          expect(need?.not ?? []).toEqual(expect.arrayContaining([...(one?.not ?? [])]));
        }
      }),
    );
  });

  it('have the caps and the name of the first', () => {
    const own = rules({ channelCap: 5 });
    expect(joinRules(own, rules({ channelCap: 3, personCap: 1, channel: ChannelId.parse('C2') }))).toEqual(
      own,
    );
  });
});

describe('a weekly cap', () => {
  it('holds what fits, and nothing once it is used up, not even an unknown price', () => {
    expect(findExceededCap('channel', undefined, 1_000, 1_000)).toBeUndefined();
    expect(findExceededCap('channel', 50, 40, 10)).toBeUndefined();
    expect(findExceededCap('channel', 50, 40, 11)).toEqual({
      kind: 'over-cap',
      of: 'channel',
      cap: 50,
      used: 40,
      asks: 11,
    });
    expect(findExceededCap('person', 50, 50, 0)).toMatchObject({ of: 'person' });
    expect(countConnects({})).toBe(0);
    expect(countConnects({ price: 16, boost: 12 })).toBe(28);
  });

  it('warns at 80 %', () => {
    expect(isNearCap(50, 39)).toBe(false);
    expect(isNearCap(50, 40)).toBe(true);
    expect(isNearCap(undefined, 40)).toBe(false);
    expect(isNearCap(0, 0)).toBe(false);
  });

  it('has weeks from Monday to Sunday in every zone, also across a change of clocks', () => {
    const sunday = Date.parse('2026-03-29T22:30:00Z');
    expect(findWeek(sunday, 'UTC')).toBe('2026-03-23');
    expect(findWeek(sunday, 'Europe/Berlin')).toBe('2026-03-30');
    expect(findWeek(sunday, 'nowhere')).toBe('2026-03-23');
    fc.assert(
      fc.property(
        fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati'),
        (at, zone) => {
          expect(new Date(findWeek(at, zone)).getUTCDay()).toBe(1);
          expect(findWeek(at + 7 * DAY + 2 * HOUR, zone) > findWeek(at, zone)).toBe(true);
        },
      ),
    );
  });
});

it('rules that cannot be read let nothing pass without a second approval', () => {
  const read = spendingRules.essential?.readInvalid({ team: 'T1', channel: 'C1', amountAbove: 'much' });
  expect(
    read && findSecondReasons(read, { amount: 1, price: 1, boost: 0, client: { totalHires: 5 } }),
  ).toEqual(expect.arrayContaining(['amount', 'connects']));
});
