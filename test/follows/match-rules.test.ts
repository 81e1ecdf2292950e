/** Where a project was found, and which rules it matches there. */
import { expect, it } from 'vitest';
import { mergePlaces, RuleMatcher } from '../../src/follows/match-rules.ts';
import { ChannelId, FilterId } from '../../src/ids.ts';
import { listed } from '../slack/samples.ts';

const place = (channel: string, filter: number) => ({
  channel: ChannelId.parse(channel),
  filter: FilterId.parse(filter),
});
const WEB = place('C00000001', 7);
const SAME_CHANNEL = place('C00000001', 8);
const SAME_FILTER = place('C00000002', 7);

it('places are merged once each, in the order in which they were found', () => {
  expect(mergePlaces([WEB], [])).toEqual([WEB]);
  expect(mergePlaces([], [WEB])).toEqual([WEB]);
  expect(mergePlaces([WEB, SAME_CHANNEL], [SAME_FILTER, WEB, SAME_CHANNEL])).toEqual([
    WEB,
    SAME_CHANNEL,
    SAME_FILTER,
  ]);
});

it('a rule matches by its words and its filter; without words every project, unreadable none', () => {
  const seen = { project: listed({ title: 'A shop with React' }), filters: [WEB.filter] };
  const project = new RuleMatcher().forProject(seen);
  const matches = (rules: string, filter?: number) =>
    project.matchesRule({ rules, ...(filter ? { filter: FilterId.parse(filter) } : {}) }, [WEB]);
  expect(['', 'react', 'vue', '('].map((rules) => matches(rules))).toEqual([true, true, false, false]);
  expect([matches('react', 7), matches('react', 8), matches('', 8)]).toEqual([true, false, false]);
  expect(project.matchesRule({ rules: '' }, [])).toBe(false);
});
