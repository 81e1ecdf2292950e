import { describe, expect, test } from 'vitest';
import { OrganizationId } from '../../src/ids.ts';
import { ProposalTemplate } from '../../src/marketplace/schema.ts';
import { parseProposalTemplate } from '../../src/marketplace/wire/proposals.ts';
import { EMPTY_TEMPLATE_FORM } from '../../src/templates/form.ts';
import {
  applySenderChoice,
  findSenderByOrganizationId,
  prefillForm,
  senderWarning,
} from '../../src/templates/prefill-form.ts';
import { changed } from './forms.ts';

/** The form that begins with a template of the marketplace. */
function copyOf(wire: object) {
  return prefillForm(ProposalTemplate.parse(parseProposalTemplate({ id: 12, ...wire })));
}

describe('starting from a template', () => {
  test.each([['private'], [undefined]])('visibility %s becomes the default, and it is said', (visibility) => {
    const { form, notes } = copyOf({ visibility });
    expect(form.visibility).toBe('shared_admins');
    const was = visibility ? { was: visibility } : {};
    expect(notes).toContainEqual({ kind: 'choice', field: 'visibility', ...was });
  });

  test('what cannot be carried over is said', () => {
    const { form, notes } = copyOf({
      visibility: 'shared_view',
      sender: { name: 'Ana', type: 'agency', organization: 'Studio' },
      hourly_rate: { mode: 'flexible', rate: 40.5, rules_count: 4 },
      attachments: [{ uid: 'a-1', name: 'Portfolio.pdf' }, { uid: 'a-2' }],
      filters: [{ id: 1 }],
      auto_bidding_setups: [{ id: 2 }, { id: 3 }],
      answers: Array.from({ length: 53 }, () => ({ question: 'Q', answer: 'A', match_type: 'exact' })),
      ai: { template_structure: false },
    });
    expect(notes).toEqual([
      { kind: 'sender', name: 'Ana', type: 'agency', organization: 'Studio' },
      { kind: 'flexible-rate', rules: 4 },
      { kind: 'answers', dropped: 3 },
      { kind: 'letters' },
      { kind: 'attachments', names: ['Portfolio.pdf', 'a-2'] },
      { kind: 'assignments', filters: 1, setups: 2 },
    ]);
    expect(form.answers).toHaveLength(50);
    expect(form.hourly).toMatchObject({ mode: '', rate: '40.5' });
  });

  test('words that we do not know are never guessed at', () => {
    const { form, notes } = copyOf({
      visibility: 'shared_view',
      hourly_rate: { mode: 'dynamic', increase_frequency: 'weekly' },
      fixed_price: { type: 'by-mood' },
      answers: ['exact', 'regex'].map((match_type) => ({ question: 'Q', answer: 'A', match_type })),
    });
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
    expect(copyOf({}).form).toEqual(changed(EMPTY_TEMPLATE_FORM, { hourly: { mode: '' } }));
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
