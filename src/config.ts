/** Reads the environment once and validates it as a whole. Nothing else reads `process.env`. */
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { type Credits, toCredits, UserId } from './ids.ts';
import type { LogLevel } from './log.ts';
import { isTimezone } from './schedule/local-time.ts';
import { Secret } from './secret.ts';

export interface Config {
  readonly slack: {
    readonly botToken: Secret;
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
    readonly token: Secret;
    readonly requestsPerMinute: 'auto' | number;
  };
  readonly defaultChannelBudget: Credits;
  readonly admins: ReadonlySet<UserId>;
  readonly dataDir: string;
  readonly http: { readonly host: string; readonly port: number };
  readonly logLevel: LogLevel;
  /** IANA name. */
  readonly timezone: string;
}

export type ConfigResult =
  | { readonly kind: 'config'; readonly config: Config }
  /** One sentence each: the variable's name and a valid value, never the given value. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
}

const url = (example: string) =>
  z.string().refine(isSafeUrl, `must be an https URL (http only for localhost), for example ${example}`);

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,7}$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((it) => it >= from && it <= to, `must be a whole number from ${from} to ${to}`);

const token = (prefix: string, what: string) =>
  z.string({ error: `is missing: ${what}` }).startsWith(prefix, `must start with ${prefix}: ${what}`);

const userIds = z
  .string()
  .transform((list) => list.split(',').map((id) => id.trim()))
  .transform((list) => list.filter((id) => id !== ''))
  .refine(
    (list) => list.every((id) => /^[UW][A-Z0-9]+$/.test(id)),
    'must be Slack user IDs, for example U0123ABCD,U0456EFGH',
  )
  .transform((list): ReadonlySet<UserId> => new Set(list.map((id) => UserId.parse(id))));

const Environment = z.object({
  SLACK_BOT_TOKEN: token('xoxb-', "copy the bot token from the Slack app's OAuth & Permissions page"),
  SLACK_APP_TOKEN: token(
    'xapp-',
    'copy the app-level token with connections:write (for Socket Mode)',
  ).optional(),
  SLACK_SIGNING_SECRET: z
    .string()
    .min(16, "is too short: copy it from the Slack app's Basic Information page")
    .optional(),
  SLACK_API_URL: url('https://slack.com/api/').optional(),
  MARKETPLACE_API_URL: z
    .string({ error: 'is missing: enter the marketplace API URL, including the version at the end (/v1)' })
    .pipe(url('https://api.example.com/v1')),
  MARKETPLACE_API_TOKEN: z.string({
    error: 'is missing: generate one in the marketplace dashboard (API tokens)',
  }),
  MARKETPLACE_REQUESTS_PER_MINUTE: z
    .union([z.literal('auto'), wholeNumber(1, 600)], {
      error: 'must be "auto" or a whole number from 1 to 600',
    })
    .default('auto'),
  DEFAULT_CHANNEL_BUDGET: wholeNumber(0, 1_000_000).default(500),
  ADMIN_USER_IDS: userIds.default(new Set<UserId>()),
  DATA_DIR: z.string().default('./data'),
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

type Receive = Config['slack']['receive'];

function readReceive(
  env: Pick<Environment, 'SLACK_APP_TOKEN' | 'SLACK_SIGNING_SECRET'>,
): Receive | undefined {
  if (env.SLACK_APP_TOKEN) return { mode: 'socket', appToken: new Secret(env.SLACK_APP_TOKEN) };
  if (env.SLACK_SIGNING_SECRET) return { mode: 'http', signingSecret: new Secret(env.SLACK_SIGNING_SECRET) };
  return undefined;
}

const NO_RECEIVER =
  'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing: ' +
  'set SLACK_APP_TOKEN for Socket Mode (no public URL needed), or SLACK_SIGNING_SECRET for HTTP';

/** Reads the environment and reports all problems at once. Empty values count as absent. Never throws. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ConfigResult {
  const given = Object.entries(env).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : []));
  const present = Object.fromEntries(given) as Readonly<Record<string, string>>;
  const parsed = Environment.safeParse(present);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  if (!('SLACK_APP_TOKEN' in present || 'SLACK_SIGNING_SECRET' in present)) problems.push(NO_RECEIVER);
  const receive = parsed.success ? readReceive(parsed.data) : undefined;
  if (!parsed.success || !receive) return { kind: 'problems', problems };
  return { kind: 'config', config: toConfig(parsed.data, receive) };
}

/** Reads this process's environment and the current folder's `.env`; existing variables win. */
export function readConfigFromEnvironment(): ConfigResult {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

function toConfig(env: Environment, receive: Receive): Config {
  const apiUrl = env.SLACK_API_URL && { apiUrl: `${env.SLACK_API_URL.replace(/\/+$/, '')}/` };
  return {
    slack: { botToken: new Secret(env.SLACK_BOT_TOKEN), receive, ...apiUrl },
    marketplace: {
      baseUrl: env.MARKETPLACE_API_URL.replace(/\/+$/, ''),
      token: new Secret(env.MARKETPLACE_API_TOKEN),
      requestsPerMinute: env.MARKETPLACE_REQUESTS_PER_MINUTE,
    },
    defaultChannelBudget: toCredits(env.DEFAULT_CHANNEL_BUDGET),
    admins: env.ADMIN_USER_IDS,
    dataDir: env.DATA_DIR,
    http: { host: env.HOST, port: env.PORT },
    logLevel: env.LOG_LEVEL,
    timezone: env.TZ_DEFAULT,
  };
}
