/** The current version of the message, unfurl or view that a person acts on. */
import { listInteractiveElements } from '../blocks/assign-block-ids.ts';
import { objectOrEmpty, objectsInList, stringOrUndefined } from '../json-reading.ts';
import { fileJson, messageJson, viewJson } from '../object-json.ts';
import type { Block, JsonObject, SlackMessage, SlackUser, SlackView } from '../objects.ts';
import type { InputValues, UserActionTarget } from '../simulated-slack.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { buildInputState, type InputState, type SuggestedOptionsAndFiles } from './input-state.ts';
import type { UserActionContext } from './user-action-context.ts';
import { issueResponseUrl } from './user-action-context.ts';

export interface ActionSurface {
  readonly blocks: readonly Block[];
  /** The key for the remembered input. */
  readonly key: string;
  readonly message: SlackMessage | undefined;
  readonly view: SlackView | undefined;
  /** The unfurled link that contains the blocks. */
  readonly unfurl: string | undefined;
}

function attachedBlocks(message: SlackMessage): readonly Block[] {
  return message.attachments.flatMap((each) => objectsInList(each['blocks']) as readonly Block[]);
}

function messageSurface(
  site: SlackSimulatorContext,
  given: SlackMessage,
  unfurl: string | undefined,
): ActionSurface {
  const message = site.messages.find(given.channel, given.ts);
  if (!message) throw new Error(`message ${given.ts} no longer exists in ${given.channel}`);
  const key = `${message.channel}/${message.ts}`;
  if (unfurl === undefined) {
    const blocks = [...message.blocks, ...attachedBlocks(message)];
    return { blocks, key, message, view: undefined, unfurl };
  }
  const shown = message.unfurls[unfurl];
  if (!shown) throw new Error(`the link ${unfurl} has no preview in message ${message.ts}`);
  return {
    blocks: objectsInList(shown['blocks']) as readonly Block[],
    key,
    message,
    view: undefined,
    unfurl,
  };
}

/** The current version. @throws Error when it no longer exists, or another view covers it */
export function resolveActionSurface(
  site: SlackSimulatorContext,
  on: UserActionTarget,
  user: SlackUser,
): ActionSurface {
  if (on.message) return messageSurface(site, on.message, on.unfurl);
  const view = site.views.find({ id: on.view.id });
  if (view?.userId !== user.id) throw new Error(`${user.name} doesn't have view ${on.view.id} open`);
  if (view.type === 'modal' && site.views.top(user.id)?.id !== view.id)
    throw new Error(`another view covers view ${view.id} ("${view.title}")`);
  return { blocks: view.blocks, key: view.id, message: undefined, view, unfurl: undefined };
}

export interface FoundElement {
  readonly block: Block | undefined;
  readonly element: JsonObject;
}

/** The element with the ID. @throws Error with the existing IDs, unless `force` */
export function findElement(
  surface: ActionSurface,
  wanted: { actionId: string; blockId?: string; force?: boolean; type: string },
): FoundElement {
  const all = listInteractiveElements(surface.blocks);
  const found = all.filter(
    ({ block, element }) =>
      element['action_id'] === wanted.actionId &&
      (wanted.blockId === undefined || block.block_id === wanted.blockId),
  );
  const [one] = found;
  if (found.length > 1) throw new Error(`"${wanted.actionId}" is in several blocks; specify blockId`);
  if (one) return one;
  if (wanted.force)
    return {
      block: undefined,
      element: { type: wanted.type, action_id: wanted.actionId, text: { type: 'plain_text', text: '?' } },
    };
  const names = all.map(({ element }) => String(element['action_id'])).join(', ');
  throw new Error(`there's no element "${wanted.actionId}"; elements: ${names || 'none'}`);
}

/** Values that a person can choose besides those in the blocks: their suggestions and their own files. */
export function createSuggestedOptionsAndFiles(
  { site, offered }: UserActionContext,
  user: SlackUser,
): SuggestedOptionsAndFiles {
  return {
    offered: (actionId) => offered.get(`${user.id}/${actionId}`) ?? [],
    file: (id) => {
      const file = site.files.find(id);
      return file?.user === user.id ? fileJson(site, file) : undefined;
    },
  };
}

/** The current input, remembered for the next action. */
export function updateInputState(
  desk: UserActionContext,
  surface: ActionSurface,
  user: SlackUser,
  filled: InputValues,
): InputState {
  const remembered = desk.site.views.filledState(`${user.id}/${surface.key}`) as InputState;
  const state = buildInputState(
    surface.blocks,
    remembered,
    { ...filled },
    createSuggestedOptionsAndFiles(desk, user),
  );
  desk.site.views.rememberState(`${user.id}/${surface.key}`, state);
  return state;
}

function messageContainer(surface: ActionSurface, message: SlackMessage): JsonObject {
  const shared = { message_ts: message.ts, channel_id: message.channel };
  const thread = message.threadTs ? { thread_ts: message.threadTs } : {};
  if (surface.unfurl !== undefined)
    return {
      type: 'message_attachment',
      attachment_id: 1,
      is_ephemeral: false,
      is_app_unfurl: true,
      app_unfurl_url: surface.unfurl,
      ...shared,
      ...thread,
    };
  return { type: 'message', is_ephemeral: message.ephemeralFor !== undefined, ...shared, ...thread };
}

/** The payload's fields about the origin. An ephemeral message is not included: Slack doesn't store it. */
export function interactionOriginPayload(
  site: SlackSimulatorContext,
  surface: ActionSurface,
  user: SlackUser,
  state: InputState,
): { fields: JsonObject; responseUrl: string | undefined } {
  const { message, view } = surface;
  if (!message) {
    const container = { type: 'view', view_id: view?.id };
    return { fields: { container, view: view ? viewJson(site, view, state) : null }, responseUrl: undefined };
  }
  const channel = site.world.channel(message.channel);
  const responseUrl = issueResponseUrl(site, {
    userId: user.id,
    channel: channel.id,
    messageTs: message.ts,
    threadTs: message.threadTs,
  });
  const name = channel.kind === 'im' ? 'directmessage' : channel.name;
  const shown =
    surface.unfurl !== undefined
      ? {
          app_unfurl: {
            ...message.unfurls[surface.unfurl],
            app_unfurl_url: surface.unfurl,
            is_app_unfurl: true,
          },
        }
      : { message: messageJson(site, message) };
  return {
    responseUrl,
    fields: {
      container: messageContainer(surface, message),
      channel: { id: channel.id, name },
      ...(message.ephemeralFor === undefined ? shown : {}),
      state: { values: state },
      response_url: responseUrl,
    },
  };
}

/** An element's confirmation texts, if any. */
export function parseConfirmationTexts(
  element: JsonObject,
):
  | { readonly title: string; readonly text: string; readonly confirm: string; readonly deny: string }
  | undefined {
  if (element['confirm'] === undefined) return undefined;
  const confirm = objectOrEmpty(element['confirm']);
  const words = (field: string) => stringOrUndefined(objectOrEmpty(confirm[field])['text']) ?? '';
  return { title: words('title'), text: words('text'), confirm: words('confirm'), deny: words('deny') };
}
