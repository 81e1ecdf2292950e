/** The workspace as one person sees it. */
import type { Clock } from '../../clock.ts';
import type { SlackChannel, SlackUser } from '../slack/objects.ts';
import type { PageChannel, PageCommand, PagePerson, PageShortcut, PageWorkspace } from './protocol.ts';
import { listPeople, listVisibleChannels, type SlackControlsAndContents } from './visibility.ts';

/** Product data for the page. */
export interface AppCommandCatalog {
  readonly commands: readonly PageCommand[];
  readonly shortcuts: readonly PageShortcut[];
}

function kindOf(user: SlackUser): PagePerson['kind'] {
  if (user.stranger) return 'stranger';
  if (user.guest !== undefined) return 'guest';
  return user.admin || user.owner ? 'admin' : 'member';
}

function showPerson(user: SlackUser): PagePerson {
  return { id: user.id, name: user.name, kind: kindOf(user) };
}

function showChannel(slack: SlackControlsAndContents, person: SlackUser, channel: SlackChannel): PageChannel {
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

export function buildPageWorkspace(
  slack: SlackControlsAndContents,
  clock: Clock,
  person: SlackUser,
  offers: AppCommandCatalog,
): PageWorkspace {
  // Slack lists the app before the first message: reading the direct message creates it.
  if (!person.stranger) slack.directMessages(person.id);
  return {
    workspace: slack.team.name,
    app: slack.bot.name,
    now: clock.now(),
    zone: person.tz,
    as: showPerson(person),
    people: listPeople(slack).map(showPerson),
    channels: listVisibleChannels(slack, person).map((channel) => showChannel(slack, person, channel)),
    groups: slack.userGroups().map(({ id, handle }) => ({ id, handle })),
    ...offers,
  };
}
