/** What a person does on Slack's page that asks whether to install the app. */
import type { AllowedInstall, JsonObject } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';

interface AuthorizeQuestion {
  readonly redirectUri: string;
  readonly scopes: string;
  readonly state: string | null;
}

function readAuthorizeUrl(site: SlackSimulatorContext, text: string): AuthorizeQuestion {
  const url = new URL(text);
  const [redirectUri, scopes] = [url.searchParams.get('redirect_uri'), url.searchParams.get('scope')];
  if (url.pathname !== '/oauth/v2/authorize') throw new Error(`Slack has no page ${url.pathname}`);
  if (url.searchParams.get('client_id') !== site.settings.clientId) throw new Error('invalid client_id');
  if (!redirectUri || !URL.canParse(redirectUri)) throw new Error('no redirect_uri');
  if (!scopes) throw new Error('no scope');
  return { redirectUri, scopes, state: url.searchParams.get('state') };
}

function backTo({ redirectUri, state }: AuthorizeQuestion, answer: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set('state', state);
  return url.href;
}

export function cancelInstall(site: SlackSimulatorContext, authorizeUrl: string): string {
  return backTo(readAuthorizeUrl(site, authorizeUrl), { error: 'access_denied' });
}

export function allowInstall(site: SlackSimulatorContext, given: AllowedInstall): string {
  const asked = readAuthorizeUrl(site, given.authorizeUrl);
  return backTo(asked, { code: site.installCodes.issue(asked.redirectUri, grantOf(site, given, asked)) });
}

function grantOf(
  { world, settings }: SlackSimulatorContext,
  given: AllowedInstall,
  { scopes }: AuthorizeQuestion,
): JsonObject {
  const team = given.team ?? { id: world.team.id, name: world.team.name };
  const itsToken = team.id === world.team.id ? settings.botToken : `xoxb-${team.id.toLowerCase()}`;
  const { enterprise } = given;
  return {
    app_id: world.bot.appId,
    authed_user: { id: given.user },
    scope: scopes,
    token_type: 'bot',
    access_token: given.botToken ?? itsToken,
    bot_user_id: world.bot.userId,
    team: given.orgWide ? null : team,
    enterprise: enterprise === undefined ? null : { id: enterprise, name: 'Bright Holding' },
    is_enterprise_install: given.orgWide === true,
  };
}
