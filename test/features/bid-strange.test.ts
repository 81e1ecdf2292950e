/** Odd data, odd answers, forged input and refused windows: a bid goes on, or ends in one clear sentence. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { letBid, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const FAST = { 'Bidding setup': 'Fast setup' };
const HOSTILE = [
  '<!channel> <https://evil.example|Approve>',
  '\u202Egnp\u0000\u200B',
  '😀'.repeat(200),
  '`*_~|"\\',
  'x'.repeat(3_000),
] as const;
const hostileAt = (n: number) => HOSTILE[n % HOSTILE.length] ?? '';

describe('setups', () => {
  appTest('120 with hostile names can be listed, chosen and bid with', async ({ market, ben, pass }) => {
    for (let n = 0; n < 120; n++)
      market.service.addSetup({
        id: 100 + n,
        name: hostileAt(n),
        scheduleLabel: hostileAt(n + 1),
        timezone: hostileAt(n + 2),
        filter: { id: 101, name: hostileAt(n + 3) },
      });
    market.service.updateSetup(100, { status: '<!here> on the moon' } as never);
    await pass(6 * MINUTE);
    const list = await ben.type('/gig setups');
    expect(list.text).toMatch(/\b1 of 11\b/u);
    expect((await list.press('Next Page')).text).toMatch(/\b2 of 11\b/u);
    const { project } = market.publish();
    const form = await ben.type(`/gig bid ${project.ciphertext} 219`);
    expect(form.text).toMatch(/\b21\b/u);
    await form.send();
    expect(market.requests(PATHS.bid)[0]?.body).toMatchObject({ setup_id: 219 });
  });

  appTestWith({ empty: true }).for<[string, MarketplaceFaultEffect]>([
    ['none', presetFaults.wrongJson({ success: true, count: 0, setups: [] })],
    ['a page of HTML', presetFaults.html(200)],
    ['an error page', presetFaults.html(502)],
    ['a list', presetFaults.wrongJson()],
    ['nonsense', presetFaults.wrongJson({ success: true, setups: [null, 1, 'x', { id: 'seven' }] })],
    ['a refusal', presetFaults.wrongJson({ success: false, error: 'No plan' })],
  ])('that come as %s: the form says so, and can be reloaded', async ([, effect], { market, ada, pass }) => {
    const fault = market.fail('/auto-bidding/setups', effect, 99);
    const form = await ada.type('/gig bid ~0123456');
    await pass(MINUTE);
    expect(form.text).toMatch(/setups, and a bid needs one/u);
    expect(form.text).not.toContain('Send Bid');
    fault.cancel();
    market.service.addSetup({ id: 7, name: 'Fast setup', status: 'active' });
    await (await form.press('Reload')).send(FAST);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
  });
});

describe('a project', () => {
  appTest(
    'with 50 questions of 2,000 characters and a title of emoji can be bid on',
    async ({ market, ben }) => {
      const questions = Array.from({ length: 50 }, (_, n) =>
        `${n} ${'Why & <how>? '.repeat(160)}`.slice(0, 2_000),
      );
      const seed = { ...SHOP, title: '🦄🦄', clientQuestions: questions };
      const card = await market.publish(seed).cardIn('web');
      const form = await ben.press(card, 'Bid');
      expect(form.text).toMatch(/🦄🦄[\s\S]*\b20\b/u);
      const answers = Array.from({ length: 30 }, (_, n) => [`${n} Why`, `Answer ${n}`] as const);
      await form.send({ ...FAST, ...Object.fromEntries(answers) });
      const sent = market.requests(PATHS.bid)[0]?.body as { answers: object[] };
      expect(sent.answers).toEqual(
        answers.map(([, answer], place) => ({ question: questions[place], answer })),
      );
      expect(card.text).toContain(`#${market.jobs[0]?.id}`);
    },
  );

  appTestWith({ reviews: true })(
    'with a hostile title is bid on, approved and followed',
    async ({ market, ben, pass }) => {
      const cards = await Promise.all(
        HOSTILE.map((title) => market.publish({ ...SHOP, title, clientQuestions: [title] }).cardIn('web')),
      );
      for (const [n, card] of cards.entries()) {
        await sendBid(ben, card, { 'Cover letter': `A letter. ${hostileAt(n)}`.slice(0, 2_999) });
        const request = offering(card, 'Reject');
        if (request.offers('Approve')) await ben.press(request, 'Approve');
        else await (await ben.press(request, 'Review')).send();
        await ben.close();
      }
      expect(market.requests(PATHS.approve)).toHaveLength(HOSTILE.length);
      for (const [n, { id }] of market.jobs.entries())
        market.service.updateJob(id, { status: 'failed', errorMessage: hostileAt(n) });
      await pass(20 * MINUTE);
      for (const card of cards) expect(card.text).toMatch(/failed/iu);
    },
  );
});

appTest.for<[string, MarketplaceFaultEffect]>([
  ['a page of HTML', presetFaults.html(200)],
  ['a list', presetFaults.wrongJson()],
  ['a success without a job', presetFaults.wrongJson({ success: true, message: 'ok' })],
  ['a job without an id', presetFaults.wrongJson({ success: true, job: { id: 1.5, status: {} } })],
])('an answer that is %s leaves open whether there is a job', async ([, effect], { market, ben, pass }) => {
  market.fail(PATHS.bid, effect);
  const card = await market.publish().cardIn('web');
  expect((await sendBid(ben, card)).text).toContain('HTTP 200');
  await pass(10 * MINUTE);
  expect(card.offers('Check')).toBe(true);
  expect(market.requests(PATHS.bid)).toHaveLength(1);
});

describe('windows that Slack refuses', () => {
  appTest(
    'to open: a sentence says to press again, and the next press opens it',
    async ({ market, slack, ben }) => {
      const card = await market.publish().cardIn('web');
      slack.injectFault('views.open', { kind: 'error', error: 'expired_trigger_id' });
      expect((await ben.press(card, 'Bid')).text).toMatch(/again/iu);
      await sendBid(ben, card);
      expect(market.jobs).toHaveLength(1);
    },
  );

  appTest('to confirm: the form stands, and is opened once', async ({ market, slack, ben }) => {
    const card = await market.publish().cardIn('web');
    const before = slack.apiCalls('views.open').length;
    slack.injectFault('views.open', { kind: 'status', status: 503, when: 'after' });
    await ben.press(card, 'Bid');
    expect(ben.notes('web').at(-1)?.text).toContain('ref ');
    expect(slack.apiCalls('views.open')).toHaveLength(before + 1);
    await ben.form().send(FAST);
    expect(market.jobs).toHaveLength(1);
  });

  appTest.for(['not_found', 'hash_conflict', 'internal_error'])(
    'to change (%s): nothing typed is lost, and the outcome is told all the same',
    async (error, { market, slack, ben }) => {
      const card = await market.publish().cardIn('web');
      const form = await ben.press(card, 'Bid');
      slack.injectFault('views.update', { kind: 'error', error }, 99);
      await form.press("On the setup's schedule", { 'Cover letter': 'Typed before it failed' });
      await ben.form().send({ ...FAST, 'Cover letter': 'Typed before it failed' });
      expect(market.jobs.map((it) => it.coverLetter)).toEqual(['Typed before it failed']);
      expect(ben.notes('web').at(-1)?.text).toContain(`#${market.jobs[0]?.id}`);
    },
  );
});

describe('who may not bid', () => {
  appTest(
    'asks for access, and bids once an admin has granted it',
    async ({ market, slack, ada, ben, cem }) => {
      const card = await market.publish().cardIn('web');
      const refusal = await cem.press(card, 'Bid');
      await refusal.press('Request Access');
      const request = ada.reads('web').findLast((it) => it.offers('Grant')) ?? expect.fail('no request');
      await ben.press(request, 'Grant');
      await cem.press(card, 'Bid');
      expect(slack.view('cem')).toBeUndefined();
      await ada.press(request, 'Grant');
      expect(request.offers('Grant')).toBe(false);
      await sendBid(cem, card);
      expect(market.jobs).toHaveLength(1);
    },
  );

  appTest(
    'sends nothing from an open form, a stolen one, or as a guest',
    async ({ desk, market, slack, ada, ben }) => {
      const card = await market.publish().cardIn('web');
      const gil = desk.person('gil', { guest: 'single' });
      await letBid(desk, ['ben', 'gil']);
      expect((await gil.press(card, 'Bid')).offers('Request Access')).toBe(false);
      expect(slack.view('gil')).toBeUndefined();
      await ada.press(card, 'Bid');
      const stolen = slack.view('ada')?.privateMetadata ?? '';
      const form = await ben.press(card, 'Bid');
      for (const forgedMetadata of [stolen, '', '{"a":1}', '__proto__', 'x'.repeat(3_000)])
        await slack.submitView({ user: 'ben', values: { setup: '7' }, forgedMetadata });
      await letBid(desk, []);
      await form.send(FAST);
      expect(market.requests(PATHS.bid)).toEqual([]);
    },
  );
});

describe('a command', () => {
  const NONSENSE = [
    '🦄',
    '\u202Etxt.exe\u202C \u0000',
    '<!channel> <@U0ANA>',
    'x'.repeat(11_900),
    '__proto__',
    '-1',
    '~',
  ];

  appTest.for(['bid', 'job', 'setups', 'access', 'audit'])(
    '/gig %s with nonsense is answered once, with what would be right',
    async (command, { slack, ada }) => {
      for (const nonsense of [...NONSENSE, '{"job":1,"seen":0}', 'javascript:alert(1)']) {
        const before = ada.notes('web').length;
        await ada.type(`/gig ${command} ${nonsense}`);
        expect(ada.notes('web')).toHaveLength(before + 1);
        expect(ada.notes('web').at(-1)?.text).toMatch(/`\/gig /u);
        expect(slack.view('ada')).toBeUndefined();
      }
    },
  );

  appTest('links to the address that the marketplace told, not to a typed one', async ({ market, ada }) => {
    const card = market.publish();
    await card.cardIn('web');
    const other = market.publish({ ...SHOP, title: 'Looked up' }, []).project;
    await ada.type(`/gig lookup ${other.ciphertext}`);
    for (const { ciphertext, title } of [card.project, other]) {
      const form = await ada.type(`/gig bid https://evil.example/${ciphertext}`);
      expect(form.text).toContain(title);
      expect(JSON.stringify(form.shown)).not.toContain('evil.example');
      await ada.close();
    }
  });
});
