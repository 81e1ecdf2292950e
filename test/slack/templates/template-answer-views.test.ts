import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  answerModalView,
  insertOrReplaceAnswer,
  parseTemplateAnswer,
} from '../../../src/slack/templates/template-answer-views.ts';
import { type AnswerMetadata, parseAnswerMetadata } from '../../../src/slack/templates/template-values.ts';
import {
  addScreeningAnswer,
  EMPTY_SCREENING_ANSWER,
  moveScreeningAnswer,
  removeScreeningAnswer,
  type ScreeningAnswer,
  type TemplateForm,
} from '../../../src/templates/form.ts';
import type { TemplateDraft } from '../../../src/templates/records.ts';
import { changed, FULL, LARGEST, longest, SMALLEST } from '../../templates/forms.ts';
import { HOSTILE } from '../bids/bidding-samples.ts';
import { viewWords } from '../kit/harmless-view.ts';
import { CHANNEL } from '../samples.ts';
import { draftOf, expectAccepted, filledIn, idOf, namesOf } from './template-screen.ts';

function answer(question: string, text = 'Yes.'): ScreeningAnswer {
  return { question, answer: text, matchType: 'contains' };
}

function withAnswers(...questions: string[]): TemplateForm {
  return changed(SMALLEST, { answers: questions.map((question) => answer(question)) });
}

function windowOf(draft: TemplateDraft, index: number) {
  const view = answerModalView({ draft, place: { channel: CHANNEL, index } });
  expectAccepted(view);
  const place = parseAnswerMetadata(view.private_metadata ?? '') ?? expect.fail('no place');
  return { view, place };
}

describe('the window of an answer', () => {
  it('asks for question, answer and how they are compared, empty for a new one', () => {
    const { view, place } = windowOf(draftOf({ form: FULL }), 1);
    expect(namesOf(view)).toEqual(['answers.question', 'answers.matchType', 'answers.answer']);
    expect(view.title.text).not.toBe(windowOf(draftOf({ form: FULL }), 0).view.title.text);
    expect(viewWords(view)).toMatchSnapshot();
    expect(parseTemplateAnswer(filledIn(view), place)).toEqual(EMPTY_SCREENING_ANSWER);
  });

  it('gives back every sign, of the longest too', () => {
    for (const form of [FULL, LARGEST]) {
      const { view, place } = windowOf(draftOf({ form }), 0);
      expect(parseTemplateAnswer(filledIn(view), place)).toEqual(form.answers[0]);
    }
    const worst = {
      question: '\u0001'.repeat(500),
      answer: '\u0001'.repeat(5_000),
      matchType: 'exact' as const,
    };
    const { view, place } = windowOf(draftOf({ form: changed(FULL, { answers: [worst] }) }), 0);
    expect(parseTemplateAnswer(filledIn(view), place)).toEqual(worst);
  });

  it('has room for more, and says how long a long text is', () => {
    const form = changed(FULL, { answers: [answer('Why?', longest(4_800))] });
    const { view } = windowOf(draftOf({ form, room: { 'answers.answer': 5 } }), 0);
    expect(namesOf(view)).toContain('answers.answer~5');
    expect(viewWords(view)).toMatch(/4,800 of 5,000 /u);
  });

  it('shows what the marketplace said of this answer, and of no other', () => {
    const refusal = {
      code: 'bad-request',
      fields: { 'answers.1.answer': 'too bold', 'answers.0.answer': 'too shy' },
    };
    const draft = draftOf({ form: withAnswers('a', 'b'), state: 'refused', refusal });
    expect(viewWords(windowOf(draft, 1).view)).toContain('“too bold”');
    expect(viewWords(windowOf(draft, 1).view)).toMatchSnapshot();
    expect(viewWords(windowOf(draft, 1).view)).not.toContain('too shy');
  });

  it('is harmless whatever stands in it, and keeps an answer that no window holds', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HOSTILE), (text) => {
        windowOf(draftOf({ form: changed(FULL, { answers: [answer(text, text)] }) }), 0);
      }),
    );
    const huge = answer('Why?', '\u0001'.repeat(60_000));
    const { view, place } = windowOf(draftOf({ form: changed(FULL, { answers: [huge] }) }), 0);
    expect(namesOf(view)).not.toContain('answers.answer');
    expect(parseTemplateAnswer(filledIn(view), place, huge)).toEqual(huge);
  });
});

describe('putting an answer into its place', () => {
  const at = (form: TemplateForm, index: number): AnswerMetadata => windowOf(draftOf({ form }), index).place;

  it('adds a new one once, however often it is submitted', () => {
    const form = withAnswers('a');
    const place = at(form, 1);
    const once = insertOrReplaceAnswer(form, place, answer('b'));
    expect(once.answers.map(({ question }) => question)).toEqual(['a', 'b']);
    expect(insertOrReplaceAnswer(once, place, answer('b'))).toBe(once);
  });

  it('changes the one that was opened', () => {
    const form = withAnswers('a', 'b', 'c');
    expect(
      insertOrReplaceAnswer(form, at(form, 1), answer('B')).answers.map(({ question }) => question),
    ).toEqual(['a', 'B', 'c']);
  });

  it('never overwrites another answer, and loses none, whatever was done to the list meanwhile', () => {
    const change = fc.oneof(
      fc.nat(5).map((place) => (form: TemplateForm) => removeScreeningAnswer(form, place)),
      fc.tuple(fc.nat(5), fc.nat(5)).map(
        ([from, to]) =>
          (form: TemplateForm) =>
            moveScreeningAnswer(form, from, to),
      ),
      fc.nat(99).map((n) => (form: TemplateForm) => addScreeningAnswer(form, answer(`new ${n}`))),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 5 }), fc.nat(4), (changes, index) => {
        const opened = withAnswers('a', 'b', 'c', 'd');
        const place = at(opened, index);
        const now = changes.reduce((form, each) => each(form), opened);
        const saved = insertOrReplaceAnswer(now, place, answer('edited'));
        const lost = now.answers.filter((each) => !saved.answers.includes(each));
        expect(saved.answers).toContainEqual(answer('edited'));
        expect(lost.length).toBeLessThanOrEqual(1);
        for (const each of lost) expect(each).toEqual(opened.answers[index]);
        expect(insertOrReplaceAnswer(saved, place, answer('edited')).answers).toEqual(saved.answers);
      }),
    );
  });

  it('adds none beyond fifty', () => {
    const form = changed(SMALLEST, { answers: Array.from({ length: 50 }, (_, n) => answer(`${n}`)) });
    expect(insertOrReplaceAnswer(form, at(form, 50), answer('one more'))).toBe(form);
  });
});

it('what comes back of a window is input: nonsense is read as nothing', () => {
  const { view } = windowOf(draftOf({ form: FULL }), 0);
  expect(parseAnswerMetadata(view.private_metadata ?? '')?.index).toBe(0);
  for (const text of [
    '',
    '{',
    'null',
    '[]',
    '{"draft":"x"}',
    (view.private_metadata ?? '').replace(/"channel":"./u, '"channel":"x'),
  ])
    expect(parseAnswerMetadata(text)).toBeUndefined();
  expect(idOf(view, 'answers.question')).toBe('answers.question:4');
});
