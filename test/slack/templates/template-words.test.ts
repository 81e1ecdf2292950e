import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slackLimits } from '../../../src/slack/kit/limits.ts';
import {
  noSuchTemplateSubcommandMessage,
  severalTemplatesMessage,
  unexpectedTemplateArgsMessage,
  unknownTemplateNameMessage,
} from '../../../src/slack/templates/template-command.ts';
import { templateCopyNotesText } from '../../../src/slack/templates/template-details.ts';
import { findResumeStep } from '../../../src/slack/templates/template-errors.ts';
import * as words from '../../../src/slack/templates/template-fields.ts';
import { TEMPLATE_FIELDS } from '../../../src/templates/fields.ts';
import { EMPTY_TEMPLATE_FORM } from '../../../src/templates/form.ts';
import { prefillForm } from '../../../src/templates/prefill-form.ts';
import { changed, FULL, SMALLEST, template } from '../../templates/forms.ts';
import { expectHarmless } from '../harmless.ts';
import { anyOrigin, anyText, draftOf, originOf } from './template-samples.ts';

describe('the words of the builder', () => {
  it('fit where Slack shows them', () => {
    for (const title of [words.TEMPLATE_BUILDER_TITLE, ...Object.values(words.STEP_TITLES)])
      expect(title.length).toBeLessThanOrEqual(slackLimits.viewTitle.max);
    const choices = Object.values(TEMPLATE_FIELDS).flatMap((row) => ('choices' in row ? [row.choices] : []));
    for (const label of choices.flatMap((labels) => Object.values(labels)))
      expect(label.length).toBeLessThanOrEqual(slackLimits.optionText.max);
  });
});

describe('where a draft is taken up again', () => {
  it.each([
    ['sender', EMPTY_TEMPLATE_FORM],
    ['rates', changed(SMALLEST, { hourly: { rate: '' } })],
    ['ai', changed(SMALLEST, { ai: { instructions: ' ' } })],
    ['letters', changed(SMALLEST, { letters: { variantA: ' ' } })],
    ['answers', changed(SMALLEST, { answers: [{ question: 'Q', answer: 'A', matchType: '' }] })],
    ['review', FULL],
  ] as const)('is %s', (step, form) => {
    expect(findResumeStep(draftOf({ form }))).toBe(step);
  });

  it('is what the marketplace refused, before all', () => {
    const refusal = {
      code: 'bad-request',
      fields: { 'cover_letters.variant_a': 'no', 'ai.model': 'unknown model' },
    };
    expect(findResumeStep(draftOf({ state: 'refused', refusal }))).toBe('ai');
  });
});

describe('what could not be carried over', () => {
  it('is said in full, with what to do about it', () => {
    const from = template({
      visibility: 'private',
      hourlyRate: { mode: 'flexible', rate: 40, rulesCount: 4, increaseFrequency: 'weekly' },
      fixedPrice: { type: 'by-mood' },
      ai: { instructions: 'I', templateStructure: false },
      answers: Array.from({ length: 52 }, (_, n) => ({
        question: 'Q',
        answer: 'A',
        matchType: n < 2 ? 'regex' : 'exact',
      })),
      attachments: [{ uid: 'a-1', name: 'Portfolio.pdf' }, { uid: 'a-2' }],
      filters: [{ id: 1 }],
      setups: [{ id: 2 }, { id: 3 }],
    });
    const { coverLetters: _, ...rest } = from;
    const { notes } = prefillForm(rest);
    const visibility = TEMPLATE_FIELDS.visibility.choices;
    const often = TEMPLATE_FIELDS['hourly.increaseFrequency'].choices;
    const types = TEMPLATE_FIELDS['fixedPrice.type'].choices;
    const lines = templateCopyNotesText(originOf({ template: 12, name: 'Calm', notes })).split('\n');
    expect(lines).toMatchSnapshot();
    expect(lines).toEqual([
      expect.stringMatching(/“Calm” \(#12\)/u),
      expect.stringContaining('Ana (agency Studio)'),
      expect.stringMatching(new RegExp(`\`private\`.*“${visibility.shared_admins}”`, 'u')),
      expect.stringMatching(/ \(4 /u),
      expect.stringMatching(new RegExp(`\`weekly\`.*“${often.never}”`, 'u')),
      expect.stringMatching(new RegExp(`\`by-mood\`.*“${types['by-job-terms']}”`, 'u')),
      expect.stringMatching(/ 2 .* 50 /u),
      expect.stringMatching(/ 1, 2 /u),
      expect.stringMatching(/^• /u),
      expect.stringMatching(/ 2 .*\(Portfolio\.pdf, a-2\)/u),
      expect.stringMatching(/ 1 .* 2 /u),
    ]);
  });

  it('is harmless, and short enough for one section', () => {
    fc.assert(
      fc.property(anyOrigin, (origin) => {
        const text = templateCopyNotesText(origin);
        expectHarmless({ text });
        expect(text.length).toBeLessThan(3_000);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a command that was not understood', () => {
  it('is answered without harm, and with an example', () => {
    fc.assert(
      fc.property(anyText, (typed) => {
        for (const message of [
          noSuchTemplateSubcommandMessage(typed),
          unknownTemplateNameMessage(typed, [{ id: 7, name: typed }]),
          severalTemplatesMessage(typed, [
            { id: 7, name: typed },
            { id: 8, name: typed },
          ]),
          unexpectedTemplateArgsMessage('new', typed),
        ]) {
          expectHarmless(message);
          expect(message.text).toContain(': `/gig template');
        }
      }),
    );
  });
});
