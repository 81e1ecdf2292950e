import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { SetupId, TemplateId } from '../../../src/ids.ts';
import { setupsMessage } from '../../../src/slack/bids/setups.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  DRAFT_BEING_SENT,
  DRAFT_GONE_ALREADY,
  templateDraftActions,
  templateDraftsMessage,
} from '../../../src/slack/templates/template-drafts.ts';
import { TEMPLATE_DRAFT_GONE } from '../../../src/slack/templates/template-outcome.ts';
import { claimSubmissionAttempt } from '../../../src/templates/submissions.ts';
import { SMALLEST, template } from '../../templates/forms.ts';
import { valuesOf } from '../buttons.ts';
import { ANA, BEN, NOW, TEAM } from '../samples.ts';
import { startTemplateDesk, type TemplateDesk } from './template-drafts-desk.ts';
import { placeOf } from './template-screen.ts';

const route = (id: string) => templateDraftActions.find((each) => each.id === id);
const resume = route(actionIds.templateOpen);
const discard = route(actionIds.templateDiscard);
const from = route(actionIds.templateFrom);

let desk: TemplateDesk;
beforeEach(() => {
  desk = startTemplateDesk();
});

describe('Continue', () => {
  it('opens the draft where it is to be gone on with', async () => {
    const draft = await desk.draft(() => ({ ...SMALLEST, ai: { ...SMALLEST.ai, instructions: '' } }));
    const [value = ''] = valuesOf(templateDraftsMessage(await desk.drafts()), actionIds.templateOpen);
    expect(await desk.press(resume, value)).toEqual([]);
    const [opened] = desk.takeViews();
    expect(opened?.how).toBe('open');
    expect(opened?.view.private_metadata).toContain(draft.id);
    expect(opened && placeOf(opened.view).step).toBe('ai');
  });

  it('in an open view shows it there', async () => {
    const { id } = await desk.draft();
    const view = {
      id: 'V7',
      rootId: 'V7',
      hash: 'h',
      callbackId: 'notice',
      privateMetadata: '',
      values: new Map(),
    };
    expect(await desk.press(resume, id, ANA, view)).toEqual([]);
    expect(desk.takeViews().every((shown) => shown.how === 'update' && shown.id === 'V7')).toBe(true);
  });

  it('of a template that is created meanwhile tells what became of it', async () => {
    const draft = await desk.draft(() => SMALLEST);
    desk.state.created = template();
    await desk.templates.submitDraft({ user: ANA, draft: draft.id, seen: draft.revision });
    expect(await desk.press(resume, draft.id)).toEqual([]);
    const words = desk.takeViews().at(-1)?.words;
    expect(words).toContain('“Calm”');
    expect(words).toContain('#12');
    const [told] = await desk.press(discard, draft.id);
    expect(told?.text).toContain('#12');
    expect([words, told?.text]).toMatchSnapshot();
  });

  it('finds nobody else’s, and says what to do', async () => {
    const { id } = await desk.draft();
    const [told] = await desk.press(resume, id, BEN);
    expect(told?.message).toEqual(TEMPLATE_DRAFT_GONE);
    expect(desk.takeViews()).toEqual([]);
  });
});

describe('Discard', () => {
  it('takes the draft away, and the list with it', async () => {
    await desk.draft((form) => ({ ...form, name: 'Keep' }));
    const { id } = await desk.draft((form) => ({ ...form, name: 'Drop' }));
    const [told] = await desk.press(discard, id);
    expect(told?.to).toBe('replaced');
    expect(told?.text).toContain('“Drop”');
    expect(valuesOf(told?.message, actionIds.templateDiscard)).toHaveLength(1);
    expect(told?.text).toMatchSnapshot();
    expect((await desk.drafts()).map(({ form }) => form.name)).toEqual(['Keep']);
    expect((await desk.press(discard, id))[0]?.text).toContain(DRAFT_GONE_ALREADY);
  });

  it('touches nobody else’s', async () => {
    const { id } = await desk.draft();
    expect((await desk.press(discard, id, BEN))[0]?.text).toContain(DRAFT_GONE_ALREADY);
    expect(await desk.drafts()).toHaveLength(1);
  });

  it('waits for the answer of what is being sent', async () => {
    const draft = await desk.draft(() => SMALLEST);
    const order = { user: draft.user, draft: draft.id, seen: draft.revision };
    await desk.services.store.transact((tx) => claimSubmissionAttempt(tx, TEAM, order, NOW));
    expect((await desk.press(discard, draft.id))[0]?.text).toContain(DRAFT_BEING_SENT);
    expect(await desk.drafts()).toHaveLength(1);
  });
});

describe('Copy Template', () => {
  it('stands at each setup that names one, and begins with it', async () => {
    desk.state.template = template({ id: TemplateId.parse(3) });
    const setup = { id: SetupId.parse(7), name: 'Night shift', status: 'active' };
    const named = { ...setup, template: { id: TemplateId.parse(3), name: 'Calm' } };
    const list = setupsMessage({ setups: [named, setup], readAt: NOW, page: 1 });
    const values = valuesOf(list, actionIds.templateFrom);
    expect(values).toEqual(['3']);
    expect(await desk.press(from, values[0] ?? '')).toEqual([]);
    expect(desk.takeViews().at(-1)?.words).toContain('“Calm” (#3)');
    expect((await desk.drafts())[0]?.from?.template).toBe(3);
  });
});

it('no value of a button does harm', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 80 }), async (value) => {
      for (const each of templateDraftActions)
        expect((await desk.press(each, value)).length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 40 },
  );
});
