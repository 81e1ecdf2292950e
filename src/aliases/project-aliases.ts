/**
 * Which names mean the same project: a uid and a `~id` are two keys until the marketplace shows that they are one. Nothing is
 * moved when it does: whatever reads by project reads under every key that `findProjectAliases` names.
 * Why: docs/decisions/0009-bidding.md.
 */
import { z } from 'zod';
import { DAY, type Instant } from '../clock.ts';
import { ProjectKey, TeamId } from '../ids.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { Collection, ReadTransaction, Transaction } from '../storage/store.ts';

/** Longer than bids are kept, so that an alias outlives the bids that it joins. */
const KEPT_MS = 400 * DAY;
const CLEARED_AT_ONCE = 5;
/** How often an alias that is shown again is stored again, so that one in use is never cleared out. */
const REFRESHED_AFTER_MS = 30 * DAY;
/** More uids of one project than this are never shown. */
const MOST_UIDS = 20;

const ProjectAlias = z.object({
  team: TeamId,
  uid: z.string(),
  /** `~digits`. */
  project: ProjectKey,
  at: z.number(),
});
type ProjectAlias = z.infer<typeof ProjectAlias>;

/** Key: [team, uid]. */
export const projectAliases: Collection<ProjectAlias> = {
  name: 'project-aliases',
  schema: ProjectAlias,
  indexes: {
    /** [team, project, uid] */
    byProject: (it) => [it.team, it.project, it.uid],
    /** [team, when last shown]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
};

/** Names under which a link bears a uid; a project without a ciphertext has its key from one of them. */
const UID_KEYS = ['uid', 'jobuid', 'projectuid'];
const CIPHERTEXT = /^~\d{1,40}$/u;
const UID = /^[\w-]{1,100}$/u;

/**
 * Records that the marketplace answered for this uid with this `~id`. What it showed first stays: a contradiction joins nothing.
 * @returns whether that was new
 */
export async function recordProjectAlias(
  tx: Transaction,
  team: TeamId,
  { uid, ciphertext }: { readonly uid: string; readonly ciphertext: string },
  at: Instant,
): Promise<boolean> {
  if (!UID.test(uid) || !CIPHERTEXT.test(ciphertext) || ciphertext === `~${uid}`) return false;
  const project = ProjectKey.parse(ciphertext);
  const before = await tx.get(projectAliases, [team, uid]);
  if (before && (before.project !== project || at - before.at < REFRESHED_AFTER_MS)) return false;
  await deleteOldRecords(tx, projectAliases, {
    index: 'byAge',
    prefix: [team],
    at,
    keptMs: KEPT_MS,
    limit: CLEARED_AT_ONCE,
  });
  await tx.put(projectAliases, [team, uid], { team, uid, project, at });
  return before === undefined;
}

/** What names a project; one of them is enough. */
export interface ProjectIdentifiers {
  readonly project?: ProjectKey | undefined;
  /** As the marketplace takes it: `~digits`, or a uid. */
  readonly marketplaceJobId?: string | undefined;
}

export interface ProjectAliasSet {
  /** Every key that records of the project may have. */
  readonly keys: readonly ProjectKey[];
  /** Every marketplace job id that means it, without tildes. */
  readonly jobIds: readonly string[];
}

/** Everything that is known to name the same project. */
export async function findProjectAliases(
  tx: ReadTransaction,
  team: TeamId,
  names: ProjectIdentifiers,
): Promise<ProjectAliasSet> {
  const { project, marketplaceJobId } = names;
  const ciphertexts = new Set([project, marketplaceJobId].filter((name) => CIPHERTEXT.test(name ?? '')));
  const uids = new Set<string>();
  for (const uid of [uidOf(project), CIPHERTEXT.test(marketplaceJobId ?? '') ? undefined : marketplaceJobId])
    if (uid !== undefined && UID.test(uid)) uids.add(uid);
  for (const uid of uids) {
    const ciphertext = await ciphertextOf(tx, team, uid);
    if (ciphertext) ciphertexts.add(ciphertext);
  }
  for (const ciphertext of ciphertexts) {
    const range = { index: 'byProject', prefix: [team, ciphertext ?? ''] as const, limit: MOST_UIDS };
    for (const { value } of await tx.list(projectAliases, range)) uids.add(value.uid);
  }
  return namesOf(names, [...ciphertexts].map(String), [...uids]);
}

/** Digits that are no uid we know may be a `~id` that was typed without its tilde. */
async function ciphertextOf(tx: ReadTransaction, team: TeamId, uid: string): Promise<ProjectKey | undefined> {
  const alias = await tx.get(projectAliases, [team, uid]);
  const typed = `~${uid}`;
  return alias?.project ?? (CIPHERTEXT.test(typed) ? ProjectKey.parse(typed) : undefined);
}

function namesOf(
  { project, marketplaceJobId }: ProjectIdentifiers,
  ciphertexts: readonly string[],
  uids: readonly string[],
): ProjectAliasSet {
  const keys = [...ciphertexts, ...uids.flatMap((uid) => UID_KEYS.map((name) => `${name}:${uid}`))];
  const jobIds = [...ciphertexts, ...uids, ...(marketplaceJobId === undefined ? [] : [marketplaceJobId])];
  return {
    keys: [...new Set([...(project === undefined ? [] : [project]), ...keys])].map((key) =>
      ProjectKey.parse(key),
    ),
    jobIds: [...new Set(jobIds.map(withoutTilde))],
  };
}

/** A marketplace job id as it tells projects apart: with or without its tilde it is the same project. */
export function withoutTilde(marketplaceJobId: string): string {
  return marketplaceJobId.replace(/^~/u, '');
}

/** The uid in a project's key; undefined where it bears none. */
function uidOf(project: ProjectKey | undefined): string | undefined {
  const [name = '', uid] = project?.split(':', 2) ?? [];
  return UID_KEYS.includes(name) ? uid : undefined;
}
