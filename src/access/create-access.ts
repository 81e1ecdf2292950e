/** Access on the store; see access.ts for its contract. */
import type { AccessContext } from './access.ts';
import { type AccessService, accessRequests } from './access.ts';
import { changeAccessList, findGrantedRole, readAccessList } from './access-lists.ts';
import { decideAccessRequest, requestRole } from './access-requests.ts';

export function createAccessService(context: AccessContext): AccessService {
  const { store, team } = context;
  return {
    readAccessList: (scope) => store.read((tx) => readAccessList(tx, team, scope)),
    changeAccessList: (change) => changeAccessList(context, change),
    requestRole: (order) => requestRole(context, order),
    readAccessRequest: (id) => store.read((tx) => tx.get(accessRequests, [team, id])),
    decideAccessRequest: (order) => decideAccessRequest(context, order),
    findGrantedRole: (user, channel, isMember) => findGrantedRole(context, user, channel, isMember),
  };
}
