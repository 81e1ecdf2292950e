/** The contract of the stored list of auto bidding setups, so that no menu waits for the marketplace. */
import { z } from 'zod';
import type { Instant } from '../clock.ts';
import { SetupId, TeamId, type TemplateId } from '../ids.ts';
import type { Lane } from '../marketplace/gate/gate.ts';
import { BiddingSetup, type ProposalTemplate } from '../marketplace/schema.ts';
import type { Collection, Transaction } from '../storage/store.ts';

/** Key: [team, setup]. Exactly the last good response. */
const StoredSetup = z.object({ team: TeamId, setup: BiddingSetup, id: SetupId });
type StoredSetup = z.infer<typeof StoredSetup>;
export const storedSetups: Collection<StoredSetup> = { name: 'setups', schema: StoredSetup, indexes: {} };

/** Key: [team]. */
const SetupsState = z.object({ team: TeamId, readAt: z.number() });
type SetupsState = z.infer<typeof SetupsState>;
export const setupsStates: Collection<SetupsState> = {
  name: 'setups-state',
  schema: SetupsState,
  indexes: {},
};

export interface SetupList {
  /** By id. */
  readonly setups: readonly BiddingSetup[];
  /** When the marketplace sent them; missing: never yet. */
  readonly readAt?: Instant;
}

export interface SetupService {
  readStoredSetups(): Promise<SetupList>;
  /**
   * Returns the stored list if it is younger than `maxAgeMs`. Else requests it (one request for all callers)
   * and stores the response.
   * @throws MarketplaceError; the stored list stays.
   */
  refreshIfOlderThan(maxAgeMs: number, lane: Lane): Promise<SetupList>;
  /**
   * A template that a setup bids with; requested at most every five minutes. The docs name its path only.
   * @throws MarketplaceError
   */
  fetchTemplate(id: TemplateId): Promise<ProposalTemplate>;
  /** The template as last fetched since the start. @param withinMs missing: of any age, to show it at once */
  findKnownTemplate(id: TemplateId, withinMs?: number): ProposalTemplate | undefined;
  /**
   * Called with every new list, inside the transaction that stores it. The listener must not throw errors of
   * its own.
   */
  onSetupsStored(listener: SetupsStoredListener): void;
}

export type SetupsStoredListener = (
  tx: Transaction,
  setups: readonly BiddingSetup[],
  at: Instant,
) => Promise<void>;
