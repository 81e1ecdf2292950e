import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import type { TuningFacts } from '../../../src/digests/facts.ts';
import { tuningMessage } from '../../../src/slack/messages/tuning-message.ts';
import { MORNING } from '../../digests/digest-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { CHANNEL, NODE, REACT } from '../samples.ts';
import { asText } from './as-text.ts';
import { anyTuning } from './digest-arbitraries.ts';

const react: TuningFacts['filters'][number] = {
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
const facts: TuningFacts = {
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
    expect(asText(tuningMessage(facts))).toBe(
      [
        "text: How this channel's filters did, Fri 13 Nov to Fri 20 Nov",
        '-- section',
        ':wrench: *How the filters did* · Fri 13 Nov to Fri 20 Nov',
        '-- section',
        '*“React work” (101)*: 34 projects',
        '6 claimed · 4 bid on · 15 skipped (budget too low 10, not a fit 4, another reason 1) · 13 left alone · 2 kept away by mutes',
        ':bulb: `budget:&gt;=300` would have kept away 12 of the 15 skipped, and none of those claimed or bid on. To have it so: `/gig subscribe filter 101 type:fixed -wordpress budget:&gt;=300`',
        '-- context',
        '1 filter brought nothing at all',
        'Mutes kept away: clients in Norway 5, “wordpress” 2',
        '`/gig list` shows rules and mutes, and takes mutes away.',
        '',
      ].join('\n'),
    );
  });

  it('shows no command that it would have to cut', () => {
    const long = { ...react, rules: 'word '.repeat(100).trim() };
    const text = asText(tuningMessage({ ...facts, filters: [long] }));
    expect(text).toContain('`budget:&gt;=300` would have kept away');
    expect(text).not.toContain('To have it so');
  });

  it('shows the filters that brought most, and counts the others', () => {
    const filters = Array.from({ length: 9 }, (_, place) => ({ ...react, told: 50 - place }));
    const text = asText(tuningMessage({ ...facts, filters }));
    expect(text.match(/\*“React work”/gu)).toHaveLength(6);
    expect(text).toContain('…and 3 more filters with fewer projects');
  });

  it('counts the mutes that it does not name', () => {
    const mutes = Array.from({ length: 6 }, (_, place) => ({
      what: 'word' as const,
      value: `word${place}`,
      kept: 9 - place,
    }));
    expect(asText(tuningMessage({ ...facts, mutes }))).toContain('“word4” 5, 1 more mute\n');
    const seven = [...mutes, { what: 'word' as const, value: 'last', kept: 1 }];
    expect(asText(tuningMessage({ ...facts, mutes: seven }))).toContain(', 2 more mutes\n');
  });

  it('is within Slack’s limits and harmless, whatever stands in it', () => {
    fc.assert(fc.property(anyTuning, (any) => expectHarmless(tuningMessage(any))));
  });
});
