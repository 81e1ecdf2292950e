import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { MAX_TEMPLATE_FORM_LENGTH } from '../../src/templates/drafts.ts';
import { EMPTY_TEMPLATE_FORM, removeScreeningAnswer } from '../../src/templates/form.ts';
import { templateDrafts } from '../../src/templates/records.ts';
import { changed, FULL, LARGEST, SMALLEST, template } from './forms.ts';
import { ANN, BEN, openWorld, TEAM } from './world.ts';

describe('a draft', () => {
  test('keeps what was typed, character for character, over a restart', async () => {
    const world = openWorld();
    const { id: draft } = await world.filled(LARGEST);
    const after = world.again();
    expect((await after.templates.drafts.read({ user: ANN, draft }))?.form).toEqual(LARGEST);
    expect(await after.templates.drafts.list(ANN)).toMatchObject([{ id: draft, state: 'open', attempt: 0 }]);
  });

  test('begins empty, or with what a template holds and what it could not give', async () => {
    const { templates } = openWorld();
    const empty = await templates.drafts.create({ user: ANN });
    expect(empty).toMatchObject({ kind: 'created', draft: { form: EMPTY_TEMPLATE_FORM, state: 'open' } });
    const from = template({ hourlyRate: { mode: 'flexible', rate: 40, rulesCount: 2 } });
    expect(await templates.drafts.create({ user: ANN, from })).toMatchObject({
      kind: 'created',
      draft: {
        form: { name: 'Calm', hourly: { mode: '', rate: '40' } },
        from: {
          template: 12,
          name: 'Calm',
          senderType: 'agency',
          notes: [{ kind: 'sender' }, { kind: 'flexible-rate', rules: 2 }],
        },
      },
    });
  });

  test('a step that is saved leaves the other steps alone, even when two are saved at once', async () => {
    const { templates, filled } = openWorld();
    const { id: draft } = await filled(SMALLEST);
    await Promise.all([
      templates.drafts.save({ user: ANN, draft, change: (form) => ({ ...form, name: 'M' }) }),
      templates.drafts.save({
        user: ANN,
        draft,
        change: (form) => changed(form, { hourly: { rate: '50' } }),
        room: { 'ai.instructions': 4 },
      }),
      templates.drafts.save({ user: ANN, draft, room: { 'letters.variantA': 2 } }),
    ]);
    expect(await templates.drafts.read({ user: ANN, draft })).toMatchObject({
      form: changed(SMALLEST, { name: 'M', hourly: { rate: '50' } }),
      room: { 'ai.instructions': 4, 'letters.variantA': 2 },
    });
  });

  test('a change that only fits what was seen is made once', async () => {
    const { templates, filled } = openWorld();
    const answers = ['1', '2', '3'].map((question) => ({
      question,
      answer: 'A',
      matchType: 'exact' as const,
    }));
    const { id: draft, revision: seen } = await filled({ ...FULL, answers });
    const remove = () =>
      templates.drafts.save({ user: ANN, draft, seen, change: (form) => removeScreeningAnswer(form, 1) });
    const [first, second] = await Promise.all([remove(), remove()]);
    expect([first.kind, second.kind]).toEqual(['saved', 'stale']);
    const stored = await templates.drafts.read({ user: ANN, draft });
    expect(stored?.form.answers.map((it) => it.question)).toEqual(['1', '3']);
  });

  test('another person’s is neither found nor changed nor discarded nor sent', async () => {
    const { templates, filled, calls } = openWorld();
    const { id: draft, revision: seen } = await filled(SMALLEST);
    const forged = { user: BEN, draft };
    expect(await templates.drafts.read(forged)).toBeUndefined();
    expect(await templates.drafts.save({ ...forged, change: () => FULL })).toEqual({ kind: 'gone' });
    expect(await templates.drafts.discard(forged)).toEqual({ kind: 'gone' });
    expect(await templates.submitDraft({ ...forged, seen })).toEqual({ kind: 'gone' });
    expect(await templates.drafts.list(BEN)).toEqual([]);
    expect((await templates.drafts.read({ user: ANN, draft }))?.form).toEqual(SMALLEST);
    expect(calls).toEqual([]);
  });

  test('texts beyond all measure are refused, and the draft stays as it was', async () => {
    const { templates, filled } = openWorld();
    const { id: draft } = await filled(LARGEST);
    const change = () => ({ ...LARGEST, name: 'x'.repeat(MAX_TEMPLATE_FORM_LENGTH) });
    expect((await templates.drafts.save({ user: ANN, draft, change })).kind).toBe('too-large');
    expect((await templates.drafts.read({ user: ANN, draft }))?.form).toEqual(LARGEST);
  });

  test('is gone once it is discarded', async () => {
    const { templates, filled } = openWorld();
    const { id: draft } = await filled(SMALLEST);
    expect((await templates.drafts.discard({ user: ANN, draft })).kind).toBe('discarded');
    expect(await templates.drafts.discard({ user: ANN, draft })).toEqual({ kind: 'gone' });
    expect(await templates.drafts.save({ user: ANN, draft })).toEqual({ kind: 'gone' });
    expect(await templates.drafts.list(ANN)).toEqual([]);
  });
});

