/**
 * The bid form: what it begins with, keeps and warns of; mistakes stand at their fields, and nothing is
 * sent.
 */
import { describe, expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Answer } from '../kit/person.ts';
import { FAST_SETUP, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const FAST = { 'Bidding setup': 'Fast setup' };
const twoSetups = appTestWith({ moreSetups: ['Slow setup'] });

describe('a form that was closed', () => {
  appTest('opens as it was typed, and can be begun afresh', async ({ desk, market, ben }) => {
    const card = await market.publish().cardIn('web');
    await ben.press(card, 'Bid');
    await ben.close();
    const form = await ben.press(card, 'Bid');
    expect(form.offers('Start Over')).toBe(false);
    const typed = { 'Fixed-price bid': '77', Boost: '9', 'Which shops have you built?': 'No' };
    await form.press('Fast setup', { ...typed, 'Cover letter': 'A letter that I regret' });
    await ben.close();
    await desk.restart();
    const again = await ben.press(card, 'Bid');
    for (const text of ['A letter that I regret', '[77]', '[9]', '[No]']) expect(again.text).toContain(text);
    const afresh = await again.press('Start Over');
    expect(afresh.text).not.toContain('regret');
    expect(afresh.offers('Start Over')).toBe(false);
    expect((await afresh.send({ ...FAST, 'Fixed-price bid': '4' })).text).toMatch(/\$5 to \$1,000,000\.$/u);
    await afresh.send({ 'Fixed-price bid': '500' });
    expect(market.requests(PATHS.bid).map((it) => it.body)).toEqual([
      { setup_id: FAST_SETUP.id, marketplace_job_id: expect.any(String), bid_amount: 500 },
    ]);
  });
});

describe('the setup', () => {
  twoSetups(
    'is the one last used for the filter, and its template is shown',
    async ({ market, ada, ben, pass }) => {
      const template = { id: 61, name: 'Night letter' };
      const letters = { variant_a: 'I work at night.', variant_b: null };
      market.service.addTemplate({ ...template, cover_letters: letters });
      market.service.updateSetup(8, { biddingTemplate: template });
      await pass(6 * MINUTE);
      const card = await market.publish().cardIn('web');
      await sendBid(ada, card, { 'Bidding setup': 'Slow setup' });
      const next = await market.publish({ ...SHOP, title: 'Another shop' }).cardIn('web');
      const form = await ben.press(next, 'Bid');
      expect(form.text).toMatch(/last used for filter “React work”/u);
      expect(form.text).toContain('I work at night.');
      const other = await form.press('Fast setup', { 'Fixed-price bid': '88' });
      expect(other.text).not.toMatch(/I work at night|last used/u);
      await other.send();
      expect(market.requests(PATHS.bid)[1]?.body).toMatchObject({ setup_id: FAST_SETUP.id, bid_amount: 88 });
    },
  );

  twoSetups('that was named and is not there stays open', async ({ market, ben }) => {
    const { project } = market.publish();
    const form = await ben.type(`/gig bid ${project.ciphertext} Slwo`);
    expect(form.text).toContain('`Slwo`');
    await form.send();
    expect(market.requests(PATHS.bid)).toEqual([]);
    for (const words of ['8', 'slow', '“Slow setup”']) {
      const named = await ben.type(`/gig bid ${project.ciphertext} ${words}`);
      expect(named.text).toContain('[Slow setup ▾]');
    }
  });
});

describe('a letter that worked', () => {
  appTest(
    'is inserted beside all that was typed, and swapped back',
    async ({ desk, app, market, ada, ben, pass }) => {
      market.service.addProfile({ id: 31, label: 'Ada Webb', type: 'freelancer' });
      for (let n = 1; n <= 24; n++)
        market.service.addProposal({
          profileId: 31,
          jobTitle: n % 6 === 0 ? `Checkout ${n} in React` : `Data job ${n}`,
          coverLetter: `Letter number ${n}`,
          submittedAt: app.clock.now() - (n + 7) * (DAY / 2),
          isHired: n === 6,
          isInterviewed: n % 6 === 0,
          isInvitation: false,
          connects: 10,
        });
      await ada.type('/gig subscribe outcomes 31');
      await pass(2 * MINUTE);
      const card = await market.publish().cardIn('web');
      const form = await ben.press(card, 'Bid');
      expect(form.text.match(/Checkout \d+ in React/gu)).toHaveLength(3);
      const [, cost = ''] =
        /([\d,]+ connects) per interview/u.exec((await ada.type('/gig stats')).text) ?? [];
      expect(cost).not.toBe('');
      expect(form.text).toContain(cost);
      const typed = { 'Fixed-price bid': '77', 'Which shops have you built?': 'Three shops' };
      const used = await form.press('Use Letter', { ...typed, 'Cover letter': 'My own' });
      const inserted = /\[(Letter number \d+)\]/u.exec(used.text)?.[1];
      expect(inserted).toBeDefined();
      expect((await used.press('Swap Letters')).text).toContain('[My own]');
      const back = await used.press('Swap Letters', { 'Cover letter': 'My own, changed' });
      expect(back.text).toContain(`[${inserted}]`);
      expect((await back.press('Swap Letters')).text).toContain('[My own, changed]');
      await back.press('Swap Letters');
      expect((await back.send({ ...FAST, 'Cover letter': '  ' })).text).toMatch(/only has spaces.*$/u);
      await desk.restart();
      await back.send({ 'Cover letter': `${inserted}, for you` });
      expect(market.requests(PATHS.bid).map(({ body }) => body)).toMatchObject([
        { bid_amount: 77, cover_letter: `${inserted}, for you`, answers: [{ answer: 'Three shops' }] },
      ]);
    },
  );
});

describe('input', () => {
  appTest('with mistakes is refused at each field, and sends nothing', async ({ app, market, ben }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    const mistakes = async (on: Answer, input: Parameters<Answer['send']>[0]) => {
      const before = on.text.split('\n').length;
      return (await on.send(input)).text.split('\n').slice(before);
    };
    const wrong = { 'Fixed-price bid': 'a lot', Boost: '1.5', 'Cover letter': '   ', 'Which shops': ' \n ' };
    expect(await mistakes(form, { ...FAST, ...wrong })).toHaveLength(4);
    const right = { 'Fixed-price bid': '500', Boost: null, 'Cover letter': null, 'Which shops': null };
    const at = await form.press('At a specific time', right);
    const now = Math.floor(app.clock.now() / 1000);
    expect(await mistakes(at, { 'Date and time': now - 60 })).toHaveLength(1);
    const soon = await at.press('In 15 to 60 minutes');
    expect(await mistakes(soon, { 'Minutes from now': '14' })).toHaveLength(1);
    expect(market.requests(PATHS.bid)).toEqual([]);
    await soon.send({ 'Minutes from now': '15' });
    const [sent] = market.requests(PATHS.bid);
    expect(sent?.body).toMatchObject({ bid_amount: 500, scheduled_in: 15 });
  });

  appTest('never moves an answer to another question', async ({ market, slack, ben, pass }) => {
    const published = market.publish();
    const card = await published.cardIn('web');
    const form = await ben.press(card, 'Bid');
    const view = slack.view('ben') ?? expect.fail('no form');
    const { title, url } = published.project;
    const clientQuestions = ['When could you begin?', 'Which shops have you built?'];
    const json = { data: { title, url, clientQuestions } };
    market.fail(PATHS.lookup, { kind: 'answer', status: 200, json });
    expect((await form.press('Look Up')).fields()).toContain('When could you begin?');
    await slack.submitView({ user: 'ben', view, values: { setup: '7', answer_0: 'Three' }, asItWas: true });
    await pass(5 * SECOND);
    expect(market.requests(PATHS.bid)).toEqual([]);
  });

  /** Types a letter into as many parts as it needs, and sends it. */
  async function sendLetter(form: Answer, text: string): Promise<Answer> {
    const roomy = await form.press('Add More Space');
    const parts = [1, 2, 3, 4].map((part) => text.slice((part - 1) * 3_000, part * 3_000));
    const fields = parts.map((part, place) => [`Cover letter (part ${place + 1} of 4)`, part || null]);
    return roomy.send({ ...FAST, ...Object.fromEntries(fields) });
  }
  const letterOf = (characters: number) => `\u{1F680}${'a'.repeat(characters - 1)}`;

  appTest.for([5_001, 8_990])(
    'a letter of %i characters arrives to the character',
    async (characters, { market, ben }) => {
      const card = await market.publish().cardIn('web');
      await sendLetter(await ben.press(card, 'Bid'), letterOf(characters));
      expect(market.jobs.map((it) => it.coverLetter)).toEqual([letterOf(characters)]);
    },
  );

  appTest('a letter that is too long is refused here or there, and kept', async ({ market, ben }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    expect((await sendLetter(form, letterOf(10_001))).text).toMatch(/10,001 characters.*10,000.*$/u);
    expect(market.requests(PATHS.bid)).toEqual([]);
    await ben.close();
    market.service.setModes({ longestJobText: 5_000 });
    const again = await (await ben.press(card, 'Bid')).press('Start Over');
    const refused = await sendLetter(again, letterOf(5_001));
    expect(refused.text).toContain('cover_letter must be at most 5000 characters');
    market.service.setModes({ longestJobText: 6_000 });
    await (await refused.press('Open Again')).send();
    expect(market.jobs.map((it) => it.coverLetter)).toEqual([letterOf(5_001)]);
  });
});

describe('an amount that looks like a mistake', () => {
  const FIXED = { type: 'fixed', fixedAmount: 2_500 } as const;
  const HOURLY = { type: 'hourly', hourlyMin: 40, hourlyMax: 60 } as const;

  appTest.for([
    ['far above a fixed price', FIXED, { 'Fixed-price bid': '999999' }, ['$999,999', '$2,500']],
    ['far below it', FIXED, { 'Fixed-price bid': '250' }, ['$250', '$2,500']],
    ['far above the range', HOURLY, { 'Hourly rate': '650' }, ['$650', '$40', '$60']],
    ['of thousands of connects', FIXED, { Boost: '5000' }, ['5,000']],
  ] as const)('%s is named with both numbers', async ([, budget, input, said], { market, ben }) => {
    const card = await market.publish({ ...SHOP, budget }).cardIn('web');
    const { text } = await sendBid(ben, card, input);
    const [warning = ''] = text.split('\n').filter((it) => it.includes(':warning:'));
    for (const number of said) expect(warning).toContain(number);
    expect(market.jobs).toHaveLength(1);
  });

  appTestWith({ reviews: true })(
    'is named in the form, the result and the request',
    async ({ market, ben }) => {
      const card = await market.publish(SHOP).cardIn('web');
      const form = await ben.press(card, 'Bid');
      expect(form.text).not.toContain('far above');
      const typed = await form.press('Add More Space', { 'Fixed-price bid': '5000', Boost: '150' });
      const sent = await typed.send(FAST);
      const request = card.replies().findLast((it) => it.offers('Reject'));
      for (const text of [typed.text, sent.text, request?.text]) {
        expect(text).toContain("far above the client's budget");
        expect(text).toContain('A boost of 150 connects');
      }
      await ben.close();
      const usual = await market.publish({ ...SHOP, title: 'Another' }).cardIn('web');
      expect((await sendBid(ben, usual, { 'Fixed-price bid': '690' })).text).not.toContain(':warning:');
    },
  );
});

appTest(
  'a form sent right after a choice in it shows the outcome, and keeps what was sent',
  async ({ market, slack, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    await pass(6 * MINUTE);
    slack.injectFault('users.info', { kind: 'hold', when: 'before', ms: 1_200 });
    market.fail(PATHS.bid, presetFaults.status(400, 'This client blocks agencies'));
    const [, sent] = await Promise.all([
      form.press("On the setup's schedule", { ...FAST, 'Cover letter': 'Old words' }),
      form.send({ ...FAST, 'Cover letter': 'New words' }),
    ]);
    await pass(10 * SECOND);
    expect(sent.text).toContain('This client blocks agencies');
    expect(market.requests(PATHS.bid)).toHaveLength(1);
    const again = await sent.press('Open Again');
    expect(again.text).toContain('[New words]');
  },
);
