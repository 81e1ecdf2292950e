/** The texts of a template: the longest arrive to the character, hostile ones do no harm; and its answers. */
import { describe, expect } from 'vitest';
import { appTestWith } from '../kit/app-test.ts';
import type { Answer } from '../kit/person.ts';
import { findField } from '../kit/read-screen.ts';
import { addSenders, fillTemplate } from '../kit/template-play.ts';

const appTest = appTestWith({ empty: true });
const CREATE = { method: 'POST', path: '/proposal-templates' };

/** Blanks and line ends at both ends. */
const emoji = (length: number) => ` ${'😀'.repeat(length - 4)}é\r\n`;
/** Six bytes each in JSON, the worst case. */
const signs = (length: number) => `x${'\u0001'.repeat(length - 1)}`;

appTest.for([
  ['two units', emoji],
  ['six bytes', signs],
] as const)(
  'the longest that a template may have arrive to the character, of %s each',
  async ([, textOf], { desk, market, ada }) => {
    addSenders(desk);
    const long = { instructions: textOf(10_000), client_questions: textOf(10_000) };
    const answer = { question: textOf(500), answer: textOf(5_000), match_type: 'startsWith' as const };
    const texts = {
      name: emoji(255),
      ai: { ...long, additional_context: textOf(10_000), model: null, template_structure: true },
      ab_testing: true,
      answers: Array.from({ length: 50 }, () => answer),
      cover_letters: { variant_a: textOf(5_000), variant_b: textOf(5_000) },
    };
    const { id } = market.service.addTemplate(texts);
    const form = await ada.type(`/gig template from ${id}`);
    await form.press('Ben alone');
    for (let step = 0; step < 4; step++) await form.send();
    expect(form.offers('Add Answer')).toBe(false);
    const window = await form.press('Edit');
    for (let parts = window.fields().length; parts < 7; parts++) await window.press('Add More Space');
    expect(window.offers('Add More Space')).toBe(false);
    await window.send();
    await form.send();
    await form.send();
    expect(market.requests(CREATE.path).map((it) => it.body)).toMatchObject([texts]);
  },
);

appTest('texts that no form holds are kept, until they are begun anew', async ({ market, ada }) => {
  const ai = { instructions: '字'.repeat(60_000), client_questions: '字'.repeat(22_000) };
  const { id } = market.service.addTemplate({
    ai: { ...ai, model: null, additional_context: null, template_structure: true },
  });
  const form = await ada.type(`/gig template from ${id}`);
  await form.press('3. AI');
  expect(form.text).toContain('(22,000 characters) is saved');
  const refused = await form.send({ 'AI model': 'swift-1' });
  expect(Object.keys(refused.mistakes())).toEqual(['AI model', 'Instructions (part 1 of 20)']);
  await form.press('6. Review');
  expect(form.text).toMatch(/Instructions:\* 60,000 characters[\s\S]*questions:\* 22,000 characters/u);
  await form.press('3. AI');
  await form.press('Start Over');
  expect(form.fields()).toContain('AI prompt for client questions');
  await form.press('6. Review');
  expect(form.text).toMatch(/Instructions:\* 60,000 characters[\s\S]*questions:\* off/u);
});

appTest('a text near its limit is counted, and one over it creates nothing', async ({ desk, ada }) => {
  addSenders(desk);
  const review = await fillTemplate(ada);
  await review.press('3. AI');
  for (let parts = 1; parts < 4; parts++) await review.press('Add More Space');
  const inputs = (last: number) =>
    Object.fromEntries(
      [2_999, 2_999, 2_999, last].map((length, at) => [
        `Instructions (part ${at + 1} of 4)`,
        'x'.repeat(length),
      ]),
    );
  expect((await review.press('3. AI', inputs(2))).text).not.toContain(' of 10,000');
  expect((await review.press('3. AI', inputs(3))).text).toContain('9,000 of 10,000');
  const refused = await review.send(inputs(2_503));
  expect(refused.text).toMatch(/11,500.*1,500.*10,000/u);
  await review.press('6. Review');
  expect(review.text).toContain('11,500');
  expect(review.text).not.toContain('[Create Template]');
});

/** Calls everyone, links, reverses, hides, breaks out of its place, and is long. */
const HOSTILE = `<!channel> <https://evil.example|x> \u202Egnp\u0000\u200B \`*_~|"\\ ${'&<>'.repeat(600)}`;

