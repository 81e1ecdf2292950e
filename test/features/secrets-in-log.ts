/** No log line of any world holds a secret: checked when a world stops, so in the whole suite. */
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';

/** As the simulated Slack makes them: they let their holder open a view, or post to the URL. */
const TRIGGER = /\d+\.\d{12,14}\.\w{32}/u;
const RESPONSE_URL = /\/response\/\w{24}|hooks\.slack/u;

/** @throws Error with the first line that has a token, a signing secret, a trigger or a response_url */
export function expectNoSecrets(
  lines: readonly string[],
  { token }: Pick<SimulatedMarketplace, 'token'>,
  { botToken, appToken, signingSecret }: Pick<SimulatedSlack, 'botToken' | 'appToken' | 'signingSecret'>,
): void {
  const secrets = [token, botToken, appToken, signingSecret];
  const holds = (line: string) =>
    secrets.some((secret) => line.includes(secret)) || TRIGGER.test(line) || RESPONSE_URL.test(line);
  const leak = lines.find(holds);
  if (leak !== undefined) throw new Error(`the log holds a secret: ${leak}`);
}
