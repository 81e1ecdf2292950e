/** Building a proposal template, from the command to the marketplace, as people see it in Slack. */
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { TEMPLATE_ANSWERS_CHANGED } from '../../src/slack/templates/template-outcome.ts';
import type { TemplateForm } from '../../src/templates/form.ts';
import { changed, FULL, LARGEST, requestBodyOf, SMALLEST } from '../templates/forms.ts';
import { refusalFor } from './as-read.ts';
import { grant, viewOf } from './bidder.ts';
import { buttonsOf } from './buttons.ts';
import {
  addAnswer,
  asSeen,
  begin,
  blockOf,
  blocksOf,
  choose,
  creates,
  errorsOf,
  fillIn,
  goPutRight,
  goTo,
  pressFor,
  pressOn,
  screen,
  startTemplateWorld,
  stepOf,
  submit,
  toStartFrom,
  words,
} from './template-play.ts';
import type { World } from './world.ts';

let world: World;
afterEach(() => world.stop());

const FREELANCER = changed(SMALLEST, { sender: { organizationId: '8', type: 'freelancer' } });

describe('a template', () => {
  it('of minimal size reaches the marketplace exactly, and its author sees what to do next', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, FREELANCER);
    expect(screen(world).submit).toBe('Create Template');
    await submit(world);
    expect(creates(world).map(({ body }) => body)).toEqual([requestBodyOf(FREELANCER)]);
    const [template, ...more] = world.marketplace.templates();
    expect(more).toEqual([]);
    expect(template).toMatchObject({ name: 'N', sender: { name: 'Ben alone', type: 'freelancer' } });
    const told = words(world);
    expect(told).toContain(`#${template?.id}`);
    expect(told).toContain('Ben alone');
    expect(told).toContain('$3');
    expect(told).toContain(`/gig template from ${template?.id}`);
    expect(world.slack.failedCalls()).toEqual([]);
  });

  it('with every field and 50 answers at maximum length reaches the marketplace exactly', async () => {
    // A name is one line in Slack.
    const form = changed(LARGEST, { name: '😀'.repeat(255) });
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, form);
    expect(buttonsOf(screen(world), actionIds.templateStep).map(({ value }) => value)).not.toContainEqual(
      expect.stringMatching(/^!/u),
    );
    await submit(world);
    expect(creates(world)).toHaveLength(1);
    expect(creates(world)[0]?.body).toEqual(requestBodyOf(form));
    expect(world.marketplace.templates()).toHaveLength(1);
    expect(words(world)).toContain(toStartFrom(world));
    expect(world.slack.failedCalls()).toEqual([]);
  });

  it('can be started from another, whose flexible rates become a choice', async () => {
    world = await startTemplateWorld();
    await begin(world);
    const from = world.marketplace.addTemplate({
      name: 'Calm',
      hourly_rate: {
        mode: 'flexible',
        rate: 40,
        smart_rate_min: null,
        smart_rate_max: null,
        smart_rate_percent: null,
        rules_count: 3,
        increase_percent: null,
        increase_frequency: 'never',
      },
      answers: [{ question: ' Why?\r\n', answer: 'Because.', match_type: 'contains' }],
    });
    await begin(world, `template from ${from.id}`);
    await world.pass(SECOND);
    expect(asSeen(world)).toMatchSnapshot();
    await choose(world, 'menu.organization', '=7');
    await choose(world, 'menu.contractor', '=c-2');
    await submit(world);
    expect(asSeen(world)).toMatchSnapshot();
    expect(Object.keys(errorsOf(await submit(world, { 'hourly.mode': null })))).toEqual(['hourly.mode']);
    await submit(world, { 'hourly.mode': 'fixed' });
    for (let step = 0; step < 3; step++) await submit(world);
    await submit(world);
    expect(world.marketplace.templates()).toHaveLength(2);
    expect(creates(world)[0]?.body).toMatchObject({
      name: 'Calm',
      sender: { organization_id: 7, contractor_uid: 'c-2' },
      hourly_rate: { mode: 'fixed', rate: 40 },
      answers: [{ question: ' Why?\r\n', answer: 'Because.', match_type: 'contains' }],
    });
  });
});

