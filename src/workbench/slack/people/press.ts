/** Pressing buttons and choosing from menus. */

import { stringOrUndefined } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import type {
  ElementPressInput,
  InputValues,
  OptionChoiceInput,
  PressResult,
  UserActionTarget,
} from '../simulated-slack.ts';
import { selectedValueFields } from './input-state.ts';
import {
  createSuggestedOptionsAndFiles,
  type FoundElement,
  findElement,
  interactionOriginPayload,
  parseConfirmationTexts,
  resolveActionSurface,
  updateInputState,
} from './surface.ts';
import { baseInteractionPayload, sendRequestToApp, type UserActionContext } from './user-action-context.ts';

type Given = UserActionTarget & {
  readonly user: string;
  readonly actionId: string;
  readonly blockId?: string;
  readonly values?: InputValues;
  readonly force?: boolean;
  readonly confirm?: 'accept' | 'deny';
};

/** The fields of an element that Slack repeats in the action. */
function repeated(element: JsonObject): JsonObject {
  const fields = ['text', 'value', 'style', 'url', 'placeholder', 'initial_option'];
  return Object.fromEntries(
    fields.filter((field) => field in element).map((field) => [field, element[field]]),
  );
}

async function act(
  desk: UserActionContext,
  given: Given,
  type: string,
  chosen: (found: FoundElement) => JsonObject,
  fills: InputValues,
): Promise<PressResult> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const surface = resolveActionSurface(site, given, user);
  const { actionId, blockId, force } = given;
  const found = findElement(surface, {
    actionId,
    type,
    ...(blockId === undefined ? {} : { blockId }),
    ...(force === undefined ? {} : { force }),
  });
  const confirm = parseConfirmationTexts(found.element);
  if (confirm && given.confirm === 'deny') {
    const nothing = { acked: false, failure: undefined, body: undefined, status: undefined };
    return { ...nothing, triggerId: '', responseUrl: undefined, confirm, sent: false };
  }
  const picked = chosen(found);
  const state = updateInputState(desk, surface, user, { ...given.values, ...(found.block ? fills : {}) });
  const where = interactionOriginPayload(site, surface, user, state);
  const triggerId = site.triggers.issue(user.id);
  const action = {
    type: found.element['type'],
    action_id: actionId,
    block_id: found.block?.block_id ?? blockId ?? 'forged',
    ...repeated(found.element),
    ...picked,
    action_ts: site.ids.nextTs(),
  };
  const payload = {
    ...baseInteractionPayload(site, 'block_actions', user, triggerId),
    ...where.fields,
    actions: [action],
  };
  const answer = await sendRequestToApp(desk, 'interactive', payload, triggerId, where.responseUrl);
  return { ...answer, confirm, sent: true };
}

export function pressElement(desk: UserActionContext, given: ElementPressInput): Promise<PressResult> {
  const chosen = ({ element, block }: FoundElement): JsonObject => {
    if (block && !stringOrUndefined(element['type'])?.endsWith('button'))
      throw new Error(`"${given.actionId}" is a ${String(element['type'])}; use choose instead`);
    return given.value === undefined ? {} : { value: given.value };
  };
  return act(desk, given, 'button', chosen, {});
}

export function chooseOption(desk: UserActionContext, given: OptionChoiceInput): Promise<PressResult> {
  const user = desk.site.world.user(given.user);
  const chosen = ({ element, block }: FoundElement): JsonObject => {
    if (!block)
      return { selected_option: { text: { type: 'plain_text', text: '?' }, value: String(given.option) } };
    return selectedValueFields(element, given.option, createSuggestedOptionsAndFiles(desk, user));
  };
  const surface = resolveActionSurface(desk.site, given, user);
  const type = 'static_select';
  const { block, element } = findElement(surface, { ...given, force: true, type });
  // An overflow menu remembers no choice.
  const keeps = block !== undefined && element['type'] !== 'overflow';
  const fills = keeps ? { [`${block.block_id}.${given.actionId}`]: given.option } : {};
  return act(desk, given, type, chosen, fills);
}
