/** Access on the store; see access.ts for its contract. */
import { type Access, accessRequests } from './access.ts';
import type { AccessContext } from './context.ts';
import { findGrant } from './find-grant.ts';
import { changeList, readList } from './lists.ts';
import { ask, decide } from './requests.ts';

export function createAccess(context: AccessContext): Access {
  const { store, team } = context;
  return {
    list: (scope) => store.read((tx) => readList(tx, team, scope)),
    change: (change) => changeList(context, change),
    ask: (order) => ask(context, order),
    request: (id) => store.read((tx) => tx.get(accessRequests, [team, id])),
    decide: (order) => decide(context, order),
    granted: (user, channel, isMember) => findGrant(context, user, channel, isMember),
  };
}
