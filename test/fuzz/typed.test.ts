/** Any text after `/gig`: an answer with the mistake or the result, and no crash. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { routeTable } from '../../src/slack/all-routes.ts';
import { type Desk, startDesk } from '../kit/start-desk.ts';
import { brokenInside } from './broken-inside.ts';
import { fuzz } from './fuzz.ts';
import { hostileText } from './hostile.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk({
    requestsPerMinute: 500,
    env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
  });
  const { service, publish } = desk.market;
  desk.slack.setRateLimits('off');
  service.addProfile({ id: 31, label: 'Ana Webb' });
  service.addProposal({ id: 81, profileId: 31, coverLetter: 'A letter of React', isHired: true });
  publish();
  const ada = desk.person('ada');
  await ada.type('/gig subscribe outcomes 31');
});
afterAll(() => desk.stop());

const WORDS = (
  'filter 101|invitations 31|outcomes 31|backfill 20|now|off|at 09:00|weekdays|daily|new|from 61|' +
  'drafts|Europe/Berlin|UTC|+05:30|America/Argentina/Buenos_Aires|Etc/GMT+14|GMT-99|24:00|00:60|2:30|' +
  '9am|1h 30m|1e9d|budget:>500|budget:1..2|rating:>=4.5|rating:>6|verified:yes|verified:maybe|is:hired|' +
  '-is:hired|is:|sort:boost|after:30d|before:2026-13-01|after:0d|template:"x|"|"react native"|-|--|-"|' +
  ':|::|title:|type:fixed|country:Norway|(|)|OR|AND|NOT|*|~|~021|0|-1|1.5|1e5|99999999999999999999|' +
  'Infinity|٣|１０１|500|unlimited|__proto__|constructor|toString|\\|\u0000|\u202E|<@U0ANA>|<!channel>|' +
  '&lt;|https://evil.example/~021'
).split('|');

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
  word: fc.constantFrom(...routeTable.commands.map((it) => it.word), 'nonsense'),
  parts: fc.array(part, { maxLength: 6 }),
  between: fc.constantFrom(' ', '  ', '\n', '\t', ''),
});

fuzz('whatever is typed is answered, and nothing breaks', typed, 40, async ({ word, parts, between }) => {
  const from = desk.app.logLines.length;
  const ada = desk.person('ada');
  const answer = await ada.type(`/gig ${word} ${parts.join(between)}`);
  expect(answer.text).not.toBe('');
  await ada.close();
  expect(brokenInside(desk.app, from)).toEqual([]);
  expect(desk.slack.failedCalls()).toEqual([]);
});
