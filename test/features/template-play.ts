/** User actions in the template builder: open the form, fill in a step, go forward and back, create. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { parseBuilderMetadata } from '../../src/slack/templates/template-values.ts';
import type { TemplateForm, TemplateStep } from '../../src/templates/form.ts';
import { objectOrEmpty, stringOrUndefined } from '../../src/workbench/slack/json-reading.ts';
import type { InputValues, SlackView, SubmitResult } from '../../src/workbench/slack/simulated-slack.ts';
import { viewAsRead } from './as-read.ts';
import { grant, press, viewOf, wordsOfView } from './bidder.ts';
import { buttonsOf } from './buttons.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/** An agency with a contractor, a freelancer, and ben, who may build templates. */
export async function startTemplateWorld(options: WorldOptions = {}): Promise<World> {
  const world = await startWorld(options);
  const contractors = [
    { uid: 'c-1', name: 'Ana' },
    { uid: 'c-2', name: 'Ola' },
  ];
  world.marketplace.addOrganization({ id: 7, label: 'Studio', type: 'agency', contractors });
  world.marketplace.addOrganization({ id: 8, label: 'Ben alone', type: 'freelancer', contractors: [] });
  await grant(world, ['ben']);
  return world;
}

/** Ben's open view. */
export function screen(world: World): SlackView {
  return viewOf(world, 'ben');
}

export function words(world: World): string {
  return wordsOfView(screen(world));
}

export async function begin(world: World, text = 'template new'): Promise<SlackView> {
  await world.gig('web', text, 'ben');
  await world.pass(SECOND);
  return screen(world);
}

/** The input blocks on the screen: one per field, and one per part of a long text. */
export function blocksOf(view: SlackView, name: string): string[] {
  const ids = view.blocks.filter((block) => block.type === 'input').map((block) => block.block_id);
  return ids.filter((id) => id.startsWith(`${name}:`));
}

export function blockOf(view: SlackView, name: string): string {
  const [id] = blocksOf(view, name);
  return id ?? expect.fail(`no input ${name} in ${wordsOfView(view)}`);
}

/** A field's initial value, with all its parts joined. */
export function standingIn(view: SlackView, name: string): string {
  const ids = blocksOf(view, name);
  const blocks = view.blocks.filter((block) => ids.includes(block.block_id));
  return blocks
    .map((block) => stringOrUndefined(objectOrEmpty(block['element'])['initial_value']) ?? '')
    .join('');
}

/** Splits a text into parts that fit an input, without cutting a character. */
export function partsOf(text: string): string[] {
  const parts = [''];
  for (const sign of text) {
    const last = parts.at(-1) ?? '';
    if (last.length + sign.length > 3_000) parts.push(sign);
    else parts[parts.length - 1] = last + sign;
  }
  return parts;
}

/** By field; a text too long for one input is typed into several. */
function inBlocks(view: SlackView, values: InputValues): InputValues {
  const typed = Object.entries(values).flatMap(([name, value]): [string, InputValues[string]][] => {
    const ids = blocksOf(view, name);
    if (ids.length === 0) expect.fail(`no input ${name} in ${wordsOfView(view)}`);
    if (typeof value !== 'string' || value.length <= 3_000) return [[ids[0] ?? '', value]];
    const parts = partsOf(value);
    if (parts.length > ids.length) expect.fail(`${name} needs ${parts.length} inputs, and has ${ids.length}`);
    return parts.map((part, index) => [ids[index] ?? '', part]);
  });
  return Object.fromEntries(typed);
}

/** Presses Next, Save or Create template. */
export async function submit(world: World, values: InputValues = {}): Promise<SubmitResult> {
  const view = screen(world);
  const answer = await world.slack.submitView({ user: 'ben', view, values: inBlocks(view, values) });
  await world.pass(2 * SECOND);
  return answer;
}

/** Makes a choice that changes the fields, with the input so far. */
export async function choose(
  world: World,
  name: string,
  option: string,
  typed: InputValues = {},
): Promise<void> {
  const view = screen(world);
  await world.slack.chooseOption({
    view,
    user: 'ben',
    actionId: 'template_choice',
    blockId: blockOf(view, name),
    option,
    values: inBlocks(view, typed),
  });
  await world.pass(2 * SECOND);
}

/** Presses a button or chooses a menu option with this prefix. */
export async function pressOn(world: World, label: string, confirm?: 'accept' | 'deny'): Promise<void> {
  await press(world, label, { view: screen(world) }, 'ben', confirm);
  await world.pass(2 * SECOND);
}

/** Presses the action's button; `value` picks one of several. */
export async function pressFor(
  world: World,
  actionId: string,
  { value, confirm }: { readonly value?: string; readonly confirm?: 'accept' | 'deny' } = {},
): Promise<void> {
  const view = screen(world);
  const all = buttonsOf(view, actionId);
  const found = value === undefined ? all[0] : all.find((it) => it.value === value);
  if (!found) expect.fail(`nothing does ${actionId} ${value ?? ''} on ${wordsOfView(view)}`);
  const at = { view, user: 'ben', actionId, blockId: found.blockId, value: found.value };
  await world.slack.press({ ...at, ...(confirm ? { confirm } : {}) });
  await world.pass(2 * SECOND);
}

