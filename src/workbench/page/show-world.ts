/** The workspace as one person sees it. */
import type { Clock } from '../../clock.ts';
import type { Channel, User } from '../slack/objects.ts';
import type { PageChannel, PageCommand, PagePerson, PageShortcut, PageWorld } from './protocol.ts';
import { channelsFor, peopleOf, type Watched } from './sight.ts';

/** What the page is told of the product, which it does not know itself. */
export interface Offers {
  readonly commands: readonly PageCommand[];
  readonly shortcuts: readonly PageShortcut[];
  /** Name of who wrote what is to be read first; absent where nobody did. */
  readonly guide?: string;
}

function kindOf(user: User): PagePerson['kind'] {
  if (user.stranger) return 'stranger';
  if (user.guest !== undefined) return 'guest';
  return user.admin || user.owner ? 'admin' : 'member';
}

function showPerson(user: User): PagePerson {
  return { id: user.id, name: user.name, kind: kindOf(user) };
}

function showChannel(slack: Watched, person: User, channel: Channel): PageChannel {
  const { id, kind, archived } = channel;
  return {
    id,
    name: kind === 'im' ? slack.bot.name : channel.name,
    kind,
    archived,
    isMember: channel.members.includes(person.id),
    messages: slack.messages(id).length,
  };
}

export function showWorld(slack: Watched, clock: Clock, person: User, offers: Offers): PageWorld {
  // Slack lists the app before anybody has written to it: reading the direct message makes it.
  if (!person.stranger) slack.directMessages(person.id);
  return {
    workspace: slack.team.name,
    app: slack.bot.name,
    now: clock.now(),
    zone: person.tz,
    as: showPerson(person),
    people: peopleOf(slack).map(showPerson),
    channels: channelsFor(slack, person).map((channel) => showChannel(slack, person, channel)),
    groups: slack.userGroups().map(({ id, handle }) => ({ id, handle })),
    ...offers,
  };
}
