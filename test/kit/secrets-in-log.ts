/** No log line of any world holds a secret: checked when a world stops, so in the whole suite. */
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';

/** As the simulated Slack makes them: they let their holder open a view, or post to the URL. */
const TRIGGER = /\d+\.\d{12,14}\.\w{32}/u;
const RESPONSE_URL = /\/response\/\w{24}|hooks\.slack/u;
/** The address for hints: its path, or what follows the workspace in its secret. */
const HINT_SECRET = /\/hooks\/\w|\bT[A-Z0-9]+-[\w-]{32}/u;

/** @throws Error with the first line that has a token, a secret, a trigger, or a secret address */
export function expectNoSecrets(
  lines: readonly string[],
  { token }: Pick<SimulatedMarketplace, 'token'>,
  { botToken, appToken, signingSecret }: Pick<SimulatedSlack, 'botToken' | 'appToken' | 'signingSecret'>,
): void {
  const secrets = [token, botToken, appToken, signingSecret];
  const holds = (line: string) =>
    secrets.some((secret) => line.includes(secret)) ||
    [TRIGGER, RESPONSE_URL, HINT_SECRET].some((pattern) => pattern.test(line));
  const leak = lines.find(holds);
  if (leak !== undefined) throw new Error(`the log holds a secret: ${leak}`);
}
