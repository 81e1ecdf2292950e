/** Reads the environment once and validates it as a whole. Nothing else reads `process.env`. */
import { z } from 'zod';
import { isEncryptedOrLocal } from './base/safe-url.ts';
import { readEnvFile } from './env-file.ts';
import { type Credits, toCredits, UserId } from './ids.ts';
import type { LogLevel } from './log.ts';
import { isTimezone } from './schedule/local-time.ts';
import { type EncryptionKeys, parseEncryptionKeys } from './seal.ts';
import { Secret } from './secret.ts';

export interface Config {
  readonly slack: {
    /** Socket Mode if there is an app token (it wins over a signing secret), else signed HTTP requests. */
    readonly receive:
      | { readonly mode: 'socket'; readonly appToken: Secret }
      | { readonly mode: 'http'; readonly signingSecret: Secret };
    /** Ends with a slash; undefined: Slack's own URL. */
    readonly apiUrl?: string;
  };
  readonly marketplace: {
    /** Without a trailing slash. */
    readonly baseUrl: string;
    readonly requestsPerMinute: 'auto' | number;
  };
  readonly workspaces: SingleWorkspace | InstalledWorkspaces;
  readonly storage:
    | { readonly engine: 'folder'; readonly folder: string }
    | { readonly engine: 'postgres'; readonly url: Secret };
  /** Where the other replicas reach this one, and what they show. Missing: there is only one. */
  readonly replica?: { readonly url: string; readonly secret: Secret };
  /** The way to Slack and the marketplace. Missing: they are reached directly. */
  readonly proxy?: ProxyConfig;
  readonly defaultChannelBudget: Credits;
  /** `publicUrl`: where people and tools reach it, if known. */
  readonly http: { readonly host: string; readonly port: number; readonly publicUrl?: string };
  readonly logLevel: LogLevel;
  /** IANA name. */
  readonly timezone: string;
}

export interface ProxyConfig {
  /** May have a user and a password. */
  readonly url: Secret;
  /** Hosts that are reached directly, separated by commas. */
  readonly noProxy: string;
}

/** One workspace, whose tokens come from the environment. */
export interface SingleWorkspace {
  readonly mode: 'single';
  readonly botToken: Secret;
  readonly marketplaceToken: Secret;
  readonly admins: ReadonlySet<UserId>;
}

/** Any number of workspaces, which people install. */
export interface InstalledWorkspaces {
  readonly mode: 'installed';
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Where Slack sends people back to; without a slash at the end. */
  readonly publicUrl: string;
  readonly encryptionKeys: EncryptionKeys;
}

export type ConfigResult =
  | { readonly kind: 'config'; readonly config: Config }
  /** One sentence each: the variable's name and a valid value, never the given value. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

function isSafeUrl(text: string): boolean {
  if (/\s/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return false;
  return isEncryptedOrLocal(url);
}

const url = (example: string) =>
  z.string().refine(isSafeUrl, `must be an https URL (http only for localhost), for example ${example}`);

/** As the driver reads it: several hosts with commas are fine, an unescaped # in the password isn't. */
function isDatabaseUrl(text: string): boolean {
  const withOneHost = text.replace(/((?:@|\/\/)[^,@/?]*),[^@/?]*(?=[/?]|$)/u, '$1');
  if (!/^postgres(?:ql)?:\/\/./u.test(text) || !URL.canParse(withOneHost)) return false;
  const { username, password, pathname } = new URL(withOneHost);
  return [username, password, pathname].every((part) => !/%(?![0-9a-f]{2})/iu.test(part));
}

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((it) => it >= from && it <= to, `must be a whole number from ${from} to ${to}`);

const ROTATING =
  'is a rotating token (xoxe), which expires within hours. Create a Slack app from manifest.yml, ' +
  'where token rotation is off, and copy its token';

