import { describe, expect, test } from 'vitest';
import { OrganizationId } from '../../src/ids.ts';
import { checkTemplateForm } from '../../src/templates/check-template.ts';
import {
  addScreeningAnswer,
  EMPTY_TEMPLATE_FORM,
  moveScreeningAnswer,
  removeScreeningAnswer,
  replaceScreeningAnswer,
  type TemplateForm,
} from '../../src/templates/form.ts';
import {
  applySenderChoice,
  findSenderByOrganizationId,
  prefillForm,
  senderWarning,
} from '../../src/templates/prefill-form.ts';
import { changed, FULL, template } from './forms.ts';

describe('starting from a template', () => {
  test('everything that the form has is carried over, and only the sender must be chosen again', () => {
    const { form, notes } = prefillForm(
      template({
        hourlyRate: {
          mode: 'smart',
          rate: 40.5,
          smartRateMin: 30,
          smartRateMax: 60,
          smartRatePercent: 80,
          increasePercent: 2.5,
          increaseFrequency: 'every-12-months',
        },
        fixedPrice: { type: 'by-project', price: 1_000_000 },
        ai: {
          model: 'balanced-2',
          instructions: 'Be\n short.',
          clientQuestions: 'Q',
          additionalContext: 'C',
          templateStructure: true,
        },
        abTesting: true,
        answers: [{ question: 'Why?', answer: 'Because.', matchType: 'startsWith' }],
        coverLetters: { variantA: 'A', variantB: 'B' },
      }),
    );
    expect(form).toEqual({
      name: 'Calm',
      visibility: 'shared_view',
      sender: { organizationId: '', contractorUid: '', type: 'unknown' },
      hourly: {
        mode: 'smart',
        rate: '40.5',
        smartMin: '30',
        smartMax: '60',
        smartPercent: '80',
        increasePercent: '2.5',
        increaseFrequency: 'every-12-months',
      },
      fixedPrice: { type: 'by-project', price: '1000000', minPrice: '', clientBudgetPercent: '' },
      ai: {
        model: 'balanced-2',
        instructions: 'Be\n short.',
        clientQuestions: 'Q',
        additionalContext: 'C',
        templateStructure: true,
      },
      abTesting: true,
      answers: [{ question: 'Why?', answer: 'Because.', matchType: 'startsWith' }],
      letters: { variantA: 'A', variantB: 'B' },
    });
    expect(notes).toEqual([{ kind: 'sender', name: 'Ana', type: 'agency', organization: 'Studio' }]);
    const chosen = changed(form, { sender: { organizationId: '7', contractorUid: 'c-1' } });
    expect(checkTemplateForm(chosen).kind).toBe('ok');
  });

  test('flexible rates become a choice that must be made', () => {
    const { form, notes } = prefillForm(
      template({ hourlyRate: { mode: 'flexible', rate: 40, rulesCount: 4 } }),
    );
    expect([form.hourly.mode, form.hourly.rate]).toEqual(['', '40']);
    expect(notes).toContainEqual({ kind: 'flexible-rate', rules: 4 });
    const { hourly } = form;
    expect(checkTemplateForm({ ...FULL, hourly })).toMatchObject({ mistakes: [{ field: 'hourly.mode' }] });
  });

  test.each([['private'], [undefined]])('visibility %s becomes the default, and it is said', (visibility) => {
    const { visibility: _, ...rest } = template();
    const { form, notes } = prefillForm(visibility ? { ...rest, visibility } : rest);
    expect(form.visibility).toBe('shared_admins');
    const was = visibility ? { was: visibility } : {};
    expect(notes).toContainEqual({ kind: 'choice', field: 'visibility', ...was });
  });

  test('what cannot be set at all is said', () => {
    const { notes } = prefillForm(
      template({
        attachments: [{ uid: 'a-1', name: 'Portfolio.pdf' }, { uid: 'a-2' }],
        filters: [{ id: 1 }],
        setups: [{ id: 2 }, { id: 3 }],
        answers: Array.from({ length: 53 }, () => ({ question: 'Q', answer: 'A', matchType: 'exact' })),
      }),
    );
    expect(notes).toContainEqual({ kind: 'attachments', names: ['Portfolio.pdf', 'a-2'] });
    expect(notes).toContainEqual({ kind: 'assignments', filters: 1, setups: 2 });
    expect(notes).toContainEqual({ kind: 'answers', dropped: 3 });
  });

  test('letters that the marketplace does not tell are said to be missing', () => {
    const { coverLetters: _, ...rest } = template({ ai: { instructions: 'I', templateStructure: false } });
    expect(prefillForm(rest).notes).toContainEqual({ kind: 'letters' });
    expect(prefillForm(template()).notes).not.toContainEqual({ kind: 'letters' });
  });

  test('words that we do not know are never guessed at', () => {
    const { form, notes } = prefillForm(
      template({
        hourlyRate: { mode: 'dynamic', increaseFrequency: 'weekly' },
        fixedPrice: { type: 'by-mood' },
        answers: [
          { question: 'Q', answer: 'A', matchType: 'exact' },
          { question: 'Q', answer: 'A', matchType: 'regex' },
        ],
      }),
    );
    expect([form.hourly.mode, form.hourly.increaseFrequency, form.fixedPrice.type]).toEqual([
      '',
      'never',
      'by-job-terms',
    ]);
    expect(form.answers.map((it) => it.matchType)).toEqual(['exact', '']);
    expect(notes.slice(1)).toEqual([
      { kind: 'choice', field: 'hourly.mode', was: 'dynamic' },
      { kind: 'choice', field: 'hourly.increaseFrequency', was: 'weekly' },
      { kind: 'choice', field: 'fixedPrice.type', was: 'by-mood' },
      { kind: 'match-types', places: [1] },
    ]);
  });

  test('a template of which hardly anything can be read still makes a form', () => {
    const bare = { sender: {}, hourlyRate: {}, fixedPrice: {}, ai: {}, filters: [], setups: [] };
    const { form } = prefillForm({ ...bare, id: template().id, answers: [], attachments: [] });
    expect(form).toEqual(changed(EMPTY_TEMPLATE_FORM, { hourly: { mode: '' } }));
  });
});

