import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../src/clock.ts';
import type { DigestFacts } from '../../../src/digests/facts.ts';
import { MAX_DIGEST_LIST_ROWS, splitDigestThread } from '../../../src/digests/split-digest.ts';
import { cardPostId } from '../../../src/outbox/outbox.ts';
import { PostId } from '../../../src/outbox/posts.ts';
import { BUDGET_TOO_LOW } from '../../../src/slack/budgets/budget-messages.ts';
import { describeSlackError } from '../../../src/slack/core/failures.ts';
import { digestMessage } from '../../../src/slack/digests/digest-message.ts';
import { digestThreadPartMessage } from '../../../src/slack/digests/digest-rows.ts';
import { capitalize } from '../../../src/slack/kit/block-builders.ts';
import { findMessageLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { describeMarketplaceFailure } from '../../../src/slack/kit/words/marketplace-failure.ts';
import { busyDay, digestFacts, MORNING, told, unclaimed } from '../../digests/digest-samples.ts';
import { offers } from '../buttons.ts';
import { anyDigest } from '../digest-arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, textOf } from '../kit/as-text.ts';
import { ANA } from '../samples.ts';

describe('a digest', () => {
  it('of a busy day is one screen', async () => {
    const text = asText(digestMessage(busyDay()));
    await expect(text).toMatchFileSnapshot('__snapshots__/digest.txt');
    expect(text).not.toMatch(/undefined|NaN/u);
  });

  it('of a quiet day is one line that says the credits and that all is well', () => {
    const message = digestMessage(digestFacts());
    expect(message.blocks).toBeUndefined();
    expect(message.text).toMatchSnapshot();
    expect(message.text).not.toContain('\n');
    for (const fact of ['Fri, Nov 20', '9:00 AM', '312 of 500']) expect(message.text).toContain(fact);
  });

  it('of a quiet day says in its line what the credits lack', () => {
    const { credits } = digestFacts();
    const soon = digestFacts({ credits: { ...credits, runsOutAt: credits.resetsAt - 3 * DAY } });
    expect(digestMessage(soon).text).toMatch(/Sat, Dec 12 .* 3 /u);
    expect(digestMessage(soon).text).toMatchSnapshot();
    const spent = digestMessage(digestFacts({ credits: { ...credits, settled: 495 } }));
    expect(spent.text).toContain('Tue, Dec 15');
    expect(spent.text).toMatchSnapshot();
    const account = digestFacts({
      credits: { ...credits, limit: 'unlimited', accountLeft: 90, accountRunsOutAt: MORNING + DAY },
    });
    expect(digestMessage(account).text).toMatch(/312 .*90 .*Sat, Nov 21.* 24 /u);
    expect(digestMessage(account).text).toMatchSnapshot();
  });

  it('that is late says when it was due and how many it stands for, also on a quiet day', () => {
    const late = { dueAt: MORNING - DAY, missed: 2 };
    const quiet = digestMessage(digestFacts({ late })).text;
    const [, how = ''] = /\((.+ yesterday at 9:00 AM.+ 2 .+)\)/u.exec(quiet) ?? [];
    expect(how).toMatchSnapshot();
    expect(asText(digestMessage({ ...busyDay(), late }))).toContain(` · ${how}\n`);
    const { text } = digestMessage(digestFacts({ late: { dueAt: MORNING - HOUR, missed: 0 } }));
    expect(text).toMatch(/\([^)]* 8:00 AM[^)]*\)/u);
    expect(text).toMatchSnapshot();
  });

  it('that somebody asked for names them', () => {
    expect(digestMessage(digestFacts({ askedBy: ANA })).text).toContain(' <@U0ANA>)');
    expect(digestMessage(digestFacts({ askedBy: ANA })).text).toMatchSnapshot();
  });

  it('tells its times in the zone of the channel', () => {
    const facts = digestFacts({ timezone: 'America/Los_Angeles' });
    expect(digestMessage(facts).text).toContain('yesterday at 12:00 AM');
    expect(digestMessage(digestFacts({ timezone: 'No/Where' })).text).toContain('yesterday at 8:00 AM');
  });

  it('after a weekend names the day on which it begins', () => {
    expect(digestMessage(digestFacts({ from: MORNING - 3 * DAY })).text).toContain('Tue at 9:00 AM');
    expect(digestMessage(digestFacts({ from: MORNING - 20 * DAY })).text).toContain('Sat, Oct 31 at 9:00 AM');
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
    const message = digestMessage(digestFacts({ feeds }));
    const text = asText(message);
    expect(text).toMatchSnapshot();
    for (const fact of [
      `*“Node work” (102)*: failing. ${capitalize(describeMarketplaceFailure('not-found').what)}`,
      '`/gig list`',
      '“Ana” (301)*',
      'Wed at 9:00 AM',
      describeSlackError('is_archived'),
      `*Filter 103*: waiting. ${capitalize(BUDGET_TOO_LOW)}. `,
    ])
      expect(text).toContain(fact);
    expect(text).toMatch(/^….* 1 /mu);
    for (const id of [actionIds.resume, actionIds.budgetSet, actionIds.runList])
      expect(offers(message, id)).toBe(true);
    expect(text).not.toContain('101');
    expect(asText(digestMessage(digestFacts({ feeds: feeds.slice(0, 1) })))).toMatch(
      /:white_check_mark: \*Filter 101\*.* 8:00 AM /u,
    );
    expect(asText(digestMessage(digestFacts({ feeds: feeds.slice(0, 1) })))).toMatchSnapshot();
  });

  it.each([
    [{ proposals: 3, priced: 3, spent: 48, boost: 10 }, ['3', '48', '10']],
    [{ proposals: 3, priced: 2, spent: 48, boost: 0 }, ['3', '48', '2']],
    [{ proposals: 3, priced: 0, spent: 0, boost: 0 }, ['3']],
  ])('says of %o what they cost, as far as that is told', (connects, numbers) => {
    const [line = ''] = /^:outbox_tray: .*$/mu.exec(asText(digestMessage(digestFacts({ connects })))) ?? [];
    expect(line.match(/\d+/gu)).toEqual(numbers);
    expect(line).toMatchSnapshot();
  });

  it("words a bid's status as a part of its line", () => {
    const post = PostId.parse('anchor');
    const bid = { post, title: 'Shop', state: 'failed', waitsForApproval: false, sent: false };
    const list = ['Failed', 'AI review'].map((statusTitle) => ({ ...bid, statusTitle }));
    const text = asText(digestMessage(digestFacts({ bids: { made: 2, open: 0, list } })));
    expect(text).toContain('Shop: failed');
    expect(text).toContain('Shop: AI review');
  });

  it('leaves out what there is none of', () => {
    const facts = digestFacts({ projects: { told: 1, best: [], unclaimed: 0, unclaimedList: [] } });
    const message = digestMessage(facts);
    expect(asText(message)).toMatchSnapshot();
    expect(message.blocks?.map(({ type }) => type)).toEqual([
      'header',
      'context',
      'section',
      'divider',
      'section',
    ]);
    expect(textOf(message.blocks?.[0])).toContain('Fri, Nov 20');
    expect(textOf(message.blocks?.at(-1)).split('\n')).toEqual([
      expect.stringContaining('312 of 500'),
      expect.stringMatching(/^▓▓▓▓▓▓░░░░ 62% .*Tue, Dec 15/u),
    ]);
  });
});

