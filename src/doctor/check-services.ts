/**
 * Checks Slack (tokens, scopes, the app-level token, and this machine's clock against Slack's), and the
 * marketplace API with a free endpoint.
 */
import type { FetchFunction } from '@slack/web-api';
import { findConnectionFailure } from '../base/connection-failure.ts';
import { type Clock, MINUTE, SECOND } from '../clock.ts';
import type { Config, SingleWorkspace } from '../config.ts';
import { asError } from '../errors.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../marketplace/errors.ts';
import type { Secret } from '../secret.ts';
import { optionalScopeLosses, slackScopeReasons } from '../slack-scopes.ts';
import { type DoctorFinding, failed, passed, warned } from './finding.ts';

const SLACK = 'https://slack.com/api/';
const REINSTALL = 'copy the Bot User OAuth Token again (OAuth & Permissions), or reinstall the app';
const REMEDIES: Readonly<Record<string, string>> = {
  account_inactive:
    'the app was removed from the workspace, or its bot was disabled: reinstall it (Install App), ' +
    'and set the new SLACK_BOT_TOKEN',
  token_revoked: 'the token was revoked: reinstall the app (Install App), and set the new SLACK_BOT_TOKEN',
  ratelimited: 'too many requests to Slack: try again in a minute',
};

interface SlackAnswer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: { get(name: string): string | null };
}

const CHECK_SLACK = 'check your network, proxy, and SLACK_API_URL';

async function call(
  fetch: FetchFunction,
  url: string,
  token: Secret,
  given?: Readonly<Record<string, string>>,
): Promise<SlackAnswer | { readonly why: string; readonly remedy: string }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token.reveal()}`,
        ...(given && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
      },
      body: given && new URLSearchParams(given).toString(),
      signal: AbortSignal.timeout(10 * SECOND),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    return typeof body === 'object' && body !== null
      ? { body: body as Readonly<Record<string, unknown>>, headers: answer.headers }
      : { why: `the answer isn't from Slack (HTTP ${answer.status})`, remedy: CHECK_SLACK };
  } catch (thrown) {
    const { name, cause } = asError(thrown);
    const failure = findConnectionFailure(thrown);
    const other = name === 'TimeoutError' ? 'within 10 s' : `(${asError(cause ?? 'network').message})`;
    return {
      why: `no response from Slack ${failure ? `(${failure.code})` : other}`,
      remedy: failure?.help ?? CHECK_SLACK,
    };
  }
}

function checkScopes(headers: SlackAnswer['headers']): DoctorFinding {
  const granted = new Set((headers.get('x-oauth-scopes') ?? '').split(',').map((scope) => scope.trim()));
  const lacking = Object.keys(slackScopeReasons).filter((scope) => !granted.has(scope));
  const missing = lacking.filter((scope) => !Object.hasOwn(optionalScopeLosses, scope));
  if (lacking.length === 0) return passed('Slack scopes', 'all granted');
  if (missing.length === 0)
    return warned(
      'Slack scopes',
      `required ones granted; optional ones missing: ${lacking.join(', ')}`,
      'docs/install.md says what is lost without each; to grant them, reinstall the app',
    );
  return failed(
    'Slack scopes',
    `missing: ${missing.join(', ')}`,
    'update the app from manifest.yml (App Manifest), then reinstall it to the workspace',
  );
}

const words = (text: string) => ({ type: 'plain_text', text });
const cell = (text: string) => ({ type: 'raw_text', text });
const section = { type: 'section', text: words('x') };

/** One of each newer block, as Gigdesk sends them. */
const SAMPLES: readonly { readonly type: string; readonly [field: string]: unknown }[] = [
  {
    type: 'data_table',
    caption: 'x',
    page_size: 10,
    row_header_column_index: 0,
    rows: [
      [cell('x'), cell('y')],
      [cell('x'), { type: 'raw_number', value: 1, text: '1' }],
    ],
  },
  {
    type: 'container',
    title: words('x'),
    child_blocks: [section],
    is_collapsible: true,
    default_collapsed: true,
  },
  {
    type: 'data_visualization',
    title: 'x',
    chart: {
      type: 'bar',
      series: [{ name: 'x', data: [{ label: 'x', value: 1 }] }],
      axis_config: { categories: ['x'], x_label: 'x', y_label: 'x' },
    },
  },
  { type: 'alert', level: 'warning', text: words('x') },
];

/** The app's way to Slack, and a workspace's token. */
type SlackAccess = Config['slack'] & Pick<SingleWorkspace, 'botToken'>;

/**
 * Asks Slack's `blocks.validate`, which posts nothing, whether it takes the newer blocks. A refusal is fine:
 * Gigdesk then sends their plain form.
 */
async function checkBlocks(config: SlackAccess, fetch: FetchFunction): Promise<DoctorFinding> {
  const check = 'Slack blocks';
  const refused: string[] = [];
  for (const block of SAMPLES) {
    // Alerts are for modals alone.
    const given: Readonly<Record<string, string>> =
      block.type === 'alert'
        ? { view: JSON.stringify({ type: 'modal', title: words('x'), blocks: [block] }) }
        : { message: JSON.stringify({ blocks: [block] }) };
    const answer = await call(fetch, `${config.apiUrl ?? SLACK}blocks.validate`, config.botToken, given);
    const [isOk, error] = 'why' in answer ? [false, answer.why] : [answer.body['ok'], answer.body['error']];
    const isRefused = typeof error === 'string' && /^invalid_(?:blocks|message|view)$/u.test(error);
    if (isOk !== true && !isRefused)
      return passed(check, `not checked: blocks.validate can't be used (${String(error)})`);
    if (isRefused) refused.push(block.type);
  }
  return passed(
    check,
    refused.length === 0
      ? 'blocks.validate accepts tables, charts, alerts and containers'
      : `blocks.validate refuses ${refused.join(', ')}: Gigdesk sends their plain form`,
  );
}

