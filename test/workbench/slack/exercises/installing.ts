/** Installing the app in the simulated Slack. */
import type { Stage } from '../app.ts';

export const REDIRECT_URI = 'https://app.example/back';

/** Where an app sends a person who installs it. */
export function authorizeUrlOf({ slack }: Stage): string {
  const url = new URL('/oauth/v2/authorize', slack.apiUrl);
  const asked = { client_id: slack.clientId, scope: 'chat:write,commands' };
  url.search = new URLSearchParams({ ...asked, redirect_uri: REDIRECT_URI, state: 'st' }).toString();
  return url.href;
}

/** The code of a person who allowed it. */
export function codeFor(stage: Stage): string {
  const back = stage.slack.allowInstall({ user: 'U1', authorizeUrl: authorizeUrlOf(stage) });
  return new URL(back).searchParams.get('code') ?? '';
}

/** Exchanges a new code, as the app does. */
export function exchange(stage: Stage, args: Record<string, unknown> = {}) {
  const { client, slack } = stage;
  return client.apiCall('oauth.v2.access', {
    client_id: slack.clientId,
    client_secret: slack.clientSecret,
    redirect_uri: REDIRECT_URI,
    code: codeFor(stage),
    ...args,
  });
}
