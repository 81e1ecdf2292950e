/**
 * What the simulated Slack offers to tests and to the sandbox. It covers what `coverage.ts` lists and refuses the rest
 * loudly. Start it with `startSimulatedSlack` of `start.ts`; give `apiUrl` to the SDK as `slackApiUrl`.
 */
import type { Clock, Random } from '../../clock.ts';
import type { DateHeaderSkew } from '../http.ts';
import type {
  Bot,
  JsonObject,
  LoggedApiCall,
  NewChannel,
  NewUser,
  SlackChange,
  SlackChannel,
  SlackMessage,
  SlackUser,
  SlackUserGroup,
  SlackView,
  Team,
  UploadedFile,
} from './objects.ts';

export type * from './objects.ts';

export interface SlackOptions {
  /** Message times, rate limits, repeats of events. */
  readonly clock: Clock;
  /** By which people wait: the 3 s for an acknowledgement and of a `trigger_id`, the 30 min of a `response_url`.
   *  `clock` when absent; give the machine's where `clock` runs fast, or 3 s become a few milliseconds. */
  readonly peopleClock?: Clock;
  /** Dates the signatures of HTTP mode. The machine's when absent; the app's clock has to agree with it. */
  readonly signingClock?: Clock;
  readonly random: Random;
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
  readonly team?: Partial<Team>;
  readonly botName?: string;
  /** Off when absent. */
  readonly rateLimits?: 'on' | 'off';
  /** Links of these hosts make `link_shared` events; every link when absent. */
  readonly unfurlDomains?: readonly string[];
  readonly host?: string;
  readonly port?: number;
}

/** People, channels and groups. Channels and people are named by id or by name. An unknown one is an error. */
export interface SlackWorkspaceControls {
  readonly team: Team;
  readonly bot: Bot;
  addUser(user: NewUser): SlackUser;
  addChannel(channel: NewChannel): SlackChannel;
  addUserGroup(group: { id?: string; handle: string; users: readonly string[] }): SlackUserGroup;
  user(idOrName: string): SlackUser;
  channel(idOrName: string): SlackChannel;
  /** The bot among them. */
  users(): readonly SlackUser[];
  channels(): readonly SlackChannel[];
  userGroups(): readonly SlackUserGroup[];
  archive(channel: string): void;
  unarchive(channel: string): void;
  rename(channel: string, name: string): void;
  /** Puts a person into a channel; sends no event (that is `joinChannel`). */
  invite(channel: string, user: string): void;
  remove(channel: string, user: string): void;
  inviteBot(channel: string): void;
  removeBot(channel: string): void;
}

export interface SlackSettings {
  /** What the bot token may do; `'all'` is what the covered methods need, without `chat:write.public`. */
  grantScopes(scopes: 'all' | readonly string[]): void;
  setRateLimits(mode: 'on' | 'off'): void;
  /**
   * `strict`: `conversations.history` and `conversations.replies` answer once a minute and with 15 messages at most, as
   * Slack does to apps that are distributed outside of its Marketplace.
   */
  setHistoryLimit(mode: 'usual' | 'strict'): void;
  /**
   * `left-out`: interactions come without what Slack's documentation lets it leave out: the `block_id` of a view's blocks
   * that are no inputs, the workspace (null where an app is installed for an organization), and flags that are false.
   */
  setOptionalFields(mode: 'sent' | 'left-out'): void;
  /** From now on the bot token is refused with this code (`token_revoked`, `account_inactive`); undefined takes it again. */
  refuseToken(error: string | undefined): void;
  /** How far answers' Date header is ahead of the simulator's clock, in ms; 0 at the start. */
  setDateAhead(ahead: DateHeaderSkew): void;
}

export type SlackFaultEffect =
  | { readonly kind: 'ratelimited'; readonly retryAfterS?: number }
  | { readonly kind: 'status'; readonly status: number; readonly when?: 'before' | 'after' }
  | { readonly kind: 'error'; readonly error: string; readonly when?: 'before' | 'after' }
  /** The connection breaks; `after` means that the effect stands although no answer came. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  | { readonly kind: 'broken-json'; readonly when?: 'before' | 'after' }
  /** The answer waits for `ms` of the clock, or until `release()`; `after` (when absent) does the effect first. */
  | { readonly kind: 'hold'; readonly ms?: number; readonly when?: 'before' | 'after' };

export interface SlackFaultHandle {
  /** How often it has struck. */
  readonly used: number;
  /** Calls held now. */
  readonly held: number;
  /** Lets the held calls go on. */
  release(): void;
  /** Strikes no more, and releases. */
  cancel(): void;
}

