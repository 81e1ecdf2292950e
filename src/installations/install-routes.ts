/** `GET /slack/install` and `GET /slack/oauth_redirect`: how people install Gigdesk in their workspace. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type FetchFunction, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { type Instant, isRecent, MINUTE, type RandomBytes } from '../clock.ts';
import type { InstalledWorkspaces } from '../config.ts';
import { asError } from '../errors.ts';
import { TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import { Secret } from '../secret.ts';
import { createWebClientOptions } from '../slack/core/clients.ts';
import { parseSlackResponse, SlackCallError } from '../slack/core/errors.ts';
import type { HttpAnswer, HttpRoutes } from '../slack/core/http-server.ts';
import { slackScopeReasons } from '../slack-scopes.ts';
import { StorageError } from '../storage/store.ts';
import { type InstallProblem, installedPage, problemPage, redirectToSlack } from './install-pages.ts';
import type { Installations, NewInstallation } from './installations.ts';

export interface InstallRoutesOptions
  extends Pick<InstalledWorkspaces, 'clientId' | 'clientSecret' | 'publicUrl'> {
  readonly installations: Installations;
  /** Ends with a slash; Slack's own when absent. */
  readonly apiUrl?: string;
  readonly fetch?: FetchFunction;
  /** The time that replicas share: any of them may check a state. */
  readonly now: () => Instant;
  readonly randomBytes: RandomBytes;
  readonly log: Log;
  /** Called once an installation is stored, the first one and each later one. Must not throw. */
  readonly onInstalled: (installation: NewInstallation) => void;
}

export const INSTALL_PATH = '/slack/install';
export const REDIRECT_PATH = '/slack/oauth_redirect';

const SLACK_URL = 'https://slack.com/';

/** Add them to the HTTP server's routes. They never throw. */
export function createInstallRoutes(options: InstallRoutesOptions): HttpRoutes {
  const mayTry = limitAttempts(options.now);
  return {
    [INSTALL_PATH]: () => redirectToSlack(authorizeUrl(options)),
    // Programs that check a link send HEAD.
    [REDIRECT_PATH]: ({ method, query }) =>
      method === 'GET' ? finishInstallation(query, { ...options, mayTry }) : GET_ONLY,
  };
}

const GET_ONLY: HttpAnswer = {
  status: 405,
  type: 'text/plain',
  body: 'GET only\n',
  headers: { allow: 'GET' },
};

/** Its function returns false after too many in the last minute. */
function limitAttempts(now: () => Instant): () => boolean {
  let latest: readonly Instant[] = [];
  return () => {
    const at = now();
    latest = latest.filter((each) => isRecent(each, MINUTE, at));
    // Anyone can get a state and make up a code. Each that isn't refused costs a row and a call of Slack.
    if (latest.length >= 20) return false;
    latest = [...latest, at];
    return true;
  };
}

/** The simulated Slack has both its API and its pages at one address, as Slack has. */
function authorizeUrl(options: InstallRoutesOptions): string {
  const { clientId, clientSecret, publicUrl, apiUrl = SLACK_URL, now, randomBytes } = options;
  const url = new URL('/oauth/v2/authorize', apiUrl);
  url.search = new URLSearchParams({
    client_id: clientId,
    scope: Object.keys(slackScopeReasons).join(','),
    redirect_uri: publicUrl + REDIRECT_PATH,
    state: signState(randomBytes(16).toString('base64url'), now(), clientSecret),
  }).toString();
  return url.href;
}

async function finishInstallation(
  query: URLSearchParams,
  options: InstallRoutesOptions & { readonly mayTry: () => boolean },
): Promise<HttpAnswer> {
  const { log, publicUrl } = options;
  const explain = (problem: InstallProblem) => problemPage(problem, publicUrl + INSTALL_PATH);
  try {
    const done = await tryInstallation(query, options);
    if (typeof done === 'string') return explain(done);
    const { team, teamName } = done.installation;
    log.info('Gigdesk was installed', { team });
    options.onInstalled(done.installation);
    const appUrl = new URL('/app_redirect', SLACK_URL);
    appUrl.search = new URLSearchParams({ app: done.app, team }).toString();
    return installedPage(teamName, appUrl.href);
  } catch (thrown) {
    // Anyone can cause it with a made-up code. A wrong client secret only those who run Gigdesk can repair.
    log.warn('could not finish an installation', { error: asError(thrown) });
    if (thrown instanceof StorageError) return explain('not-stored');
    const isRefused = thrown instanceof SlackCallError && thrown.failureKind === 'refused';
    return explain(isRefused ? 'refused' : 'no-answer');
  }
}

