import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrganizationId } from '../../../src/ids.ts';
import { SENDER_NOT_ELIGIBLE_WARNING } from '../../../src/slack/templates/template-fields.ts';
import { type ReviewFacts, templateReviewBlocks } from '../../../src/slack/templates/template-review.ts';
import { TEMPLATE_FIELDS } from '../../../src/templates/fields.ts';
import { EMPTY_TEMPLATE_FORM, type TemplateForm } from '../../../src/templates/form.ts';
import { changed, FULL, LARGEST, SMALLEST } from '../../templates/forms.ts';
import { asText } from '../kit/as-text.ts';
import { expectHarmlessView } from '../kit/harmless-view.ts';
import { anyForm, anyOrigin, anyText, originOf } from './template-samples.ts';

function review(form: TemplateForm, facts?: ReviewFacts): string {
  return asText({ text: 'a review', blocks: templateReviewBlocks(form, facts) });
}

function expectShown(form: TemplateForm, facts?: ReviewFacts): void {
  const blocks = templateReviewBlocks(form, facts);
  expect(blocks.length).toBeLessThanOrEqual(25);
  expectHarmlessView({ type: 'modal', title: { type: 'plain_text', text: 'Review' }, blocks });
}

const STUDIO = {
  organizationId: OrganizationId.parse(7),
  name: 'Studio',
  contractors: [{ uid: 'c-1', name: 'Ana' }],
};

describe('the review', () => {
  it('shows every field that will be sent, and how the marketplace will read it', async () => {
    const texts = [
      review(SMALLEST),
      review(FULL, { senders: [STUDIO] }),
      review(changed(FULL, { hourly: { rate: '$1,500.5', smartMin: '', smartPercent: 'lots' } })),
      review(EMPTY_TEMPLATE_FORM),
    ];
    await expect(texts.join('\n')).toMatchFileSnapshot('__snapshots__/template-reviews.txt');
  });

  it('hides what the choices do not ask for', () => {
    const kept = changed(FULL, {
      hourly: { mode: 'fixed', smartMin: '31', increaseFrequency: 'never', increasePercent: '7' },
      fixedPrice: { type: 'by-project', price: '500', minPrice: '123' },
      ai: { templateStructure: false },
    });
    const text = review(kept);
    for (const hidden of [
      '31',
      '7%',
      '123',
      TEMPLATE_FIELDS.abTesting.label,
      TEMPLATE_FIELDS['letters.variantA'].label,
    ])
      expect(text).not.toContain(hidden);
    for (const field of ['hourly.smartMin', 'hourly.smartMax', 'hourly.smartPercent'] as const)
      expect(text).not.toContain(TEMPLATE_FIELDS[field].label);
    expect(text).toContain('$500');
    expect(text).toMatchSnapshot();
  });

  it('warns of an agency’s template that a freelancer would send', () => {
    const form = changed(FULL, { sender: { type: 'freelancer', contractorUid: '' } });
    const from = originOf({ template: 3, senderType: 'agency', notes: [] });
    expect(review(form, { from })).toContain(SENDER_NOT_ELIGIBLE_WARNING);
    expect(review(form)).not.toContain(SENDER_NOT_ELIGIBLE_WARNING);
  });

  it('counts long texts as the marketplace does, and shows their beginning', () => {
    const text = review(changed(FULL, { ai: { instructions: `Begin${'😀'.repeat(9_000)}` } }));
    expect(text).toMatch(new RegExp(`^\\*${TEMPLATE_FIELDS['ai.instructions'].label}:\\* 9,005 `, 'mu'));
    expect(text).toMatch(/… \[.*9,005.*\]/u);
    expect(text).toContain('Begin😀');
    expect(text).toMatchSnapshot();
  });

  it('holds the largest legal template, every answer of it', () => {
    expectShown(LARGEST);
    const text = review(LARGEST);
    expect(text).toContain('* 50');
    expect(text).toMatch(/^50\. .*“😀/mu);
  });

  it('is harmless and short whatever was filled in', () => {
    fc.assert(
      fc.property(anyForm, anyOrigin, anyText, (form, from, name) => {
        const senders = [{ ...STUDIO, name, contractors: [{ uid: form.sender.contractorUid, name }] }];
        expectShown(form, { from, senders });
      }),
      { numRuns: 100 },
    );
  });
});
