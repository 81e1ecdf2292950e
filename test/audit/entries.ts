/** Stored audit entries, oldest first. */
import { type AuditEntry, auditEntries } from '../../src/audit/audit.ts';
import type { TeamId } from '../../src/ids.ts';
import { type Store, scanCollection } from '../../src/storage/store.ts';

export async function auditOf(store: Store, team: TeamId): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  await store.read(async (tx) => {
    for await (const { value } of scanCollection(tx, auditEntries, { prefix: [team] })) found.push(value);
  });
  return found;
}
