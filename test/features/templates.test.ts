/** Building a proposal template in Slack: what people type reaches the marketplace, and nothing is lost. */
import { describe, expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Answer } from '../kit/person.ts';
import { letBid } from '../kit/start-desk.ts';
import { addSenders, fillTemplate } from '../kit/template-play.ts';

const appTest = appTestWith({ empty: true });
const CREATE = { method: 'POST', path: '/proposal-templates' };

/** As long as two inputs, with signs that must not be cut and blanks at both ends. */
const LETTER = ` ${'😀'.repeat(1_996)}é\r\n`;

describe('a template', () => {
  appTest('with every field reaches the marketplace exactly', async ({ desk, market, ada }) => {
    addSenders(desk);
    const sender = await ada.type('/gig template new');
    const named = await sender.press('Studio', { Name: ' Bold ' });
    const rates = await named.send({
      Contractor: 'Ola',
      'Who on the team can see': 'Everyone can view and edit',
    });
    await rates.press('Smart');
    await rates.press('Every 6 months');
    const ai = await rates.send({
      'Hourly rate': '$40',
      'Smart minimum': '30',
      'Smart maximum': '60',
      'Smart percent': '80%',
      Increase: '5',
      'Minimum price': '1,000',
      "Percent of the client's budget": '95',
    });
    const letters = await ai.send({
      'AI model': 'balanced-2',
      Instructions: 'I',
      'AI prompt for client questions': 'Q',
      'Additional context': 'C',
    });
    await letters.press('Add More Space');
    const [first = '', second = ''] = LETTER.match(/.{1,1400}/gsu) ?? [];
    const answers = await letters.send({
      'Letter A (part 1 of 2)': first,
      'Letter A (part 2 of 2)': second,
      'Letter B': 'B',
      'A/B testing': ['On'],
    });
    const answer = await answers.press('Add Answer');
    await answer.send({
      Question: ' Why?\n',
      'How questions are matched': "The client's question contains",
      Answer: 'Because.',
    });
    const end = await (await ada.form().send()).send();
    expect(market.requests(CREATE.path).map((it) => it.body)).toEqual([
      {
        name: ' Bold ',
        visibility: 'shared_edit',
        sender: { organization_id: 7, contractor_uid: 'c-2' },
        hourly_rate: {
          mode: 'smart',
          rate: 40,
          smart_rate_min: 30,
          smart_rate_max: 60,
          smart_rate_percent: 80,
          increase_frequency: 'every-6-months',
          increase_percent: 5,
        },
        fixed_price: { type: 'by-job-terms', min_price: 1_000, client_budget_percent: 95 },
        ai: {
          model: 'balanced-2',
          instructions: 'I',
          client_questions: 'Q',
          additional_context: 'C',
          template_structure: true,
        },
        ab_testing: true,
        cover_letters: { variant_a: LETTER, variant_b: 'B' },
        answers: [{ question: ' Why?\n', answer: 'Because.', match_type: 'contains' }],
      },
    ]);
    const [template] = market.service.templates();
    for (const fact of ['Studio', '$40', `/gig template from ${template?.id}`])
      expect(end.text).toContain(fact);
  });

  appTest('starts from another, whose flexible rates become a choice', async ({ desk, market, ada }) => {
    addSenders(desk);
    const flexible = { mode: 'flexible', rate: 40, rules_count: 3, increase_frequency: 'never' };
    const source = market.service.addTemplate({
      name: 'Calm',
      hourly_rate: {
        ...flexible,
        smart_rate_min: null,
        smart_rate_max: null,
        smart_rate_percent: null,
        increase_percent: null,
      },
      answers: [{ question: ' Why?\r\n', answer: 'Because.', match_type: 'contains' }],
    });
    const shown = await ada.type(`/gig template ${source.id}`);
    const form = await shown.press('Start From This');
    expect(form.text).toContain(`“Calm” (#${source.id})`);
    const chosen = await form.press('Studio');
    const rates = await chosen.send({ Contractor: 'Ola' });
    expect(rates.text).toContain('3 budget rules');
    expect((await rates.send()).text).toContain('Choose fixed or smart');
    await rates.send({ 'Hourly bids': 'The same rate' });
    for (let step = 0; step < 4; step++) await ada.form().send();
    expect(market.requests(CREATE.path).map((it) => it.body)).toMatchObject([
      {
        name: 'Calm',
        sender: { organization_id: 7, contractor_uid: 'c-2' },
        hourly_rate: { mode: 'fixed', rate: 40 },
        answers: [{ question: ' Why?\r\n', answer: 'Because.', match_type: 'contains' }],
      },
    ]);
  });
});

