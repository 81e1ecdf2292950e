/** Pressing buttons and choosing from menus. */
import type { Json } from '../objects.ts';
import { textOf } from '../reading.ts';
import type { Choose, Filled, On, Press, PressAnswer } from '../simulated-slack.ts';
import { type Desk, interactionBase, sendToApp } from './desk.ts';
import { selection } from './filled-in.ts';
import { confirmOf, type Found, fillIn, findElement, knownTo, surfaceOf, whereabouts } from './surface.ts';

type Given = On & {
  readonly user: string;
  readonly actionId: string;
  readonly blockId?: string;
  readonly values?: Filled;
  readonly force?: boolean;
  readonly confirm?: 'accept' | 'deny';
};

/** The parts of an element that Slack repeats in the action. */
function repeated(element: Json): Json {
  const fields = ['text', 'value', 'style', 'url', 'placeholder', 'initial_option'];
  return Object.fromEntries(
    fields.filter((field) => field in element).map((field) => [field, element[field]]),
  );
}

async function act(
  desk: Desk,
  given: Given,
  type: string,
  chosen: (found: Found) => Json,
  fills: Filled,
): Promise<PressAnswer> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const surface = surfaceOf(site, given, user);
  const { actionId, blockId, force } = given;
  const found = findElement(surface, {
    actionId,
    type,
    ...(blockId === undefined ? {} : { blockId }),
    ...(force === undefined ? {} : { force }),
  });
  const confirm = confirmOf(found.element);
  if (confirm && given.confirm === 'deny') {
    const nothing = { acked: false, failure: undefined, body: undefined, status: undefined };
    return { ...nothing, triggerId: '', responseUrl: undefined, confirm, sent: false };
  }
  const picked = chosen(found);
  const state = fillIn(desk, surface, user, { ...given.values, ...(found.block ? fills : {}) });
  const where = whereabouts(site, surface, user, state);
  const triggerId = site.triggers.issue(user.id);
  const action = {
    type: found.element['type'],
    action_id: actionId,
    block_id: found.block?.block_id ?? blockId ?? 'forged',
    ...repeated(found.element),
    ...picked,
    action_ts: site.ids.ts(),
  };
  const payload = {
    ...interactionBase(site, 'block_actions', user, triggerId),
    ...where.fields,
    actions: [action],
  };
  const answer = await sendToApp(desk, 'interactive', payload, triggerId, where.responseUrl);
  return { ...answer, confirm, sent: true };
}

export function press(desk: Desk, given: Press): Promise<PressAnswer> {
  const chosen = ({ element, block }: Found): Json => {
    if (block && !textOf(element['type'])?.endsWith('button'))
      throw new Error(`"${given.actionId}" is a ${String(element['type'])}; use choose instead`);
    return given.value === undefined ? {} : { value: given.value };
  };
  return act(desk, given, 'button', chosen, {});
}

export function choose(desk: Desk, given: Choose): Promise<PressAnswer> {
  const user = desk.site.world.user(given.user);
  const chosen = ({ element, block }: Found): Json => {
    if (!block)
      return { selected_option: { text: { type: 'plain_text', text: '?' }, value: String(given.option) } };
    return selection(element, given.option, knownTo(desk, user));
  };
  const surface = surfaceOf(desk.site, given, user);
  const type = 'static_select';
  const { block, element } = findElement(surface, { ...given, force: true, type });
  // An overflow menu keeps no choice.
  const keeps = block !== undefined && element['type'] !== 'overflow';
  const fills = keeps ? { [`${block.block_id}.${given.actionId}`]: given.option } : {};
  return act(desk, given, type, chosen, fills);
}
