import { beforeEach, describe, expect, it } from 'vitest';
import type { ProposalSender } from '../../../src/marketplace/client.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { unknownButtonMessage } from '../../../src/slack/core/request-errors.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import {
  TEMPLATE_DRAFT_GONE,
  TEMPLATE_TEXTS_TOO_LONG,
} from '../../../src/slack/templates/template-outcome.ts';
import { changed, FULL, SMALLEST } from '../../templates/forms.ts';
import { pending } from '../../templates/world.ts';
import { offers, valuesOf } from '../buttons.ts';
import { ANA, CHANNEL } from '../samples.ts';
import { type BuilderDesk, SOLO, STUDIO, startBuilderDesk } from './template-desk.ts';
import { filledIn, idOf, namesOf, placeOf } from './template-screen.ts';

const FREELANCER = changed(SMALLEST, { sender: { organizationId: '8', type: 'freelancer' } });
const NO_ANSWER = new MarketplaceError('timeout', 'unknown', 'no answer');

let desk: BuilderDesk;
beforeEach(() => {
  desk = startBuilderDesk();
});

const stepShown = () => placeOf(desk.windowOf()).step;
/** The sender list hasn't arrived yet. */
const isReadingSenders = () => !namesOf(desk.windowOf()).includes('menu.organization');

/** Runs everything that waits only for promises. */
const rest = () => new Promise((resolve) => setImmediate(resolve));

