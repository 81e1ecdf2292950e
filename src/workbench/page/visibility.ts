/** Who is there, and what each person of the workspace can see. */
import type { SlackChannel, SlackMessage, SlackUser, SlackView } from '../slack/objects.ts';
import type { SlackScreens, SlackWorkspaceControls } from '../slack/simulated-slack.ts';

export type ReadableSlack = SlackWorkspaceControls & SlackScreens;

/** The page asked for something that this person can't have; the message is a sentence for them. */
export class NotVisibleError extends Error {
  override readonly name = 'NotSeen';
}

export function listPeople(slack: SlackWorkspaceControls): readonly SlackUser[] {
  return slack.users().filter(({ bot, deleted }) => !bot && !deleted);
}

/** @throws NotSeen */
export function requirePerson(slack: SlackWorkspaceControls, id: string): SlackUser {
  const person = listPeople(slack).find((each) => each.id === id);
  if (!person) throw new NotVisibleError("This person doesn't exist.");
  return person;
}

/** Members see a channel; full members of the workspace also look into public ones that they are not in. */
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

/** @throws NotSeen also where it exists, but not for this person: the two are not told apart */
export function requireVisibleChannel(
  slack: SlackWorkspaceControls,
  person: SlackUser,
  id: string,
): SlackChannel {
  const channel = listVisibleChannels(slack, person).find((each) => each.id === id);
  if (!channel) throw new NotVisibleError("You don't have access to this channel.");
  return channel;
}

/** One message as it stands. @throws NotSeen */
export function requireVisibleMessage(
  slack: ReadableSlack,
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

/** A modal of the person's stack, or their Home. @throws NotSeen */
export function requireVisibleView(slack: ReadableSlack, person: SlackUser, id: string): SlackView {
  const home = slack.home(person.id);
  const view = [...slack.viewStack(person.id), ...(home ? [home] : [])].find((each) => each.id === id);
  if (!view) throw new NotVisibleError('This window is no longer open.');
  return view;
}

function byTime(a: SlackMessage, b: SlackMessage): number {
  return a.ts < b.ts ? -1 : 1;
}

/** Messages at the top of a channel with what only this person sees, oldest first; at most `most`, before `before`. */
export function listVisibleMessages(
  slack: ReadableSlack,
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

/** A message and its replies, with what only this person sees among them. */
export function listVisibleThread(
  slack: ReadableSlack,
  person: SlackUser,
  channel: SlackChannel,
  ts: string,
): readonly SlackMessage[] {
  const own = slack.ephemerals(person.id, channel.id).filter(({ threadTs }) => threadTs === ts);
  return [...slack.thread(channel.id, ts), ...own].toSorted(byTime);
}
