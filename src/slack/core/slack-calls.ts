/** The Slack calls that handlers make. Every message and view passes the limits check first. */
import type { HomeView, ModalView } from '@slack/types';
import type { FetchFunction, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { isEncryptedOrLocal } from '../../base/safe-url.ts';
import { SECOND } from '../../clock.ts';
import { ChannelId, isDirectMessage, MessageTs, type UserId } from '../../ids.ts';
import { checkMessage, checkUnfurl, checkView } from '../kit/check-limits.ts';
import { sendOrSendPlain } from './block-support.ts';
import { networkError, parseSlackResponse, SlackCallError, toSlackCallError } from './errors.ts';
import { readable } from './payloads.ts';
import type { BlockSupport, Message, SentFile, SlackCalls } from './routes.ts';

const Place = z.object({ upload_url: z.string(), file_id: z.string().min(1) });

type UploadedFile = Pick<SentFile, 'bytes' | 'name' | 'type'>;

/** The upload URL comes from outside and receives our bytes: allow only TLS, or this machine itself. */
function mayUploadTo(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.username === '' && url.password === '' && isEncryptedOrLocal(url);
}

/** The upload URL grants write access, so neither it nor the network's message goes into an error. */
async function sendBytes(fetch: FetchFunction, address: string, file: UploadedFile): Promise<void> {
  const body = new FormData();
  body.append('filename', new Blob([Uint8Array.from(file.bytes)], { type: file.type }), file.name);
  let answer: Awaited<ReturnType<FetchFunction>>;
  try {
    answer = await fetch(address, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(30 * SECOND),
    });
  } catch (thrown) {
    throw networkError(thrown);
  }
  // Nobody sees the bytes before they are shared, so any failed upload is safe to repeat.
  if (answer.status !== 200) throw new SlackCallError(`http_${answer.status}`, 'refused');
}

/**
 * Nobody sees the file before it is shared.
 * @param client without retries
 * @param fetch the app's fetch, for the bytes only: no token goes with them
 * @returns the file's ID
 */
export async function uploadFile(client: WebClient, fetch: FetchFunction, file: UploadedFile) {
  const request = client.files.getUploadURLExternal({ filename: file.name, length: file.bytes.byteLength });
  const place = await parseSlackResponse(Place, request);
  if (!mayUploadTo(place.upload_url)) throw new SlackCallError('upload_address', 'refused');
  await sendBytes(fetch, place.upload_url, file);
  return place.file_id;
}

const Opened = z.object({ view: z.object({ id: z.string() }) });
const Posted = z.object({ ts: MessageTs });
const Direct = z.object({ channel: z.object({ id: ChannelId }) });
const Permalink = z.object({ permalink: z.string() });
const Conversation = z.object({
  channel: z.object({
    name: z.string().optional(),
    is_member: z.boolean().optional(),
    is_archived: z.boolean().optional(),
  }),
});

const UserGroup = z.object({
  id: z.string().regex(/^S[A-Z0-9]{1,30}$/u),
  name: z.string().max(1_000).catch(''),
  handle: z.string().max(1_000).catch(''),
});
const UserGroups = z.object({ usergroups: readable(UserGroup) });
const NamedChannel = z
  .object({ id: ChannelId, name: z.string().max(1_000).catch(''), is_private: z.boolean().catch(true) })
  .transform(({ id, name, is_private: isPrivate }) => ({ id, name, isPrivate }));
