/** Uploads in three steps, and reactions. */

import { objectsInList, stringOrUndefined } from '../json-reading.ts';
import { fileJson } from '../object-json.ts';
import type { JsonObject, UploadedFile } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import type { CallArguments } from '../web/arguments.ts';
import { invalidArgumentsError, SlackApiError } from '../web/slack-api-error.ts';
import { requireChannelJoinedByBot, requireChannelWritableByBot, type WebApiMethods } from './method.ts';

const ALT_TEXT_MAX = 1000;

function getUploadUrl(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const name = args.requireText('filename');
  const length = args.number('length', 0);
  if (!Number.isInteger(length) || length <= 0)
    throw invalidArgumentsError('must be a positive integer [json-pointer:/length]');
  const altText = args.text('alt_text') ?? args.text('alt_txt');
  if (altText !== undefined && altText.length > ALT_TEXT_MAX)
    throw invalidArgumentsError(`must be less than ${ALT_TEXT_MAX + 1} characters [json-pointer:/alt_text]`);
  const id = site.files.startUpload(name, length, altText);
  return { upload_url: `${site.origin()}/upload/v1/${id}`, file_id: id };
}

function completeUpload(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const wanted = objectsInList(args.json('files', 'invalid_arguments'));
  if (wanted.length === 0) throw invalidArgumentsError('missing required field: files');
  const given = args.text('channel_id');
  const channel = given ? requireChannelWritableByBot(site, given).id : undefined;
  const threadTs = args.text('thread_ts');
  const initialComment = args.text('initial_comment');
  const files = wanted.map((each) => {
    const by = { user: site.world.bot.userId, at: site.clock.now() };
    const shared = { ...by, channel, threadTs, initialComment, title: stringOrUndefined(each['title']) };
    const file = site.files.finishUpload(stringOrUndefined(each['id']) ?? '', shared);
    if (!file) throw new SlackApiError('file_not_found');
    return file;
  });
  if (channel) shareInChannel(site, channel, files, threadTs, initialComment ?? '');
  return { files: files.map((file) => fileJson(site, file)) };
}

function shareInChannel(
  site: SlackSimulatorContext,
  channel: string,
  files: readonly UploadedFile[],
  threadTs: string | undefined,
  text: string,
): void {
  const user = site.world.bot.userId;
  const fileIds = files.map((file) => file.id);
  const message = site.messages.post({ channel, user, byBot: true, text, threadTs, fileIds });
  for (const id of fileIds) site.files.attachToMessage(id, message.ts);
}

function addReaction(args: CallArguments, site: SlackSimulatorContext): JsonObject {
  const channel = requireChannelJoinedByBot(site, args.requireText('channel'));
  const name = args.requireText('name');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new SlackApiError('invalid_name');
  const message = site.messages.find(channel.id, args.requireText('timestamp'));
  if (!message || message.ephemeralFor) throw new SlackApiError('message_not_found');
  if (!site.messages.addReaction(message, name, site.world.bot.userId))
    throw new SlackApiError('already_reacted');
  return {};
}

export const fileMethods: WebApiMethods = {
  'files.getUploadURLExternal': { scope: 'files:write', run: getUploadUrl },
  'files.completeUploadExternal': { scope: 'files:write', run: completeUpload },
  'reactions.add': { scope: 'reactions:write', run: addReaction },
};