function checkSkew(headers: SlackAnswer['headers'], clock: Clock): DoctorFinding {
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return passed('clock', "not checked: Slack didn't send the time");
  const off = Math.abs(clock.now() - theirs);
  const says = `${Math.round(off / SECOND)} s off from Slack's clock`;
  // Slack rejects requests with a larger time difference. Source: docs/slack-limits.md.
  if (off < 5 * MINUTE) return passed('clock', says);
  const remedy = "set this machine's clock (NTP): Slack requests fail if it's off by more than 5 minutes";
  return failed('clock', says, remedy);
}

async function checkReceiving(config: SlackAccess, fetch: FetchFunction): Promise<DoctorFinding> {
  if (config.receive.mode === 'http')
    return passed('Slack requests', 'HTTP mode: set the request URLs to https://<your host>/slack/events');
  const answer = await call(fetch, `${config.apiUrl ?? SLACK}apps.connections.open`, config.receive.appToken);
  if ('why' in answer) return failed('Slack app token', answer.why, answer.remedy);
  return answer.body['ok'] === true
    ? passed('Slack app token', 'Socket Mode connects')
    : failed(
        'Slack app token',
        `rejected: ${String(answer.body['error'])}`,
        'enable Socket Mode, and generate an app-level token with connections:write (Basic Information)',
      );
}

/**
 * Calls `auth.test`, whose response also gives the scopes and the time. In Socket Mode, opens a connection,
 * too. Never throws.
 * @returns also the ID of the bot token's team; undefined when Slack doesn't give it
 */
export async function checkSlack(config: SlackAccess, fetch: FetchFunction, clock: Clock) {
  const answer = await call(fetch, `${config.apiUrl ?? SLACK}auth.test`, config.botToken);
  const refuse = (detail: string, remedy: string) => ({
    findings: [failed('Slack bot token', detail, remedy)],
    team: undefined,
  });
  if ('why' in answer) return refuse(answer.why, answer.remedy);
  if (answer.body['ok'] !== true) {
    const error = String(answer.body['error']);
    const remedy = (Object.hasOwn(REMEDIES, error) ? REMEDIES[error] : undefined) ?? REINSTALL;
    return refuse(`rejected: ${error}`, remedy);
  }
  const team = answer.body['team_id'];
  const findings = [
    passed('Slack bot token', `${String(answer.body['user'])} in ${String(answer.body['team'])}`),
    checkScopes(answer.headers),
    await checkBlocks(config, fetch),
    await checkReceiving(config, fetch),
    checkSkew(answer.headers, clock),
  ];
  return { findings, team: typeof team === 'string' ? team : undefined };
}

const CHECK = 'marketplace API';
const CHECK_NETWORK = 'check your network, proxy, and MARKETPLACE_API_URL';

const diagnoses: Partial<Record<MarketplaceErrorCode, Pick<DoctorFinding, 'detail' | 'remedy'>>> = {
  unauthorised: {
    detail: 'the token was rejected (401)',
    remedy: 'generate a new token in the marketplace dashboard (API tokens), and set MARKETPLACE_API_TOKEN',
  },
  'subscription-inactive': {
    detail: "the team's subscription is inactive (402)",
    remedy: 'renew the subscription; the feed resumes automatically',
  },
  forbidden: {
    detail: "the token doesn't have permission (403)",
    remedy: 'ask an owner or admin to add API access to the plan or token in the dashboard',
  },
  'not-found': {
    detail: 'nothing found at this URL (404)',
    remedy: 'set MARKETPLACE_API_URL to the base URL, including the version at the end (/v1)',
  },
  'rate-limited': {
    detail: 'too many requests (429)',
    remedy: 'other programs use the same account; try again in a minute',
  },
  server: { detail: 'the marketplace returned an error (5xx)', remedy: 'try again in a few minutes' },
  network: { detail: "can't be reached", remedy: CHECK_NETWORK },
  timeout: { detail: 'no response in time', remedy: CHECK_NETWORK },
  unreadable: {
    detail: "the response isn't from the API",
    remedy: 'set MARKETPLACE_API_URL to the base URL, including the version at the end (/v1)',
  },
};

/**
 * The result while Gigdesk runs. It counts its requests against the account's limit but can't count the
 * doctor's, so one more could exceed the limit.
 */
export const marketplaceCheckSkippedFinding = warned(
  CHECK,
  'not checked: Gigdesk is running and uses the same request limit',
  'see `/gig status` in Slack for the state of the API, ' +
    'or send one request anyway with `npm run doctor -- --ask`',
);

/** Sends one request in the `person` lane. @throws anything but a MarketplaceError: a bug in Gigdesk */
export async function checkMarketplace(marketplace: MarketplaceClient): Promise<DoctorFinding> {
  try {
    const setups = await marketplace.fetchBiddingSetups({ lane: 'person' });
    const setup = setups.length === 1 ? 'setup' : 'setups';
    return passed(CHECK, `connected; ${setups.length} auto bidding ${setup}`);
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    const { detail, remedy } = { detail: thrown.code, remedy: CHECK_NETWORK, ...diagnoses[thrown.code] };
    const failure = findConnectionFailure(thrown);
    return failed(CHECK, failure ? `${detail} (${failure.code})` : detail, failure?.help ?? remedy);
  }
}
