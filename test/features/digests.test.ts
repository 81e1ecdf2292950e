/** Digests: when they come, what they tell, and what can be answered from them. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, SHOP, sendBid } from '../kit/start-desk.ts';

const at = (iso: string) => Date.parse(`${iso}Z`);
const quietDays = appTestWith({ empty: true, start: at('2026-11-18T12:00') });
const morning = { start: at('2026-11-20T07:50'), env: { DEFAULT_CHANNEL_BUDGET: '5000' } };
const appTest = appTestWith(morning);

function digestsIn(reader: Person, channel = 'web'): readonly Message[] {
  return reader.reads(channel).filter(({ text }) => /^\*?Digest for/u.test(text));
}

function newestDigest(reader: Person): Message {
  return digestsIn(reader).at(-1) ?? expect.fail('no digest');
}

/** When a channel's digests came, to the minute. */
function cameAt(reader: Person, channel = 'web'): readonly string[] {
  return digestsIn(reader, channel).map(({ ts }) => new Date(Number(ts) * 1_000).toISOString().slice(0, 16));
}

/** Jumps to just before a time, and passes the first seconds after it. */
async function jumpTo({ app, pass }: Desk, iso: string): Promise<void> {
  app.clock.moveTo(at(iso) - 5 * SECOND);
  await pass(30 * SECOND);
}

/** A digest that ada requests now. */
async function askNow({ person }: Desk): Promise<Message> {
  await person('ada').type('/gig digest now');
  return newestDigest(person('ada'));
}

/** All text below a message. */
function textBelow(message: Message): string {
  return message
    .replies()
    .map(({ text }) => text)
    .join('\n');
}