/** @throws SlackCallError, StorageError; nothing is stored then, except that the state was used. */
async function tryInstallation(
  query: URLSearchParams,
  options: InstallRoutesOptions & { readonly mayTry: () => boolean },
): Promise<InstallProblem | GrantedInstallation> {
  const { installations, clientSecret } = options;
  const refusal = query.get('error');
  if (refusal === 'access_denied') return 'canceled';
  const now = options.now();
  const state = checkState(query.get('state') ?? '', now, clientSecret);
  if (typeof state === 'string') return state;
  const code = query.get('code');
  // Anyone can write the address, and the log shows this.
  const [known = 'no_code'] = /^[a-z_]{1,60}$/u.exec(refusal ?? '') ?? [];
  if (refusal !== null || !code) throw new SlackCallError(known, 'refused');
  if (!options.mayTry()) return 'busy';
  if (!(await installations.redeemState(state.id, state.expiresAt, now))) return 'used';
  const granted = await exchangeCode(code, options);
  if (granted === 'org-wide') return granted;
  await installations.save(granted.installation);
  return granted;
}

/** `app`: the app's ID. */
interface GrantedInstallation {
  readonly installation: NewInstallation;
  readonly app: string;
}

const Granted = z.object({
  is_enterprise_install: z.literal(false).optional(),
  access_token: z.string().startsWith('xoxb-'),
  scope: z.string(),
  bot_user_id: UserId,
  app_id: z.string(),
  team: z.object({ id: TeamId, name: z.string().catch('your workspace') }),
  enterprise: z.object({ id: z.string() }).nullish(),
  authed_user: z.object({ id: UserId }),
});
const GrantedForAll = z.object({ is_enterprise_install: z.literal(true) });

/** Never retried: a code works once. @throws SlackCallError */
async function exchangeCode(
  code: string,
  options: InstallRoutesOptions,
): Promise<GrantedInstallation | 'org-wide'> {
  const { clientId, clientSecret, publicUrl } = options;
  const client = new WebClient(undefined, createWebClientOptions(options));
  const answer = await parseSlackResponse(
    z.union([GrantedForAll, Granted]),
    client.oauth.v2.access({
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      redirect_uri: publicUrl + REDIRECT_PATH,
      code,
    }),
  );
  if (answer.is_enterprise_install) return 'org-wide';
  const { team, enterprise, authed_user: person } = answer;
  const installation = {
    team: team.id,
    teamName: team.name,
    enterprise: enterprise ? enterprise.id : undefined,
    botToken: new Secret(answer.access_token),
    botUser: answer.bot_user_id,
    installedBy: person.id,
    scopes: answer.scope.split(',').filter((scope) => scope !== ''),
  };
  return { installation, app: answer.app_id };
}

/**
 * The `state` that goes to Slack with a person who installs, and comes back: signed, and valid for 10
 * minutes. Every replica can check it, and nothing is stored until it comes back.
 * @param id letters, digits, `_` and `-`; never given twice
 * @param clientSecret the app's, which all replicas have; the key is derived from it
 */
function signState(id: string, now: Instant, clientSecret: Secret): string {
  const content = `${id}.${now + 10 * MINUTE}`;
  return `${content}.${signatureOf(content, clientSecret).toString('base64url')}`;
}

function checkState(state: string, now: Instant, clientSecret: Secret) {
  const [, content = '', id = '', expiry, signature = ''] =
    /^(([\w-]{1,64})\.(\d{1,15}))\.([\w-]{43})$/u.exec(state) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(content, clientSecret);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return 'forged';
  const expiresAt = Number(expiry);
  return now < expiresAt ? { id, expiresAt } : 'expired';
}

function signatureOf(content: string, clientSecret: Secret): Buffer {
  const key = createHmac('sha256', clientSecret.reveal()).update('gigdesk install state').digest();
  return createHmac('sha256', key).update(content).digest();
}