appTest('hostile texts and long lists fit wherever they show', async ({ market, ada }) => {
  const contractors = Array.from({ length: 150 }, (_, at) => ({
    uid: `${at}${'u'.repeat(at)}`,
    name: at % 2 ? HOSTILE : '',
  }));
  for (let id = 1; id <= 150; id++)
    market.service.addOrganization({
      id,
      label: HOSTILE,
      type: 'agency',
      contractors: id === 150 ? contractors : [],
    });
  const answer = { question: HOSTILE.slice(0, 500), answer: HOSTILE, match_type: 'contains' as const };
  const file = { uid: 'a', name: HOSTILE, mime_type: 'x', size_bytes: 1 };
  const source = market.service.addTemplate({
    name: HOSTILE,
    visibility: HOSTILE,
    sender: { name: HOSTILE, type: HOSTILE, organization: HOSTILE },
    answers: Array.from({ length: 60 }, () => answer),
    attachments: Array.from({ length: 20 }, () => file),
  });
  const form = await ada.type(`/gig template from ${source.id}`);
  await form.press('Other');
  await form.press('1. Name', { 'Sender (organization ID)': '150' });
  expect(form.text).toContain('#150) ▾]');
  // The last choice is for any other; IDs that are too long for a choice aren't listed.
  expect(form.text).toMatch(/Not listed: 51 more[\s\S]*Not listed: 77 more/u);
  await form.press('2. Rates', { Name: HOSTILE, Contractor: '0' });
  await form.press('Smart');
  await form.press('3. AI', { 'Hourly rate': HOSTILE, 'Smart maximum': HOSTILE });
  await form.press('4. Cover', { 'AI model': HOSTILE, Instructions: HOSTILE });
  await form.press('6. Review', { 'Letter A': HOSTILE });
  await form.press('Open Step');
  expect(form.text).toMatch(/:warning: The name is [\d,]+ characters long/u);
  await form.send({ Name: HOSTILE.slice(0, 255) });
  await form.send({ 'Hourly rate': '40', 'Smart maximum': null });
  await form.press('6. Review');
  const numbers = Array.from({ length: 60 }, (_, at) => at);
  const paths = numbers.flatMap((at) => [
    `answers.${at}.answer`,
    `answers.${at}.x`,
    `${at}${HOSTILE.slice(0, 90)}`,
  ]);
  const fields = Object.fromEntries(
    [...paths, 'name', 'ai.model'].map((path) => [path, HOSTILE.slice(0, 400)]),
  );
  market.fail(CREATE, { kind: 'answer', status: 400, json: { error: HOSTILE, fields } });
  const refused = await form.send();
  expect(refused.text).toContain("wasn't created");
  await refused.press('Open Again');
  for (const step of ['2. Rates', '3. AI', '4. Cover', '6. Review', '5. Answers']) await form.press(step);
  const window = await form.press('Edit');
  for (const shown of [form, window]) expect(shown.text).toContain('The marketplace says: “<!channel>');
  await ada.close();
  expect((await ada.type('/gig template drafts')).text).toContain('next step: Name and sender');
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

  appTest('never replace each other, and none comes twice', async ({ desk, slack, market, ada }) => {
    const answers = Array.from({ length: 49 }, (_, at) => ({
      question: `Q${at}?`,
      answer: 'Yes.',
      match_type: 'exact' as const,
    }));
    const { id } = market.service.addTemplate({ answers });
    await ada.type(`/gig template from ${id}`);
    /** Opens an answer, changes the list meanwhile, and sends the answer from where it is still open. */
    const sendLate = async (press: string, word: string) => {
      const list = await ada.form().press('5. Answers');
      const { shown } = await list.press('Edit');
      const view = shown && 'view' in shown ? shown.view : expect.fail('no window');
      await desk.settleAfter(slack.closeView({ user: 'ada' }));
      await list.press(press);
      const values = { [findField(view, 'Question').blockId]: `${word}?` };
      const send = () => slack.submitView({ user: 'ada', view, values, asItWas: true });
      const sent = [await desk.settleAfter(send()), await desk.settleAfter(send())];
      await ada.close();
      await (await ada.type('/gig template drafts')).press('Continue');
      return sent.flatMap((it) => Object.values(it.errors));
    };
    expect(await sendLate('Remove', 'Late')).toEqual([]);
    const window = await (await ada.form().press('5. Answers')).press('Add Answer');
    await window.send({ ...YES, Question: 'Last?' });
    const full = expect.stringMatching(/wasn't saved/u);
    expect(await sendLate('Move Down', 'Lost')).toEqual([full, full]);
    const list = await ada.form().press('5. Answers');
    const others = answers.slice(3).map((_, at) => `Q${at + 3}`);
    expect(questionsOf(list)).toEqual(['Q2', 'Q1', ...others, 'Late', 'Last']);
  });
});
