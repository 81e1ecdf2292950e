/** What buying projects works with. */
import type { Clock, Random } from '../clock.ts';
import type { CreditBook } from '../credits/book.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import type { Gate } from '../marketplace/gate.ts';
import type { Store } from '../storage/store.ts';

export interface ProjectsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: CreditBook;
  readonly marketplace: Marketplace;
  readonly gate: Pick<Gate, 'status'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}
