/** The project of an invitation. Pure. */

import { ProjectKey } from '../ids.ts';
import type { ProjectReference } from '../marketplace/client.ts';

export interface InvitedProject {
  readonly reference: ProjectReference;
  /** The same key as for `/gig bid` with this id. */
  readonly project: ProjectKey;
  readonly marketplaceJobId: string;
}

/** undefined: the invitation has no project id that can be looked up or bid on. */
export function findInvitedProject({
  jobPostingUid,
}: {
  readonly jobPostingUid?: string | undefined;
}): InvitedProject | undefined {
  const id = jobPostingUid?.trim() ?? '';
  if (/^~\d{1,40}$/u.test(id))
    return { reference: { ciphertext: id }, project: ProjectKey.parse(id), marketplaceJobId: id };
  if (!/^[\w-]{1,100}$/u.test(id)) return undefined;
  return { reference: { uid: id }, project: ProjectKey.parse(`uid:${id}`), marketplaceJobId: id };
}