/** Other characters, such as a dash from a text editor, or a comment behind it, can't be sent. */
const secretText = z.string().regex(/^[\x21-\x7e]+$/u, {
  error: 'has a space or a special character: copy it again, with nothing else on its line',
  abort: true,
});

const token = (prefix: string, what: string) =>
  secretText
    .refine((text) => !text.startsWith('xoxe'), { error: ROTATING, abort: true })
    .startsWith(prefix, `must start with ${prefix}: ${what}`);

const encryptionKeys = z.string().transform((text, context) => {
  const keys = parseEncryptionKeys(text);
  if (keys) return keys;
  context.addIssue(
    'must be one or more keys, separated by commas, each the base64 of 32 bytes, with an ID before it or ' +
      'without: 2026:<base64>. `openssl rand -base64 32` makes one',
  );
  return z.NEVER;
});

const userIds = z
  .string()
  .transform((list) => list.split(',').map((id) => id.trim()))
  .transform((list) => list.filter((id) => id !== ''))
  .refine(
    (list) => list.every((id) => /^[UW][A-Z0-9]+$/.test(id)),
    'must be Slack user IDs, for example U0123ABCD,U0456EFGH',
  )
  .transform((list): ReadonlySet<UserId> => new Set(list.map((id) => UserId.parse(id))));

const BOT_TOKEN = "copy the bot token from the Slack app's OAuth & Permissions page";

const Environment = z.object({
  SLACK_BOT_TOKEN: token('xoxb-', BOT_TOKEN).optional(),
  SLACK_APP_TOKEN: token(
    'xapp-',
    'copy the app-level token with connections:write (for Socket Mode)',
  ).optional(),
  SLACK_SIGNING_SECRET: secretText
    .min(16, "is too short: copy it from the Slack app's Basic Information page")
    .optional(),
  SLACK_API_URL: url('https://slack.com/api/').optional(),
  MARKETPLACE_API_URL: z
    .string({ error: 'is missing: enter the marketplace API URL, including the version at the end (/v1)' })
    .pipe(url('https://api.example.com/v1')),
  MARKETPLACE_API_TOKEN: secretText.optional(),
  MARKETPLACE_REQUESTS_PER_MINUTE: z
    .union([z.literal('auto'), wholeNumber(1, 600)], {
      error: 'must be "auto" or a whole number from 1 to 600',
    })
    .default('auto'),
  DEFAULT_CHANNEL_BUDGET: wholeNumber(0, 1_000_000).default(500),
  ADMIN_USER_IDS: userIds.default(new Set<UserId>()),
  DATA_DIR: z
    .string()
    .regex(
      /^[^~$%](?:(?!\s#).)*$/u,
      'must be a folder as the system knows it, such as /home/ada/gigdesk: without ~, variables, comments',
    )
    .default('./data'),
  DATABASE_URL: z
    .string()
    .refine(
      isDatabaseUrl,
      'must be a PostgreSQL URL, for example postgres://user:password@host/name. Escape special characters ' +
        'of the password, such as # as %23',
    )
    .optional(),
  REPLICA_URL: z
    .string()
    .refine(
      (text) => URL.canParse(text) && /^https?:/u.test(text),
      'must be a URL that the other replicas reach',
    )
    .optional(),
  REPLICA_SECRET: z.string().min(16, 'is too short: use at least 16 random characters').optional(),
  SLACK_CLIENT_ID: secretText.optional(),
  SLACK_CLIENT_SECRET: secretText.optional(),
  PUBLIC_URL: url('https://gigdesk.example.com').optional(),
  ENCRYPTION_KEY: encryptionKeys.optional(),
  HTTPS_PROXY: z
    .string()
    .transform((text) => (/^[a-z\d]+:\/\//iu.test(text) ? text : `http://${text}`))
    .refine(
      (text) => URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol),
      'must be the URL of an HTTP proxy, for example http://proxy.example.com:8080. SOCKS is not supported',
    )
    .optional(),
  NO_PROXY: z.string().default(''),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error, or silent',
    })
    .default('info'),
  TZ_DEFAULT: z.string().refine(isTimezone, 'must be a time zone, for example Europe/Berlin').default('UTC'),
});
type Environment = z.infer<typeof Environment>;

const NO_RECEIVER =
  'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing: ' +
  'set SLACK_APP_TOKEN for Socket Mode (no public URL needed), or SLACK_SIGNING_SECRET for HTTP';
/** All of them, or none. */
const FOR_INSTALLING = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'PUBLIC_URL', 'ENCRYPTION_KEY'] as const;
const FOR_REPLICAS = ['REPLICA_URL', 'REPLICA_SECRET'] as const;
const FOR_ONE = ['SLACK_BOT_TOKEN', 'MARKETPLACE_API_TOKEN', 'SLACK_APP_TOKEN', 'ADMIN_USER_IDS'] as const;