describe('the sender', () => {
  const senders = [
    {
      organizationId: OrganizationId.parse(7),
      type: 'Agency',
      contractors: [{ uid: 'c-1' }, { uid: 'c-2' }],
    },
    { organizationId: OrganizationId.parse(8), type: 'freelancer', contractors: [{ uid: 'c-8' }] },
    { organizationId: OrganizationId.parse(9), type: 'manual', contractors: [{ uid: 'c-9' }] },
  ];
  const none = EMPTY_TEMPLATE_FORM.sender;
  const agency = { organizationId: '7', contractorUid: 'c-2', type: 'agency' } as const;

  test('has the type that the list tells, and none that it does not', () => {
    const typed = (organizationId: string) => ({ organizationId, contractorUid: 'x' });
    expect(applySenderChoice(none, typed(' #7'), senders)).toEqual({
      ...typed(' #7'),
      type: 'agency',
    });
    expect(applySenderChoice(none, typed('8'), senders).type).toBe('freelancer');
    expect(applySenderChoice(none, typed('9'), senders).type).toBe('unknown');
    expect(applySenderChoice(agency, typed('70'), senders).type).toBe('unknown');
    expect(applySenderChoice(agency, typed('7'), []).type).toBe('unknown');
    expect(findSenderByOrganizationId(senders, '')).toBeUndefined();
  });

  test('another organization does not keep the contractor of the old one', () => {
    const to = (organizationId: string) =>
      applySenderChoice(agency, { organizationId, contractorUid: 'c-2' }, senders);
    expect(to('7')).toEqual(agency);
    expect(to('8')).toEqual({ organizationId: '8', contractorUid: '', type: 'freelancer' });
    expect(to('9')).toEqual({ organizationId: '9', contractorUid: 'c-9', type: 'unknown' });
    expect(applySenderChoice(none, { organizationId: '7', contractorUid: '' }, senders).contractorUid).toBe(
      '',
    );
  });

  test.each([
    ['agency', 'freelancer', 'not-eligible-for-auto-bidding'],
    ['agency', 'agency', undefined],
    ['agency', 'unknown', undefined],
    ['freelancer', 'freelancer', undefined],
    ['manual', 'freelancer', undefined],
    [undefined, 'freelancer', undefined],
  ] as const)('from %s to %s warns: %s', (from, to, warning) => {
    expect(senderWarning(from, to)).toBe(warning);
  });
});

describe('the list of answers', () => {
  const answer = (question: string) => ({ question, answer: 'A', matchType: 'exact' as const });
  const form = { ...FULL, answers: ['1', '2', '3'].map(answer) };
  const questions = (changedForm: TemplateForm) => changedForm.answers.map((it) => it.question).join('');

  test('grows, changes, shrinks and is put in another order', () => {
    expect(questions(addScreeningAnswer(form, answer('4')))).toBe('1234');
    expect(questions(replaceScreeningAnswer(form, 1, answer('x')))).toBe('1x3');
    expect(questions(removeScreeningAnswer(form, 0))).toBe('23');
    expect(questions(moveScreeningAnswer(form, 0, 2))).toBe('231');
    expect(questions(moveScreeningAnswer(form, 2, 1))).toBe('132');
  });

  test('a place that is not there changes nothing', () => {
    for (const place of [-1, 3, 0.5]) {
      expect(questions(replaceScreeningAnswer(form, place, answer('x')))).toBe('123');
      expect(questions(removeScreeningAnswer(form, place))).toBe('123');
      expect(questions(moveScreeningAnswer(form, place, 0))).toBe('123');
      expect(questions(moveScreeningAnswer(form, 0, place))).toBe('123');
    }
  });
});
