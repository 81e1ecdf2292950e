/** Who sends a template, as chosen or typed; and where the builder shows what is wrong. */

import type { ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { OrganizationId } from '../../../src/ids.ts';
import type { ProposalSender } from '../../../src/marketplace/client.ts';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import {
  parseManualIdEntry,
  parseTemplateForm,
  templateFormErrors,
} from '../../../src/slack/templates/template-values.ts';
import { checkTemplateStep } from '../../../src/templates/check-template.ts';
import type { TemplateForm, TemplateStep } from '../../../src/templates/form.ts';
import { changed, FULL, SMALLEST } from '../../templates/forms.ts';
import { inputsIn } from '../read-view.ts';
import {
  draftOf,
  filledIn,
  HOSTILE,
  idOf,
  known,
  namesOf,
  placeOf,
  SOLO,
  STUDIO,
  sent,
  viewOf,
} from './form-screen.ts';

describe('a sender', () => {
  function chosen(form: TemplateForm, changes: Record<string, ViewInputValue>, typing = {}) {
    const spot = { typing: { organization: false, contractor: false, ...typing } };
    const view = viewOf('sender', draftOf(form), spot);
    const filled = { values: filledIn(view, changes), place: placeOf(view), senders: [STUDIO, SOLO] };
    const { sender } = parseTemplateForm(form, filled);
    return { ...sender, typing: parseManualIdEntry(form.sender, sender, filled) };
  }

  it.each([
    ['brings its type', SMALLEST, { 'menu.organization': { option: '=7' } }, ['7', '', 'agency']],
    ['leaves another’s contractor', FULL, { 'menu.organization': { option: '=8' } }, ['8', '', 'freelancer']],
    [
      'stays as it was typed',
      changed(FULL, { sender: { organizationId: ' #7 ' } }),
      { 'menu.contractor': { option: '=c-2' } },
      [' #7 ', 'c-2', 'agency'],
    ],
    ['is empty after “Other”', FULL, { 'menu.organization': { option: 'other' } }, ['', '', 'unknown']],
    [
      'has no contractor after “Other”',
      FULL,
      { 'menu.contractor': { option: 'other' } },
      ['7', '', 'agency'],
    ],
  ] as const)('that is chosen %s', (_, form, changes, [organizationId, contractorUid, type]) => {
    expect(chosen(form, changes)).toMatchObject({ organizationId, contractorUid, type });
  });

  it('is typed after “Other”', () => {
    const other = { 'menu.organization': { option: 'other' } };
    expect(chosen(FULL, other).typing).toEqual({ organization: true, contractor: false });
    expect(chosen(FULL, { 'menu.contractor': { option: 'other' } }).typing.contractor).toBe(true);
    const form = changed(FULL, { sender: { organizationId: '' } });
    const typed = { 'sender.organizationId': { text: '99' }, 'sender.contractorUid': { text: ' x ' } };
    expect(chosen(form, typed, { organization: true })).toMatchObject({
      organizationId: '99',
      contractorUid: ' x ',
      type: 'unknown',
    });
  });

  it('keeps its type while the list cannot be read, unless another is typed', () => {
    const view = viewOf('sender', draftOf(FULL), { senders: known([]) });
    expect(sent(view, FULL, { name: { text: 'Other' } }).sender.type).toBe('agency');
    expect(sent(view, FULL, { 'sender.organizationId': { text: '9' } }).sender.type).toBe('unknown');
  });

  it('that a freelancer must not have stays in sight, and a loading list changes nothing', () => {
    const form = changed(SMALLEST, {
      sender: { organizationId: '8', type: 'freelancer', contractorUid: 'c-1' },
    });
    expect(namesOf(viewOf('sender', draftOf(form)))).toContain('sender.contractorUid');
    const loading = viewOf('sender', draftOf(FULL), { senders: { kind: 'loading' } });
    expect(namesOf(loading)).toEqual(['name', 'visibility']);
    expect(sent(loading, FULL)).toEqual(FULL);
  });

  it('may be any of a hundred and more', () => {
    const many = Array.from({ length: 150 }, (_, n): ProposalSender => {
      const contractors = Array.from({ length: 150 }, (_each, m) => ({ uid: `${n}-${m}${'u'.repeat(m)}` }));
      return { organizationId: OrganizationId.parse(n + 1), name: HOSTILE[n % 5] ?? '', contractors };
    });
    const form = changed(SMALLEST, { sender: { organizationId: '150', contractorUid: '149-1u' } });
    const view = viewOf('sender', draftOf(form), { senders: known(many) });
    expect(filledIn(view).get(idOf(view, 'menu.organization'))).toEqual({ option: '=150' });
    // The last option is for any other; contractors with IDs too long for an option aren't listed.
    for (const [name, listed] of [
      ['menu.organization', 99],
      ['menu.contractor', 69],
    ] as const) {
      const menu = inputsIn(view).find((it) => it.block_id === idOf(view, name));
      expect(menu).toHaveProperty('element.options.length', listed + 1);
      expect(menu).toHaveProperty('hint.text', expect.stringMatching(`\\b${150 - listed}\\b`));
    }
  });
});

describe('a mistake', () => {
  const errorsIn = (view: ModalView, form: TemplateForm, step: TemplateStep) =>
    templateFormErrors(checkTemplateStep(form, step), placeOf(view));

  it('stands at its field', () => {
    const form = changed(SMALLEST, { hourly: { rate: '2' }, fixedPrice: { minPrice: 'x' } });
    const view = viewOf('rates', draftOf(form));
    expect(errorsIn(view, form, 'rates')).toEqual({
      [idOf(view, 'hourly.rate')]: expect.stringMatching(/\b3\b.*\b999\b/u),
      [idOf(view, 'fixedPrice.minPrice')]: expect.any(String),
    });
  });

  it('of a field that did not come up yet stands at the choice that asks for it', () => {
    const view = viewOf('rates', draftOf(SMALLEST));
    const form = changed(FULL, { hourly: { smartMin: '70', smartPercent: '0' } });
    expect(errorsIn(view, form, 'rates')).toEqual({
      [idOf(view, 'hourly.mode')]: expect.stringMatching(/minimum.*percent/su),
    });
  });

  it('of a sender that cannot be chosen yet stands at the name; without inputs it has no place', () => {
    const form = changed(SMALLEST, { sender: { organizationId: '' } });
    const view = viewOf('sender', draftOf(form), { senders: { kind: 'loading' } });
    expect(Object.keys(errorsIn(view, form, 'sender') ?? {})).toEqual([idOf(view, 'name')]);
    const faulty = changed(SMALLEST, { answers: [{ question: '', answer: '', matchType: '' }] });
    expect(errorsIn(viewOf('answers', draftOf(faulty)), faulty, 'answers')).toBeUndefined();
  });
});
