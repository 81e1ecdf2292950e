import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/clock.ts';
import type { DigestFacts } from '../../../src/digests/facts.ts';
import { MOST_ROWS, splitDigest } from '../../../src/digests/split-digest.ts';
import { digestMessage } from '../../../src/slack/messages/digest-message.ts';
import { digestPartMessage } from '../../../src/slack/messages/digest-part.ts';
import { busyDay, digestFacts, MORNING, told, unclaimed } from '../../digests/digest-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA } from '../samples.ts';
import { asText } from './as-text.ts';
import { anyDigest } from './digest-arbitraries.ts';

describe('a digest', () => {
  it('of a busy day is one screen', async () => {
    const text = asText(digestMessage(busyDay()));
    await expect(text).toMatchFileSnapshot('__snapshots__/digest.txt');
    expect(text).not.toMatch(/undefined|NaN/u);
  });

  it('of a quiet day is one line that says the credits and that all is well', () => {
    expect(digestMessage(digestFacts())).toEqual({
      text: '*Digest for Fri 20 Nov*: nothing new since yesterday 09:00. 312 of 500 credits spent; all is well.',
    });
  });

  it('of a quiet day says in its line what the credits lack', () => {
    const { credits } = digestFacts();
    const soon = digestFacts({ credits: { ...credits, runsOutAt: credits.resetsAt - 3 * DAY } });
    expect(digestMessage(soon).text).toMatch(
      /; at this pace used up Sat 12 Dec, 3 days before the reset\.$/u,
    );
    const spent = digestMessage(digestFacts({ credits: { ...credits, settled: 495 } }));
    expect(spent.text).toMatch(
      /; too little for a page: new projects wait for the reset Tue 15 Dec or a raise/u,
    );
    const account = digestFacts({
      credits: { ...credits, limit: 'unlimited', accountLeft: 90, accountRunsOutAt: MORNING + DAY },
    });
    expect(digestMessage(account).text).toMatch(
      /312 credits spent; Account: 90 left · used up Sat 21 Nov at this pace, 24 days before the reset\.$/u,
    );
  });

  it('that is late says when it was due and how many it stands for, also on a quiet day', () => {
    const late = { dueAt: MORNING - DAY, missed: 2 };
    const words = 'was due yesterday 09:00, came late, and covers 2 digests before it that nobody got';
    expect(digestMessage(digestFacts({ late })).text).toContain(
      `*Digest for Fri 20 Nov* (${words}): nothing`,
    );
    expect(asText(digestMessage({ ...busyDay(), late }))).toContain(`_W${words.slice(1)}_`);
    expect(digestMessage(digestFacts({ late: { dueAt: MORNING - HOUR, missed: 0 } })).text).toContain(
      '(was due 08:00, came late)',
    );
  });

  it('that somebody asked for names them', () => {
    expect(digestMessage(digestFacts({ askedBy: ANA })).text).toContain('(asked for by <@U0ANA>)');
  });

  it('tells its times in the zone of the channel', () => {
    const facts = digestFacts({ timezone: 'America/Los_Angeles' });
    expect(digestMessage(facts).text).toContain('nothing new since yesterday 00:00');
    expect(digestMessage(digestFacts({ timezone: 'No/Where' })).text).toContain('since yesterday 08:00');
  });

  it('after a weekend names the day on which it begins', () => {
    expect(digestMessage(digestFacts({ from: MORNING - 3 * DAY })).text).toContain('since Tue 09:00');
    expect(digestMessage(digestFacts({ from: MORNING - 20 * DAY })).text).toContain('since Sat 31 Oct 09:00');
  });

  it('says of a feed that brings nothing what to do, and that another is well again', () => {
    const feeds: DigestFacts['feeds'] = [
      { feed: 'filter', id: 101, state: 'failed', code: 'server', since: MORNING - HOUR },
      { feed: 'filter', id: 102, name: 'Node work', state: 'failing', code: 'not-found' },
      { feed: 'invitations', id: 301, name: 'Ana', state: 'failing', code: 'forbidden' },
      { feed: 'all', state: 'paused', since: MORNING - 2 * DAY },
      { feed: 'outcomes', id: 301, state: 'stopped', code: 'is_archived' },
      { feed: 'filter', id: 103, state: 'out-of-budget' },
    ];
    const text = asText(digestMessage(digestFacts({ feeds })));
    expect(text).toContain(
      '*“Node work” (102)* failing: the marketplace does not know this filter any more.',
    );
    expect(text).toContain('`/gig unsubscribe`');
    expect(text).toContain('*Invitations of “Ana” (301)* failing: our API token may not read this profile.');
    expect(text).toContain('*New projects and invitations* paused since Wed 09:00; `/gig resume` ends that.');
    expect(text).toContain(
      '*Outcomes of profile 301* stopped: it is archived. `/gig resume` starts it again.',
    );
    expect(text).toContain(
      '*Filter 103* waiting: less than 10 credits of the budget are left. An admin raises it with `/gig budget`.',
    );
    expect(text).toContain('…and 1 more feed: `/gig list`');
    expect(text).not.toContain('all is well');
    expect(asText(digestMessage(digestFacts({ feeds: feeds.slice(0, 1) })))).toContain(
      "*Filter 101* had failed since 08:00: the marketplace's server has a fault. It is well again.",
    );
  });

  it.each([
    [{ proposals: 3, priced: 3, spent: 48, boost: 10 }, '*3 proposals sent* for 48 connects · boost 10'],
    [{ proposals: 3, spent: 48, boost: 0 }, '*3 proposals sent* for 48 connects'],
    [
      { proposals: 3, priced: 2, spent: 48, boost: 0 },
      '*3 proposals sent* for 48 connects, told for 2 of them',
    ],
    [{ proposals: 3, priced: 0, spent: 0, boost: 0 }, '*3 proposals sent*'],
  ])('says of %o what they cost, as far as that is told', (connects, words) => {
    expect(asText(digestMessage(digestFacts({ connects })))).toContain(`:outbox_tray: ${words}\n`);
  });

  it('leaves out what there is none of', () => {
    const facts = digestFacts({ projects: { told: 1, best: [], unclaimed: 0, unclaimedList: [] } });
    expect(asText(digestMessage(facts))).toBe(
      [
        'text: Digest for Fri 20 Nov since yesterday 09:00: 1 new project',
        '-- section',
        '*Digest for Fri 20 Nov* · since yesterday 09:00',
        '*1 new project*',
        '-- section',
        ':coin: *312 of 500 credits spent*',
        '▓▓▓▓▓▓░░░░ 62% · enough until the reset Tue 15 Dec at this pace',
        '',
      ].join('\n'),
    );
  });
});