describe('the plan', () => {
  quietDays('has digests come at the hour of each channel, until it ends', async ({ desk, ada, ben }) => {
    const set = await ada.type('/gig digest at 9am berlin');
    expect(ada.reads('web').map(({ text }) => text)).toEqual([set.text]);
    for (const fact of ['@ada', '9:00 AM (Europe/Berlin)', 'tomorrow']) expect(set.text).toContain(fact);
    await ada.type('/gig digest at 09:00 America/New_York daily', 'data');
    for (const time of ['18T14', '19T08', '19T14', '20T08', '20T14', '21T08', '21T14'])
      await jumpTo(desk, `2026-11-${time}:00`);
    expect(cameAt(ada)).toEqual(['2026-11-19T08:00', '2026-11-20T08:00']);
    expect(cameAt(ada, 'data')).toEqual([18, 19, 20, 21].map((day) => `2026-11-${day}T14:00`));
    const [quiet] = digestsIn(ada);
    expect(quiet?.text).toContain('Thu, Nov 19');
    expect(quiet?.replies()).toEqual([]);

    const changed = await ben.type('/gig digest at 10:30');
    for (const fact of ['@ben', '10:30 AM (Europe/Berlin)']) expect(changed.text).toContain(fact);
    const posts = ada.reads('web').length;
    expect((await ada.type('/gig digest at 10:30 weekdays')).text).toContain('10:30 AM (Europe/Berlin)');
    expect((await ada.type('/gig digest')).text).toMatch(/10:30 AM[\s\S]*@ben/u);
    for (const wrong of ['tomorrow', 'at 25:00', '9 CET', '9 <!channel>', '9 __proto__', 'on'])
      expect((await ada.type(`/gig digest ${wrong}`)).text).toContain('/gig digest at 09:00');
    expect(ada.reads('web')).toHaveLength(posts);
    const off = await ben.type('/gig digest off');
    expect(off.text).toContain('@ben');
    await jumpTo(desk, '2026-11-23T09:30');
    expect(cameAt(ada)).toHaveLength(2);
    expect((await ada.press(off, 'Turn On')).text).toContain('10:30 AM (Europe/Berlin)');
    const gil = desk.person('gil', { guest: 'single' });
    expect((await gil.type('/gig digest off')).text).not.toContain('turned off');
    const { text: audit } = await ada.type('/gig audit');
    expect(audit).toContain('turned off the digest');
    expect(audit.match(/set the digest to .*Europe\/Berlin/gu)).toHaveLength(3);
  });

  quietDays('makes up once for what was missed while the app was down', async ({ desk, ada }) => {
    desk.market.service.addProfile({ id: 31 });
    await ada.type('/gig subscribe outcomes 31');
    await ada.type('/gig digest at 09:00 Europe/Berlin');
    await jumpTo(desk, '2026-11-19T08:00');
    await desk.restart(at('2026-11-20T09:30') - desk.app.clock.now());
    await desk.pass(MINUTE);
    expect(digestsIn(ada)).toHaveLength(2);
    expect(newestDigest(ada).text).toContain('due today at 9:00 AM');
    await desk.restart();
    await desk.pass(HOUR);
    expect(digestsIn(ada)).toHaveLength(2);
    const submittedAt = at('2026-11-24T12:00');
    desk.market.service.addProposal({ profileId: 31, submittedAt, connects: 16, isInvitation: false });
    await desk.restart(at('2026-11-25T12:00') - desk.app.clock.now());
    await desk.pass(MINUTE);
    expect(digestsIn(ada)).toHaveLength(3);
    expect(newestDigest(ada).text).toMatch(/due today at 9:00 AM.*\b2\b[\s\S]*16 connects/u);
    await jumpTo(desk, '2026-11-26T08:00');
    expect(newestDigest(ada).text).toMatch(/since yesterday at 1:0\d PM/u);
    await ada.type('/gig digest at 10:00');
    await jumpTo(desk, '2026-11-27T09:00');
    expect(newestDigest(ada).text).toContain('since yesterday at 9:00 AM');
  });

  appTest('brings each once, though the app dies or Slack is away', async ({ desk, slack, ada, market }) => {
    market.service.addProfile({ id: 31 });
    await ada.type('/gig subscribe outcomes 31');
    await ada.type('/gig digest at 09:00 Europe/Berlin daily');
    await market.publish({ ...SHOP, title: 'A dashboard' }).cardIn('web');
    const isDigest = (method: string, args: Readonly<Record<string, unknown>>) =>
      method === 'chat.postMessage' && JSON.stringify(args).includes('digest:');
    const held = slack.injectFault(isDigest, { kind: 'hold', when: 'after' });
    await desk.app.until('the digest to be under way', () => held.held > 0, 30 * MINUTE);
    await desk.app.kill();
    held.release();
    await desk.app.start();
    await desk.pass(2 * MINUTE);
    expect(digestsIn(ada)).toHaveLength(1);
    expect(textBelow(newestDigest(ada))).toContain('A dashboard');
    // The marketplace tells late of a proposal: the next digest counts it.
    const sent = { profileId: 31, submittedAt: at('2026-11-20T07:58'), isInvitation: false, connects: 16 };
    market.service.addProposal(sent);
    await desk.pass(3 * MINUTE);
    const away = slack.injectFault('*', { kind: 'status', status: 503 }, Number.POSITIVE_INFINITY);
    await jumpTo(desk, '2026-11-21T08:00');
    await jumpTo(desk, '2026-11-22T08:00');
    await jumpTo(desk, '2026-11-22T08:15');
    away.cancel();
    await desk.pass(20 * MINUTE);
    const [, second, third, ...more] = digestsIn(ada);
    expect(more).toEqual([]);
    expect(second?.text).toContain('16 connects');
    expect(second?.text).not.toContain('new project');
    expect(third?.text).toContain('due today at 9:00 AM');
    expect(textBelow(second ?? expect.fail())).toMatch(/spent in this billing period/u);
  });

  appTest('waits while Slack refuses the channel', async ({ desk, slack, market, ada }) => {
    market.service.addProfile({ id: 31 });
    await ada.type('/gig subscribe outcomes 31');
    await ada.type('/gig digest at 09:00 Europe/Berlin daily');
    slack.archive('web');
    market.publish();
    await desk.pass(5 * MINUTE);
    await jumpTo(desk, '2026-11-20T08:10');
    slack.unarchive('web');
    await jumpTo(desk, '2026-11-20T08:20');
    expect(digestsIn(ada)).toEqual([]);
    // The filter stays stopped.
    await ada.type('/gig subscribe outcomes 31');
    await desk.pass(MINUTE);
    expect(newestDigest(ada).text).toMatch(/due today at 9:00 AM[\s\S]*React work[\s\S]*archived/u);
  });

  quietDays('asked for now, one comes, and none a moment later', async ({ desk, ada, ben }) => {
    // It doesn't wait for the marketplace, which doesn't answer.
    const silent = desk.market.fail({}, presetFaults.timeoutAfterEffect(), Number.POSITIVE_INFINITY);
    await ada.type('/gig digest now');
    await desk.pass(5 * SECOND);
    expect(newestDigest(ada).text).toContain('@ada');
    silent.cancel();
    await ben.type('/gig digest now');
    expect(digestsIn(ada)).toHaveLength(1);
    await desk.pass(MINUTE);
    const eva = desk.person('eva', { tz: 'Asia/Tokyo' });
    await eva.type('/gig digest now');
    expect(digestsIn(ada)).toHaveLength(2);
    expect(newestDigest(ada).text).toContain('since yesterday at 9:01 PM');
  });
});

