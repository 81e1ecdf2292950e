/** The dependencies of project purchases. */
import type { Clock, RandomSource } from '../clock.ts';
import type { CreditsService } from '../credits/credits-service.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import type { Store, Transaction } from '../storage/store.ts';

export interface ProjectsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: CreditsService;
  readonly marketplace: MarketplaceClient;
  readonly gate: Pick<RequestGate, 'status'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** A uid turned out to be this project's: both names mean one project from now on. */
  readonly onLinked?: (tx: Transaction, project: ProjectKey) => Promise<void>;
}
