/** Failing templates: each ends in a clear sentence, none is created twice, no typed text is lost. */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { StorageError } from '../../src/storage/store.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { changed, FULL, longest, SMALLEST } from '../templates/forms.ts';
import { asRead, failureText } from './as-read.ts';
import { buttonsOf } from './buttons.ts';
import {
  asSeen,
  begin,
  creates,
  fillIn,
  goPutRight,
  goTo,
  openAgain,
  pressFor,
  pressOn,
  screen,
  standingIn,
  startTemplateWorld,
  stepOf,
  submit,
  toStartFrom,
  words,
} from './template-play.ts';
import { type World, wordsOf } from './world.ts';

const CREATE = { method: 'POST', path: '/proposal-templates' };
const FORM = changed(FULL, { letters: { variantA: longest(4_000), variantB: '' } });
const FREELANCER = changed(SMALLEST, { sender: { organizationId: '8', type: 'freelancer' } });

let world: World;
afterEach(() => world.stop());

async function filled(form = FORM): Promise<void> {
  world = await startTemplateWorld();
  await begin(world);
  await fillIn(world, form);
}

function invalid(fields: Record<string, string>) {
  return { kind: 'answer', status: 400, json: { error: 'Validation failed', fields } } as const;
}

describe('what the marketplace refuses', () => {
  it('comes back at its step and field, and is gone when that is changed', async () => {
    await filled();
    world.marketplace.injectFault(
      CREATE,
      invalid({
        'answers.0.answer': 'too bold',
        'hourly_rate.rate': 'must be lower <!channel>',
        'ai.model': 'unknown model',
        'moon.phase': 'must be full',
      }),
    );
    await submit(world);
    for (const said of ['too bold', 'must be lower', 'unknown model', 'moon.phase', 'must be full'])
      expect(words(world)).toContain(said);
    expect(words(world)).not.toContain('<!channel>');
    await openAgain(world);
    expect(stepOf(world)).toBe('rates');
    expect(words(world)).toContain('“must be lower');
    expect(words(world)).toContain('must be full');
    expect(asSeen(world)).toMatchSnapshot();
    await submit(world, { 'hourly.rate': '39' });
    expect(words(world)).toContain('“unknown model”');
    await submit(world, { 'ai.model': 'swift-1' });
    await goTo(world, 'review');
    expect(words(world).match(/too bold/gu)).toHaveLength(1);
    expect(asSeen(world)).toMatchSnapshot();
    await goPutRight(world, 'answers');
    expect(words(world)).toContain('“too bold”');
    await pressOn(world, 'Edit');
    expect(words(world)).toContain('“too bold”');
    await submit(world, { 'answers.answer': 'Shyly.' });
    expect(words(world)).not.toContain('too bold');
    await goTo(world, 'review');
    await submit(world);
    expect(creates(world)).toHaveLength(2);
    expect(world.marketplace.templates()).toMatchObject([
      { hourly_rate: { rate: 39 }, ai: { model: 'swift-1' }, cover_letters: { variant_a: longest(4_000) } },
    ]);
  });

  it('for an unknown model is what its own check says, too', async () => {
    await filled(changed(FREELANCER, { ai: { model: 'gpt-nonsense' } }));
    await submit(world);
    expect(words(world)).toContain('unknown model');
    await openAgain(world);
    expect(stepOf(world)).toBe('ai');
  });

  it.each([401, 403, 404])('with %s is told for what it is, and kept', async (status) => {
    await filled(FREELANCER);
    world.marketplace.injectFault(CREATE, presetFaults.status(status, 'No'));
    await submit(world);
    expect(asSeen(world)).toMatchSnapshot();
    await openAgain(world);
    expect(stepOf(world)).toBe('review');
    expect(asSeen(world)).toMatchSnapshot();
    await submit(world);
    expect(world.marketplace.templates()).toHaveLength(1);
  });
});

describe('no answer', () => {
  it.each([
    ['the connection broke after it was made', { kind: 'drop', when: 'after' }, 1],
    ['the connection broke before', { kind: 'drop', when: 'before' }, 0],
    ['a 500', presetFaults.status(500), 0],
  ] as const)('%s: said so, never repeated by itself, and only after a question', async (_, effect, made) => {
    await filled();
    world.marketplace.injectFault(CREATE, effect);
    await submit(world);
    expect(words(world)).not.toContain('/gig template from');
    expect(asSeen(world)).toMatchSnapshot();
    expect(world.marketplace.templates()).toHaveLength(made);
    await world.pass(HOUR);
    expect(creates(world)).toHaveLength(1);
    await openAgain(world);
    expect(screen(world).submit).toBeUndefined();
    expect(buttonsOf(screen(world), actionIds.templateCreateAgain)).toHaveLength(1);
    expect(asSeen(world)).toMatchSnapshot();
    await pressFor(world, actionIds.templateCreateAgain, { confirm: 'deny' });
    expect(creates(world)).toHaveLength(1);
    await pressFor(world, actionIds.templateCreateAgain, { confirm: 'accept' });
    expect(creates(world)).toHaveLength(2);
    expect(creates(world)[1]?.body).toEqual(creates(world)[0]?.body);
    expect(words(world)).toContain(toStartFrom(world));
  });

  it('leaves the question open if the next attempt is refused: that says nothing about it', async () => {
    await filled(FREELANCER);
    world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'after' });
    await submit(world);
    await openAgain(world);
    world.marketplace.injectFault(CREATE, presetFaults.status(403, 'Not on your plan'));
    await pressFor(world, actionIds.templateCreateAgain, { confirm: 'accept' });
    expect(words(world)).toContain('Not on your plan');
    const drafts = await world.gig('web', 'template drafts', 'ben');
    expect(drafts).toContain('Not on your plan');
    expect([asSeen(world), asRead(world, drafts)]).toMatchSnapshot();
    await openAgain(world);
    expect(screen(world).submit).toBeUndefined();
    expect(buttonsOf(screen(world), actionIds.templateCreateAgain)).toHaveLength(1);
    expect(asSeen(world)).toMatchSnapshot();
    await pressFor(world, actionIds.templateCreateAgain, { confirm: 'deny' });
    expect(world.marketplace.templates()).toHaveLength(1);
    await pressFor(world, actionIds.templateCreateAgain, { confirm: 'accept' });
    expect(words(world)).toContain(toStartFrom(world));
    expect(creates(world)).toHaveLength(3);
  });

  it('is told to whoever has closed the form meanwhile', async () => {
    await filled(FREELANCER);
    const fault = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await submit(world);
    expect(words(world)).not.toContain('/gig template from');
    expect(asSeen(world)).toMatchSnapshot();
    await world.slack.closeView({ user: 'ben' });
    fault.release();
    await world.pass(2 * SECOND);
    expect(world.slack.ephemerals('ben', 'web').map(wordsOf).join('\n')).toContain(toStartFrom(world));
  });
});

