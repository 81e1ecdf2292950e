import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import type { FilterTuningFacts } from '../../../src/digests/facts.ts';
import { filterTuningMessage } from '../../../src/slack/digests/tuning-message.ts';
import { MORNING } from '../../digests/digest-samples.ts';
import { anyTuning } from '../digest-arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { CHANNEL, NODE, REACT } from '../samples.ts';

const react: FilterTuningFacts['filters'][number] = {
  filter: REACT.id,
  name: REACT.name,
  rules: 'type:fixed -wordpress',
  told: 34,
  claimed: 6,
  bid: 4,
  skipped: { 'not-a-fit': 4, 'budget-too-low': 10, 'from-a-newer-version': 1 },
  left: 13,
  muted: 2,
  advice: { rule: 'budget:>=300', skippedWithout: 12, skipped: 15, wantedLost: 0 },
};
const nothing = { rules: '', told: 0, claimed: 0, bid: 0, skipped: {}, left: 0, muted: 0 };
const facts: FilterTuningFacts = {
  channel: CHANNEL,
  from: MORNING - 7 * DAY,
  to: MORNING,
  timezone: 'Europe/Berlin',
  filters: [react, { filter: NODE.id, ...nothing }],
  mutes: [
    { what: 'country', value: 'Norway', kept: 5 },
    { what: 'word', value: 'wordpress', kept: 2 },
  ],
};

describe('the weekly note', () => {
  it('says how each filter did, and what would have kept away what was skipped', () => {
    const text = asText(filterTuningMessage(facts));
    expect(text).toMatchSnapshot();
    for (const line of [
      /Fri, Nov 13 .* Fri, Nov 20$/mu,
      /^\*“React work” \(101\)\*.* 34 /mu,
      /^6 .* 4 .* 15 .* 10, .* 4, .* 1\).* 13 .* 2 /mu,
      /^:bulb: `budget:&gt;=300` .* 12 .* 15 .*`\/gig subscribe filter 101 /mu,
      /`\/gig subscribe filter 101 type:fixed -wordpress budget:&gt;=300`$/mu,
      /^1 /mu,
      /Norway 5, “wordpress” 2$/mu,
      /\[Subscriptions\]/mu,
    ])
      expect(text).toMatch(line);
  });

  it('shows no command that it would have to cut', () => {
    const long = { ...react, rules: 'word '.repeat(100).trim() };
    const text = asText(filterTuningMessage({ ...facts, filters: [long] }));
    expect(text).toMatch(/^:bulb: `budget:&gt;=300` /mu);
    expect(text).not.toContain('/gig subscribe');
  });

  it('shows the filters that brought most, and counts the others', () => {
    const filters = Array.from({ length: 9 }, (_, place) => ({ ...react, told: 50 - place }));
    const text = asText(filterTuningMessage({ ...facts, filters }));
    expect(text.match(/\*“React work”/gu)).toHaveLength(6);
    expect(text).toMatch(/^….*\b3\b/mu);
    expect(/^….*$/mu.exec(text)?.[0]).toMatchSnapshot();
  });

  it('counts the mutes that it does not name', () => {
    const mutes = Array.from({ length: 6 }, (_, place) => ({
      what: 'word' as const,
      value: `word${place}`,
      kept: 9 - place,
    }));
    expect(asText(filterTuningMessage({ ...facts, mutes }))).toMatch(/“word4” 5, 1 .*$/mu);
    const seven = [...mutes, { what: 'word' as const, value: 'last', kept: 1 }];
    expect(asText(filterTuningMessage({ ...facts, mutes: seven }))).toMatch(/“word4” 5, 2 .*$/mu);
  });

  it('is within Slack’s limits and harmless, whatever stands in it', () => {
    fc.assert(fc.property(anyTuning, (any) => expectHarmless(filterTuningMessage(any))));
  });
});
