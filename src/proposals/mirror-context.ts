/** What the mirror is handed. */
import type { Clock, Random } from '../clock.ts';
import type { Directory } from '../directory/directory.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Marketplace } from '../marketplace/client.ts';
import type { Gate } from '../marketplace/gate.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { Shelves } from '../storage/shelves/shelves.ts';
import type { Store } from '../storage/store.ts';
import type { HandOver } from './mirror-keeper.ts';

export interface MirrorContext {
  readonly team: TeamId;
  readonly store: Store;
  /** Of the mirror alone. */
  readonly shelves: Shelves<Proposal>;
  readonly profiles: Pick<Profiles, 'all'>;
  readonly marketplace: Pick<Marketplace, 'proposals'>;
  /** Learns names from what is read. */
  readonly directory?: Pick<Directory, 'learn'>;
  /** For the estimate of how long the first copy takes, and the pace of keeping up. */
  readonly gate: Pick<Gate, 'status'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /**
   * Handed every piece of news, and waited for, before it is kept:
   * - a proposal of a followed profile that was not known (no `before`) and was submitted after the profile's first copy was
   *   complete;
   * - a known proposal of a followed profile whose first copy is complete, when anything of it has changed.
   *
   * A first copy hands over nothing. A profile that was not followed for a while is copied anew in this sense. When the
   * process ends, or this throws, before it is kept, it is handed over again: whoever takes it must bear that. Otherwise
   * each change comes once. What was lost of the files on disk, and is read anew, may come again, too.
   */
  readonly onChanges?: HandOver;
}