describe('opening', () => {
  it('leaves a person alone who has gone on before the list came', async () => {
    const list = pending<readonly ProposalSender[]>();
    desk.state.senders = () => list.promise;
    const opening = desk.open(FREELANCER, 'sender');
    await rest();
    await desk.submit({ name: { text: 'Typed' } });
    list.resolve([STUDIO, SOLO]);
    await opening;
    expect(stepShown()).toBe('rates');
  });

  it('shows the list even to a person who pressed Next first, still naming what is missing', async () => {
    const list = pending<readonly ProposalSender[]>();
    desk.state.senders = () => list.promise;
    const opening = desk.open(changed(SMALLEST, { name: '', sender: { organizationId: '' } }));
    await rest();
    const name = idOf(desk.windowOf(), 'name');
    const pressed = await desk.submit({ name: { text: 'Typed' } });
    expect(isReadingSenders()).toBe(true);
    const behind = pressed.behind();
    list.resolve([STUDIO]);
    await Promise.all([opening, behind]);
    expect(desk.words()).toMatch(/Studio.*#7/u);
    expect(isReadingSenders()).toBe(false);
    expect(placeOf(desk.windowOf()).marks).toBe(true);
    expect(desk.words()).toMatchSnapshot();
    expect(idOf(desk.windowOf(), 'name')).toBe(name);
  });

  it('begins where something is missing, and at the review where nothing is', async () => {
    await desk.open(changed(FREELANCER, { hourly: { rate: '' } }));
    expect(stepShown()).toBe('rates');
    await desk.open(FREELANCER);
    expect(stepShown()).toBe('review');
  });
});

describe('Next', () => {
  it('keeps what was typed before anything is said of it', async () => {
    const draft = await desk.open(FREELANCER, 'rates');
    const { answer } = await desk.submit({
      'hourly.rate': { text: '2' },
      'fixedPrice.minPrice': { text: ' 7 ' },
    });
    expect(answer).toMatchObject({ kind: 'errors', channel: CHANNEL });
    expect((await desk.draft(draft)).form).toMatchObject({
      hourly: { rate: '2' },
      fixedPrice: { minPrice: ' 7 ' },
    });
  });

  it('learns behind it what the list tells of an id that was typed', async () => {
    desk.state.senders = () => Promise.reject(new MarketplaceError('network', 'none', 'down'));
    const draft = await desk.open(changed(SMALLEST, { sender: { organizationId: '' } }), 'sender');
    desk.desk.clock.moveBy(61_000);
    desk.state.senders = async () => [SOLO];
    const { behind } = await desk.submit({ 'sender.organizationId': { text: '8' } });
    expect((await desk.draft(draft)).form.sender.type).toBe('unknown');
    await behind();
    expect((await desk.draft(draft)).form.sender.type).toBe('freelancer');
    expect(stepShown()).toBe('rates');
  });

  it('of somebody else, or of nobody, finds nothing and changes nothing', async () => {
    const draft = await desk.open(FREELANCER, 'rates');
    const { answer } = await desk.submit({ 'hourly.rate': { text: '99' } }, { by: ANA });
    expect(JSON.stringify(answer)).toContain(TEMPLATE_DRAFT_GONE.text);
    const forged = { ...desk.pressed(desk.lastId(), {}), privateMetadata: '{}' };
    expect(JSON.stringify((await desk.submit({}, { view: forged })).answer)).toContain(
      TEMPLATE_DRAFT_GONE.text,
    );
    expect((await desk.draft(draft)).form).toEqual(FREELANCER);
  });

  it('says so when all texts together are far beyond any template', async () => {
    const draft = await desk.open(FREELANCER, 'rates');
    const huge = changed(FREELANCER, { ai: { additionalContext: 'x'.repeat(1_999_940) } });
    await desk.save(draft, () => huge);
    const { answer } = await desk.submit({ 'hourly.rate': { text: '123456789012345' } });
    expect(JSON.stringify(answer)).toContain(TEMPLATE_TEXTS_TOO_LONG);
    expect((await desk.draft(draft)).form.hourly.rate).toBe('3');
    await desk.press(actionIds.templateStep, 'ai', { 'hourly.rate': { text: '123456789012345' } });
    expect(desk.told()).toEqual([{ text: TEMPLATE_TEXTS_TOO_LONG }]);
  });
});

describe('presses', () => {
  it('on a field that came up late lose nothing that was stored for it', async () => {
    const draft = await desk.open(FULL, 'rates');
    const before = desk.pressed(desk.lastId(), { 'hourly.mode': { option: 'smart' } });
    const fixed = changed(FULL, { hourly: { mode: 'fixed' } });
    await desk.save(draft, () => fixed);
    await desk.open(fixed, 'rates');
    expect(namesOf(desk.windowOf())).not.toContain('hourly.smartMin');
    await desk.submit({}, { view: before });
    expect((await desk.draft(draft)).form.hourly).toMatchObject({ smartMin: '30', smartMax: '60' });
  });

  it('that mean no step and no text are refused', async () => {
    await desk.open(FREELANCER, 'rates');
    for (const [id, value] of [
      [actionIds.templateStep, 'end'],
      [actionIds.templateStep, '__proto__'],
      [actionIds.templateMoreSpace, 'name'],
      [actionIds.templateAnswerMenu, 'remove:-1'],
      [actionIds.templateAnswerMenu, 'drop:1'],
    ] as const) {
      await desk.press(id, value);
      expect(desk.told()).toEqual([unknownButtonMessage()]);
    }
  });

  it('of somebody else find nothing', async () => {
    const draft = await desk.open(FREELANCER, 'rates');
    for (const id of [
      actionIds.templateStep,
      actionIds.templateChoice,
      actionIds.templateSenders,
      actionIds.templateCreateAgain,
      actionIds.templateAnswerAdd,
    ]) {
      await desk.press(id, 'ai', { 'hourly.rate': { text: '99' } }, { by: ANA });
      expect(desk.told()).toEqual([TEMPLATE_DRAFT_GONE]);
    }
    expect((await desk.draft(draft)).revision).toBe(draft.revision);
  });

  it('give a long text an input more, until there is room for whatever is legal', async () => {
    const draft = await desk.open(FREELANCER, 'letters');
    for (let count = 1; count < 8; count++) await desk.press(actionIds.templateMoreSpace, 'letters.variantA');
    expect(namesOf(desk.windowOf()).filter((name) => name.startsWith('letters.variantA'))).toHaveLength(5);
    const roomFor = valuesOf(desk.windowOf(), actionIds.templateMoreSpace);
    expect(roomFor).not.toContain('letters.variantA');
    expect(roomFor).toContain('letters.variantB');
    await desk.submit({ 'letters.variantA': { text: 'a ' }, 'letters.variantA~5': { text: ' b' } });
    expect((await desk.draft(draft)).form.letters.variantA).toBe('a  b');
  });

  it('take away a text that no window holds, after a question', async () => {
    const form = changed(FREELANCER, { ai: { clientQuestions: '字'.repeat(90_000) } });
    const draft = await desk.open(form, 'ai');
    expect(namesOf(desk.windowOf())).not.toContain('ai.clientQuestions');
    await desk.press(actionIds.templateMoreSpace, 'empty:ai.clientQuestions', { 'ai.model': { text: 'm' } });
    expect((await desk.draft(draft)).form.ai).toMatchObject({
      clientQuestions: '',
      model: 'm',
      instructions: 'I',
    });
    expect(namesOf(desk.windowOf())).toContain('ai.clientQuestions');
  });

  it('go on in the newest draft when it was sent meanwhile', async () => {
    await desk.open(FREELANCER, 'review');
    const review = desk.lastId();
    const { behind } = await desk.submit({}, { on: review });
    await behind();
    await desk.open(FREELANCER, 'rates');
    const created = desk.pressed(review, {});
    expect(created.privateMetadata).toContain('"step":"review"');
    await desk.press(actionIds.templateStep, 'rates', {}, { on: review });
    expect(desk.words(review)).toContain('#12');
  });
});

describe('closing', () => {
  it('keeps what Slack tells of it', async () => {
    const draft = await desk.open(FREELANCER, 'rates');
    await desk.close(filledIn(desk.windowOf(), { 'hourly.rate': { text: '55' } }));
    expect((await desk.draft(draft)).form.hourly.rate).toBe('55');
  });

  it('empties nothing where Slack tells nothing', async () => {
    const draft = await desk.open(FULL, 'rates');
    const menus = [...filledIn(desk.windowOf())].filter(([, { option }]) => option !== undefined);
    await desk.close(new Map());
    await desk.close(new Map(menus));
    expect((await desk.draft(draft)).form).toEqual(FULL);
  });
});

describe('Create template', () => {
  it('isn’t offered while something is missing, and sends nothing if pressed anyway', async () => {
    const draft = await desk.open(FREELANCER, 'review');
    const view = desk.pressed(desk.lastId(), {});
    await desk.save(draft, (form) => changed(form, { hourly: { rate: '' } }));
    const { behind } = await desk.submit({}, { view });
    await behind();
    expect(desk.words()).toMatchSnapshot();
    expect(desk.windowOf().submit).toBeUndefined();
    expect(desk.state.created).toEqual([]);
  });

  it('after an attempt without an answer asks first, and sends no more than once for one press', async () => {
    const create = desk.state.create;
    desk.state.create = () => Promise.reject(NO_ANSWER);
    const draft = await desk.open(FREELANCER, 'review');
    await (await desk.submit()).behind();
    expect(desk.words()).toMatchSnapshot();
    desk.state.create = create;
    const { form } = await desk.draft(draft);
    await desk.press(actionIds.templateStep, 'review', {});
    expect(desk.windowOf().submit).toBeUndefined();
    expect(offers(desk.windowOf(), actionIds.templateCreateAgain)).toBe(true);
    const on = desk.lastId();
    const pressed = desk.pressed(on, {});
    await desk.press(actionIds.templateCreateAgain, 'create');
    expect(desk.state.created).toHaveLength(2);
    desk.desk.views.push({
      how: 'update',
      id: on,
      view: { ...desk.windowOf(), private_metadata: pressed.privateMetadata },
    });
    await desk.press(actionIds.templateCreateAgain, 'create');
    expect(desk.state.created).toHaveLength(2);
    expect((await desk.draft(draft)).form).toEqual(form);
  });

  it('cannot be forced past the question', async () => {
    desk.state.create = () => Promise.reject(NO_ANSWER);
    const draft = await desk.open(FREELANCER, 'review');
    await (await desk.submit()).behind();
    const { revision } = await desk.draft(draft);
    const place = { ...placeOf(desk.windowOf()), revision };
    const forged = {
      ...desk.pressed(desk.lastId(), {}),
      callbackId: 'template',
      privateMetadata: JSON.stringify(place),
    };
    await (await desk.submit({}, { view: forged })).behind();
    expect(desk.state.created).toHaveLength(1);
  });
});
