/** Building a proposal template in Slack: what people type reaches the marketplace, and nothing is lost. */
import { describe, expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import { fieldsOf } from '../kit/read-screen.ts';
import { letBid } from '../kit/start-desk.ts';
import { addSenders, fillTemplate } from '../kit/template-play.ts';

const appTest = appTestWith({ empty: true });
const CREATE = { method: 'POST', path: '/proposal-templates' };

/** As long as two inputs, with signs that must not be cut and blanks at both ends. */
const LETTER = ` ${'😀'.repeat(1_996)}é\r\n`;

/** As long as an input, which is never begun or ended with a blank. */
const WORDS = 'word '.repeat(600);

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
    await ai.press('Add More Space');
    // Its text moves between the inputs.
    const instructions = { 'Instructions (part 1 of 2)': WORDS, 'Instructions (part 2 of 2)': WORDS };
    await ai.press('Add More Space', instructions);
    const letters = await ai.send({
      'AI model': 'balanced-2',
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
          instructions: `${WORDS}${WORDS}`,
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

describe('the form', () => {
  appTest('loses nothing between its steps, nor what no choice asks for now', async ({ desk, ada }) => {
    addSenders(desk);
    const form = await ada.type('/gig template new');
    await form.press('4. Cover', { Name: 'Typed' });
    await form.press('Add More Space');
    await form.press('3. AI');
    await form.press('Add More Space');
    await form.press('4. Cover');
    expect(form.fields()).toContain('Letter A (part 2 of 2)');
    await form.press('2. Rates');
    await form.press('Smart', { 'Hourly rate': '40' });
    await form.press('3. AI', { 'Smart minimum': '31', 'Smart maximum': '61' });
    await form.press('Back');
    expect(form.text).toContain('[61]');
    await form.press('The same rate');
    expect(form.fields()).not.toContain('Smart maximum');
    await form.press('The same price', { 'Minimum price': '123' });
    await form.press('4. Cover', { Price: '500' });
    await form.press('3. AI', { 'A/B testing': ['On'], 'Letter A': 'Hello' });
    await form.press('6. Review', { 'Template structure': [], Instructions: 'I' });
    expect(form.text).toContain('$500');
    expect(form.text).not.toMatch(/31|61|123|A\/B|Letter|Smart/u);
    await ada.close();
    const again = await (await ada.type('/gig template drafts')).press('Continue');
    expect(again.text).toMatch(/Step 1 of 6[\s\S]*\[Typed\]/u);
    await again.press('4. Cover');
    expect(again.fields()).toEqual([]);
    expect((await again.send()).text).toContain('Step 5 of 6');
    await again.press('3. AI');
    const letters = await again.send({ 'Template structure': ['On'] });
    expect(letters.text).toMatch(/\[x\] On[\s\S]*\[Hello\]/u);
    await again.press('2. Rates');
    await again.press('By the project');
    await again.press('Smart');
    for (const value of ['31', '61', '123']) expect(again.text).toContain(`[${value}]`);
  });

  appTest('says at each field what is wrong with it', async ({ desk, ada }) => {
    addSenders(desk);
    const form = await (await ada.type('/gig template new')).press('Ben alone', { Name: 'Wrong' });
    await form.send();
    await form.press('Smart');
    const rates = { 'Hourly rate': '2', 'Smart minimum': '70', 'Smart maximum': '60' };
    const refused = await form.send({ ...rates, 'Minimum price': 'x' });
    expect(refused.mistakes()).toEqual({
      'Hourly rate': expect.stringMatching(/\b3\b.*\b999\b/u),
      'Smart minimum': expect.stringMatching(/\b70\b.*\b60\b/u),
      'Minimum price': expect.any(String),
    });
    await form.press('The same rate', { 'Minimum price': null, 'Hourly rate': '40' });
    await form.press('The same price');
    await form.press('By the project', { Price: '2' });
    // The choice was made, but its field didn't come up yet.
    const early = await form.send({ 'Fixed-price bids': 'The same price' });
    expect(early.mistakes()).toEqual({ 'Fixed-price bids': expect.stringMatching(/\$5\b/u) });
  });

  appTest('keeps its inputs while a step is open, and only then', async ({ ada }) => {
    // Slack keeps what is typed in an input with the same ID.
    const form = await (await ada.type('/gig template new')).press('2. Rates');
    const inputs = () => (form.shown && 'view' in form.shown ? fieldsOf(form.shown.view) : []);
    const before = inputs().map((it) => it.blockId);
    await form.press('Every 6 months');
    const during = inputs().map((it) => it.blockId);
    expect(during).toEqual(expect.arrayContaining(before));
    await form.press('Back');
    await form.press('2. Rates');
    for (const { blockId } of inputs()) expect(during).not.toContain(blockId);
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
    const place = JSON.parse(forgedMetadata) as object;
    for (const wrong of [{ draft: '../x' }, { step: 'end' }, { revision: 0 }, { inputs: ['__proto__'] }]) {
      const metadata = JSON.stringify({ ...place, ...wrong });
      await desk.settleAfter(slack.submitView({ user: 'ada', forgedMetadata: metadata }));
      expect(ada.form().text).toContain("Couldn't find this draft");
      await ada.close();
      await (await ada.type('/gig template drafts')).press('Continue');
    }
    expect(market.requests(CREATE.path)).toEqual([]);
  });
});

describe('the sender', () => {
  appTest(
    'is typed where the list cannot be read, and read again',
    async ({ desk, app, market, ada, pass }) => {
      addSenders(desk);
      const lose = () => market.fail('/proposal-senders', { kind: 'answer', status: 404, json: {} }, 99);
      const fault = lose();
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
      lose();
      await pass(6 * MINUTE);
      await form.press('2. Rates');
      expect((await form.press('1. Name')).offers('Ben alone')).toBe(true);
      await app.kill();
      await app.start();
      const again = await (await ada.type('/gig template drafts')).press('Continue');
      await again.press('1. Name');
      const missing = await again.send({ 'Contractor (UID)': ' ' });
      expect(Object.keys(missing.mistakes())).toEqual(['Contractor (UID)']);
      await again.send({ 'Sender (organization ID)': '9' });
      expect(again.text).toContain('Step 2 of 6');
    },
  );

  appTest('that is typed may turn out to be a freelancer', async ({ desk, market, ada, pass }) => {
    addSenders(desk);
    market.fail('/proposal-senders', { kind: 'answer', status: 404, json: {} });
    const form = await ada.type('/gig template new');
    const ids = { 'Sender (organization ID)': '8', 'Contractor (UID)': 'c-1' };
    await form.press('2. Rates', { Name: 'Bold', ...ids });
    await pass(61 * SECOND);
    await form.press('1. Name');
    const refused = await form.send();
    expect(refused.mistakes()).toEqual({
      'Contractor (UID)': expect.stringMatching(/don't need a contractor/u),
    });
    await form.send({ 'Contractor (UID)': null });
    expect(form.text).toContain('Step 2 of 6');
  });

  appTest(
    'is another with another contractor, or none, and any ID may be typed',
    async ({ desk, market, ada }) => {
      addSenders(desk);
      const contractors = ['Cy', 'Di'].map((name) => ({ uid: `c-${name}`, name }));
      market.service.addOrganization({ id: 9, label: 'Nine', type: 'agency', contractors });
      const review = await fillTemplate(ada);
      const form = await review.press('1. Name');
      await form.press('Studio');
      await form.press('Ola');
      await form.press('Nine');
      expect(Object.keys((await form.send()).mistakes())).toEqual(['Contractor']);
      await form.press('Di');
      await form.press('Ben alone');
      expect(form.fields()).not.toContain('Contractor');
      await form.press('Studio');
      await form.press('Studio', { Contractor: 'Other' });
      await form.press('Nine');
      expect(form.fields()).not.toContain('Contractor (UID)');
      await form.press('Nine', { Contractor: 'Other' });
      await form.press('2. Rates', { 'Contractor (UID)': ' c-9 ' });
      await form.press('Back');
      expect(form.text).toContain('[ c-9 ]');
      await form.press('Other', { Contractor: 'Cy' });
      await form.press('6. Review', { 'Sender (organization ID)': '99', 'Contractor (UID)': ' x ' });
      await review.send();
      expect(market.requests(CREATE.path)[0]?.body).toMatchObject({
        sender: { organization_id: 99, contractor_uid: 'x' },
      });
    },
  );

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