describe('the thread of a digest', () => {
  it('holds the lists that the screen cuts', async () => {
    const facts = busyDay();
    const parts = splitDigest(facts).map((_, part) => digestPartMessage(facts, part));
    const text = parts.map((part) => (part ? asText(part) : '')).join('\n');
    await expect(text).toMatchFileSnapshot('__snapshots__/digest-thread.txt');
  });

  it('says which stretch of a long list it holds, and how many stand nowhere', () => {
    const facts = digestFacts({ projects: { told: 2_000, best: [], ...unclaimed(2_000) } });
    expect(digestPartMessage(facts, 1)?.text).toBe(
      'Projects that nobody claimed, the newest first, 31 to 60 of 2,000',
    );
    const last = digestPartMessage(facts, MOST_ROWS / 30 - 1);
    expect(last && asText(last)).toContain('…and 1,700 more');
    expect(digestPartMessage(facts, 10)).toBeUndefined();
    expect(digestPartMessage(facts, -1)).toBeUndefined();
  });

  it('of more bids than it holds tells how many there are, and does not say that it has them all', () => {
    const [bid] = busyDay().bids.list;
    if (!bid) return expect.fail('no bid');
    const facts = digestFacts({ bids: { made: 50, open: 20, list: Array(60).fill(bid) } });
    const text = asText(digestMessage(facts));
    expect(text).toContain('*50 bids · 20 from before still open*\n');
    expect(text).toContain('…and 57 more in the thread');
    expect(text).not.toContain('All of it');
    expect(text).toContain('More of it is in the thread');
    const parts = splitDigest(facts).map((_, part) => digestPartMessage(facts, part));
    expect(parts.map((part) => part?.text)).toEqual([
      'Bids, the newest first, 1 to 30 of 70',
      'Bids, the newest first, 31 to 60 of 70',
    ]);
    expect(JSON.stringify(parts.at(-1))).toContain('…and 10 more');
  });

  it('of bids as digests listed them in former times counts them by the list', () => {
    const { bids } = busyDay();
    expect(asText(digestMessage(digestFacts({ bids })))).toContain('*3 bids · 1 from before still open*');
  });

  it('names every project that nobody claimed', () => {
    const facts = digestFacts({ projects: { told: 95, best: [], ...unclaimed(95) } });
    const all = splitDigest(facts).map((_, part) => JSON.stringify(digestPartMessage(facts, part)));
    for (let number = 1; number <= 95; number++)
      expect(all.join('')).toContain(`<${told(number).url}|Project ${number}>`);
  });
});

it('whatever the facts hold, every message is within Slack’s limits and harmless', () => {
  fc.assert(
    fc.property(anyDigest, (facts) => {
      expectHarmless(digestMessage(facts));
      for (const [part] of splitDigest(facts).entries()) {
        const message = digestPartMessage(facts, part);
        expect(message).toBeDefined();
        if (message) expectHarmless(message);
      }
    }),
    { numRuns: 60 },
  );
});
