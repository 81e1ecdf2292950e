/** Access on an in-memory store, and what it stores. */
import type { AccessList, AccessScope, Grantees } from '../../src/access/access.ts';
import { type AccessService, createAccessService } from '../../src/access/create-access.ts';
import { ChannelId, TeamId, UserId } from '../../src/ids.ts';
import { type Post, posts } from '../../src/outbox/posts.ts';
import { scanCollection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { actsOf } from '../audit/entries.ts';
import { createMemoryStore } from '../memory-store.ts';
import { seededRandom } from '../seeded-random.ts';

export const team = TeamId.parse('T1');
export const ana = UserId.parse('UANA');
export const ben = UserId.parse('UBEN');
export const boss = UserId.parse('UBOSS');
export const user = (id: string) => UserId.parse(id);
export const C1 = ChannelId.parse('C1');
export const C2 = ChannelId.parse('C2');
export const DM = ChannelId.parse('D1');

export function grantees(users: readonly UserId[] = [], groups: readonly string[] = []): Grantees {
  return { users: [...users], groups: [...groups] };
}

export class AccessWorld {
  readonly clock = new ManualClock();
  readonly store = createMemoryStore();
  readonly access: AccessService;

  constructor(admins: readonly UserId[] = [boss]) {
    const { clock, store } = this;
    this.access = createAccessService({
      team,
      store,
      clock,
      random: seededRandom(7),
      admins: new Set(admins),
    });
  }

  /** Replaces the list's members. */
  async set(scope: AccessScope, lists: Partial<Pick<AccessList, 'bidder' | 'admin'>>, by = boss) {
    const { revision: seen } = await this.access.readAccessList(scope);
    const whole = { bidder: grantees(), admin: grantees(), ...lists };
    return this.access.changeAccessList({ scope, ...whole, by, seenRevision: seen });
  }

  acts() {
    return actsOf(this.store, team);
  }

  async posts(): Promise<Post[]> {
    const found: Post[] = [];
    await this.store.read(async (tx) => {
      for await (const { value } of scanCollection(tx, posts, { prefix: [team] })) found.push(value);
    });
    return found;
  }
}

/** No user groups. */
export const inNoGroup = async () => false;
