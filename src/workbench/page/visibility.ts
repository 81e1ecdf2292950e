/** The people of the workspace, and what each of them can see. */
import type { SlackChannel, SlackMessage, SlackUser, SlackView } from '../slack/objects.ts';
import type { SlackWorkspaceContents, SlackWorkspaceControls } from '../slack/simulated-slack.ts';

export type SlackControlsAndContents = SlackWorkspaceControls & SlackWorkspaceContents;

/** The person can't see what the page requested; the message is a sentence for them. */
export class NotVisibleError extends Error {
  override readonly name = 'NotSeen';
}

export function listPeople(slack: SlackWorkspaceControls): readonly SlackUser[] {
  return slack.users().filter(({ bot, deleted }) => !bot && !deleted);
}

/** @throws NotVisibleError */
export function requirePerson(slack: SlackWorkspaceControls, id: string): SlackUser {
  const person = listPeople(slack).find((each) => each.id === id);
  if (!person) throw new NotVisibleError("This person doesn't exist.");
  return person;
}

/** Members see a channel; full members of the workspace also see public ones. */
export function canSeeChannel(person: SlackUser, channel: SlackChannel): boolean {
  if (channel.members.includes(person.id)) return true;
  return channel.kind === 'public' && person.guest === undefined && !person.stranger;
}

export function listVisibleChannels(
  slack: SlackWorkspaceControls,
  person: SlackUser,
): readonly SlackChannel[] {
  return slack.channels().filter((channel) => canSeeChannel(person, channel));
}

/** @throws NotVisibleError for a missing channel and for one this person can't see, with no difference */
export function requireVisibleChannel(
  slack: SlackWorkspaceControls,
  person: SlackUser,
  id: string,
): SlackChannel {
  const channel = listVisibleChannels(slack, person).find((each) => each.id === id);
  if (!channel) throw new NotVisibleError("You don't have access to this channel.");
  return channel;
}

/** The message's current version. @throws NotVisibleError */
export function requireVisibleMessage(
  slack: SlackControlsAndContents,
  person: SlackUser,
  channelId: string,
  ts: string,
): SlackMessage {
  const { id } = requireVisibleChannel(slack, person, channelId);
  const message = slack.message(id, ts);
  const isOthers = message?.ephemeralFor !== undefined && message.ephemeralFor !== person.id;
  if (!message || isOthers) throw new NotVisibleError('This message no longer exists.');
  return message;
}

/** A modal of the person's stack, or their Home. @throws NotVisibleError */
export function requireVisibleView(
  slack: SlackControlsAndContents,
  person: SlackUser,
  id: string,
): SlackView {
  const home = slack.home(person.id);
  const view = [...slack.viewStack(person.id), ...(home ? [home] : [])].find((each) => each.id === id);
  if (!view) throw new NotVisibleError('This window is no longer open.');
  return view;
}

function byTime(a: SlackMessage, b: SlackMessage): number {
  return a.ts < b.ts ? -1 : 1;
}

/**
 * A channel's top-level messages, including ephemeral ones for this person, oldest first. At most `most`,
 * before `before`.
 */
export function listVisibleMessages(
  slack: SlackControlsAndContents,
  person: SlackUser,
  channel: SlackChannel,
  page: { readonly most: number; readonly before?: string | undefined },
): readonly SlackMessage[] {
  const own = slack.ephemerals(person.id, channel.id).filter(({ threadTs }) => threadTs === undefined);
  const { before } = page;
  return [...slack.messages(channel.id), ...own]
    .filter(({ ts }) => before === undefined || ts < before)
    .toSorted(byTime)
    .slice(-page.most);
}

/** A message and its replies, including ephemeral ones for this person. */
export function listVisibleThread(
  slack: SlackControlsAndContents,
  person: SlackUser,
  channel: SlackChannel,
  ts: string,
): readonly SlackMessage[] {
  const own = slack.ephemerals(person.id, channel.id).filter(({ threadTs }) => threadTs === ts);
  return [...slack.thread(channel.id, ts), ...own].toSorted(byTime);
}
