/** What every part of digests is handed. */
import type { Clock } from '../clock.ts';
import type { CreditBook } from '../credits/book.ts';
import type { Feed } from '../feed/feed.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { Mirror } from '../proposals/mirror.ts';
import type { Setups } from '../setups/setups.ts';
import type { Store } from '../storage/store.ts';
import type { PicturePort } from './digests.ts';

export interface DigestsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: Pick<CreditBook, 'budget' | 'account'>;
  readonly setups: Pick<Setups, 'known' | 'fresh'>;
  readonly feed: Pick<Feed, 'subscriptions' | 'settings'>;
  readonly profiles: Pick<Profiles, 'feeds'>;
  readonly mirror: Pick<Mirror, 'newest' | 'isLoaded' | 'progress'>;
  readonly pictures: Pick<Pictures, 'draw'>;
  readonly port: PicturePort;
  /** IANA name, of channels that have none of their own. */
  readonly timezone: string;
  readonly clock: Clock;
  readonly log: Log;
}