appTest('a text that no form holds is kept, until it is begun anew', async ({ market, ada }) => {
  const ai = { model: null, instructions: '字'.repeat(90_000), client_questions: null };
  const { id } = market.service.addTemplate({
    ai: { ...ai, additional_context: null, template_structure: true },
  });
  const form = await ada.type(`/gig template from ${id}`);
  await form.press('3. AI');
  expect(form.text).toContain('(90,000 characters) is saved');
  await form.press('Start Over');
  expect(form.fields()).toContain('Instructions');
});

describe('the form', () => {
  appTest('loses nothing between its steps, nor what no choice asks for now', async ({ desk, ada }) => {
    addSenders(desk);
    const form = await ada.type('/gig template new');
    await form.press('2. Rates', { Name: 'Typed' });
    await form.press('Smart', { 'Hourly rate': '40' });
    await form.press('3. AI', { 'Smart minimum': '30', 'Smart maximum': '61' });
    await form.press('Back');
    expect(form.text).toContain('[61]');
    await form.press('The same rate');
    expect(form.fields()).not.toContain('Smart maximum');
    await form.press('Smart');
    expect(form.text).toContain('[61]');
    await ada.close();
    const drafts = await ada.type('/gig template drafts');
    const again = await drafts.press('Continue');
    expect(again.text).toContain('[Typed]');
  });

  appTest('goes on with what was sent, though an earlier choice ends later', async ({ desk, slack, ada }) => {
    addSenders(desk);
    const form = await (await ada.type('/gig template new')).press('Ben alone', { Name: 'Overtaken' });
    await form.send();
    await desk.pass(6 * MINUTE);
    slack.injectFault('users.info', { kind: 'hold', when: 'before', ms: 1_200 });
    const choosing = form.press('Never', { 'Hourly rate': '40' });
    await desk.app.settle();
    await form.send({ 'Hourly rate': '55' });
    await choosing;
    expect(form.text).toContain('Step 3 of 6');
    expect((await form.press('Back')).text).toContain('[55]');
  });

  appTest('counts a text over its limit, and creates nothing with it', async ({ desk, ada }) => {
    addSenders(desk);
    const review = await fillTemplate(ada);
    await review.press('3. AI');
    for (let parts = 1; parts < 5; parts++) await review.press('Add More Space');
    const parts = Array.from({ length: 5 }, (_, at) => [
      `Instructions (part ${at + 1} of 5)`,
      'x'.repeat(2_300),
    ]);
    const refused = await review.send(Object.fromEntries(parts));
    expect(refused.text).toMatch(/11,500.*1,500.*10,000/u);
    await review.press('6. Review');
    expect(review.text).toContain('11,500');
    expect(review.text).not.toContain('[Create Template]');
  });

  appTest('is one person’s, whatever is forged', async ({ desk, slack, market, ada, ben }) => {
    await letBid(desk, ['ben']);
    addSenders(desk);
    const review = await fillTemplate(ada);
    await ben.type('/gig template new');
    const { shown } = review;
    const forgedMetadata = shown && 'view' in shown ? shown.view.privateMetadata : '';
    await desk.settleAfter(slack.submitView({ user: 'ben', forgedMetadata }));
    expect(market.requests(CREATE.path)).toEqual([]);
    expect((await ben.type('/gig template drafts')).text).not.toContain('Calm');
  });
});

