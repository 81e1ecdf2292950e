import { describe, expect, it } from 'vitest';
import { OrganizationId } from '../../../src/ids.ts';
import type { ProposalSender } from '../../../src/marketplace/client.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import {
  clearLongText,
  parseBuilderMetadata,
  parseManualIdEntry,
  parseTemplateForm,
  templateFormErrors,
} from '../../../src/slack/templates/template-values.ts';
import { checkTemplateStep } from '../../../src/templates/check-template.ts';
import type { TemplateForm } from '../../../src/templates/form.ts';
import { changed, FULL, SMALLEST } from '../../templates/forms.ts';
import { NOW } from '../samples.ts';
import { draftOf, filledIn, idOf, placeOf, stepView, submitted } from './template-screen.ts';

const SENDERS: readonly ProposalSender[] = [
  {
    organizationId: OrganizationId.parse(7),
    name: 'Studio',
    type: 'agency',
    contractors: [{ uid: 'c-1' }, { uid: 'c-2' }],
  },
  { organizationId: OrganizationId.parse(8), name: 'Ben', type: 'freelancer', contractors: [] },
];

function chosen(form: TemplateForm, changes: Record<string, ViewInputValue>, typing = {}) {
  const senders = { kind: 'known', senders: SENDERS, readAt: NOW } as const;
  const spot = { typing: { organization: false, contractor: false, ...typing } };
  const view = stepView('sender', draftOf({ form }), { senders, spot });
  const filled = { values: filledIn(view, changes), place: placeOf(view), senders: SENDERS };
  const after = parseTemplateForm(form, filled);
  return { sender: after.sender, typing: parseManualIdEntry(form.sender, after.sender, filled) };
}

describe('a sender that is chosen', () => {
  it('brings its type, and leaves the contractor of another behind', () => {
    expect(chosen(SMALLEST, { 'menu.organization': { option: '=7' } }).sender).toEqual({
      organizationId: '7',
      contractorUid: '',
      type: 'agency',
    });
    expect(chosen(FULL, { 'menu.organization': { option: '=8' } }).sender).toEqual({
      organizationId: '8',
      contractorUid: '',
      type: 'freelancer',
    });
  });

  it('stays as it was typed where the menu means the same', () => {
    const form = changed(FULL, { sender: { organizationId: ' #7 ' } });
    expect(chosen(form, { 'menu.contractor': { option: '=c-2' } }).sender).toEqual({
      organizationId: ' #7 ',
      contractorUid: 'c-2',
      type: 'agency',
    });
  });

  it('is typed after “Other”, and nothing of the former one stays', () => {
    const other = chosen(FULL, { 'menu.organization': { option: 'other' } });
    expect(other).toEqual({
      sender: { organizationId: '', contractorUid: '', type: 'unknown' },
      typing: { organization: true, contractor: false },
    });
    const typed = chosen(
      changed(FULL, { sender: { organizationId: '' } }),
      { 'sender.organizationId': { text: '99' }, 'sender.contractorUid': { text: 'x' } },
      { organization: true },
    );
    expect(typed.sender).toEqual({ organizationId: '99', contractorUid: 'x', type: 'unknown' });
  });

  it('has a typed contractor where that is chosen', () => {
    const other = chosen(FULL, { 'menu.contractor': { option: 'other' } });
    expect(other.typing).toEqual({ organization: false, contractor: true });
    expect(other.sender.contractorUid).toBe('');
    const typed = chosen(
      FULL,
      { 'sender.contractorUid': { text: ' c-9 ' }, 'menu.contractor': { option: 'other' } },
      {
        contractor: true,
      },
    );
    expect(typed.sender.contractorUid).toBe(' c-9 ');
  });

  it('keeps its type while the list cannot be read, unless another is typed', () => {
    const view = stepView('sender', draftOf({ form: FULL }), {
      senders: { kind: 'known', senders: [], readAt: NOW },
    });
    expect(submitted(view, FULL, { name: { text: 'Other' } }).sender.type).toBe('agency');
    expect(submitted(view, FULL, { 'sender.organizationId': { text: '9' } }).sender.type).toBe('unknown');
  });
});

describe('a mistake', () => {
  it('stands at its field', () => {
    const form = changed(SMALLEST, { hourly: { rate: '2' }, fixedPrice: { minPrice: 'x' } });
    const view = stepView('rates', draftOf({ form }));
    expect(templateFormErrors(checkTemplateStep(form, 'rates'), placeOf(view))).toEqual({
      [idOf(view, 'hourly.rate')]: expect.stringMatching(/\b3\b.*\b999\b/u),
      [idOf(view, 'fixedPrice.minPrice')]: expect.any(String),
    });
    expect(templateFormErrors(checkTemplateStep(form, 'rates'), placeOf(view))).toMatchSnapshot();
  });

  it('of a field that did not come up yet stands at the choice that asks for it', () => {
    const view = stepView('rates', draftOf({ form: SMALLEST }));
    const form = changed(FULL, { hourly: { smartMin: '70', smartPercent: '0' } });
    const errors = templateFormErrors(checkTemplateStep(form, 'rates'), placeOf(view)) ?? {};
    expect(Object.keys(errors)).toEqual([idOf(view, 'hourly.mode')]);
    expect(errors[idOf(view, 'hourly.mode')]).toMatch(/minimum.*percent/su);
  });

  it('of a sender that cannot be chosen yet stands at the name', () => {
    const form = changed(SMALLEST, { sender: { organizationId: '' } });
    const view = stepView('sender', draftOf({ form }), { senders: { kind: 'loading' } });
    expect(Object.keys(templateFormErrors(checkTemplateStep(form, 'sender'), placeOf(view)) ?? {})).toEqual([
      idOf(view, 'name'),
    ]);
  });

  it('has no place in a step without inputs', () => {
    const form = changed(SMALLEST, { answers: [{ question: '', answer: '', matchType: '' }] });
    const view = stepView('answers', draftOf({ form }));
    expect(templateFormErrors(checkTemplateStep(form, 'answers'), placeOf(view))).toBeUndefined();
  });
});

it('a long text is taken away by its field', () => {
  expect(clearLongText(FULL, 'ai.clientQuestions')).toEqual(changed(FULL, { ai: { clientQuestions: '' } }));
  expect(clearLongText(FULL, 'letters.variantA').letters).toEqual({ variantA: '', variantB: 'B' });
  expect(clearLongText(FULL, 'answers.answer')).toBe(FULL);
});

it('what comes back of the builder is input: nonsense is read as nothing', () => {
  const place = placeOf(stepView('rates', draftOf({ form: FULL })));
  expect(parseBuilderMetadata(JSON.stringify(place))).toEqual(place);
  for (const wrong of [
    { draft: '../x' },
    { channel: 'everyone' },
    { step: 'end' },
    { revision: 0 },
    { inputs: ['__proto__'] },
    { inputs: ['constructor'] },
    { typing: {} },
  ])
    expect(parseBuilderMetadata(JSON.stringify({ ...place, ...wrong }))).toBeUndefined();
  for (const text of ['', '{', 'null', '[]']) expect(parseBuilderMetadata(text)).toBeUndefined();
});
