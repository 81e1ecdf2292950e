import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { ChannelId, OrganizationId } from '../../src/ids.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { ProposalTemplate } from '../../src/marketplace/schema.ts';
import { StorageError } from '../../src/storage/store.ts';
import { checkTemplateForm } from '../../src/templates/check-template.ts';
import {
  isCreationUncertain,
  type TemplateDraft,
  templateDraftKey,
  templateDrafts,
} from '../../src/templates/records.ts';
import { applySubmissionResult } from '../../src/templates/submissions.ts';
import { draftOf } from '../slack/templates/template-samples.ts';
import { changed, FULL, LARGEST, SMALLEST, template } from './forms.ts';
import { ANN, openWorld, pending, until } from './world.ts';

const refusal = (fields: Record<string, string>) =>
  new MarketplaceError('bad-request', 'none', 'refused', { serverMessage: 'Validation failed', fields });
const noAnswer = new MarketplaceError('server', 'unknown', 'failed', { serverMessage: 'Oops' });

/** A world with scripted answers for each create. */
function answering(...answers: readonly (ProposalTemplate | Error)[]) {
  const left = [...answers];
  return openWorld({
    createProposalTemplate: () => {
      const next = left.shift() ?? new Error('asked too often');
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  });
}

describe('one press', () => {
  test('makes one template out of exactly what stands in the form', async () => {
    const { templates, filled, calls, clock } = answering(template());
    const { id: draft, revision: seen } = await filled(LARGEST);
    clock.moveBy(MINUTE);
    expect(await templates.submitDraft({ user: ANN, draft, seen })).toMatchObject({
      kind: 'asked',
      draft: {
        state: 'created',
        attempt: 1,
        template: {
          id: 12,
          name: 'Calm',
          sender: { name: 'Ana', type: 'agency' },
          hourlyRate: { mode: 'fixed', rate: 40 },
        },
      },
    });
    const checked = checkTemplateForm(LARGEST);
    expect(calls).toEqual([
      {
        name: 'createProposalTemplate',
        parameters: [checked.kind === 'ok' && checked.input, { lane: 'bid' }],
      },
    ]);
    expect(await templates.drafts.list(ANN)).toEqual([]);
    expect(await templates.drafts.read({ user: ANN, draft })).toMatchObject({
      state: 'created',
      template: { id: 12 },
    });
  });

  test('stands in the audit log with its answer', async () => {
    const { templates, filled, audit, clock } = answering(refusal({ name: 'taken' }), template());
    const { id: draft, revision: seen } = await filled(SMALLEST);
    const channel = ChannelId.parse('C1');
    await templates.submitDraft({ user: ANN, draft, seen, channel });
    clock.moveBy(MINUTE);
    await templates.submitDraft({ user: ANN, draft, seen: seen + 2 });
    const act = { kind: 'template', name: 'N', organization: 7 };
    expect(await audit()).toMatchObject([
      {
        by: ANN,
        channel,
        act: { ...act, attempt: 1 },
        answer: { kind: 'refused', code: 'bad-request', words: 'Validation failed' },
      },
      { by: ANN, act: { ...act, attempt: 2 }, answer: { kind: 'created', template: 12 } },
    ]);
  });

  test('that comes twice sends nothing twice, whatever came of the first', async () => {
    for (const answer of [template(), refusal({}), noAnswer]) {
      const { templates, filled, calls } = answering(answer);
      const { id: draft, revision: seen } = await filled(SMALLEST);
      const press = () => templates.submitDraft({ user: ANN, draft, seen });
      const kinds = (await Promise.all([press(), press(), press()])).map((it) => it.kind);
      expect(kinds.sort()).toEqual(['asked', 'taken', 'taken']);
      expect((await press()).kind).toBe('taken');
      expect(calls).toHaveLength(1);
    }
  });

  test('on a review that is out of date sends nothing: the person never saw what would be sent', async () => {
    const { templates, filled, calls } = answering();
    const { id: draft, revision: seen } = await filled(SMALLEST);
    await templates.drafts.save({ user: ANN, draft, change: () => FULL });
    expect(await templates.submitDraft({ user: ANN, draft, seen })).toMatchObject({
      kind: 'taken',
      draft: { state: 'open', form: FULL },
    });
    expect(calls).toEqual([]);
  });

  test('on an incomplete draft sends nothing and tells every mistake', async () => {
    const { templates, filled, calls, audit } = answering();
    const { id: draft, revision: seen } = await filled(
      changed(SMALLEST, { name: '', hourly: { rate: '2' } }),
    );
    const outcome = await templates.submitDraft({ user: ANN, draft, seen });
    expect(outcome).toMatchObject({
      kind: 'mistakes',
      draft: { state: 'open', attempt: 0, revision: seen },
      mistakes: [{ field: 'name' }, { field: 'hourly.rate' }],
    });
    expect([calls, await audit()]).toEqual([[], []]);
  });
});

describe('a refusal', () => {
  test('keeps its field errors until the field is changed, and the next press asks again', async () => {
    const { templates, filled } = answering(
      refusal({ 'ai.model': 'unknown model', 'answers.0.answer': 'too rude', plan: 'full' }),
      template(),
    );
    const { id: draft, revision } = await filled(FULL);
    await templates.submitDraft({ user: ANN, draft, seen: revision });
    const refused = await templates.drafts.read({ user: ANN, draft });
    expect(refused).toMatchObject({
      state: 'refused',
      form: FULL,
      refusal: {
        code: 'bad-request',
        serverMessage: 'Validation failed',
        fields: { 'ai.model': 'unknown model', 'answers.0.answer': 'too rude', plan: 'full' },
      },
    });
    expect(await templates.drafts.list(ANN)).toHaveLength(1);
    const change = () => changed(FULL, { ai: { model: '' } });
    const saved = await templates.drafts.save({ user: ANN, draft, change });
    expect(saved).toMatchObject({
      draft: { state: 'refused', refusal: { fields: { 'answers.0.answer': 'too rude', plan: 'full' } } },
    });
    const seen = saved.kind === 'saved' ? saved.draft.revision : 0;
    const outcome = await templates.submitDraft({ user: ANN, draft, seen });
    expect(outcome).toMatchObject({ kind: 'asked', draft: { state: 'created', attempt: 2 } });
    expect(outcome).not.toHaveProperty('draft.refusal');
  });

  test('says when to come again, where the marketplace does', async () => {
    const slow = new MarketplaceError('rate-limited', 'none', 'slow', { retryAfterMs: 30_000 });
    const { templates, filled } = answering(slow);
    const { id: draft, revision: seen } = await filled(SMALLEST);
    expect(await templates.submitDraft({ user: ANN, draft, seen })).toMatchObject({
      draft: { state: 'refused', refusal: { code: 'rate-limited', retryAfterMs: 30_000 } },
    });
  });
});

describe('no answer', () => {
  test.each([
    ['a 500', noAnswer, 'server'],
    ['a lost connection', new MarketplaceError('network', 'unknown', 'lost'), 'network'],
    ['an unreadable success', new MarketplaceError('unreadable', 'unknown', '?'), 'unreadable'],
    ['a fault of ours', new TypeError('oops'), 'fault'],
  ])(
    'after %s the draft stays and is unknown; only a press that saw it sends again',
    async (_, error, code) => {
      const { templates, filled, calls, clock, again } = answering(error, template());
      const { id: draft, revision } = await filled(SMALLEST);
      const outcome = await templates.submitDraft({ user: ANN, draft, seen: revision });
      expect(outcome).toMatchObject({
        kind: 'asked',
        draft: { state: 'unknown', form: SMALLEST, refusal: { code } },
      });
      clock.moveBy(60 * MINUTE);
      await again().templates.recoverUnansweredClaims();
      expect((await templates.submitDraft({ user: ANN, draft, seen: revision })).kind).toBe('taken');
      expect(calls).toHaveLength(1);
      const seen = outcome.kind === 'asked' ? outcome.draft.revision : 0;
      expect(await templates.submitDraft({ user: ANN, draft, seen })).toMatchObject({
        draft: { state: 'created' },
      });
      expect(calls).toHaveLength(2);
    },
  );

  test('leaves a doubt that a refused attempt doesn’t clear, and older records are readable', async () => {
    const { templates, filled, store, clock } = answering(noAnswer, refusal({ name: 'taken' }), template());
    const { id: draft, revision: seen } = await filled(SMALLEST);
    const submit = async (at: number) => {
      clock.moveBy(MINUTE);
      const outcome = await templates.submitDraft({ user: ANN, draft, seen: at });
      return outcome.kind === 'asked' ? outcome.draft : undefined;
    };
    const first = await submit(seen);
    expect(first).toMatchObject({ state: 'unknown', doubtSince: first?.sentAt });
    // From a version without doubt flags.
    await store.transact(async (tx) => {
      const { doubtSince: _, ...old } = first as TemplateDraft;
      await tx.put(templateDrafts, templateDraftKey(old), old);
    });
    const second = await submit(seen + 2);
    expect(second).toMatchObject({ state: 'refused', doubtSince: first?.sentAt });
    expect(second && isCreationUncertain(second)).toBe(true);
    const third = await submit(seen + 4);
    expect(third).toMatchObject({ state: 'created' });
    expect(third && isCreationUncertain(third)).toBe(false);
  });

  test('that comes late after all takes away its own doubt, and no other', () => {
    const sent = { ...draftOf(), attempt: 2, sentAt: 5 };
    const no = { kind: 'refused', refusal: { code: 'forbidden' } } as const;
    const late = (doubtSince: number) =>
      applySubmissionResult({ ...sent, state: 'unknown', doubtSince }, no, 9);
    expect(late(5)).not.toHaveProperty('doubtSince');
    expect(late(3)).toMatchObject({ state: 'refused', doubtSince: 3 });
    expect(applySubmissionResult({ ...sent, state: 'sending' }, no, 9)).not.toHaveProperty('doubtSince');
  });

  test('while it is being sent nothing of it changes, and it is said to be under way', async () => {
    const answer = pending<ProposalTemplate>();
    const { templates, filled } = openWorld({ createProposalTemplate: () => answer.promise });
    const { id: draft, revision: seen } = await filled(SMALLEST);
    const press = templates.submitDraft({ user: ANN, draft, seen });
    await until(async () => (await templates.drafts.read({ user: ANN, draft }))?.state === 'sending');
    expect((await templates.drafts.save({ user: ANN, draft, change: () => FULL })).kind).toBe('closed');
    expect((await templates.drafts.discard({ user: ANN, draft })).kind).toBe('closed');
    expect(await templates.submitDraft({ user: ANN, draft, seen: seen + 1 })).toMatchObject({
      kind: 'taken',
      draft: { state: 'sending' },
    });
    // Its own process doesn't take it for a leftover.
    expect(await templates.recoverUnansweredClaims()).toBe(0);
    answer.resolve(template());
    expect(await press).toMatchObject({ draft: { state: 'created' } });
    expect((await templates.drafts.save({ user: ANN, draft, change: () => FULL })).kind).toBe('closed');
  });

  test('a process that ends before the answer leaves it unknown; the next one sends nothing', async () => {
    const world = openWorld({ createProposalTemplate: () => pending<ProposalTemplate>().promise });
    const { id: draft, revision: seen } = await world.filled(SMALLEST);
    void world.templates.submitDraft({ user: ANN, draft, seen });
    await until(() => world.calls.length === 1);
    const next = world.again({});
    expect(await next.templates.recoverUnansweredClaims()).toBe(1);
    expect(await next.templates.recoverUnansweredClaims()).toBe(0);
    expect(await next.templates.drafts.list(ANN)).toMatchObject([
      { id: draft, state: 'unknown', attempt: 1, refusal: { code: 'interrupted' } },
    ]);
    expect(await next.audit()).toMatchObject([{ answer: { kind: 'unknown', code: 'interrupted' } }]);
    expect((await next.templates.submitDraft({ user: ANN, draft, seen })).kind).toBe('taken');
    expect(next.calls).toEqual([]);
  });
});

describe('a disk that refuses', () => {
  test('the claim: nothing is sent', async () => {
    const { templates, filled, calls, store } = answering();
    const { id: draft, revision: seen } = await filled(SMALLEST);
    store.failNext();
    await expect(templates.submitDraft({ user: ANN, draft, seen })).rejects.toThrow(StorageError);
    expect(calls).toEqual([]);
    expect(await templates.drafts.read({ user: ANN, draft })).toMatchObject({ state: 'open', attempt: 0 });
  });

  test('the answer: the person is told it all the same, and it is stored at the next occasion', async () => {
    const answer = pending<ProposalTemplate>();
    const world = openWorld({ createProposalTemplate: () => answer.promise });
    const { templates, store } = world;
    const { id: draft, revision: seen } = await world.filled(SMALLEST);
    const press = templates.submitDraft({ user: ANN, draft, seen });
    await until(() => world.calls.length === 1);
    store.failNext();
    answer.resolve(template());
    expect(await press).toMatchObject({ kind: 'asked', draft: { state: 'created', template: { id: 12 } } });
    store.failNext();
    expect(await templates.drafts.read({ user: ANN, draft })).toMatchObject({ state: 'created' });
    expect(await world.again().templates.drafts.read({ user: ANN, draft })).toMatchObject({
      state: 'sending',
    });
    expect(await templates.drafts.list(ANN)).toEqual([]);
    expect(await world.again().templates.drafts.read({ user: ANN, draft })).toMatchObject({
      state: 'created',
      template: { id: 12 },
    });
  });
});

describe('who can send', () => {
  const senders = [{ organizationId: OrganizationId.parse(7), type: 'agency', contractors: [] }];
  const missing = new MarketplaceError('not-found', 'none', 'no such path');

  test('is asked once for all who wait, and again after five minutes', async () => {
    const { templates, calls, clock } = openWorld({ fetchProposalSenders: () => Promise.resolve(senders) });
    const readAt = clock.now();
    const both = await Promise.all([templates.fetchSenders(), templates.fetchSenders()]);
    expect(both).toEqual(Array.from({ length: 2 }, () => ({ kind: 'known', senders, readAt })));
    clock.moveBy(5 * MINUTE - 1);
    await templates.fetchSenders();
    expect(calls).toHaveLength(1);
    clock.moveBy(1);
    expect(await templates.fetchSenders()).toMatchObject({ readAt: readAt + 5 * MINUTE });
    expect(calls).toHaveLength(2);
  });

  test('may not be known: no form waits for it twice within a minute', async () => {
    let answer = () => Promise.reject<typeof senders>(missing);
    const { templates, calls, clock } = openWorld({ fetchProposalSenders: () => answer() });
    expect(await templates.fetchSenders()).toEqual({ kind: 'unavailable', why: missing });
    expect((await templates.fetchSenders()).kind).toBe('unavailable');
    expect(calls).toHaveLength(1);
    answer = () => Promise.resolve(senders);
    clock.moveBy(MINUTE);
    expect((await templates.fetchSenders()).kind).toBe('known');
  });

  test('stays known when it cannot be asked again', async () => {
    let answer = () => Promise.resolve(senders);
    const { templates, clock } = openWorld({ fetchProposalSenders: () => answer() });
    const first = await templates.fetchSenders();
    answer = () => Promise.reject(missing);
    clock.moveBy(10 * MINUTE);
    expect(await templates.fetchSenders()).toEqual(first);
  });
});

describe('a template to start from', () => {
  test('is read, or it is said why not', async () => {
    const missing = new MarketplaceError('not-found', 'none', 'no such template');
    const { id } = template();
    const { templates, calls } = openWorld({ fetchProposalTemplate: () => Promise.resolve(template()) });
    expect(await templates.fetchTemplate(id)).toEqual({ kind: 'found', template: template() });
    expect(calls).toEqual([{ name: 'fetchProposalTemplate', parameters: [id, { lane: 'person' }] }]);
    const none = openWorld({ fetchProposalTemplate: () => Promise.reject(missing) });
    expect(await none.templates.fetchTemplate(id)).toEqual({ kind: 'failed', why: missing });
  });
});