describe('the sender', () => {
  appTest('is typed where the list cannot be read, and read again', async ({ desk, market, ada, pass }) => {
    addSenders(desk);
    const fault = market.fail('/proposal-senders', { kind: 'answer', status: 404, json: {} }, 99);
    const form = await ada.type('/gig template new');
    const ids = { 'Sender (organization ID)': '7', 'Contractor (UID)': 'c-1' };
    const rates = await form.send({ Name: 'Bold', ...ids });
    expect(rates.fields()).toContain('Hourly rate');
    await form.press('Back');
    fault.cancel();
    await pass(61 * SECOND);
    const listed = await form.press('Reload');
    expect(listed.text).toContain('[Studio');
    expect(listed.text).toContain('[Ana');
    market.fail('/proposal-senders', { kind: 'answer', status: 404, json: {} }, 99);
    await pass(6 * MINUTE);
    expect((await ada.type('/gig template new')).offers('Ben alone')).toBe(true);
  });

  appTest(
    'is not waited for: the form opens at once, and keeps what is typed',
    async ({ desk, market, ada }) => {
      addSenders(desk);
      const held = market.fail('/proposal-senders', { kind: 'hold-headers' });
      const form = await ada.type('/gig template new');
      expect(form.fields()).not.toContain('Sender');
      const missing = await form.send({ Name: 'Typed' });
      held.release();
      await desk.pass(SECOND);
      expect(missing.fields()).toContain('Sender');
      expect(missing.text).toContain('[Typed]');
      expect(missing.text).toContain('Choose a sender');
      await desk.pass(4 * SECOND);
      await fillTemplate(ada);
      expect(market.requests('/proposal-senders')).toHaveLength(1);
    },
  );

  appTest('that come late change nothing for whoever has gone on', async ({ desk, market, ada }) => {
    addSenders(desk);
    const form = await fillTemplate(ada);
    await desk.pass(6 * MINUTE);
    market.fail('/proposal-senders', { kind: 'hold-headers' });
    await form.press('1. Name');
    expect(form.text).toContain('Loading senders');
    await form.send();
    await desk.pass(MINUTE);
    expect(form.text).toContain('Step 2 of 6');
  });

  appTest.for(['flat', 'organization-name', 'org', 'people'] as const)(
    'written as %s is chosen by its name',
    async (senders, { desk, market, ada }) => {
      addSenders(desk);
      market.service.setModes({ senders });
      const form = await ada.type('/gig template new');
      expect(form.offers('Ben alone')).toBe(true);
      const chosen = await form.press('Studio');
      expect([chosen.offers('Ana'), chosen.offers('Ola')]).toEqual([true, true]);
    },
  );
});

describe('answers', () => {
  const YES = { 'How questions are matched': "The client's question contains", Answer: 'Yes.' };
  const questionsOf = ({ text }: Answer) => [...text.matchAll(/\*\d+\.\* (\w+)\?/gu)].map(([, it]) => it);

  appTest('are edited, moved and removed, one press at a time', async ({ desk, ada }) => {
    addSenders(desk);
    const review = await fillTemplate(ada);
    const list = await review.press('5. Answers');
    for (const word of ['One', 'Two', 'Three'])
      await (await list.press('Add Answer')).send({ ...YES, Question: `${word}?` });
    expect(questionsOf(list)).toEqual(['One', 'Two', 'Three']);
    await Promise.all([list.press('Move Up'), list.press('Move Up')]);
    expect(questionsOf(list)).toEqual(['Two', 'One', 'Three']);
    expect(list.text).toContain('your click did nothing');
    await (await list.press('Edit')).send({ Question: 'Dos?' });
    expect(questionsOf(list)).toEqual(['Dos', 'One', 'Three']);
    await list.press('Move Down');
    expect(questionsOf(list)).toEqual(['One', 'Dos', 'Three']);
    await list.press('Remove');
    expect(questionsOf(list)).toEqual(['Dos', 'Three']);
  });

  appTest('with mistakes are kept, and say what is wrong', async ({ desk, slack, ada }) => {
    addSenders(desk);
    const list = await (await fillTemplate(ada)).press('5. Answers');
    const window = await list.press('Add Answer');
    await window.send({ ...YES, Question: ' ', Answer: ' ' });
    expect(list.text).toContain('0 of 50 answers');
    await window.send({ ...YES, Question: 'q'.repeat(501) });
    expect(window.text).toMatch(/501.*1.*500/u);
    await desk.settleAfter(slack.closeView({ user: 'ada' }));
    expect(list.text).toMatch(/501.*1.*500/u);
    expect((await list.send()).text).toContain('Step 5 of 6');
    await (await list.press('Edit')).send({ Question: 'Why?' });
    expect((await list.send()).text).toContain('contains “Why?”');
  });
});

appTest('a person has twenty drafts at most, for sixty days', async ({ desk, app, market, ada }) => {
  addSenders(desk);
  await (await fillTemplate(ada)).send();
  await fillTemplate(ada);
  for (let count = 1; count < 20; count++) await ada.type('/gig template new');
  await ada.close();
  const refused = await ada.type('/gig template new');
  expect(refused.text).toMatch(/limit of 20 drafts[\s\S]*Your 20 template drafts/u);
  expect((await ada.type('/gig template from 12')).text).toContain('limit of 20 drafts');
  expect(market.requests('/proposal-templates/*')).toEqual([]);
  expect((await refused.press('Discard')).text).toContain('Your 19 template drafts');
  await ada.type('/gig template new');
  expect((await ada.type('/gig template drafts')).text).toContain('Your 20 template drafts');
  await app.pass(59 * DAY, DAY);
  expect((await ada.type('/gig template drafts')).text).toContain('Your 20 template drafts');
  await app.pass(2 * DAY, DAY);
  expect((await ada.type('/gig template drafts')).text).toContain('no template drafts');
});
