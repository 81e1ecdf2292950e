import { expect, test } from 'vitest';
import { DAY } from '../../src/clock.ts';
import { MAX_TEMPLATE_FORM_LENGTH } from '../../src/templates/drafts.ts';
import { templateDrafts } from '../../src/templates/records.ts';
import { changed, LARGEST, SMALLEST } from './forms.ts';
import { ANN, BEN, openWorld, pending, TEAM } from './world.ts';

test('a step that is saved leaves the other steps alone, even when two are saved at once', async () => {
  const { templates, filled } = openWorld();
  const { id: draft } = await filled(SMALLEST);
  const rate = { hourly: { rate: '50' } };
  await Promise.all([
    templates.drafts.save({ user: ANN, draft, change: (form) => ({ ...form, name: 'M' }) }),
    templates.drafts.save({ user: ANN, draft, change: (form) => changed(form, rate) }),
    templates.drafts.save({ user: ANN, draft, room: { 'ai.instructions': 4 } }),
    templates.drafts.save({ user: ANN, draft, room: { 'letters.variantA': 2 } }),
  ]);
  expect(await templates.drafts.read({ user: ANN, draft })).toMatchObject({
    form: changed(SMALLEST, { name: 'M', ...rate }),
    room: { 'ai.instructions': 4, 'letters.variantA': 2 },
  });
});

test('texts beyond all measure are refused, those of the largest template are kept', async () => {
  const { templates, filled } = openWorld();
  const { id: draft } = await filled(LARGEST);
  const change = () => ({ ...LARGEST, name: 'x'.repeat(MAX_TEMPLATE_FORM_LENGTH) });
  expect((await templates.drafts.save({ user: ANN, draft, change })).kind).toBe('too-large');
  expect((await templates.drafts.read({ user: ANN, draft }))?.form).toEqual(LARGEST);
});

test('drafts of 60 days ago are no one’s, and are cleared out a few at a time', async () => {
  const { templates, filled, clock, store } = openWorld();
  for (let count = 0; count < 20; count++) await filled(SMALLEST);
  clock.moveBy(60 * DAY);
  expect(await templates.drafts.list(ANN)).toHaveLength(20);
  clock.moveBy(1);
  expect(await templates.drafts.list(ANN)).toEqual([]);
  const left = [];
  for (let count = 0; count < 5; count++) {
    await templates.drafts.create({ user: BEN });
    left.push((await store.read((tx) => tx.list(templateDrafts, { prefix: [TEAM], limit: 100 }))).length);
  }
  expect(left).toEqual([16, 12, 8, 4, 5]);
});

test('nothing of a draft changes while it is being sent', async () => {
  const asked = pending<void>();
  const { templates, filled } = openWorld({
    createProposalTemplate: () => {
      asked.resolve();
      return pending<never>().promise;
    },
  });
  const { id: draft, revision: seen } = await filled(SMALLEST);
  void templates.submitDraft({ user: ANN, draft, seen });
  await asked.promise;
  expect((await templates.drafts.save({ user: ANN, draft, change: () => LARGEST })).kind).toBe('closed');
  expect((await templates.drafts.discard({ user: ANN, draft })).kind).toBe('closed');
});