function findMissing(present: Readonly<Record<string, string>>): string[] {
  const has = (name: string) => name in present;
  const problems: string[] = [];
  const lack = (names: readonly string[], why: string) =>
    problems.push(...names.filter((name) => !has(name)).map((name) => `${name} is missing: ${why}`));
  if (FOR_REPLICAS.some(has)) {
    lack(FOR_REPLICAS, `${FOR_REPLICAS.join(' and ')} are used together`);
    lack(['DATABASE_URL'], 'replicas share a PostgreSQL database');
  }
  if (FOR_INSTALLING.some(has)) {
    lack(FOR_INSTALLING, `to serve many workspaces, set all of ${FOR_INSTALLING.join(', ')}`);
    lack(['SLACK_SIGNING_SECRET'], 'many workspaces send their requests over HTTP');
    lack(['DATABASE_URL'], 'many workspaces are stored in PostgreSQL');
    for (const name of FOR_ONE.filter(has))
      problems.push(`${name} is for a single workspace: remove it, or ${FOR_INSTALLING.join(', ')}`);
  } else {
    lack(['SLACK_BOT_TOKEN'], BOT_TOKEN);
    lack(['MARKETPLACE_API_TOKEN'], 'generate one in the marketplace dashboard (API tokens)');
    if (!has('SLACK_APP_TOKEN') && !has('SLACK_SIGNING_SECRET')) problems.push(NO_RECEIVER);
  }
  return problems;
}

/** What came with the value by copy and paste. */
function findStray(value: string): string | undefined {
  const [character] = /\p{C}|(?! )\p{Z}/u.exec(value) ?? [];
  if (character !== undefined) {
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    return `contains an invisible character (U+${code}): delete the value, and type or copy it again`;
  }
  if (/^["'`\u201C\u201D\u2018\u2019\u00AB]|["'`\u201C\u201D\u2018\u2019\u00BB]$/u.test(value))
    return 'has quotation marks around it: remove them. `docker run --env-file` keeps quotes';
  return undefined;
}

/** Reads the environment and reports all problems at once. Empty values count as absent. Never throws. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ConfigResult {
  return readConfigWith(env, new Map());
}

/** @param known what is wrong with variables already: nothing else is said of these */
function readConfigWith(
  env: Readonly<Record<string, string | undefined>>,
  known: ReadonlyMap<string, string>,
): ConfigResult {
  const given = Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []));
  const present: Record<string, string> = Object.fromEntries(given);
  // As in other programs, the lower case counts first.
  for (const name of ['HTTPS_PROXY', 'NO_PROXY']) {
    const lower = present[name.toLowerCase()];
    if (lower !== undefined) present[name] = lower;
  }
  const wrong = new Map(known);
  for (const name of Object.keys(Environment.shape)) {
    const stray = findStray(present[name] ?? '');
    if (stray !== undefined && !wrong.has(name)) wrong.set(name, `${name} ${stray}`);
  }
  const parsed = Environment.safeParse(present);
  const invalid = (parsed.error?.issues ?? [])
    .filter(({ path }) => !wrong.has(String(path[0])))
    .map(({ path, message }) => `${path.join('.')} ${message}`);
  const problems = [...wrong.values(), ...invalid, ...findMissing(present)];
  const config = parsed.success && problems.length === 0 ? toConfig(parsed.data) : undefined;
  return config ? { kind: 'config', config } : { kind: 'problems', problems };
}