export interface SlackFaultControls {
  /**
   * Orders trouble for the next `times` calls (1 when absent, `Infinity` for ever) of a Web API method: its name, a prefix with `*`
   * (`chat.*`), or `response_url`. A function looks at the arguments too. Faults strike in the order in which they were ordered.
   */
  injectFault(
    method: string | ((method: string, args: JsonObject) => boolean),
    effect: SlackFaultEffect,
    times?: number,
  ): SlackFaultHandle;
}

export type RequestForgery = 'wrong-signature' | 'old' | 'future' | 'unsigned' | 'charset';

/** A request that Slack sent to the app, and how it was answered. */
export interface SentRequest {
  readonly via: 'socket' | 'http';
  readonly type: 'slash_commands' | 'interactive' | 'events_api' | 'options';
  readonly payload: JsonObject;
  readonly sentAt: number;
  readonly answeredAt: number | undefined;
  /** HTTP mode only. */
  readonly status: number | undefined;
  /** The acknowledgement's body: parsed where it is JSON. */
  readonly body: unknown;
  readonly acked: boolean;
  readonly retryNum: number;
}

export interface SlackConnections {
  /** From now on commands, interactions and events go as signed requests to this address, such as `http://127.0.0.1:3000/slack/events`. */
  attachHttp(url: string): void;
  detachHttp(): void;
  /** How the next requests are signed, until set back with undefined. */
  setForgery(forgery: RequestForgery | undefined): void;
  /** Socket Mode connections that have been greeted. */
  readonly sockets: number;
  /** Asks every connection (or one) to reconnect, as Slack does every few hours. */
  refreshSockets(count?: number): void;
  /** Cuts connections without a word. */
  cutSockets(): void;
  /** Accepts no new socket while set: `apps.connections.open` then answers with this error. */
  refuseSockets(error: string | undefined): void;
  /** Everything sent to the app, in order. */
  sentRequests(): readonly SentRequest[];
  /** Sends a request once more as it was, as Slack does when an acknowledgement got lost; what is answered has no effect. */
  resendRequest(request: SentRequest): Promise<{ acked: boolean; body: unknown }>;
}

/** How Slack told the person that the app did not answer. */
export type AppFailureCode = 'operation_timeout' | 'dispatch_failed' | 'http_service_error';

export interface ActionResult {
  readonly acked: boolean;
  readonly failure: AppFailureCode | undefined;
  /** The acknowledgement's body; undefined when it was empty. */
  readonly body: unknown;
  readonly status: number | undefined;
  readonly triggerId: string;
  /** Undefined where Slack gives none (views, suggestions). */
  readonly responseUrl: string | undefined;
}

/** What a person acts on: a message that stands (as read from `messages`, `thread` or `ephemerals`), or a view. */
export type ActionTarget =
  | { readonly message: SlackMessage; readonly view?: never; readonly unfurl?: string }
  | { readonly view: SlackView; readonly message?: never };

interface OnElement {
  readonly user: string;
  readonly actionId: string;
  /** Only needed where one `action_id` stands in several blocks. */
  readonly blockId?: string;
  /** What the person had filled in by then, by `action_id` (see `Filled`). */
  readonly values?: InputValues;
  /** Sends it although no such element stands there. */
  readonly force?: boolean;
}

/**
 * What a person fills in, by `action_id`, `block_id` or `block_id.action_id`. Text and numbers as a string; a select's option by its
 * value or text; several as a list; dates as `2026-01-31`, times as `09:30`; of a `file_input` the ids of uploaded files; null empties the field.
 */
export type InputValues = Readonly<Record<string, string | number | null | readonly string[]>>;

export type PressInput = ActionTarget &
  OnElement & { readonly value?: string; readonly confirm?: 'accept' | 'deny' };
export type ChooseInput = ActionTarget &
  OnElement & {
    /** By value or text; null clears a select. Of an `external_select`: a suggestion that was offered before. */
    readonly option: string | number | null | readonly string[];
    readonly confirm?: 'accept' | 'deny';
  };

export interface PressResult extends ActionResult {
  /** The confirmation that was shown first, as text. */
  readonly confirm:
    | { readonly title: string; readonly text: string; readonly confirm: string; readonly deny: string }
    | undefined;
  /** False when the person denied: nothing was sent then. */
  readonly sent: boolean;
}

