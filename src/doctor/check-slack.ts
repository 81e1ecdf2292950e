/** Checks Slack: tokens, scopes, the app-level token, and this machine's clock against Slack's. */
import type { Clock } from '../clock.ts';
import { MINUTE, SECOND } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Secret } from '../secret.ts';
import { slackScopeReasons } from '../slack/core/scopes.ts';
import type { DoctorFinding } from './finding.ts';

const SLACK = 'https://slack.com/api/';
/** Slack rejects requests with a larger time difference. Source: docs/slack-limits.md. */
const LARGEST_SKEW = 5 * MINUTE;

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
  readonly headers: Headers;
}

async function call(
  fetch: typeof globalThis.fetch,
  url: string,
  token: Secret,
): Promise<SlackAnswer | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.reveal()}` },
      signal: AbortSignal.timeout(10 * SECOND),
    });
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null
      ? { body: body as Readonly<Record<string, unknown>>, headers: answer.headers }
      : undefined;
  } catch {
    return undefined;
  }
}

function checkScopes(headers: Headers): DoctorFinding {
  const granted = new Set((headers.get('x-oauth-scopes') ?? '').split(',').map((scope) => scope.trim()));
  const missing = Object.keys(slackScopeReasons).filter((scope) => !granted.has(scope));
  if (missing.length === 0) return { check: 'Slack scopes', ok: true, detail: 'all granted' };
  return {
    check: 'Slack scopes',
    ok: false,
    detail: `missing: ${missing.join(', ')}`,
    remedy: 'update the app from manifest.yml (App Manifest), then reinstall it to the workspace',
  };
}

function checkSkew(headers: Headers, clock: Clock): DoctorFinding {
  const theirs = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(theirs))
    return { check: 'clock', ok: true, detail: "not checked: Slack didn't send the time" };
  const off = Math.abs(clock.now() - theirs);
  const says = `${Math.round(off / SECOND)} s off from Slack's clock`;
  return off < LARGEST_SKEW
    ? { check: 'clock', ok: true, detail: says }
    : {
        check: 'clock',
        ok: false,
        detail: says,
        remedy: "set this machine's clock (NTP): Slack requests fail if it's off by more than 5 minutes",
      };
}

async function checkReceiving(
  config: Config['slack'],
  fetch: typeof globalThis.fetch,
): Promise<DoctorFinding> {
  if (config.receive.mode === 'http') {
    return {
      check: 'Slack requests',
      ok: true,
      detail: 'HTTP mode: set the request URLs to https://<your host>/slack/events',
    };
  }
  const answer = await call(fetch, `${config.apiUrl ?? SLACK}apps.connections.open`, config.receive.appToken);
  return answer?.body['ok'] === true
    ? { check: 'Slack app token', ok: true, detail: 'Socket Mode connects' }
    : {
        check: 'Slack app token',
        ok: false,
        detail: answer ? `rejected: ${String(answer.body['error'])}` : 'no response',
        remedy:
          'enable Socket Mode, and generate an app-level token with connections:write (Basic Information)',
      };
}

/**
 * Calls `auth.test`, whose response also gives the scopes and the time. In Socket Mode, opens a connection,
 * too. Never throws.
 */
export async function checkSlack(
  config: Config['slack'],
  fetch: typeof globalThis.fetch,
  clock: Clock,
): Promise<readonly DoctorFinding[]> {
  const answer = await call(fetch, `${config.apiUrl ?? SLACK}auth.test`, config.botToken);
  if (!answer) {
    const remedy = 'check your network, proxy, and SLACK_API_URL';
    return [{ check: 'Slack bot token', ok: false, detail: 'no response from Slack', remedy }];
  }
  if (answer.body['ok'] !== true) {
    const error = String(answer.body['error']);
    const remedy = (Object.hasOwn(REMEDIES, error) ? REMEDIES[error] : undefined) ?? REINSTALL;
    return [{ check: 'Slack bot token', ok: false, detail: `rejected: ${error}`, remedy }];
  }
  return [
    {
      check: 'Slack bot token',
      ok: true,
      detail: `${String(answer.body['user'])} in ${String(answer.body['team'])}`,
    },
    checkScopes(answer.headers),
    await checkReceiving(config, fetch),
    checkSkew(answer.headers, clock),
  ];
}
