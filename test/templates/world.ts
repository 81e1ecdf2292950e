/** Templates on an in-memory store, beside a scripted marketplace. */
import { auditEntries } from '../../src/audit/audit.ts';
import { TeamId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import type { TemplateForm } from '../../src/templates/form.ts';
import type { TemplateDraft } from '../../src/templates/records.ts';
import { createTemplateService } from '../../src/templates/templates.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore, type MemoryStore } from '../memory-store.ts';
import { seededRandom } from '../seeded-random.ts';

export const TEAM = TeamId.parse('T1');
export const ANN = UserId.parse('UANN');
export const BEN = UserId.parse('UBEN');

interface Earlier {
  readonly store?: MemoryStore;
  readonly clock?: ManualClock;
}

export function openWorld(answers: Partial<MarketplaceClient> = {}, earlier: Earlier = {}) {
  const store = earlier.store ?? createMemoryStore();
  const clock = earlier.clock ?? new ManualClock();
  const { marketplace, calls } = fakeMarketplace(answers);
  const random = seededRandom(7);
  const templates = createTemplateService({ team: TEAM, store, marketplace, clock, random, log: silentLog });
  return {
    store,
    clock,
    templates,
    calls,
    /** A draft with this form, as its review shows it. */
    filled: async (form: TemplateForm, user = ANN): Promise<TemplateDraft> => {
      const started = await templates.drafts.create({ user });
      if (started.kind !== 'created') throw new Error(started.kind);
      const saved = await templates.drafts.save({ user, draft: started.draft.id, change: () => form });
      if (saved.kind !== 'saved') throw new Error(saved.kind);
      return saved.draft;
    },
    audit: () =>
      store.read(async (tx) =>
        (await tx.list(auditEntries, { prefix: [TEAM], limit: 100 })).map(({ value }) => value),
      ),
    /** The next start of the app on the same store. */
    again: (next: Partial<MarketplaceClient> = answers) => openWorld(next, { store, clock }),
  };
}

/** A promise that is settled from outside. */
export function pending<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