/** From a notice back into the form. */
export function openAgain(world: World): Promise<void> {
  return pressFor(world, actionIds.templateOpen);
}

/** The form's current step. */
export function stepOf(world: World): TemplateStep | undefined {
  return parseBuilderMetadata(screen(world).privateMetadata)?.step;
}

export function asSeen(world: World): string {
  return viewAsRead(world, screen(world));
}

/** The command to start from the newest template; only the message about its creation shows it. */
export function toStartFrom(world: World): string {
  const { id } = world.marketplace.templates().at(-1) ?? expect.fail('there is no template');
  return `/gig template from ${id}`;
}

/** Ben's drafts, as offered for discarding. */
export async function draftsListed(world: World): Promise<number> {
  await world.gig('web', 'template drafts', 'ben');
  const list = world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no list');
  return buttonsOf(list, actionIds.templateDiscard).length;
}

/** Chooses a step in the menu. */
export async function goTo(world: World, step: string, typed: InputValues = {}): Promise<void> {
  const view = screen(world);
  const block = view.blocks.find((it) => it.block_id.startsWith('steps:')) ?? expect.fail('no menu of steps');
  await world.slack.chooseOption({
    view,
    user: 'ben',
    actionId: 'template_step',
    blockId: block.block_id,
    option: step,
    values: inBlocks(view, typed),
  });
  await world.pass(2 * SECOND);
}

/** As many inputs as a long text needs. */
async function makeRoom(world: World, name: string, text: string): Promise<void> {
  while (blocksOf(screen(world), name).length < partsOf(text).length)
    await pressFor(world, actionIds.templateMoreSpace, { value: name });
}

export async function addAnswer(
  world: World,
  answer: TemplateForm['answers'][number],
): Promise<SubmitResult> {
  await pressFor(world, actionIds.templateAnswerAdd);
  await makeRoom(world, 'answers.answer', answer.answer);
  return submit(world, {
    'answers.question': answer.question,
    'answers.answer': answer.answer,
    'answers.matchType': answer.matchType,
  });
}

/** Fills in all steps of an open form, up to the review. */
export async function fillIn(world: World, form: TemplateForm): Promise<void> {
  const { sender, hourly, fixedPrice, ai, letters } = form;
  await choose(world, 'menu.organization', `=${sender.organizationId}`, { name: form.name });
  if (sender.contractorUid !== '') await choose(world, 'menu.contractor', `=${sender.contractorUid}`);
  await submit(world, { visibility: form.visibility });
  if (hourly.mode === 'smart') await choose(world, 'hourly.mode', 'smart');
  if (hourly.increaseFrequency !== 'never')
    await choose(world, 'hourly.increaseFrequency', hourly.increaseFrequency);
  if (fixedPrice.type !== 'by-job-terms') await choose(world, 'fixedPrice.type', fixedPrice.type);
  const rates = {
    'hourly.rate': hourly.rate,
    'hourly.smartMin': hourly.smartMin,
    'hourly.smartMax': hourly.smartMax,
    'hourly.smartPercent': hourly.smartPercent,
    'hourly.increasePercent': hourly.increasePercent,
    'fixedPrice.price': fixedPrice.price,
    'fixedPrice.minPrice': fixedPrice.minPrice,
    'fixedPrice.clientBudgetPercent': fixedPrice.clientBudgetPercent,
  };
  await submit(world, Object.fromEntries(Object.entries(rates).filter(([, typed]) => typed !== '')));
  await makeRoom(world, 'ai.instructions', ai.instructions);
  await makeRoom(world, 'ai.clientQuestions', ai.clientQuestions);
  await makeRoom(world, 'ai.additionalContext', ai.additionalContext);
  await submit(world, {
    'ai.model': ai.model,
    'ai.instructions': ai.instructions,
    'ai.clientQuestions': ai.clientQuestions,
    'ai.additionalContext': ai.additionalContext,
    'ai.templateStructure': ai.templateStructure ? ['on'] : [],
  });
  if (ai.templateStructure) {
    await makeRoom(world, 'letters.variantA', letters.variantA);
    await makeRoom(world, 'letters.variantB', letters.variantB);
    await submit(world, {
      abTesting: form.abTesting ? ['on'] : [],
      'letters.variantA': letters.variantA,
      'letters.variantB': letters.variantB,
    });
  } else {
    await submit(world);
  }
  for (const answer of form.answers) await addAnswer(world, answer);
  await submit(world);
}

/** Requests for a template, as the marketplace received them. */
export function creates(world: World) {
  return world.marketplace
    .requests()
    .filter((it) => it.method === 'POST' && it.path === '/proposal-templates');
}