describe('a digest as a page', () => {
  const post = (id: string) => PostId.parse(id);

  it('links cards, and opens what needs an answer, where the messages are known', () => {
    const facts = busyDay();
    const [bid, ...bids] = facts.bids.list;
    const withPost = { ...facts.bids, list: bid ? [{ ...bid, post: post('bid:1') }, ...bids] : [] };
    const links = new Map([
      [cardPostId(facts.channel, told(1).project), 'https://acme.slack.com/archives/C1/p1'],
      [post('bid:1'), 'https://acme.slack.com/archives/C1/p2'],
    ]);
    const message = digestMessage({ ...facts, bids: withPost }, links);
    expect(asText(message)).toMatch(
      /^1\. .*\$1,500 fixed.*<https:\/\/acme\.slack\.com\/archives\/C1\/p1\|/mu,
    );
    const buttons = (message.blocks ?? []).flatMap((block) =>
      block.type === 'section' && block.accessory?.type === 'button' ? [block.accessory] : [],
    );
    const [review, ...others] = buttons;
    expect(review).toMatchObject({ action_id: actionIds.jobReview, value: String(bid?.job) });
    expect(review?.accessibility_label).toContain('Rebuild our checkout in React');
    expect(asText(message)).toContain('<https://acme.slack.com/archives/C1/p2|');
    const invited = facts.invitations.list.map(({ uid }) => uid);
    expect(others.map(({ action_id, value }) => [action_id, value])).toEqual(
      invited.slice(0, others.length).map((uid) => [actionIds.invitationOpen, uid]),
    );
    expect(others.length).toBeGreaterThan(0);
    expect(JSON.stringify(digestMessage(facts))).not.toContain('acme.slack.com');
  });

  it('says nothing twice: what needs an answer is not among the other bids', () => {
    const text = asText(digestMessage(busyDay()));
    for (const title of ['Data pipeline: outcome', 'waiting for review (bid', 'Landing page: proposal'])
      expect(text.split(title)).toHaveLength(2);
  });

  it('has at most three numbers, and forecasts with the hour if the budget ends today', () => {
    const { credits } = digestFacts();
    const soon = { ...busyDay(), credits: { ...credits, runsOutAt: MORNING + 5 * HOUR } };
    const message = digestMessage(soon);
    const fields = message.blocks?.flatMap((block) => (block.type === 'section' ? (block.fields ?? []) : []));
    expect(fields).toHaveLength(3);
    expect(asText(message)).toMatch(/runs out today at 2:00 PM/u);
  });

  it('with 200 of everything stays on a page, within the limits', () => {
    const facts = busyDay();
    const many = <T>([first]: readonly T[]): T[] => (first ? Array<T>(200).fill(first) : []);
    const name = 'Name '.repeat(40);
    const full = {
      ...facts,
      projects: {
        ...facts.projects,
        best: many(facts.projects.best).map((each) => ({ ...each, title: name })),
      },
      invitations: { came: 200, waiting: 200, list: many(facts.invitations.list) },
      bids: { made: 200, open: 0, list: many(facts.bids.list).map((each) => ({ ...each, title: name })) },
      outcomes: { counts: facts.outcomes.counts, list: many(facts.outcomes.list) },
      setups: many(facts.setups),
      feeds: many(facts.feeds),
    };
    const message = digestMessage(full);
    expect(findMessageLimitProblems(message)).toEqual([]);
    expect(message.blocks?.length).toBeLessThan(30);
  });
});