describe('more than one press', () => {
  it('a double click makes one template', async () => {
    await filled(FREELANCER);
    const view = screen(world);
    await Promise.all([
      world.slack.submitView({ user: 'ben', view }),
      world.slack.submitView({ user: 'ben', view, asItWas: true }),
    ]);
    await world.pass(5 * SECOND);
    expect(creates(world)).toHaveLength(1);
    expect(world.marketplace.templates()).toHaveLength(1);
    expect(words(world)).toContain(toStartFrom(world));
  });

  it('a review that is not the newest any more creates nothing', async () => {
    await filled(FREELANCER);
    const old = screen(world);
    await goTo(world, 'rates');
    await submit(world, { 'hourly.rate': '77' });
    await world.slack.submitView({ user: 'ben', view: old, asItWas: true });
    await world.pass(2 * SECOND);
    expect(creates(world)).toEqual([]);
    expect(asSeen(world)).toMatchSnapshot();
    await openAgain(world);
    expect(words(world)).toContain('$77');
    await submit(world);
    expect(world.marketplace.templates()).toMatchObject([{ hourly_rate: { rate: 77 } }]);
  });

  it('one that is created already is not created again from another window', async () => {
    await filled(FREELANCER);
    const old = screen(world);
    await submit(world);
    await world.slack.submitView({ user: 'ben', view: old, asItWas: true });
    await world.pass(2 * SECOND);
    expect(creates(world)).toHaveLength(1);
    expect(words(world)).toContain(toStartFrom(world));
  });
});

/** Resumes the only draft from the list. */
async function resume(): Promise<void> {
  await world.gig('web', 'template drafts', 'ben');
  const list = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no list');
  const open = findPressable(list, 'Open') ?? findPressable(list, 'Continue') ?? expect.fail(wordsOf(list));
  if (open.kind !== 'button') expect.fail('no button');
  const { actionId, blockId, value } = open;
  await world.slack.press({ message: list, user: 'ben', actionId, blockId, value });
  await world.pass(2 * SECOND);
}

describe('a draft', () => {
  it('outlives the closed form, with all that was typed by the last press', async () => {
    await filled();
    await world.slack.closeView({ user: 'ben' });
    await resume();
    expect(stepOf(world)).toBe('review');
    await goTo(world, 'letters');
    expect(standingIn(screen(world), 'letters.variantA')).toBe(longest(4_000));
  });

  it('outlives a crash, and is created after it exactly as it was typed', async () => {
    await filled();
    await world.crash();
    await world.restart();
    await world.pass(SECOND);
    await submit(world);
    expect(world.marketplace.templates()).toMatchObject([
      {
        name: 'N',
        cover_letters: { variant_a: longest(4_000), variant_b: null },
        answers: [{ question: 'Why?' }],
      },
    ]);
  });

  it('whose request was under way in a crash is not sent again, and says that nobody knows', async () => {
    await filled();
    const fault = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await submit(world);
    await world.crash();
    fault.release();
    await world.restart();
    await world.pass(MINUTE);
    expect(creates(world)).toHaveLength(1);
    await resume();
    expect(buttonsOf(screen(world), actionIds.templateCreateAgain)).toHaveLength(1);
    expect(creates(world)).toHaveLength(1);
  });

  it('is there when Slack opened no form, and the person is told how to come back', async () => {
    world = await startTemplateWorld();
    world.slack.injectFault('views.open', { kind: 'error', error: 'expired_trigger_id' });
    expect(await world.gig('web', 'template new', 'ben')).toContain('/gig template drafts');
    expect(world.slack.view('ben')).toBeUndefined();
    await resume();
    expect(stepOf(world)).toBe('sender');
  });

  it('is not sent while the disk takes nothing, and loses nothing', async () => {
    await filled(FREELANCER);
    world.room.full = true;
    await submit(world);
    expect(words(world)).toContain(failureText(new StorageError('full', 'no room')));
    expect(creates(world)).toEqual([]);
    world.room.full = false;
    await openAgain(world);
    await submit(world);
    expect(world.marketplace.templates()).toHaveLength(1);
  });
});
