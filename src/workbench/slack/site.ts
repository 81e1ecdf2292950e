/** Everything that the parts of one simulated Slack share. */
import type { Clock } from '../../clock.ts';
import type { DateAhead } from '../http.ts';
import type { FileStore } from './file-store.ts';
import type { Identifiers } from './identifiers.ts';
import type { Journal } from './journal.ts';
import type { MessageStore } from './message-store.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { TriggerStore } from './trigger-store.ts';
import type { ViewStore } from './view-store.ts';
import type { FaultDesk } from './web/fault-desk.ts';
import type { RateLimits } from './web/rate-limits.ts';
import type { World } from './world.ts';

export interface Settings {
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  scopes: readonly string[];
  rateLimits: 'on' | 'off';
  historyLimit: 'usual' | 'strict';
  optionalFields: 'sent' | 'left-out';
  refusedToken: string | undefined;
  refusedSockets: string | undefined;
  readonly unfurlDomains: readonly string[] | undefined;
  dateAhead: DateAhead;
}

export interface Site {
  readonly clock: Clock;
  readonly peopleClock: Clock;
  readonly settings: Settings;
  readonly ids: Identifiers;
  readonly journal: Journal;
  readonly world: World;
  readonly messages: MessageStore;
  readonly views: ViewStore;
  readonly triggers: TriggerStore;
  readonly files: FileStore;
  readonly responseUrls: ResponseUrls;
  readonly faults: FaultDesk;
  readonly rateLimits: RateLimits;
  /** `http://127.0.0.1:<port>`; known once it listens. */
  origin(): string;
  /** A fresh websocket address, good for one connection. */
  socketUrl(): string;
}
