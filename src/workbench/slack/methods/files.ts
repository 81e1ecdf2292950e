/** Uploads in three steps, and reactions. */
import type { Json, UploadedFile } from '../objects.ts';
import { objectsOf, textOf } from '../reading.ts';
import type { Site } from '../site.ts';
import type { Arguments } from '../web/arguments.ts';
import { invalidArguments, Refusal } from '../web/refusal.ts';
import { fileJson } from '../wire.ts';
import { joinedChannel, type Methods, writableChannel } from './method.ts';

const ALT_TEXT_MAX = 1000;

function getUploadUrl(args: Arguments, site: Site): Json {
  const name = args.need('filename');
  const length = args.number('length', 0);
  if (!Number.isInteger(length) || length <= 0)
    throw invalidArguments('must be a positive integer [json-pointer:/length]');
  const altText = args.text('alt_text') ?? args.text('alt_txt');
  if (altText !== undefined && altText.length > ALT_TEXT_MAX)
    throw invalidArguments(`must be less than ${ALT_TEXT_MAX + 1} characters [json-pointer:/alt_text]`);
  const id = site.files.expect(name, length, altText);
  return { upload_url: `${site.origin()}/upload/v1/${id}`, file_id: id };
}

function completeUpload(args: Arguments, site: Site): Json {
  const wanted = objectsOf(args.json('files', 'invalid_arguments'));
  if (wanted.length === 0) throw invalidArguments('missing required field: files');
  const given = args.text('channel_id');
  const channel = given ? writableChannel(site, given).id : undefined;
  const threadTs = args.text('thread_ts');
  const initialComment = args.text('initial_comment');
  const files = wanted.map((each) => {
    const by = { user: site.world.bot.userId, at: site.clock.now() };
    const shared = { ...by, channel, threadTs, initialComment, title: textOf(each['title']) };
    const file = site.files.complete(textOf(each['id']) ?? '', shared);
    if (!file) throw new Refusal('file_not_found');
    return file;
  });
  if (channel) shareInChannel(site, channel, files, threadTs, initialComment ?? '');
  return { files: files.map((file) => fileJson(site, file)) };
}

function shareInChannel(
  site: Site,
  channel: string,
  files: readonly UploadedFile[],
  threadTs: string | undefined,
  text: string,
): void {
  const user = site.world.bot.userId;
  const fileIds = files.map((file) => file.id);
  const message = site.messages.post({ channel, user, byBot: true, text, threadTs, fileIds });
  for (const id of fileIds) site.files.shareAs(id, message.ts);
}

function addReaction(args: Arguments, site: Site): Json {
  const channel = joinedChannel(site, args.need('channel'));
  const name = args.need('name');
  if (!/^[a-z0-9_+'-]+$/.test(name)) throw new Refusal('invalid_name');
  const message = site.messages.find(channel.id, args.need('timestamp'));
  if (!message || message.ephemeralFor) throw new Refusal('message_not_found');
  if (!site.messages.react(message, name, site.world.bot.userId)) throw new Refusal('already_reacted');
  return {};
}

export const fileMethods: Methods = {
  'files.getUploadURLExternal': { scope: 'files:write', run: getUploadUrl },
  'files.completeUploadExternal': { scope: 'files:write', run: completeUpload },
  'reactions.add': { scope: 'reactions:write', run: addReaction },
};
