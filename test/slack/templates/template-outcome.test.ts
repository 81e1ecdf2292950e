import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { SENDER_NOT_ELIGIBLE_WARNING } from '../../../src/slack/templates/template-fields.ts';
import {
  templateNotSentMessage,
  templateSubmitResultMessage,
} from '../../../src/slack/templates/template-outcome.ts';
import { checkTemplateForm } from '../../../src/templates/check-template.ts';
import { TEMPLATE_FIELDS } from '../../../src/templates/fields.ts';
import { EMPTY_TEMPLATE_FORM } from '../../../src/templates/form.ts';
import { changed, FULL } from '../../templates/forms.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { anyDraft, CREATED, DRAFT, draftOf } from './template-samples.ts';

function asked(change: object): Message {
  return templateSubmitResultMessage({ kind: 'asked', draft: draftOf(change) });
}

function refused(fields: Record<string, string> = {}): Message {
  return asked({
    state: 'refused',
    refusal: { code: 'bad-request', serverMessage: 'Validation failed', fields },
  });
}

function mistakesOf(form = EMPTY_TEMPLATE_FORM): Message {
  const checked = checkTemplateForm(form);
  const mistakes = checked.kind === 'mistakes' ? checked.mistakes : [];
  return templateSubmitResultMessage({ kind: 'mistakes', draft: draftOf({ form }), mistakes });
}

describe('what came of a template', () => {
  it('is told in words that say what happened and what to do next', async () => {
    const taken = (change: object) => templateSubmitResultMessage({ kind: 'taken', draft: draftOf(change) });
    const server = { code: 'server', serverMessage: 'Oops' };
    const messages = [
      asked({ state: 'created', template: CREATED }),
      refused({ 'hourly_rate.rate': 'must be between 3 and 999', 'ai.temperature': 'too hot' }),
      asked({ state: 'refused', refusal: { code: 'not-found' } }),
      asked({ state: 'refused', refusal: { code: 'gate-timeout', retryAfterMs: 40_000 } }),
      asked({ state: 'refused', refusal: { code: 'forbidden' }, attempt: 2, doubtSince: 1 }),
      asked({ state: 'unknown', refusal: server }),
      asked({ state: 'unknown', refusal: { code: 'interrupted' } }),
      taken({ state: 'sending' }),
      taken({ state: 'created', template: CREATED }),
      taken({ state: 'unknown', refusal: server }),
      taken({ state: 'open' }),
      mistakesOf(),
      templateSubmitResultMessage({ kind: 'gone' }),
      templateNotSentMessage({ text: ':warning: The disk is full.' }, DRAFT),
    ];
    for (const message of messages) expectHarmless(message);
    await expect(messages.map(asText).join('\n')).toMatchFileSnapshot('__snapshots__/template-outcomes.txt');
  });

  it('leads back to the draft wherever there is something left to do', () => {
    const back = { action_id: actionIds.templateOpen, value: DRAFT };
    for (const message of [refused(), asked({ state: 'unknown' }), mistakesOf(), asked({ state: 'open' })])
      expect(message.blocks).toContainEqual(
        expect.objectContaining({ elements: expect.arrayContaining([expect.objectContaining(back)]) }),
      );
    expect(JSON.stringify(asked({ state: 'created', template: CREATED }))).not.toContain('template_open');
  });

  it.each([
    ['agency', 'freelancer', true],
    ['agency', 'agency', false],
    ['freelancer', 'freelancer', false],
  ])('begun from a template of an %s and sent by an %s, warns: %s', (before, after, warns) => {
    const from = { template: 3, senderType: before, notes: [] };
    const template = { ...CREATED, sender: { type: after } };
    const { text } = asked({ state: 'created', from, template });
    expect(text.includes(SENDER_NOT_ELIGIBLE_WARNING)).toBe(warns);
  });

  it('names what was asked for where the marketplace tells little of what it made', () => {
    const { text } = asked({
      state: 'created',
      template: { id: 12, sender: {}, hourlyRate: {}, fixedPrice: {} },
    });
    expect(text).toMatchSnapshot();
    expect(text).toMatch(/“Calm”.*#12/u);
    expect(text).toMatch(/ 7$/mu);
    expect(text).not.toContain('$');
    expect(text.split('\n').length).toBeLessThan(
      asked({ state: 'created', template: CREATED }).text.split('\n').length,
    );
  });

  it.each([
    [{ type: 'freelancer', organization: 'Solo' }, 'Solo (freelancer)'],
    [{ type: 'agency', organization: 'Studio' }, 'Studio (agency)'],
    [{ name: 'Solo', type: 'freelancer', organization: 'Solo' }, 'Solo (freelancer)'],
    [{ organization: 'Studio' }, 'Studio'],
    [{ type: 'freelancer' }, 'organization 7 (freelancer)'],
  ])('names the sender by what is known of it: %o', (sender, words) => {
    const { text } = asked({ state: 'created', template: { ...CREATED, sender } });
    expect(text.split('\n').map((each) => each.replace(/^\w+: /u, ''))).toContain(words);
  });

  it('tells every field that was refused, and how many more there are', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`field_${n}`, 'wrong']));
    const { text } = refused({ ...many, name: 'is taken' });
    expect(text).toContain(`${TEMPLATE_FIELDS.name.label}:* is taken`);
    expect(text).toContain('• `field_0`: wrong');
    expect(text).toMatch(/^….*\b19\b/mu);
    expect(text).toMatchSnapshot();
  });

  it('counts answers from 1', () => {
    const form = changed(FULL, { answers: [{ question: '', answer: 'A', matchType: 'exact' }] });
    expect(mistakesOf(form).text).toMatch(
      new RegExp(`^• .* 1, ${TEMPLATE_FIELDS['answers.question'].label}:`, 'mu'),
    );
    const fields = { 'answers.0.answer': 'is too rude' };
    const { text } = refused(fields);
    expect(text).toMatch(/^• .* 1:\* is too rude$/mu);
    expect([mistakesOf(form).text, text]).toMatchSnapshot();
  });

  it('is harmless whatever strangers wrote', () => {
    fc.assert(
      fc.property(anyDraft, fc.constantFrom('asked', 'taken'), (draft, kind) => {
        expectHarmless(templateSubmitResultMessage({ kind, draft }));
        const checked = checkTemplateForm(draft.form);
        if (checked.kind === 'mistakes') expectHarmless(templateSubmitResultMessage({ ...checked, draft }));
      }),
      { numRuns: 100 },
    );
  });
});
