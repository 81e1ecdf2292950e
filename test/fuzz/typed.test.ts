/** Any text after `/gig`: one answer with the mistake or the result, and no crash. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { commandRoutes } from '../../src/slack/all-routes.ts';
import { shownBy } from '../features/strangers.ts';
import { FAST, startWorld, type World } from '../features/world.ts';
import { hostileText } from '../slack/arbitraries.ts';
import { brokenInside } from './broken-inside.ts';
import { fuzz } from './fuzz.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ ...FAST });
  const { marketplace, slack } = world;
  slack.setRateLimits('off');
  marketplace.addFilter({ id: 101, name: 'React work' });
  marketplace.addProfile({ id: 31, label: 'Ana Webb' });
  marketplace.addProposal({ id: 81, profileId: 31, coverLetter: 'A letter of React', isHired: true });
  marketplace.publishProject(101);
  await world.gig('web', 'subscribe outcomes 31');
  await world.pass(10 * SECOND);
});
afterAll(() => world.stop());

const WORDS = [
  'filter 101',
  'invitations 31',
  'outcomes 31',
  'backfill 20',
  'now',
  'off',
  'at 09:00',
  'weekdays',
  'daily',
  'new',
  'from 61',
  'drafts',
  'Europe/Berlin',
  'UTC',
  '+05:30',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+14',
  'GMT-99',
  '24:00',
  '00:60',
  '2:30',
  '9am',
  '1h 30m',
  '1e9d',
  'budget:>500',
  'budget:1..2',
  'rating:>=4.5',
  'rating:>6',
  'verified:yes',
  'verified:maybe',
  'is:hired',
  '-is:hired',
  'is:',
  'sort:boost',
  'after:30d',
  'before:2026-13-01',
  'after:0d',
  'template:"x',
  '"',
  '"react native"',
  '-',
  '--',
  '-"',
  ':',
  '::',
  'title:',
  'type:fixed',
  'country:Norway',
  '(',
  ')',
  'OR',
  'AND',
  'NOT',
  '*',
  '~',
  '~021',
  '0',
  '-1',
  '1.5',
  '1e5',
  '99999999999999999999',
  'Infinity',
  '٣',
  '１０１',
  '500',
  'unlimited',
  '__proto__',
  'constructor',
  'toString',
  '\\',
  '\u0000',
  '\u202E',
  '<@U0ANA>',
  '<!channel>',
  '&lt;',
  'https://evil.example/~021',
] as const;

const part = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: hostileText.map((text) => text.slice(0, 3_000)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('budget', 'rating', 'is', 'after', 'sort', 'template', 'profile', 'x'),
        fc.string(),
      )
      .map(([name, value]) => `${name}:${value}`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: -1, max: 30 }), fc.integer({ min: -1, max: 99 }))
      .map(([hour, minute]) => `at ${hour}:${minute}`),
  },
);

const typed = fc.record({
  word: fc.constantFrom(...commandRoutes.map(({ word }) => word), 'nonsense'),
  parts: fc.array(part, { maxLength: 6 }),
  between: fc.constantFrom(' ', '  ', '\n', '\t', ''),
});

describe('whatever is typed', () => {
  fuzz('is answered once, decently, and nothing breaks', typed, async ({ word, parts, between }) => {
    const lines = world.logLines.length;
    const text = `${word} ${parts.join(between)}`;
    const { count } = await shownBy(world, 'ada', () =>
      world.slack.runSlashCommand({ user: 'ada', channel: 'web', text }),
    );
    expect(brokenInside(world, lines)).toEqual([]);
    // The channel may get a notice as well.
    expect(count).toBeGreaterThanOrEqual(1);
    expect(world.slack.failedCalls()).toEqual([]);
  });
});
