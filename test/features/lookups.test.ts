/** Every lookup gets an answer within 20 s, however slow the marketplace is, and costs its credit once. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import type { MarketplaceFaultEffect } from '../../src/workbench/marketplace/faults.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, PATHS, SHOP } from '../kit/start-desk.ts';

const LOOKING = /Working on/u;

/** Asks for a project that no filter found, and passes this long. */
function lookupsOf({ market, person, pass }: Desk) {
  const { ciphertext } = market.publish(SHOP, []).project;
  const ada = person('ada');
  return async (ms: number) => {
    const before = ada.notes('web').length;
    await ada.type(`/gig lookup ${ciphertext}`);
    await pass(Math.max(0, ms - 5 * SECOND));
    return ada
      .notes('web')
      .slice(before)
      .map(({ text }) => text);
  };
}

/** How long Slack waited for each acknowledgement. */
const waits = ({ slack }: Pick<Desk, 'slack'>) =>
  new Set(
    slack.sentRequests().map((it) => (it.answeredAt === undefined ? undefined : it.answeredAt - it.sentAt)),
  );

appTest('a refusal of two minutes is said at once, to the next person as well', async ({ desk, market }) => {
  const ask = lookupsOf(desk);
  market.fail(PATHS.lookup, presetFaults.rateLimited('120'));
  for (let time = 0; time < 2; time++)
    expect(await ask(10 * SECOND)).toEqual([expect.stringMatching(/Try again (?:in 2 min|at 9:02)/u)]);
});

appTestWith({ empty: true })(
  'an answer that takes seconds is announced, and comes',
  async ({ desk, market }) => {
    const ask = lookupsOf(desk);
    market.fail(PATHS.lookup, presetFaults.rateLimited('9'));
    const [first, answer, ...more] = await ask(20 * SECOND);
    expect(first).toMatch(LOOKING);
    expect(answer).toContain(SHOP.title);
    expect(more).toEqual([]);
  },
);

appTest.for<readonly [string, MarketplaceFaultEffect]>([
  ['holds the answer', { kind: 'hold-headers' }],
  ['holds half of the answer', { kind: 'hold-body' }],
  ['breaks the body', { kind: 'break-body' }],
  ['drops the connection', { kind: 'drop', when: 'after' }],
  ['has a fault', presetFaults.status(503)],
  ['shows a gateway’s page', presetFaults.html()],
  ['answers something else', presetFaults.wrongJson()],
])('where the marketplace %s, a person reads so, and pays once', async ([, effect], { desk, market }) => {
  const ask = lookupsOf(desk);
  const broken = market.fail(PATHS.lookup, effect, Number.POSITIVE_INFINITY);
  const said = (await ask(21 * SECOND)).filter((it) => !LOOKING.test(it));
  expect(said).toEqual([expect.stringMatching(/marketplace/u)]);
  expect(said.join()).not.toContain(SHOP.title);
  broken.cancel();
  market.fail(PATHS.lookup, effect);
  await ask(30 * SECOND);
  expect((await ask(30 * SECOND)).at(-1)).toContain(SHOP.title);
  expect(market.service.consumedCredits().total).toBe(1);
  expect(waits(desk)).toEqual(new Set([0]));
});

appTest(
  'what may have been charged without an answer is said, and held once',
  async ({ desk, market, ada }) => {
    const ask = lookupsOf(desk);
    await ada.type('/gig budget 1');
    const lost = market.fail(PATHS.lookup, { kind: 'drop', when: 'after' }, Number.POSITIVE_INFINITY);
    await ask(30 * SECOND);
    lost.cancel();
    market.fail(PATHS.lookup, presetFaults.status(503));
    const answer = (await ask(30 * SECOND)).at(-1);
    expect(answer).toContain(SHOP.title);
    expect(answer).toMatch(/at most 1 credit/u);
    expect(market.service.consumedCredits().total).toBe(1);
    expect((await ada.type('/gig budget')).text).toMatch(/1 of 1 credits?/u);
  },
);

appTest('a press is answered at once while the marketplace hangs', async ({ desk, market, ada, pass }) => {
  const card = await market.publish().cardIn('web');
  const details = await ada.press(card, 'Details');
  market.fail({}, { kind: 'hold-headers' }, Number.POSITIVE_INFINITY);
  const before = ada.notes('web').length;
  await details.press('Look Up');
  await pass(30 * SECOND);
  const notes = ada.notes('web').slice(before);
  expect(notes.map(({ text }) => text)).toEqual([expect.stringMatching(LOOKING)]);
  expect(details.text).toMatch(/marketplace/u);
  expect(waits(desk)).toEqual(new Set([0]));
});

appTest(
  'a subscription while the marketplace hangs is made, and says what it could not check',
  async ({ market, ada, pass }) => {
    market.fail({}, { kind: 'hold-headers' }, Number.POSITIVE_INFINITY);
    await ada.type('/gig subscribe filter 4711', 'data');
    await pass(16 * SECOND);
    const [answer, ...more] = ada.reads('data').map(({ text }) => text);
    expect(answer).toMatch(/subscribed this channel.*4711/u);
    expect(answer).toContain("Couldn't check the filter's ID");
    expect(more).toEqual([]);
  },
);

appTest('an answer that fits nowhere else comes as a direct message', async ({ desk, slack, ben }) => {
  slack.addChannel({ name: 'closed', withBot: false, members: [ben.id] });
  slack.injectFault('response_url', { kind: 'status', status: 404 }, 1);
  await desk.settleAfter(slack.runSlashCommand({ user: 'ben', channel: 'closed', text: 'list' }));
  expect(ben.inbox().at(-1)?.text).toContain('This channel');
});

appTest.for([
  ['of words', 'word '],
  ['of signs that grow when escaped', '&<>🦄'],
  ['of one word', 'aaaaa'],
  ['of lines', 'a\nb\n\n'],
  ['of letters that take three bytes', '漢字かなん'],
] as const)('a giant project %s is shown', async ([, five], { market, ada }) => {
  const text = (length: number) => five.repeat(length / 5);
  const many = (count: number, length: number) =>
    Array.from({ length: count }, (_, n) => `${text(length)}${n}`);
  const [pattern = expect.fail('no job')] = market.publish(SHOP, []).project.workHistory;
  const { project } = market.publish(
    {
      title: text(2_000),
      description: text(100_000),
      skills: many(500, 100),
      categories: many(100, 100),
      clientQuestions: many(200, 1_000),
      durationLabel: text(1_000),
      engagementLabel: text(1_000),
      experienceLevel: text(1_000),
      client: { country: text(1_000), city: text(1_000), industry: text(1_000), companySize: text(1_000) },
      workHistory: many(1_000, 1_000).map((title) => ({
        ...pattern,
        job_info: { ...pattern.job_info, title },
      })),
    },
    [],
  );
  const answer = await ada.type(`/gig lookup ${project.ciphertext}`);
  expect(answer.text).toMatch(/\b1,000\b/u);
  expect(answer.text).toContain(project.url);
  expect(answer.text).toContain('Charged to this channel: 1 credit');
});