describe('a digest', () => {
  appTest('tells of an outage while it lasts, and when it is over', async ({ desk, market, ada }) => {
    const outage = market.fail({}, presetFaults.status(500), Number.POSITIVE_INFINITY);
    await desk.pass(15 * MINUTE);
    expect((await askNow(desk)).text).toMatch(/failing since today at 7:5\d AM/u);
    await ada.type('/gig pause');
    await desk.pass(MINUTE);
    const paused = await askNow(desk);
    expect(paused.text).toContain('paused since');
    expect(paused.text).not.toContain('working again');
    await ada.press(paused, 'Resume');
    outage.cancel();
    await desk.pass(30 * MINUTE);
    expect((await askNow(desk)).text).toMatch(/working again.*since today at 7:5\d AM/u);
  });

  appTest('has what exceeds Slack’s limits in its thread', async ({ desk, market, slack, ada }) => {
    const hostile = '<!channel> *[x](https://evil.example)* '.repeat(20);
    const names = Array.from({ length: 70 }, (_, number) => `Project no. ${number} `);
    const seeds = names.map((name) => ({ ...SHOP, title: name + hostile, description: 'x'.repeat(5_000) }));
    for (const seed of seeds) market.publish(seed);
    await desk.pass(5 * MINUTE);
    const digest = await askNow(desk);
    await desk.pass(MINUTE);
    expect(digest.text).toMatch(/\b70\b/u);
    for (const name of names) expect(textBelow(digest)).toContain(name);
    expect(slack.failedCalls()).toEqual([]);
    expect(digestsIn(ada)).toHaveLength(1);
  });

  appTest(
    'counts claims, and has charts below it, as text where Slack refuses them',
    async ({ desk, ada }) => {
      const { market, slack, pass } = desk;
      const card = await market.publish({ ...SHOP, title: 'Rebuild our checkout' }).cardIn('web');
      await market.publish({ ...SHOP, title: 'A dashboard' }).cardIn('web');
      await ada.press(card, 'Claim');
      const digest = await askNow(desk);
      expect(digest.text).toMatch(/\b1 of 2\b/u);
      expect(textBelow(digest)).toMatch(/A dashboard[\s\S]*Fri 2/u);
      slack.refuseBlocks(['data_visualization']);
      await pass(MINUTE);
      const plain = await askNow(desk);
      expect(plain.ts).not.toBe(digest.ts);
      expect(textBelow(plain)).toMatch(/Fri: 2 · Sat: 0/u);
    },
  );

  appTest('names the best five with links, and opens what needs an answer', async ({ desk, ada, ben }) => {
    const { market, slack, pass } = desk;
    market.service.addProfile({ id: 31, label: 'Ada Webb' });
    await ada.type('/gig subscribe invitations 31');
    await pass(MINUTE);
    market.service.addInvitation({ profileId: 31, title: 'Photo shop' });
    const cards: Message[] = [];
    for (const number of [1, 2, 3, 4, 5, 6, 7]) {
      const client = { paymentMethodVerified: true, rating: 4 + number / 10, reviews: 30, totalHires: 9 };
      const budget = { type: 'fixed', fixedAmount: 1_000 * number } as const;
      const project = market.publish({ ...SHOP, title: `Project no. ${number}.`, client, budget });
      cards.push(await project.cardIn('web'));
    }
    await pass(2 * MINUTE);
    const digest = await askNow(desk);
    const linkTo = ({ ts }: Message) => `${slack.channel('web').id}/p${ts.replace('.', '')}`;
    for (const number of [5, 6, 7]) {
      const line = new RegExp(`Project no\\. ${number}\\..*\\$${number},000.*(https://.*)`, 'u').exec(
        digest.text,
      );
      expect(line?.[1]).toContain(linkTo(cards[number - 1] ?? digest));
    }
    expect(digest.text).not.toMatch(/^6\. /mu);
    const invitation = ada.reads('web').find((it) => it.text.includes('Photo shop') && it.ts !== digest.ts);
    expect(digest.text).toContain(linkTo(invitation ?? digest));
    expect(slack.apiCalls('chat.getPermalink')).toEqual([]);
    const details = await ben.press(digest, 'Details');
    await details.press('Claim');
    expect(invitation?.text).toContain('@ben');
  });

  appTestWith({ ...morning, reviews: true })(
    'lists bids, and those who may approve do so from it',
    async ({ desk, market, ben, cem }) => {
      await sendBid(ben, await market.publish().cardIn('web'));
      const digest = await askNow(desk);
      const seen = await cem.press(digest, 'Review');
      for (const fact of ['Rebuild our checkout', 'Only bidders and admins'])
        expect(seen.text).toContain(fact);
      expect(seen.text).not.toContain('[Approve]');
      await (await ben.press(digest, 'Review')).send();
      const elsewhere = await ben.type('/gig digest now', 'data');
      expect(elsewhere.text).not.toContain('Rebuild our checkout');
      expect(digestsIn(ben, 'data')[0]?.text).not.toContain('Rebuild our checkout');
      expect(market.jobs[0]?.status).not.toBe('pending_review');
    },
  );
});
