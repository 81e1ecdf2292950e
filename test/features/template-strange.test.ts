/**
 * Odd marketplace answers and rejected modals during template building: it continues, or ends in a clear
 * sentence.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { type MarketplaceFaultEffect, presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { changed, SMALLEST } from '../templates/forms.ts';
import { asRead } from './as-read.ts';
import { press } from './bidder.ts';
import { buttonsOf } from './buttons.ts';
import {
  allShown,
  errorsInLog,
  expectDecent,
  expectDecentMessage,
  expectDecentView,
  expectHealthy,
  shownTo,
} from './healthy.ts';
import {
  addAnswer,
  asSeen,
  begin,
  blocksOf,
  choose,
  creates,
  draftsListed,
  fillIn,
  goTo,
  openAgain,
  pressFor,
  screen,
  startTemplateWorld,
  stepOf,
  submit,
  toStartFrom,
  words,
} from './template-play.ts';
import { type World, wordsOf } from './world.ts';

const CREATE = { method: 'POST', path: '/proposal-templates' };
const SENDERS = { path: '/proposal-senders' };
const FREELANCER = changed(SMALLEST, { sender: { organizationId: '8', type: 'freelancer' } });

const HOSTILE = [
  '<!channel> <https://evil.example|Create>',
  '\u202Egnp\u0000\u200B',
  '😀'.repeat(255),
  '`*_~|"\\',
  'x'.repeat(3_000),
  ' ',
] as const;

let world: World;
afterEach(async () => {
  allShown(world).forEach(expectDecentMessage);
  const view = world.slack.view('ben');
  if (view) expectDecentView(view);
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

const STRANGE: readonly (readonly [string, MarketplaceFaultEffect])[] = [
  ['a page of HTML', presetFaults.html(200)],
  ['an error page', presetFaults.html(502)],
  ['a list', presetFaults.wrongJson()],
  ['null', presetFaults.wrongJson(null)],
  ['nonsense', presetFaults.wrongJson({ data: [null, 1, 'x', { id: 'seven' }, { id: -4 }, {}] })],
  ['a refusal', presetFaults.status(403, 'No <!channel> plan')],
  ['a body cut off', { kind: 'break-body' }],
  ['a huge body', { kind: 'huge-body', bytes: 9_000_000 }],
];

describe('senders', () => {
  it.each(STRANGE)('that come as %s: ids are typed, and it is sent', async (_, effect) => {
    world = await startTemplateWorld();
    world.marketplace.injectFault(SENDERS, effect, 99);
    await begin(world);
    await world.pass(MINUTE);
    await submit(world, { name: 'N', 'sender.organizationId': '8' });
    await submit(world, { 'hourly.rate': '40' });
    await submit(world, { 'ai.instructions': 'x' });
    for (let step = 0; step < 3; step++) await submit(world);
    await world.pass(MINUTE);
    expect(creates(world)).toHaveLength(1);
    expect(words(world)).toContain(toStartFrom(world));
    expectHealthy(world);
  });

  it('of hostile names, and many more than a menu holds, are chosen from, or typed', async () => {
    world = await startTemplateWorld();
    for (let n = 0; n < 300; n++)
      world.marketplace.addOrganization({
        id: 1_000 + n,
        label: `${HOSTILE[n % HOSTILE.length]}`,
        type: n % 2 === 0 ? 'agency' : ('<!here>' as never),
        contractors: HOSTILE.map((name, at) => ({ uid: `${name}${at}${n}`, name })),
      });
    await begin(world);
    expect(blocksOf(screen(world), 'menu.organization')).toHaveLength(1);
    expect(words(world)).toMatch(/\b\d{3}\b/u);
    expect(words(world)).toContain('"value":"other"');
    await choose(world, 'menu.organization', '=1000');
    expectDecentView(screen(world));
    await choose(world, 'menu.organization', 'other');
    await submit(world, { name: 'N', 'sender.organizationId': '1299', 'sender.contractorUid': 'c' });
    expect(stepOf(world)).toBe('rates');
    expectHealthy(world);
  });

  it('that have no names at all can still be told apart', async () => {
    world = await startTemplateWorld();
    world.marketplace.injectFault(
      SENDERS,
      presetFaults.wrongJson({
        data: [{ organization_id: 7 }, { organization_id: 7 }, { organization_id: '8' }],
      }),
      9,
    );
    await begin(world);
    expect(words(world)).toMatch(/#7/u);
    expect(words(world)).toMatch(/#8/u);
    expectHealthy(world);
  });
});

describe('a template to start from', () => {
  it.each(STRANGE)('that comes as %s: a sentence says so, and no draft is left over', async (_, effect) => {
    world = await startTemplateWorld();
    world.marketplace.addTemplate({ id: 12 });
    world.marketplace.injectFault({ path: '/proposal-templates/*' }, effect, 99);
    await begin(world, 'template from 12');
    await world.pass(MINUTE);
    expectDecent(words(world));
    expect(blocksOf(screen(world), 'name')).toEqual([]);
    expect(asSeen(world)).toMatchSnapshot();
    await world.slack.closeView({ user: 'ben' });
    expect(await draftsListed(world)).toBe(0);
  });

  it('that is hostile and far too large opens, tells what stays behind, and can be put right', async () => {
    world = await startTemplateWorld();
    const long = 'Long & <b>. '.repeat(2_000);
    world.marketplace.addTemplate({
      id: 12,
      name: '😀'.repeat(400),
      visibility: 'private' as never,
      sender: { name: HOSTILE[0], type: '<!here>' as never, organization: HOSTILE[1] },
      answers: Array.from({ length: 70 }, (_, n) => ({
        question: `${HOSTILE[n % HOSTILE.length]}`,
        answer: long,
        match_type: (n % 3 === 0 ? 'sounds-like' : 'exact') as never,
      })),
      attachments: HOSTILE.map((name, n) => ({ uid: `a${n}`, name, mime_type: name, size_bytes: -1 })),
      cover_letters: { variant_a: long, variant_b: HOSTILE[0] },
    });
    await begin(world, 'template from 12');
    await world.pass(2 * SECOND);
    expectDecentView(screen(world));
    expect(words(world)).toMatch(/\b20\b.*\b50\b/u);
    for (const step of ['rates', 'ai', 'letters', 'answers', 'review']) {
      await goTo(world, step);
      expectDecentView(screen(world));
    }
    expect(screen(world).submit).toBeUndefined();
    expect(buttonsOf(screen(world), actionIds.templateStep).map(({ value }) => value)).toContainEqual(
      expect.stringMatching(/^!/u),
    );
    expectHealthy(world);
  });
});

describe('an answer to the template', () => {
  it.each<readonly [string, MarketplaceFaultEffect]>([
    ...STRANGE.filter(([what]) => what !== 'a refusal'),
    ['a template without an id', presetFaults.wrongJson({ data: { name: 'N' } })],
    ['a template with a wrong id', presetFaults.wrongJson({ data: { id: 'twelve' } })],
  ])('that is %s leaves open whether there is one, and nothing is repeated', async (_, effect) => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, FREELANCER);
    world.marketplace.injectFault(CREATE, effect);
    await submit(world);
    await world.pass(MINUTE);
    expect(asSeen(world)).toMatchSnapshot();
    await world.pass(HOUR);
    expect(creates(world)).toHaveLength(1);
    expectHealthy(world);
  });

  it.each([
    ['fields of nonsense', { error: 'Validation failed', fields: ['x', 1] }],
    [
      'fields that are no texts',
      { error: 'Validation failed', fields: { name: { a: 1 }, 'ai.model': null } },
    ],
    ['hostile fields', { error: HOSTILE[0], fields: { [HOSTILE[0]]: HOSTILE[0], name: HOSTILE[2] } }],
    [
      'a thousand fields',
      {
        error: 'Validation failed',
        fields: Object.fromEntries(
          Array.from({ length: 1_000 }, (_, n) => [`answers.${n}.x`, 'no'.repeat(99)]),
        ),
      },
    ],
    ['no words at all', {}],
  ])('that refuses with %s is told, and it can be sent again', async (_, json) => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, FREELANCER);
    world.marketplace.injectFault(CREATE, { kind: 'answer', status: 400, json });
    await submit(world);
    expectDecentView(screen(world));
    expect(words(world)).not.toContain('/gig template from');
    expect(words(world)).toContain(':no_entry_sign:');
    await openAgain(world);
    expectDecentView(screen(world));
    await goTo(world, 'review');
    await submit(world);
    expect(world.marketplace.templates()).toHaveLength(1);
    expectHealthy(world);
  });
});

describe('windows that Slack refuses', () => {
  it.each(['not_found', 'hash_conflict', 'internal_error'])(
    'to change (%s): nothing typed is lost, and what came of it is told all the same',
    async (error) => {
      world = await startTemplateWorld();
      await begin(world);
      await fillIn(world, FREELANCER);
      const fault = world.slack.injectFault('views.update', { kind: 'error', error }, 99);
      await submit(world);
      await world.pass(10 * SECOND);
      expect(creates(world)).toHaveLength(1);
      expect(shownTo(world, 'ben') + world.slack.ephemerals('ben').map(wordsOf).join()).toContain(
        toStartFrom(world),
      );
      fault.cancel();
    },
  );

  it.each(['expired_trigger_id', 'internal_error', 'view_too_large'])(
    'to open (%s): the person is told how to come back',
    async (error) => {
      world = await startTemplateWorld();
      world.marketplace.addTemplate({ id: 12, name: 'Calm' });
      for (const text of ['template new', 'template from 12']) {
        world.slack.injectFault('views.open', { kind: 'error', error });
        const said = await world.gig('web', text, 'ben');
        expect(asRead(world, said)).toMatchSnapshot();
      }
      world.slack.injectFault('views.push', { kind: 'error', error });
      await begin(world);
      await goTo(world, 'answers');
      const told = world.slack.ephemerals('ben').length;
      await pressFor(world, actionIds.templateAnswerAdd);
      expect(world.slack.viewStack('ben')).toHaveLength(1);
      const [said, ...more] = world.slack.ephemerals('ben').slice(told).map(wordsOf);
      expect(more).toEqual([]);
      expect(asRead(world, said ?? '')).toMatchSnapshot();
      // Each rejection is logged with its reference; there are no other errors.
      expect(errorsInLog(world).length).toBeLessThanOrEqual(3);
    },
  );

  it('to be told of anything at all: it is sent once, and stands as created', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, FREELANCER);
    const faulty = ['views.update', 'chat.postEphemeral', 'response_url'].map((method) =>
      world.slack.injectFault(method, { kind: 'error', error: 'internal_error' }, 99),
    );
    await submit(world);
    await world.pass(MINUTE);
    for (const fault of faulty) fault.cancel();
    await world.slack.closeView({ user: 'ben' });
    expect(creates(world)).toHaveLength(1);
    expect(await draftsListed(world)).toBe(0);
  });
});

describe('two windows on one draft', () => {
  it('of which one creates it: the other creates nothing and says what stands', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, FREELANCER);
    const first = screen(world);
    await world.gig('web', 'template drafts', 'ben');
    const list = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no list');
    await press(world, 'Continue', { message: list });
    await world.pass(2 * SECOND);
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await submit(world);
    await world.slack.submitView({ user: 'ben', view: first, asItWas: true });
    await world.pass(2 * SECOND);
    held.release();
    await world.pass(5 * SECOND);
    expect(creates(world)).toHaveLength(1);
    expect(world.marketplace.templates()).toHaveLength(1);
    expectHealthy(world);
  });

  it('of which one discards it while the other sends it: it is not discarded before its end', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, FREELANCER);
    await world.gig('web', 'template drafts', 'ben');
    const list = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no list');
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await submit(world);
    await press(world, 'Discard', { message: list });
    await world.pass(2 * SECOND);
    expect(await draftsListed(world)).toBe(0);
    expect(asRead(world, wordsOf(world.slack.ephemerals('ben', 'web').at(-1) ?? list))).toMatchSnapshot();
    held.release();
    await world.pass(5 * SECOND);
    expect(words(world)).toContain(toStartFrom(world));
    expect(creates(world)).toHaveLength(1);
    expectHealthy(world);
  });

  it('if one discards it while the other types, the other says so and keeps the typed text', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await world.gig('web', 'template drafts', 'ben');
    const list = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no list');
    await press(world, 'Discard', { message: list });
    await world.pass(2 * SECOND);
    const answer = await submit(world, { name: 'Typed', 'menu.organization': '=8' });
    expect(Object.values(answer.errors)).toMatchSnapshot();
    await press(world, 'Discard', { message: list }).catch(() => undefined);
    await world.pass(2 * SECOND);
    expectHealthy(world);
  });
});

it('fifty answers keep their number and their texts, however they are pressed about', async () => {
  world = await startTemplateWorld();
  world.slack.setRateLimits('off');
  await begin(world);
  await goTo(world, 'answers');
  for (let n = 0; n < 50; n++)
    await addAnswer(world, { question: `Q${n}?`, answer: `A${n}`, matchType: 'exact' });
  const list = screen(world);
  expect(buttonsOf(list, actionIds.templateAnswerAdd)).toEqual([]);
  for (const act of ['up', 'down', 'up', 'remove', 'up', 'down']) {
    const shown = screen(world);
    const presses = [3, 3, 7, 49, 0].flatMap((index) => {
      const row = shown.blocks.find((it) => it.block_id.startsWith(`answer:${index}`));
      const option = `${act}:${index}`;
      if (!row || !JSON.stringify(row).includes(`"${option}"`)) return [];
      const on = { view: shown, user: 'ben', actionId: 'template_answer_menu', option };
      return [world.slack.chooseOption({ ...on, blockId: row.block_id, force: true })];
    });
    await Promise.all(presses);
    await world.pass(5 * SECOND);
  }
  const questions = [...words(world).matchAll(/\*\d+\.\* (Q\d+)\?/gu)].map(([, word]) => word);
  expect(questions.length).toBe(49);
  expect(new Set(questions).size).toBe(questions.length);
  expect(words(world)).toContain('49 of 50');
  expectHealthy(world);
});

it('a name of 255 emoji is a name in every list, and on the template', async () => {
  world = await startTemplateWorld();
  const name = '👨‍👩‍👧‍👦'.repeat(36).slice(0, -8) + '😀'.repeat(7);
  await begin(world);
  await fillIn(world, changed(FREELANCER, { name: '😀'.repeat(255) }));
  await world.slack.closeView({ user: 'ben' });
  await world.gig('web', 'template drafts', 'ben');
  await begin(world);
  const refused = await submit(world, { name, 'menu.organization': '=8' });
  expect(JSON.stringify(refused.errors)).not.toContain('�');
  expect(blocksOf(screen(world), 'name').length + blocksOf(screen(world), 'hourly.rate').length).toBe(1);
  expectHealthy(world);
});

it('a press in a builder from before a crash goes on where it was', async () => {
  world = await startTemplateWorld();
  await begin(world);
  await choose(world, 'menu.organization', '=8', { name: 'Typed before' });
  const old = screen(world);
  await world.crash();
  await world.restart();
  await world.slack.submitView({ user: 'ben', view: old, asItWas: true });
  await world.pass(5 * SECOND);
  expect(stepOf(world)).toBe('rates');
  await goTo(world, 'sender');
  expect(words(world)).toContain('Typed before');
});

it('lists of drafts from before a crash resume and discard as they did, each once', async () => {
  world = await startTemplateWorld();
  for (const name of ['One', 'Two']) {
    await begin(world);
    await choose(world, 'menu.organization', '=8', { name });
    await world.slack.closeView({ user: 'ben' });
  }
  await world.gig('web', 'template drafts', 'ben');
  const list = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no list');
  await world.crash();
  await world.restart();
  await press(world, 'Continue', { message: list });
  await world.pass(2 * SECOND);
  expect(stepOf(world)).toBe('rates');
  await world.slack.closeView({ user: 'ben' });
  await Promise.all([press(world, 'Discard', { message: list }), press(world, 'Discard', { message: list })]);
  await world.pass(5 * SECOND);
  const left = await world.gig('web', 'template drafts', 'ben');
  expect(left).toContain('One');
  expect(left).not.toContain('Two');
  await press(world, 'Continue', { message: list }).catch(() => undefined);
  await world.pass(2 * SECOND);
  expect(world.slack.view('ben')).toBeUndefined();
  expect(errorsInLog(world)).toEqual([]);
});
