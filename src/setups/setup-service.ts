/** The contract of the stored list of auto bidding setups, so that no menu waits for the marketplace. */
import { z } from 'zod';
import type { Instant } from '../clock.ts';
import { SetupId, TeamId, type TemplateId } from '../ids.ts';
import type { Lane } from '../marketplace/gate.ts';
import { BiddingSetup, type ProposalTemplate } from '../marketplace/schema.ts';
import type { Collection, Transaction } from '../storage/store.ts';

/** Key: [team, setup]. Exactly what the last good answer held. */
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
  /** When the marketplace told them; missing: never yet. */
  readonly readAt?: Instant;
}

export interface SetupService {
  /** What is stored, at once. */
  readStoredSetups(): Promise<SetupList>;
  /**
   * What is stored where it is younger than `maxAgeMs`; else asks the marketplace (one request, whoever waits for it) and stores
   * the answer.
   * @throws MarketplaceError; what was stored stays.
   */
  refreshIfOlderThan(maxAgeMs: number, lane: Lane): Promise<SetupList>;
  /**
   * A template that a setup bids with; asked at most every five minutes. Its path is documented by name only.
   * @throws MarketplaceError
   */
  fetchTemplate(id: TemplateId): Promise<ProposalTemplate>;
  /** Tells of every list that was read, inside the transaction that stores it. The listener must not throw of its own. */
  onSetupsStored(listener: SetupsStoredListener): void;
}

export type SetupsStoredListener = (
  tx: Transaction,
  setups: readonly BiddingSetup[],
  at: Instant,
) => Promise<void>;