describe('the steps', () => {
  it('go back and forth without a loss, with what no choice asks for just now', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await goTo(world, 'rates', { name: 'Typed' });
    await choose(world, 'hourly.mode', 'smart', { 'hourly.rate': '40' });
    await goTo(world, 'ai', { 'hourly.smartMin': '30', 'hourly.smartMax': '60' });
    await pressOn(world, 'Back');
    expect(words(world)).toContain('"initial_value":"60"');
    await choose(world, 'hourly.mode', 'fixed');
    expect(blocksOf(screen(world), 'hourly.smartMin')).toEqual([]);
    await choose(world, 'hourly.mode', 'smart');
    expect(words(world)).toContain('"initial_value":"30"');
    await goTo(world, 'sender');
    expect(words(world)).toContain('"initial_value":"Typed"');
  });

  it('keep what is typed while a press is carried out', async () => {
    world = await startTemplateWorld();
    const view = await begin(world);
    await choose(world, 'menu.organization', '=7', { name: 'First' });
    expect(blockOf(screen(world), 'name')).toBe(blockOf(view, 'name'));
    expect(blocksOf(screen(world), 'menu.contractor')).toHaveLength(1);
  });

  it.each<[string, TemplateForm, string, Record<string, string | null | readonly string[]>, string[]]>([
    [
      'sender',
      FREELANCER,
      'sender',
      { name: ' \u200b ', 'menu.organization': 'other' },
      ['menu.organization', 'name'],
    ],
    ['name of 256', FREELANCER, 'sender', { name: '😀'.repeat(256) }, ['name']],
    [
      'rates',
      changed(FULL, { sender: { organizationId: '8', contractorUid: '', type: 'freelancer' } }),
      'rates',
      {
        'hourly.rate': '2.99',
        'hourly.smartMin': '70',
        'hourly.smartMax': '60',
        'hourly.smartPercent': '101',
        'hourly.increasePercent': '-1',
        'fixedPrice.minPrice': '4',
        'fixedPrice.clientBudgetPercent': '1001',
      },
      [
        'hourly.rate',
        'hourly.smartMin',
        'hourly.smartPercent',
        'hourly.increasePercent',
        'fixedPrice.minPrice',
        'fixedPrice.clientBudgetPercent',
      ],
    ],
    ['instructions of blanks', FREELANCER, 'ai', { 'ai.instructions': ' \n ' }, ['ai.instructions']],
  ])('say every mistake at its field: %s', async (_, form, step, typed, fields) => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, form);
    await goTo(world, step);
    const answer = await submit(world, typed);
    expect(answer.action).toBe('errors');
    expect(Object.keys(errorsOf(answer)).sort()).toEqual([...fields].sort());
    expect(creates(world)).toEqual([]);
  });

  it('accept 10,000 characters and refuse one more, at the field and in the review', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await fillIn(world, changed(FREELANCER, { ai: { instructions: '😀'.repeat(10_000) } }));
    expect(words(world)).toMatch(/\b10,000\b/u);
    await goTo(world, 'ai');
    expect(words(world)).toContain('10,000 of 10,000');
    const [first = ''] = blocksOf(screen(world), 'ai.instructions');
    const long = await world.slack.submitView({ user: 'ben', values: { [first]: 'x'.repeat(3_000) } });
    expect(Object.values(long.errors).join()).toMatch(/11,500.*1,500.*10,000/u);
    await goTo(world, 'review');
    expect(words(world)).toContain('11,500');
    expect(screen(world).submit).toBeUndefined();
    await goPutRight(world, 'ai');
    expect(words(world)).toMatch(/1,500.*10,000/u);
  });

  it('tell in the review what is missing, and lead there', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await goTo(world, 'review');
    expect(screen(world).submit).toBeUndefined();
    expect(asSeen(world)).toMatchSnapshot();
    await goPutRight(world, 'rates');
    expect(asSeen(world)).toMatchSnapshot();
    await submit(world, { 'hourly.rate': '40' });
    expect(stepOf(world)).toBe('ai');
  });
});

describe('the sender', () => {
  it('is typed where the list cannot be read, and read again on a press', async () => {
    world = await startTemplateWorld();
    const fault = world.marketplace.injectFault(
      { path: '/proposal-senders' },
      { kind: 'answer', status: 404, json: { error: 'No route' } },
    );
    await begin(world);
    expect(words(world)).toContain('organization_id');
    const answer = await submit(world, {
      name: 'N',
      'sender.organizationId': '7',
      'sender.contractorUid': 'c-1',
    });
    expect(answer.action).toBe('update');
    await pressOn(world, 'Back');
    fault.cancel();
    await world.pass(61 * SECOND);
    await pressFor(world, actionIds.templateSenders);
    expect(blocksOf(screen(world), 'menu.organization')).toHaveLength(1);
    expect(words(world)).toContain('"value":"=c-1"');
  });

  it('does not keep anybody waiting: the form opens at once and the list comes behind', async () => {
    world = await startTemplateWorld();
    const fault = world.marketplace.injectFault({ path: '/proposal-senders' }, { kind: 'hold-headers' });
    await world.gig('web', 'template new', 'ben');
    expect(blocksOf(screen(world), 'menu.organization')).toEqual([]);
    expect(words(world)).toContain(':hourglass_flowing_sand:');
    const name = blockOf(screen(world), 'name');
    fault.release();
    await world.pass(SECOND);
    expect(blocksOf(screen(world), 'menu.organization')).toHaveLength(1);
    expect(blockOf(screen(world), 'name')).toBe(name);
  });
});

