/** The funnel as people see it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countProgress, LOSS_REASONS, type ProjectProgress } from '../../../src/funnel/count-steps.ts';
import { FUNNEL_STEPS, type Funnel, type FunnelGroup } from '../../../src/funnel/funnel.ts';
import { FilterId } from '../../../src/ids.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  type FunnelFacts,
  funnelMessage,
  funnelValueCodec,
} from '../../../src/slack/stats/funnel-message.ts';
import { anyProgress } from '../../funnel/arbitraries.ts';
import { hostileText } from '../arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, presses } from '../kit/as-text.ts';
import { CHANNEL, NODE, REACT } from '../samples.ts';

/** Every reason of every step, more of the later ones. */
const everything: readonly ProjectProgress[] = [
  ...FUNNEL_STEPS.flatMap((step) =>
    LOSS_REASONS[step].flatMap((lost, n) => Array.from({ length: n + 1 }, () => ({ step, lost }))),
  ),
  { step: 'hired' },
];

function funnelOf(all: readonly ProjectProgress[], groups: readonly FunnelGroup[] = []): Funnel {
  return { all: countProgress(all), groups, isCut: false };
}

const facts: FunnelFacts = {
  days: 30,
  by: 'filter',
  channel: CHANNEL,
  funnel: funnelOf(everything, [
    { key: { kind: 'filter', filter: REACT.id }, name: REACT.name, count: countProgress(everything) },
    { key: { kind: 'filter', filter: NODE.id }, count: countProgress([{ step: 'found', lost: 'past' }]) },
    { key: { kind: 'shared' }, count: countProgress([{ step: 'bid', lost: 'not-sent' }]) },
  ]),
};

describe('a funnel', () => {
  it('shows each step, what it loses and why, and one row for each filter', () => {
    const message = funnelMessage(facts);
    expectHarmless(message);
    expect(presses(message)).toEqual([actionIds.statsFunnelDays, actionIds.statsFunnel]);
    expect(asText(message)).toMatchSnapshot();
  });

  it('of channels names them, and says what it leaves out', () => {
    const count = countProgress(everything);
    const { channel: _channel, ...rest } = facts;
    const groups = [{ key: { kind: 'channel' as const, channel: CHANNEL }, count }];
    const message = funnelMessage({
      ...rest,
      by: 'channel',
      days: 14,
      isLimited: true,
      funnel: { all: count, groups, isCut: true },
    });
    expectHarmless(message);
    expect(asText(message)).toMatchSnapshot();
  });

  it('without projects says so, and offers other periods', () => {
    const message = funnelMessage({ ...facts, days: 1, funnel: funnelOf([]) });
    expectHarmless(message);
    expect(asText(message)).toMatchSnapshot();
  });

  it('is within all limits and harmless, whatever the names and numbers are', () => {
    const anyGroup = fc
      .tuple(fc.integer({ min: 1, max: 1_000_000 }), hostileText, fc.array(anyProgress, { maxLength: 3 }))
      .map(
        ([id, name, all]): FunnelGroup => ({
          key: { kind: 'filter', filter: FilterId.parse(id) },
          name,
          count: countProgress(all),
        }),
      );
    const anyFunnel = fc
      .tuple(fc.array(anyProgress, { maxLength: 20 }), fc.array(anyGroup, { maxLength: 120 }))
      .map(([all, groups]) => funnelOf(all, groups));
    fc.assert(
      fc.property(anyFunnel, (funnel) => expectHarmless(funnelMessage({ ...facts, funnel }))),
      { numRuns: 40 },
    );
  });

  it('reads only its own values', () => {
    expect(funnelValueCodec.read(funnelValueCodec.write({ days: 7, by: 'channel' }))).toEqual({
      days: 7,
      by: 'channel',
    });
    for (const text of ['', '7', '{"days":91,"by":"filter"}', '{"days":7.5,"by":"filter"}', '{"days":7}'])
      expect(funnelValueCodec.read(text)).toBeUndefined();
  });
});