const Channels = z.object({
  channels: readable(NamedChannel),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** @param listing `user` missing: the bot */
async function listChannels(
  main: WebClient,
  listing: { readonly types: string; readonly exclude_archived?: true; readonly user?: UserId },
) {
  const found: z.infer<typeof NamedChannel>[] = [];
  let cursor: string | undefined;
  do {
    const asked = { ...listing, limit: 200, cursor: cursor || undefined };
    const page = await parseSlackResponse(Channels, main.users.conversations(asked));
    found.push(...page.channels);
    cursor = page.response_metadata?.next_cursor || undefined;
    // Far more than anyone uses.
  } while (cursor && found.length < 2_000);
  return found;
}

export interface SlackClients {
  /** For calls that may be repeated. */
  readonly main: WebClient;
  /** Without retries: for `chat.postMessage`, and for opening modals. */
  readonly withoutRetries: WebClient;
}

/**
 * A trigger opens one modal. If an answer is lost, a retry is refused although the modal is open. So we ask
 * once, and the outcome may stay unknown.
 */
async function opened(request: Promise<unknown>): Promise<string> {
  try {
    return (await parseSlackResponse(Opened, request)).view.id;
  } catch (thrown) {
    const { code, failureKind } = toSlackCallError(thrown);
    throw failureKind === 'unknown'
      ? new SlackCallError(code, failureKind, { isAboutView: true, cause: thrown })
      : thrown;
  }
}

function asArguments(message: Message, thread: MessageTs | undefined) {
  checkMessage(message);
  return {
    text: message.text,
    blocks: message.blocks && [...message.blocks],
    metadata: message.metadata,
    thread_ts: thread,
    unfurl_links: false,
    unfurl_media: false,
  };
}

function asUnfurls(unfurls: Parameters<SlackCalls['unfurl']>[2]) {
  const previews = Object.entries(unfurls);
  for (const [, blocks] of previews) checkUnfurl(blocks);
  return Object.fromEntries(previews.map(([url, blocks]) => [url, { blocks: [...blocks] }]));
}

/** @param support which blocks the workspace refuses; missing: none @param fetch for the bytes of files */
export function createSlackCalls(
  { main, withoutRetries }: SlackClients,
  support?: BlockSupport,
  fetch: FetchFunction = globalThis.fetch,
): SlackCalls {
  const sendMessage = <T>(message: Message, send: (form: Message) => Promise<T>) =>
    sendOrSendPlain(message, support, send);
  const sendView = <V extends HomeView | ModalView, T>(view: V, send: (form: V) => Promise<T>) =>
    sendOrSendPlain(view, support, (form) => {
      checkView(form);
      return send(form);
    });
  return {
    async openView(trigger_id, shown) {
      return sendView(shown, (view) => opened(withoutRetries.views.open({ trigger_id, view })));
    },
    async pushView(trigger_id, shown) {
      return sendView(shown, (view) => opened(withoutRetries.views.push({ trigger_id, view })));
    },
    async updateView(view_id, shown, hash) {
      await sendView(shown, (view) =>
        parseSlackResponse(z.unknown(), main.views.update({ view_id, hash, view })),
      );
    },
    async publishHome(user_id, shown) {
      await sendView(shown, (view) => parseSlackResponse(z.unknown(), main.views.publish({ user_id, view })));
    },
    listUserChannels: (user) =>
      listChannels(main, { user, types: 'public_channel,private_channel', exclude_archived: true }),
    async listPublicChannels() {
      const found = await listChannels(main, { types: 'public_channel' });
      // A converted channel may still be listed: only those marked public count.
      return found.filter(({ isPrivate }) => !isPrivate).map(({ id }) => id);
    },
    async listUserGroups() {
      const { usergroups } = await parseSlackResponse(UserGroups, main.usergroups.list({}));
      // Far more than a workspace has or a menu shows.
      return usergroups.slice(0, 1_000);
    },
    async post(channel, message, thread) {
      const { ts } = await sendMessage(message, (form) => {
        const request = withoutRetries.chat.postMessage({ channel, ...asArguments(form, thread) });
        return parseSlackResponse(Posted, request);
      });
      return ts;
    },
    async ephemeral(channel, user, message, thread) {
      await sendMessage(message, async (form) => {
        const { text, ...more } = asArguments(form, thread);
        await parseSlackResponse(z.unknown(), main.chat.postEphemeral({ channel, user, text, ...more }));
      });
    },
    async unfurl(channel, ts, unfurls) {
      await parseSlackResponse(z.unknown(), main.chat.unfurl({ channel, ts, unfurls: asUnfurls(unfurls) }));
    },
    async checkReachability(channel) {
      // Checking a direct message would need `im:read`, which nothing else needs.
      if (isDirectMessage(channel)) return { kind: 'unreachable', error: 'direct_message' };
      try {
        const request = main.conversations.info({ channel });
        const { channel: found } = await parseSlackResponse(Conversation, request);
        if (found.is_archived) return { kind: 'unreachable', error: 'is_archived' };
        if (!found.is_member) return { kind: 'unreachable', error: 'not_in_channel' };
        return { kind: 'member', name: found.name || undefined };
      } catch (thrown) {
        const error = toSlackCallError(thrown);
        if (error.failureKind === 'refused') return { kind: 'unreachable', error: error.code };
        throw error;
      }
    },
    async sendFile(user, { title, comment, ...file }) {
      const id = await uploadFile(withoutRetries, fetch, file);
      const { channel } = await parseSlackResponse(Direct, main.conversations.open({ users: user }));
      const shared = { files: [{ id, title }] as [{ id: string; title: string }], channel_id: channel.id };
      const request = withoutRetries.files.completeUploadExternal({ ...shared, initial_comment: comment });
      await parseSlackResponse(z.unknown(), request);
    },
    async fetchPermalink(channel, ts) {
      try {
        const request = main.chat.getPermalink({ channel, message_ts: ts });
        return (await parseSlackResponse(Permalink, request)).permalink;
      } catch (thrown) {
        if (toSlackCallError(thrown).failureKind === 'refused') return undefined;
        throw thrown;
      }
    },
  };
}
