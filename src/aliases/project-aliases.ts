/**
 * Which names mean the same project. A uid and a `~id` are two keys until the marketplace shows that they are
 * one. Stored records keep their key: readers use every key from `findProjectAliases`. Why:
 * docs/decisions/0005-bids.md.
 */
import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { ProjectKey } from '../ids.ts';
import { collection, type ReadTransaction, type Transaction } from '../storage/store.ts';

/** Longer than bids are kept, so that an alias outlives its bids. */
const KEPT_MS = 400 * DAY;
/** A repeated alias is stored again after this time, so that one in use never expires. */
const REFRESHED_AFTER_MS = 30 * DAY;
/** Most uids to read of one project. */
const MOST_UIDS = 20;

const ProjectAlias = z.object({
  uid: z.string(),
  /** `~digits`. */
  project: ProjectKey,
  at: z.number(),
});
type ProjectAlias = z.infer<typeof ProjectAlias>;

export const projectAliases = collection({
  name: 'project-aliases',
  schema: ProjectAlias,
  key: (it) => [it.uid],
  indexes: { byProject: (it) => [it.project, it.uid], byAge: (it) => [it.at] },
  keepFor: { ms: KEPT_MS },
});

/** Link parameters with a uid; a project without a ciphertext has its key from one of them. */
const UID_KEYS = ['uid', 'jobuid', 'projectuid'];
const CIPHERTEXT = /^~\d{1,40}$/u;
const UID = /^[\w-]{1,100}$/u;

/**
 * Records that the marketplace returned this `~id` for this uid. The first answer stays: a contradiction
 * joins nothing.
 * @returns whether the alias is new
 */
export async function recordProjectAlias(
  tx: Transaction,
  { uid, ciphertext }: { readonly uid: string; readonly ciphertext: string },
  at: Instant,
): Promise<boolean> {
  if (!UID.test(uid) || !CIPHERTEXT.test(ciphertext) || ciphertext === `~${uid}`) return false;
  const project = ProjectKey.parse(ciphertext);
  const before = await tx.get(projectAliases, [uid]);
  if (before && (before.project !== project || at - before.at < REFRESHED_AFTER_MS)) return false;
  await tx.put(projectAliases, { uid, project, at });
  return before === undefined;
}

/** Names of a project; one is enough. */
export interface ProjectIdentifiers {
  readonly project?: ProjectKey | undefined;
  /** As the marketplace accepts it: `~digits`, or a uid. */
  readonly marketplaceJobId?: string | undefined;
}

export interface ProjectAliasSet {
  /** Every key that records of the project may have. */
  readonly keys: readonly ProjectKey[];
  /** Every marketplace job id of the project, without tildes. */
  readonly jobIds: readonly string[];
}

export async function findProjectAliases(
  tx: ReadTransaction,
  { project, marketplaceJobId }: ProjectIdentifiers,
): Promise<ProjectAliasSet> {
  const given = [project, marketplaceJobId].filter((name) => name !== undefined);
  const ciphertexts = new Set<string>(given.filter((name) => CIPHERTEXT.test(name)));
  const [kind = '', ofKey] = project?.split(':', 2) ?? [];
  const uids = new Set<string>();
  for (const uid of [UID_KEYS.includes(kind) ? ofKey : undefined, marketplaceJobId])
    if (uid !== undefined && UID.test(uid)) uids.add(uid);
  for (const uid of uids) {
    const alias = await tx.get(projectAliases, [uid]);
    if (alias) ciphertexts.add(alias.project);
    // Digits that are no known uid may be a `~id` without its tilde.
    else if (CIPHERTEXT.test(`~${uid}`)) ciphertexts.add(`~${uid}`);
  }
  for (const ciphertext of ciphertexts) {
    const range = { index: 'byProject', prefix: [ciphertext] as const, limit: MOST_UIDS };
    for (const { value } of await tx.list(projectAliases, range)) uids.add(value.uid);
  }
  const ofUids = [...uids].flatMap((uid) => UID_KEYS.map((name) => `${name}:${uid}`));
  const keys = new Set([...(project === undefined ? [] : [project]), ...ciphertexts, ...ofUids]);
  const jobIds = [...ciphertexts, ...uids, ...(marketplaceJobId === undefined ? [] : [marketplaceJobId])];
  return {
    keys: [...keys].map((key) => ProjectKey.parse(key)),
    jobIds: [...new Set(jobIds.map(removeJobIdTilde))],
  };
}

/** Normalizes a marketplace job id: with or without its tilde it is the same project. */
export function removeJobIdTilde(marketplaceJobId: string): string {
  return marketplaceJobId.replace(/^~/u, '');
}
