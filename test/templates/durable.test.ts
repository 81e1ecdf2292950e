/** The largest draft on the app's real storage engine. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditEntries } from '../../src/audit/audit.ts';
import { machineClock } from '../../src/clock.ts';
import { decisionHeads, decisions } from '../../src/decisions/records.ts';
import { silentLog } from '../../src/log.ts';
import type { ProposalTemplate } from '../../src/marketplace/schema.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { templateDrafts } from '../../src/templates/records.ts';
import { createTemplateService } from '../../src/templates/templates.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { seededRandom } from '../seeded-random.ts';
import { LARGEST } from './forms.ts';
import { ANN, pending, TEAM } from './world.ts';

async function open(folder: string) {
  const collections = [templateDrafts, auditEntries, decisions, decisionHeads];
  const store = await openJournalStore({ folder, collections, log: silentLog, clock: machineClock });
  const asked = pending<void>();
  const createTemplate = () => {
    asked.resolve();
    return pending<ProposalTemplate>().promise;
  };
  const { marketplace } = fakeMarketplace({ createProposalTemplate: createTemplate });
  const random = seededRandom(1);
  const parts = { team: TEAM, store, marketplace, clock: machineClock, random, log: silentLog };
  return { store, asked: asked.promise, templates: createTemplateService(parts) };
}

test('the largest draft comes back from the disk as it was, and an interrupted one as unknown', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'gigdesk-templates-'));
  const folder = join(parent, 'data');
  const before = await open(folder);
  const started = await before.templates.drafts.create({ user: ANN });
  if (started.kind !== 'created') throw new Error(started.kind);
  const { id: draft } = started.draft;
  const saved = await before.templates.drafts.save({ user: ANN, draft, change: () => LARGEST });
  if (saved.kind !== 'saved') throw new Error(saved.kind);
  void before.templates.submitDraft({ user: ANN, draft, seen: saved.draft.revision });
  await before.asked;
  await before.store.close();

  const after = await open(folder);
  expect(await after.templates.recoverUnansweredClaims()).toBe(1);
  const [found] = await after.templates.drafts.list(ANN);
  expect(found).toMatchObject({ state: 'unknown', attempt: 1 });
  expect(found?.form).toEqual(LARGEST);
  await after.store.close();
  await rm(parent, { recursive: true });
});