describe('the thread of a digest', () => {
  it('holds the lists that the screen cuts', async () => {
    const facts = busyDay();
    const parts = splitDigestThread(facts).map((_, part) => digestThreadPartMessage(facts, part));
    const text = parts.map((part) => (part ? asText(part) : '')).join('\n');
    await expect(text).toMatchFileSnapshot('__snapshots__/digest-thread.txt');
  });

  it('says which stretch of a long list it holds, and how many stand nowhere', () => {
    const facts = digestFacts({ projects: { told: 2_000, best: [], ...unclaimed(2_000) } });
    const second = digestThreadPartMessage(facts, 1)?.text;
    expect(second?.match(/[\d,]*\d/gu)).toEqual(['31', '60', '2,000']);
    expect(second).toMatchSnapshot();
    const last = digestThreadPartMessage(facts, MAX_DIGEST_LIST_ROWS / 30 - 1);
    expect(last && asText(last)).toMatch(/\n….*\b1,700\b/u);
    expect(digestThreadPartMessage(facts, 10)).toBeUndefined();
    expect(digestThreadPartMessage(facts, -1)).toBeUndefined();
  });

  it('of more bids than it holds tells how many there are, and does not say that it has them all', () => {
    const [bid] = busyDay().bids.list;
    if (!bid) return expect.fail('no bid');
    const facts = digestFacts({ bids: { made: 50, open: 20, list: Array(60).fill(bid) } });
    const text = asText(digestMessage(facts));
    expect(text).toMatchSnapshot();
    expect(text).toMatch(/^:dart: \*50 .* 20 .*\*$/mu);
    expect(text).toMatch(/^….*\b57\b/mu);
    const whole = digestFacts({ bids: { made: 40, open: 20, list: Array(60).fill(bid) } });
    const foot = (of: DigestFacts) => asText(digestMessage(of)).split('-- ').at(-1);
    expect(foot(facts)).not.toBe(foot(whole));
    const parts = splitDigestThread(facts).map((_, part) => digestThreadPartMessage(facts, part));
    expect(parts.map((part) => part?.text.match(/\d+/gu))).toEqual([
      ['1', '30', '70'],
      ['31', '60', '70'],
    ]);
    expect(parts.map((part) => part?.text)).toMatchSnapshot();
    expect(JSON.stringify(parts.at(-1))).toMatch(/….*\b10\b/u);
  });

  it('names every project that nobody claimed', () => {
    const facts = digestFacts({ projects: { told: 95, best: [], ...unclaimed(95) } });
    const all = splitDigestThread(facts).map((_, part) =>
      JSON.stringify(digestThreadPartMessage(facts, part)),
    );
    for (let number = 1; number <= 95; number++)
      expect(all.join('')).toContain(`<${told(number).url}|Project ${number}>`);
  });
});

it('whatever the facts hold, every message is within Slack’s limits and harmless', () => {
  fc.assert(
    fc.property(anyDigest, (facts) => {
      expectHarmless(digestMessage(facts));
      for (const [part] of splitDigestThread(facts).entries()) {
        const message = digestThreadPartMessage(facts, part);
        expect(message).toBeDefined();
        if (message) expectHarmless(message);
      }
    }),
    { numRuns: 30 },
  );
});