export interface SubmitResult extends ActionResult {
  /** False when Slack itself refused the input (`errors` says why): nothing was sent then. */
  readonly sent: boolean;
  readonly action: 'close' | 'errors' | 'update' | 'push' | 'clear' | 'none';
  /** By `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Acting as a person. Each resolves when the app has acknowledged, or the 3 s are over, or nobody listens. */
export interface SlackUserActions {
  /** `command` is `/gig` when absent. */
  runSlashCommand(input: {
    user: string;
    channel: string;
    text: string;
    command?: string;
  }): Promise<ActionResult>;
  press(input: PressInput): Promise<PressResult>;
  chooseOption(input: ChooseInput): Promise<PressResult>;
  /** Types into an `external_select`; the options that the app offers. @throws when they break Slack's limits or none came. */
  requestSuggestions(
    input: ActionTarget & OnElement & { readonly query: string },
  ): Promise<readonly { text: string; value: string }[]>;
  /** What a person's client does with a file as soon as it is chosen in a `file_input`; `values` then name it by its id. */
  uploadFile(input: { user: string; name: string; bytes: Buffer }): UploadedFile;
  /** Submits `view` (the person's topmost when absent). */
  submitView(input: {
    user: string;
    view?: SlackView;
    values?: InputValues;
    /** Sent instead of the view's own, as no real client does it. */
    forgedMetadata?: string;
    /** `view` as it was when it was read, whatever became of it: another device of the person still shows it. */
    asItWas?: true;
  }): Promise<SubmitResult>;
  /** Closes the topmost view, or with `all` the whole stack. */
  closeView(input: { user: string; all?: boolean }): Promise<ActionResult | undefined>;
  messageShortcut(input: { user: string; message: SlackMessage; callbackId: string }): Promise<ActionResult>;
  globalShortcut(input: { user: string; callbackId: string }): Promise<ActionResult>;
  /** Writes a message as a person. Sends no event. */
  postAsUser(input: { user: string; channel: string; text: string; threadTs?: string }): SlackMessage;
  /** Writes a message with links and sends `link_shared` for those of the unfurl domains. */
  postLinks(input: {
    user: string;
    channel: string;
    text?: string;
    urls: readonly string[];
    threadTs?: string;
  }): Promise<{ message: SlackMessage; acked: boolean }>;
  /** Any event of the Events API; repeats of it run on the clock. */
  sendEvent(
    type: string,
    fields?: JsonObject,
    options?: { eventId?: string },
  ): Promise<{ acked: boolean; eventId: string }>;
  mentionApp(input: {
    user: string;
    channel: string;
    text: string;
  }): Promise<{ message: SlackMessage; acked: boolean }>;
  /** Puts a person, or the bot (`'bot'`), into a channel and sends `member_joined_channel`. */
  joinChannel(input: { user: string; channel: string }): Promise<{ acked: boolean }>;
  openHome(input: { user: string; tab?: 'home' | 'messages' }): Promise<{ acked: boolean }>;
}

/** What stands on the screens, and the logs. */
export interface SlackScreens {
  /** Top-level messages of a channel, oldest first. */
  messages(channel: string): readonly SlackMessage[];
  /** A message and its replies, oldest first. */
  thread(channel: string, ts: string): readonly SlackMessage[];
  /** One message as it stands now; undefined once it is deleted. */
  message(channel: string, ts: string): SlackMessage | undefined;
  /** Messages that one person alone sees, oldest first; deleted ones are gone. */
  ephemerals(user?: string, channel?: string): readonly SlackMessage[];
  /** Direct messages between the bot and a person. */
  directMessages(user: string): readonly SlackMessage[];
  /** The topmost open modal. */
  view(user: string): SlackView | undefined;
  viewStack(user: string): readonly SlackView[];
  home(user: string): SlackView | undefined;
  /** All that were uploaded, or those that a message carries, with their bytes and alt texts. */
  files(on?: SlackMessage): readonly UploadedFile[];
  /** Links that were unfurled, oldest first. */
  unfurls(): readonly { channel: string; ts: string; url: string; unfurl: JsonObject }[];
  apiCalls(method?: string): readonly LoggedApiCall[];
  /** Every `ok: false` answer (and refused suggestion or acknowledgement) that no fault ordered: a healthy test ends with none. */
  failedCalls(): readonly LoggedApiCall[];
  /** Requests being answered and envelopes not acknowledged yet. */
  readonly openRequests: number;
  /** Resolves when `condition` holds, looked at after every change. Sleeps on no clock; a test's own time limit ends it. */
  waitForCondition(condition: () => boolean): Promise<void>;
  /** Resolves when `openRequests` is 0 and stays so for a few turns of the event loop. */
  waitUntilQuiet(): Promise<void>;
  onChange(listener: (change: SlackChange) => void): () => void;
}

export interface SimulatedSlack
  extends SlackWorkspaceControls,
    SlackSettings,
    SlackFaultControls,
    SlackConnections,
    SlackUserActions,
    SlackScreens {
  /** Base of the Web API, `http://127.0.0.1:<port>/api/`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  /** Forgets world, screens, logs, faults and waiting repeats; connections, tokens and the address stay. */
  reset(): void;
  close(): Promise<void>;
}