describe('many drafts', () => {
  test('are listed with the last changed first', async () => {
    const { templates, filled, clock } = openWorld();
    const ids = [];
    for (const name of ['a', 'b', 'c']) {
      clock.moveBy(MINUTE);
      ids.push((await filled({ ...SMALLEST, name })).id);
    }
    clock.moveBy(MINUTE);
    await templates.drafts.save({ user: ANN, draft: ids[0] ?? expect.fail() });
    await filled(SMALLEST, BEN);
    expect((await templates.drafts.list(ANN)).map((it) => it.form.name)).toEqual(['a', 'c', 'b']);
  });

  test('a 21st is refused with the 20 that are there, until one is discarded or done', async () => {
    const { templates, filled, clock } = openWorld({
      createProposalTemplate: () => Promise.resolve(template()),
    });
    for (let count = 0; count < 19; count++) {
      clock.moveBy(1);
      await filled(SMALLEST);
    }
    const last = await filled(SMALLEST);
    const refused = await templates.drafts.create({ user: ANN });
    expect(refused).toMatchObject({ kind: 'too-many' });
    expect(refused.kind === 'too-many' && refused.drafts).toHaveLength(20);
    expect((await templates.drafts.create({ user: BEN })).kind).toBe('created');

    await templates.submitDraft({ user: ANN, draft: last.id, seen: last.revision });
    expect((await templates.drafts.create({ user: ANN })).kind).toBe('created');
    expect((await templates.drafts.create({ user: ANN })).kind).toBe('too-many');
    const [newest] = await templates.drafts.list(ANN);
    await templates.drafts.discard({ user: ANN, draft: newest?.id ?? expect.fail() });
    expect((await templates.drafts.create({ user: ANN })).kind).toBe('created');
  });

  test('nobody’s way is barred by drafts of 60 days ago, which are cleared out a few at a time', async () => {
    const { templates, filled, clock, store } = openWorld();
    for (let count = 0; count < 20; count++) await filled(SMALLEST);
    const kept = () => store.read((tx) => tx.list(templateDrafts, { prefix: [TEAM], limit: 100 }));
    clock.moveBy(60 * DAY + 1);
    expect(await templates.drafts.list(ANN)).toEqual([]);
    const left = [];
    for (let count = 0; count < 5; count++) {
      expect((await templates.drafts.create({ user: BEN })).kind).toBe('created');
      left.push((await kept()).length);
    }
    expect(left).toEqual([16, 12, 8, 4, 5]);
  });

  test('a draft that is 60 days old to the minute is still there', async () => {
    const { templates, filled, clock } = openWorld();
    const { id: draft } = await filled(SMALLEST);
    clock.moveBy(60 * DAY);
    await templates.drafts.create({ user: BEN });
    expect(await templates.drafts.list(ANN)).toMatchObject([{ id: draft }]);
  });
});
