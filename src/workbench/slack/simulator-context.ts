/** What all parts of one simulated Slack share. */
import type { Clock } from '../../clock.ts';
import type { DateHeaderSkew } from '../http.ts';
import type { SlackActivityLog } from './activity-log.ts';
import type { FileStore } from './file-store.ts';
import type { SlackIdGenerator } from './identifiers.ts';
import type { InstallCodeStore } from './install-codes.ts';
import type { MessageStore } from './message-store.ts';
import type { ResponseUrlStore } from './response-urls.ts';
import type { TriggerStore } from './trigger-store.ts';
import type { ViewStore } from './view-store.ts';
import type { SlackFaultQueue } from './web/fault-queue.ts';
import type { WebApiRateLimiter } from './web/rate-limits.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** Block types that this workspace's Slack doesn't know, and whether its answer names the block. */
export interface RefusedBlocks {
  readonly types: readonly string[];
  readonly isNamed: boolean;
}

export interface SlackSimulatorSettings {
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly clientId: string;
  readonly clientSecret: string;
  scopes: readonly string[];
  rateLimits: 'on' | 'off';
  historyLimit: 'usual' | 'strict';
  optionalFields: 'sent' | 'left-out';
  refusedBlocks: RefusedBlocks;
  refusedToken: string | undefined;
  refusedSockets: string | undefined;
  readonly unfurlDomains: readonly string[] | undefined;
  dateAhead: DateHeaderSkew;
}

export interface SlackSimulatorContext {
  readonly clock: Clock;
  readonly peopleClock: Clock;
  readonly settings: SlackSimulatorSettings;
  readonly ids: SlackIdGenerator;
  readonly journal: SlackActivityLog;
  readonly world: WorkspaceStore;
  readonly messages: MessageStore;
  readonly views: ViewStore;
  readonly triggers: TriggerStore;
  readonly files: FileStore;
  readonly responseUrls: ResponseUrlStore;
  readonly installCodes: InstallCodeStore;
  readonly faults: SlackFaultQueue;
  readonly rateLimits: WebApiRateLimiter;
  /** `http://127.0.0.1:<port>`; available once it listens. */
  origin(): string;
  /** A new websocket URL, valid for one connection. */
  socketUrl(): string;
}
