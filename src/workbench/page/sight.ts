/** Who is there, and what each person of the workspace can see. */
import type { Channel, Message, User, View } from '../slack/objects.ts';
import type { SlackScreens, SlackWorld } from '../slack/simulated-slack.ts';

export type Watched = SlackWorld & SlackScreens;

/** The page asked for something that this person can't have; the message is a sentence for them. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

export function peopleOf(slack: SlackWorld): readonly User[] {
  return slack.users().filter(({ bot, deleted }) => !bot && !deleted);
}

/** @throws NotSeen */
export function findPerson(slack: SlackWorld, id: string): User {
  const person = peopleOf(slack).find((each) => each.id === id);
  if (!person) throw new NotSeen("This person doesn't exist.");
  return person;
}

/** Members see a channel; full members of the workspace also look into public ones that they are not in. */
export function canSee(person: User, channel: Channel): boolean {
  if (channel.members.includes(person.id)) return true;
  return channel.kind === 'public' && person.guest === undefined && !person.stranger;
}

export function channelsFor(slack: SlackWorld, person: User): readonly Channel[] {
  return slack.channels().filter((channel) => canSee(person, channel));
}

/** @throws NotSeen also where it exists, but not for this person: the two are not told apart */
export function findChannel(slack: SlackWorld, person: User, id: string): Channel {
  const channel = channelsFor(slack, person).find((each) => each.id === id);
  if (!channel) throw new NotSeen("You don't have access to this channel.");
  return channel;
}

/** One message as it stands. @throws NotSeen */
export function findMessage(slack: Watched, person: User, channelId: string, ts: string): Message {
  const { id } = findChannel(slack, person, channelId);
  const message = slack.message(id, ts);
  const isOthers = message?.ephemeralFor !== undefined && message.ephemeralFor !== person.id;
  if (!message || isOthers) throw new NotSeen('This message no longer exists.');
  return message;
}

/** A modal of the person's stack, or their Home. @throws NotSeen */
export function findView(slack: Watched, person: User, id: string): View {
  const home = slack.home(person.id);
  const view = [...slack.viewStack(person.id), ...(home ? [home] : [])].find((each) => each.id === id);
  if (!view) throw new NotSeen('This window is no longer open.');
  return view;
}

function byTime(a: Message, b: Message): number {
  return a.ts < b.ts ? -1 : 1;
}

/** Messages at the top of a channel with what only this person sees, oldest first; at most `most`, before `before`. */
export function messagesFor(
  slack: Watched,
  person: User,
  channel: Channel,
  page: { readonly most: number; readonly before?: string | undefined },
): readonly Message[] {
  const own = slack.ephemerals(person.id, channel.id).filter(({ threadTs }) => threadTs === undefined);
  const { before } = page;
  return [...slack.messages(channel.id), ...own]
    .filter(({ ts }) => before === undefined || ts < before)
    .toSorted(byTime)
    .slice(-page.most);
}

/** A message and its replies, with what only this person sees among them. */
export function threadFor(slack: Watched, person: User, channel: Channel, ts: string): readonly Message[] {
  const own = slack.ephemerals(person.id, channel.id).filter(({ threadTs }) => threadTs === ts);
  return [...slack.thread(channel.id, ts), ...own].toSorted(byTime);
}