describe('answers', () => {
  it('are edited, moved and removed, one press at a time', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await goTo(world, 'answers');
    for (const question of ['One?', 'Two?', 'Three?'])
      await addAnswer(world, { question, answer: `${question} Yes.`, matchType: 'contains' });
    const list = screen(world);
    const rows = () => [...words(world).matchAll(/\*\d+\.\* (\w+)\?/gu)].map(([, word]) => word);
    expect(rows()).toEqual(['One', 'Two', 'Three']);
    const row = list.blocks.find((block) => block.block_id.startsWith('answer:2')) ?? expect.fail('no row');
    const up = {
      view: list,
      user: 'ben',
      actionId: 'template_answer_menu',
      blockId: row.block_id,
      option: 'up:2',
    };
    await world.slack.chooseOption(up);
    await world.slack.chooseOption({ ...up, force: true });
    await world.pass(2 * SECOND);
    expect(rows()).toEqual(['One', 'Three', 'Two']);
    expect(words(world)).toContain(TEMPLATE_ANSWERS_CHANGED);
    await pressOn(world, 'Edit');
    await submit(world, { 'answers.question': 'Uno?' });
    expect(rows()).toEqual(['Uno', 'Three', 'Two']);
    await pressOn(world, 'Remove');
    expect(rows()).toEqual(['Three', 'Two']);
    await submit(world);
    expect(stepOf(world)).toBe('review');
  });

  it('with mistakes are kept, and say what is wrong in their window and on the list', async () => {
    world = await startTemplateWorld();
    await begin(world);
    await goTo(world, 'answers');
    await addAnswer(world, { question: '😀'.repeat(501), answer: ' ', matchType: 'exact' });
    expect(words(world)).toMatch(/\b501\b.*\b1\b.*\b500\b/u);
    expect(asSeen(world)).toMatchSnapshot();
    expect(world.slack.viewStack('ben')).toHaveLength(2);
    await world.slack.closeView({ user: 'ben' });
    expect(words(world)).toMatch(/\b501\b.*\b1\b.*\b500\b/u);
    await submit(world);
    expect(stepOf(world)).toBe('answers');
    await pressOn(world, 'Edit');
    await submit(world, { 'answers.question': 'Why?', 'answers.answer': 'Because.' });
    await submit(world);
    expect(stepOf(world)).toBe('review');
  });
});

it('a form stays its person’s own, whatever is forged', async () => {
  world = await startTemplateWorld();
  await begin(world);
  await goTo(world, 'rates');
  const bens = screen(world).privateMetadata;
  await world.gig('web', 'template new', 'ada');
  await world.pass(SECOND);
  const adas = viewOf(world, 'ada');
  const values = { [blockOf(adas, 'name')]: 'Stolen', [blockOf(adas, 'menu.organization')]: '=8' };
  for (const forgedMetadata of [bens, '', '{"draft":"x"}', 'x'.repeat(2_999)]) {
    const answer = await world.slack.submitView({ user: 'ada', values, forgedMetadata });
    expect(answer.acked).toBe(true);
    await world.pass(SECOND);
    expect(Object.values(answer.errors)).toMatchSnapshot();
  }
  await pressOn(world, 'Back');
  expect(words(world)).not.toContain('Stolen');
});

it('a viewer is refused and can ask for the role', async () => {
  world = await startTemplateWorld();
  world.slack.addUser({ name: 'cem' });
  world.slack.invite('web', 'cem');
  expect(await world.gig('web', 'template new', 'cem')).toContain(refusalFor('bidder'));
  expect(world.slack.view('cem')).toBeUndefined();
});

it('a bidder whose role was taken away while the form was open goes no further, and is told', async () => {
  world = await startTemplateWorld();
  await begin(world);
  await fillIn(world, FREELANCER);
  await grant(world, []);
  await pressOn(world, 'Back');
  expect(stepOf(world)).toBe('review');
  await submit(world);
  expect(words(world)).toContain(refusalFor('bidder'));
  expect(creates(world)).toEqual([]);
});
