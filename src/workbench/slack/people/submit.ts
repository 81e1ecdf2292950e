/** Submitting and closing modals. */

import { objectOrEmpty, stringOrUndefined } from '../json-reading.ts';
import { parseViewDraft } from '../methods/views.ts';
import { viewJson } from '../object-json.ts';
import type { JsonObject, SlackUser, SlackView } from '../objects.ts';
import type { InputValues, SubmitResult, UserActionResult } from '../simulated-slack.ts';
import { MAX_STACKED_VIEWS } from '../view-store.ts';
import { invalidArgumentsError, SlackApiError } from '../web/slack-api-error.ts';
import { inputErrors } from './input-checks.ts';
import { type ActionSurface, resolveActionSurface, updateInputState } from './surface.ts';
import {
  baseInteractionPayload,
  runLoggingRefusal,
  sendRequestToApp,
  type UserActionContext,
} from './user-action-context.ts';

type Result = Pick<SubmitResult, 'action' | 'errors'>;

function showErrors(view: SlackView, body: JsonObject): Result {
  const errors: Record<string, string> = {};
  for (const [blockId, words] of Object.entries(objectOrEmpty(body['errors']))) {
    const block = view.blocks.find((each) => each.block_id === blockId);
    if (block?.type !== 'input')
      throw invalidArgumentsError(`there's no input block ${blockId} [json-pointer:/errors]`);
    errors[blockId] = stringOrUndefined(words) ?? '';
  }
  if (Object.keys(errors).length === 0) throw invalidArgumentsError('missing required field: errors');
  return { action: 'errors', errors };
}

/** Applies the acknowledgement to the stack. @throws SlackApiError where Slack shows "trouble connecting" */
function applyResponseAction(
  desk: UserActionContext,
  user: SlackUser,
  view: SlackView,
  body: unknown,
): Result {
  const { site } = desk;
  const answer = objectOrEmpty(body);
  switch (answer['response_action']) {
    case undefined:
      if (body !== undefined) throw invalidArgumentsError('missing required field: response_action');
      site.views.pop(user.id);
      return { action: 'close', errors: {} };
    case 'clear':
      site.views.clearStack(user.id);
      return { action: 'clear', errors: {} };
    case 'errors':
      return showErrors(view, answer);
    case 'update':
      site.views.update(view, parseViewDraft(answer['view'], 'modal', site, view));
      return { action: 'update', errors: {} };
    case 'push':
      if (site.views.stack(user.id).length >= MAX_STACKED_VIEWS)
        throw new SlackApiError('push_limit_reached');
      site.views.push(user.id, parseViewDraft(answer['view'], 'modal', site));
      return { action: 'push', errors: {} };
    default:
      throw invalidArgumentsError('unknown response_action [json-pointer:/response_action]');
  }
}

function topOf(desk: UserActionContext, user: SlackUser): SlackView {
  const view = desk.site.views.top(user.id);
  if (!view) throw new Error(`${user.name} has no view open`);
  return view;
}

/** An outdated view that another device still shows, with the input there. */
function asItWas(view: SlackView): ActionSurface {
  const key = `${view.id}/${view.hash}`;
  return { blocks: view.blocks, key, message: undefined, view, unfurl: undefined };
}

export async function submitView(
  desk: UserActionContext,
  given: { user: string; view?: SlackView; values?: InputValues; forgedMetadata?: string; asItWas?: true },
): Promise<SubmitResult> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const shown = given.view ?? topOf(desk, user);
  const surface = given.asItWas ? asItWas(shown) : resolveActionSurface(site, { view: shown }, user);
  const view = surface.view ?? shown;
  if (view.submit === undefined) throw new Error(`the view "${view.title}" has no submit button`);
  const state = updateInputState(desk, surface, user, given.values ?? {});
  const errors = inputErrors(view.blocks, state);
  const unsent = { acked: false, failure: undefined, body: undefined, status: undefined };
  if (Object.keys(errors).length > 0)
    return { ...unsent, triggerId: '', responseUrl: undefined, sent: false, action: 'errors', errors };
  const triggerId = site.triggers.issue(user.id);
  const { forgedMetadata } = given;
  const forged = forgedMetadata === undefined ? {} : { private_metadata: forgedMetadata };
  const payload = {
    ...baseInteractionPayload(site, 'view_submission', user, triggerId),
    view: { ...viewJson(site, view, state), ...forged },
    response_urls: [],
  };
  const answer = await sendRequestToApp(desk, 'interactive', payload, triggerId, undefined);
  if (!answer.acked) return { ...answer, sent: true, action: 'none', errors: {} };
  const body = objectOrEmpty(answer.body);
  const result = runLoggingRefusal(site, 'view_submission', body, () =>
    applyResponseAction(desk, user, view, answer.body),
  );
  return { ...answer, sent: true, ...(result ?? { action: 'none', errors: {} }) };
}

/** Notifies the app only if the view asks for it. */
export async function closeView(
  desk: UserActionContext,
  given: { user: string; all?: boolean },
): Promise<UserActionResult | undefined> {
  const { site } = desk;
  const user = site.world.user(given.user);
  const view = topOf(desk, user);
  const all = given.all === true || view.clearOnClose;
  if (all) site.views.clearStack(user.id);
  else site.views.pop(user.id);
  if (!view.notifyOnClose) return undefined;
  const { trigger_id: _none, ...base } = baseInteractionPayload(site, 'view_closed', user, '');
  const payload = { ...base, view: viewJson(site, view), is_cleared: all };
  return sendRequestToApp(desk, 'interactive', payload, '', undefined);
}
