/** The people, channels and groups of the one workspace. */
import type { SlackIdGenerator } from './identifiers.ts';
import type { Bot, NewChannel, NewUser, SlackChannel, SlackUser, SlackUserGroup, Team } from './objects.ts';

/** The workspace of people from outside (`stranger`). */
const OTHER_TEAM = 'T0OTHER01';

export class WorkspaceStore {
  readonly team: Team;
  readonly bot: Bot;
  readonly #ids: SlackIdGenerator;
  readonly #users = new Map<string, SlackUser>();
  readonly #channels = new Map<string, SlackChannel>();
  readonly #groups = new Map<string, SlackUserGroup>();

  constructor(team: Team, bot: Bot, ids: SlackIdGenerator) {
    this.team = team;
    this.bot = bot;
    this.#ids = ids;
    this.clear();
  }

  clear(): void {
    this.#users.clear();
    this.#channels.clear();
    this.#groups.clear();
    const { userId: id, name } = this.bot;
    const roles = { admin: false, owner: false, guest: undefined, stranger: false, deleted: false };
    const place = { teamId: this.team.id, enterprise: undefined };
    this.#users.set(id, { id, name, ...place, bot: true, tz: 'UTC', ...roles });
  }

  addUser(given: NewUser): SlackUser {
    const stranger = given.stranger ?? false;
    const { enterprise } = given;
    const user: SlackUser = {
      id: given.id ?? this.#ids.nextId('U'),
      name: given.name,
      teamId: enterprise ? enterprise.team : stranger ? OTHER_TEAM : this.team.id,
      enterprise,
      admin: given.admin ?? given.owner ?? false,
      owner: given.owner ?? false,
      guest: given.guest,
      stranger,
      bot: false,
      deleted: given.deleted ?? false,
      tz: given.tz ?? 'UTC',
    };
    if (this.#users.has(user.id)) throw new Error(`user ${user.id} already exists`);
    this.#users.set(user.id, user);
    return user;
  }

  addChannel(given: NewChannel): SlackChannel {
    const everyone = [...this.#users.values()].filter((user) => !user.bot).map((user) => user.id);
    const members = (given.members ?? everyone).map((member) => this.user(member).id);
    const channel: SlackChannel = {
      id: given.id ?? this.#ids.nextId('C'),
      name: given.name.replace(/^#/, ''),
      kind: given.private ? 'private' : 'public',
      shared: given.shared ?? false,
      archived: false,
      members: given.withBot === false ? members : [...members, this.bot.userId],
    };
    if (this.#channels.has(channel.id)) throw new Error(`channel ${channel.id} already exists`);
    this.#channels.set(channel.id, channel);
    return channel;
  }

  addUserGroup(given: { id?: string; handle: string; users: readonly string[] }): SlackUserGroup {
    const users = given.users.map((user) => this.user(user).id);
    const group = { id: given.id ?? this.#ids.nextId('S'), handle: given.handle, users };
    this.#groups.set(group.id, group);
    return group;
  }

  removeUserGroup(id: string): void {
    this.#groups.delete(id);
  }

  users(): readonly SlackUser[] {
    return [...this.#users.values()];
  }

  channels(): readonly SlackChannel[] {
    return [...this.#channels.values()];
  }

  groups(): readonly SlackUserGroup[] {
    return [...this.#groups.values()];
  }

  findUser(id: string): SlackUser | undefined {
    return this.#users.get(id);
  }

  findChannel(id: string): SlackChannel | undefined {
    return this.#channels.get(id);
  }

  user(idOrName: string): SlackUser {
    const name = idOrName.replace(/^@/, '');
    const user = this.#users.get(idOrName) ?? this.users().find((each) => each.name === name);
    if (!user) throw new Error(`there's no person ${idOrName} in the simulated Slack`);
    return user;
  }

  channel(idOrName: string): SlackChannel {
    const name = idOrName.replace(/^#/, '');
    const channel = this.#channels.get(idOrName) ?? this.channels().find((each) => each.name === name);
    if (!channel) throw new Error(`there's no channel ${idOrName} in the simulated Slack`);
    return channel;
  }

  /** Leaves the workspace and all channels. */
  deactivate(idOrName: string): void {
    const user = this.user(idOrName);
    this.#users.set(user.id, { ...user, deleted: true });
    for (const { id, kind } of this.channels()) if (kind !== 'im') this.removeMember(id, user.id);
  }

  updateChannel(idOrName: string, fields: Partial<Pick<SlackChannel, 'archived' | 'name'>>): void {
    const channel = this.channel(idOrName);
    this.#channels.set(channel.id, { ...channel, ...fields });
  }

  /** Converts a channel: it gets a new ID, and its old one names nothing any more. */
  convertChannel(
    idOrName: string,
    kind: SlackChannel['kind'],
  ): { readonly from: string; readonly to: string } {
    const channel = this.channel(idOrName);
    const to = this.#ids.nextId('C');
    this.#channels.delete(channel.id);
    this.#channels.set(to, { ...channel, id: to, kind });
    return { from: channel.id, to };
  }

  addMember(idOrName: string, user: string): void {
    const channel = this.channel(idOrName);
    const { id } = this.user(user);
    if (channel.members.includes(id)) return;
    this.#channels.set(channel.id, { ...channel, members: [...channel.members, id] });
  }

  removeMember(idOrName: string, user: string): void {
    const channel = this.channel(idOrName);
    const { id } = this.user(user);
    this.#channels.set(channel.id, {
      ...channel,
      members: channel.members.filter((member) => member !== id),
    });
  }

  /** The direct message of the bot and one person, created when first needed. */
  directChannel(userId: string): SlackChannel {
    const known = this.channels().find((each) => each.kind === 'im' && each.members.includes(userId));
    if (known) return known;
    const members = [userId, this.bot.userId];
    const id = this.#ids.nextId('D');
    const made: SlackChannel = { id, name: id, kind: 'im', shared: false, archived: false, members };
    this.#channels.set(id, made);
    return made;
  }
}

export function isMember(channel: SlackChannel, userId: string): boolean {
  return channel.members.includes(userId);
}
