/** What buying projects works with. */
import type { Clock, Random } from '../clock.ts';
import type { CreditsService } from '../credits/credits-service.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { RequestGate } from '../marketplace/gate.ts';
import type { Store, Transaction } from '../storage/store.ts';

export interface ProjectsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: CreditsService;
  readonly marketplace: MarketplaceClient;
  readonly gate: Pick<RequestGate, 'status'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** A uid was shown to be this project's: what stands under either name is one project from now on. */
  readonly onLinked?: (tx: Transaction, project: ProjectKey) => Promise<void>;
}
