/** The objects in the simulated workspace; tests read them, only the simulator writes them. */
import type { Instant } from '../../clock.ts';

/** A JSON object whose fields are checked one by one. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A block from the app, with the `block_id` (and its elements' `action_id`s) that Slack adds if missing. */
export interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly [field: string]: unknown;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
}

/** The app under test. */
export interface Bot {
  readonly userId: string;
  readonly botId: string;
  readonly appId: string;
  readonly name: string;
}

/** A person of an Enterprise Grid organization. */
export interface EnterpriseUser {
  /** In the organization; the person's ID when absent. */
  readonly id?: string;
  /** The person's workspaces. */
  readonly teams: readonly string[];
}

export interface SlackUser {
  readonly id: string;
  readonly name: string;
  /** What `users.info` and payloads name as the person's workspace; undefined: nothing. */
  readonly teamId: string | undefined;
  readonly enterprise: EnterpriseUser | undefined;
  readonly admin: boolean;
  readonly owner: boolean;
  /** `single` and `multi` are guests of one or of several channels. */
  readonly guest: 'single' | 'multi' | undefined;
  /** A person of another workspace, from a shared channel. */
  readonly stranger: boolean;
  readonly bot: boolean;
  readonly deleted: boolean;
  readonly tz: string;
}

export interface NewUser {
  readonly id?: string;
  readonly name: string;
  readonly admin?: boolean;
  readonly owner?: boolean;
  readonly guest?: 'single' | 'multi';
  readonly stranger?: boolean;
  /** `team`: what Slack names as the person's workspace; missing: nothing. */
  readonly enterprise?: EnterpriseUser & { readonly team?: string };
  readonly deleted?: boolean;
  /** IANA name; `UTC` when absent. */
  readonly tz?: string;
}

export interface SlackChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im';
  /** Shared with another workspace. */
  readonly shared: boolean;
  readonly archived: boolean;
  /** User IDs, including the bot's if it was invited. */
  readonly members: readonly string[];
}

export interface NewChannel {
  readonly id?: string;
  readonly name: string;
  readonly private?: boolean;
  readonly shared?: boolean;
  /** User IDs; all existing people when absent. */
  readonly members?: readonly string[];
  /** Whether the bot is a member; true when absent. */
  readonly withBot?: boolean;
}

export interface SlackUserGroup {
  readonly id: string;
  readonly handle: string;
  readonly users: readonly string[];
}

export interface SlackMessageMetadata {
  readonly event_type: string;
  readonly event_payload: JsonObject;
}

/** A message's current version. */
export interface SlackMessage {
  readonly channel: string;
  readonly ts: string;
  /** The author: the bot's user ID or a person's. */
  readonly user: string;
  readonly byBot: boolean;
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly attachments: readonly JsonObject[];
  readonly metadata: SlackMessageMetadata | undefined;
  readonly edited: boolean;
  /** The thread that it replies in; undefined for a top-level message. */
  readonly threadTs: string | undefined;
  /** A reply that also appears in the channel. */
  readonly broadcast: boolean;
  /** The only person who sees it; undefined if everyone does. */
  readonly ephemeralFor: string | undefined;
  readonly fileIds: readonly string[];
  readonly reactions: readonly { readonly name: string; readonly users: readonly string[] }[];
  /** Link previews, by URL. */
  readonly unfurls: Readonly<Record<string, JsonObject>>;
}

/** An open modal or a published Home. */
export interface SlackView {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly userId: string;
  readonly callbackId: string;
  readonly externalId: string;
  readonly title: string;
  readonly submit: string | undefined;
  readonly close: string | undefined;
  readonly blocks: readonly Block[];
  readonly privateMetadata: string;
  readonly notifyOnClose: boolean;
  readonly clearOnClose: boolean;
  readonly hash: string;
  readonly previousViewId: string | undefined;
  readonly rootViewId: string;
}

export interface UploadedFile {
  readonly id: string;
  /** The uploader: the bot, or a person in a `file_input`. */
  readonly user: string;
  readonly at: Instant;
  readonly name: string;
  readonly title: string;
  readonly altText: string | undefined;
  readonly bytes: Buffer;
  /** False until `files.completeUploadExternal`. */
  readonly complete: boolean;
  /** Where it was shared: a channel ID, and the message that contains it. */
  readonly channel: string | undefined;
  readonly messageTs: string | undefined;
  readonly threadTs: string | undefined;
  readonly initialComment: string | undefined;
}

/** One answered (or failed) Web API call, without its token. */
export interface LoggedApiCall {
  readonly method: string;
  readonly at: number;
  /** The arguments, without the token. */
  readonly args: JsonObject;
  readonly ok: boolean;
  /** Slack's error code, `ratelimited`, `http_503`, `dropped` or `broken_json`; undefined on success. */
  readonly error: string | undefined;
  /** Slack's `response_metadata.messages`, if any. */
  readonly messages: readonly string[];
  /** An injected fault caused the error. */
  readonly ordered: boolean;
}

/** A change in the workspace. */
export type SlackChange =
  | {
      readonly kind: 'posted' | 'edited' | 'deleted' | 'ephemeral' | 'unfurled' | 'reacted';
      readonly message: SlackMessage;
    }
  | { readonly kind: 'view' | 'home'; readonly userId: string }
  | { readonly kind: 'called'; readonly call: LoggedApiCall }
  | { readonly kind: 'quiet' }
  | { readonly kind: 'connection' };

/** A person who allows an installation. */
export interface AllowedInstall {
  /** Where the app sent the person: Slack's `oauth/v2/authorize` with its query. */
  readonly authorizeUrl: string;
  /** Their ID; of this workspace or of any other. */
  readonly user: string;
  /** This workspace when absent. */
  readonly team?: { readonly id: string; readonly name: string };
  /** The token that the app gets; for another team `xoxb-` and its ID when absent. */
  readonly botToken?: string;
  /** The ID of the team's Enterprise Grid organization. */
  readonly enterprise?: string;
  /** Installs the app for the whole organization. */
  readonly orgWide?: true;
}