/** Channels and people have zones of their own; the host's zone must not matter. */
export function runInUtc(): void {
  process.env['TZ'] = 'UTC';
}

/** Reads this process's environment and the current folder's `.env`; existing variables win. Never throws. */
export function readConfigFromEnvironment(): ConfigResult {
  const file = readEnvFile('.env');
  const used = [...file.problems].filter(([name]) => process.env[name] === undefined);
  const unreadable = file.problems.get('.env');
  if (unreadable === undefined) return readConfigWith({ ...file.values, ...process.env }, new Map(used));
  // The environment may have all of it: systemd reads files that this user can't.
  const read = readConfig(process.env);
  return read.kind === 'config' ? read : { kind: 'problems', problems: [unreadable] };
}

function readWorkspaces(env: Environment): Config['workspaces'] | undefined {
  const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, PUBLIC_URL: publicUrl } = env;
  if (clientId && clientSecret && publicUrl && env.ENCRYPTION_KEY)
    return {
      mode: 'installed',
      clientId,
      clientSecret: new Secret(clientSecret),
      publicUrl: publicUrl.replace(/\/+$/, ''),
      encryptionKeys: env.ENCRYPTION_KEY,
    };
  const { SLACK_BOT_TOKEN: botToken, MARKETPLACE_API_TOKEN: marketplaceToken, ADMIN_USER_IDS: admins } = env;
  if (!botToken || !marketplaceToken) return undefined;
  const tokens = { botToken: new Secret(botToken), marketplaceToken: new Secret(marketplaceToken) };
  return { mode: 'single', ...tokens, admins };
}

function readReceive(env: Environment): Config['slack']['receive'] | undefined {
  if (env.SLACK_APP_TOKEN) return { mode: 'socket', appToken: new Secret(env.SLACK_APP_TOKEN) };
  if (env.SLACK_SIGNING_SECRET) return { mode: 'http', signingSecret: new Secret(env.SLACK_SIGNING_SECRET) };
  return undefined;
}

/** @returns undefined where `findMissing` finds a problem */
function toConfig(env: Environment): Config | undefined {
  const workspaces = readWorkspaces(env);
  const receive = readReceive(env);
  if (!workspaces || !receive) return undefined;
  const apiUrl = env.SLACK_API_URL && { apiUrl: `${env.SLACK_API_URL.replace(/\/+$/, '')}/` };
  const replica = env.REPLICA_URL &&
    env.REPLICA_SECRET && {
      replica: { url: env.REPLICA_URL.replace(/\/+$/, ''), secret: new Secret(env.REPLICA_SECRET) },
    };
  const proxy = env.HTTPS_PROXY && { proxy: { url: new Secret(env.HTTPS_PROXY), noProxy: env.NO_PROXY } };
  return {
    slack: { receive, ...apiUrl },
    marketplace: {
      baseUrl: env.MARKETPLACE_API_URL.replace(/\/+$/, ''),
      requestsPerMinute: env.MARKETPLACE_REQUESTS_PER_MINUTE,
    },
    workspaces,
    storage: env.DATABASE_URL
      ? { engine: 'postgres', url: new Secret(env.DATABASE_URL) }
      : { engine: 'folder', folder: env.DATA_DIR },
    ...replica,
    ...proxy,
    defaultChannelBudget: toCredits(env.DEFAULT_CHANNEL_BUDGET),
    http: {
      host: env.HOST,
      port: env.PORT,
      publicUrl: workspaces.mode === 'installed' ? workspaces.publicUrl : undefined,
    },
    logLevel: env.LOG_LEVEL,
    timezone: env.TZ_DEFAULT,
  };
}
