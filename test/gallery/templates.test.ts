/** The screens of the template room: the form, answers, the review, outcomes, drafts, one template. */
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { DraftId } from '../../src/ids.ts';
import { tooManyDraftsMessage } from '../../src/slack/templates/template-drafts.ts';
import {
  templateNotSentMessage,
  templateSubmitResultMessage,
} from '../../src/slack/templates/template-outcome.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Screen } from '../kit/read-screen.ts';
import { addSenders, fillTemplate } from '../kit/template-play.ts';

const appTest = appTestWith({ empty: true });
const CREATE = { method: 'POST', path: '/proposal-templates' };

function shoot(name: string, { text }: Pick<Screen, 'text'>) {
  expect(text).toMatchSnapshot(name);
}

/** Only what a review says above the fields. */
function shootHead(name: string, { text }: Pick<Screen, 'text'>) {
  shoot(name, { text: text.split('│ *Name and sender*\n')[0] ?? '' });
}

appTest('the form, step by step', async ({ desk, slack, market, ada }) => {
  addSenders(desk);
  shoot('overview', await ada.type('/gig template'));
  const held = market.fail('/proposal-senders', { kind: 'hold-headers' });
  const form = await ada.type('/gig template new');
  shoot('sender, loading', form);
  held.release();
  await desk.pass(MINUTE);
  shootHead('review, empty', await form.press('6. Review'));
  await form.press('1. Name');
  shoot('sender, typed', await form.press('Other'));
  await form.press('Studio', { Name: 'Bold' });
  shoot('sender, agency', await form.send());
  await form.send({ Contractor: 'Ola' });
  await form.press('Smart');
  await form.press('Every 6 months');
  await form.press('The same price');
  shoot(
    'rates, refused',
    await form.send({ 'Hourly rate': '2', 'Smart minimum': '70', 'Smart maximum': '60' }),
  );
  await form.send({ 'Hourly rate': '40', 'Smart minimum': '30', Increase: '5', Price: '700' });
  await form.press('Add More Space');
  shoot('AI', form);
  shoot('letters', await form.send({ 'Instructions (part 1 of 2)': 'Be short.', 'Additional context': 'C' }));
  await form.send({ 'Letter A': 'x'.repeat(600) });
  const window = await form.press('Add Answer');
  shoot('new answer', window);
  const match = { 'How questions are matched': "The client's question is exactly" };
  shoot('answer, refused', await window.send({ ...match, Question: 'q'.repeat(501), Answer: 'Yes.' }));
  await desk.settleAfter(slack.closeView({ user: 'ada' }));
  shoot('answers, with mistakes', form);
  shootHead('review, incomplete', await form.press('6. Review'));
  await form.press('5. Answers');
  await (await form.press('Edit')).send({ Question: 'Why?' });
  shoot('review', await form.send());
  await form.press('3. AI');
  await form.send({ 'Template structure': [] });
  shoot('letters, off', form);
});

appTest('what became of a template', async ({ desk, market, ada }) => {
  addSenders(desk);
  const review = await fillTemplate(ada);
  const fields = {
    'hourly_rate.rate': 'must be <!channel> lower',
    'moon.phase': 'must be full',
    name: 'taken',
  };
  market.fail(CREATE, { kind: 'answer', status: 400, json: { error: 'Validation failed', fields } });
  shoot('refused for its fields', await review.send());
  shoot('sender, refused', await review.press('Open Again'));
  shoot('drafts, refused', await ada.type('/gig template drafts'));
  await review.send({ Name: 'Bold' });
  await review.send({ 'Hourly rate': '39' });
  await review.press('6. Review');
  market.fail(CREATE, presetFaults.status(404));
  shoot('refused, not found', await review.send());
  await review.press('Open Again');
  const held = market.fail(CREATE, { kind: 'hold-headers' });
  shoot('creating', await review.send());
  held.cancel();
  await desk.pass(MINUTE);
  shoot('unknown, no response', review);
  shoot('drafts, unknown', await ada.type('/gig template drafts'));
  shootHead('review, after no response', await review.press('Open Again'));
  market.fail(CREATE, presetFaults.status(500));
  shoot('unknown, an error', await review.press('Create Again'));
  await review.press('Open Again');
  market.fail(CREATE, presetFaults.status(403, 'Not on your plan'));
  shoot('refused after no response', await review.press('Create Again'));
  const drafts = await ada.type('/gig template drafts');
  shoot('drafts, refused after no response', drafts);
  shootHead('review, refused after no response', await review.press('Open Again'));
  shoot('created', await review.press('Create Again'));
  await ada.close();
  shoot('discarded, though created', await drafts.press('Discard'));
  shoot('no drafts', await ada.type('/gig template drafts'));
  shoot('audit log', await ada.type('/gig audit'));
});

appTest('a template, and a copy of it', async ({ desk, market, ada }) => {
  addSenders(desk);
  market.fail('/proposal-senders', presetFaults.status(404), 9);
  shoot('not found', await ada.type('/gig template 12'));
  market.service.addTemplate({
    id: 12,
    name: 'Calm <!channel>',
    visibility: 'private' as never,
    sender: { name: 'Ana', type: 'agency', organization: 'Studio' },
    hourly_rate: {
      mode: 'flexible',
      rate: 40,
      smart_rate_min: 30,
      smart_rate_max: null,
      smart_rate_percent: 80,
      rules_count: 3,
      increase_percent: 5,
      increase_frequency: 'every-6-months',
    },
    answers: Array.from({ length: 51 }, (_, at) => ({
      question: `Why ${at}?`,
      answer: 'Because. '.repeat(at < 2 ? 20 : 1),
      match_type: (at < 2 ? 'regex' : 'contains') as never,
    })),
    attachments: [{ uid: 'a1', name: 'cv.pdf', mime_type: 'x', size_bytes: 1 }],
    cover_letters: { variant_a: 'A long letter. '.repeat(90), variant_b: 'B' },
  });
  const shown = await ada.type('/gig template show 12');
  shoot('in full', shown);
  const form = await shown.press('Start From This');
  shoot('copy, senders not readable', form);
  await form.press('2. Rates');
  shoot('copy, rates', form);
  for (const words of ['nwe', 'new x', 'from', 'from Clam', 'drafts x'])
    shoot(`wrong words: ${words}`, await ada.type(`/gig template ${words}`));
});

const DRAFT = DraftId.parse('abcdefghijklmnop12345678');

it.each([
  ['gone', templateSubmitResultMessage({ kind: 'gone' })],
  ['not sent', templateNotSentMessage({ text: ':warning: The disk is full.' }, DRAFT)],
  ['too many drafts', tooManyDraftsMessage([])],
])('%s', (_, message) => {
  expect(message.text).toMatchSnapshot();
});
