/** No line of any world's log holds a secret: looked at whenever a world is stopped, so in the whole suite. */
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';

/** As the simulated Slack makes them: who has one may open a view, or write where it leads. */
const TRIGGER = /\d+\.\d{12,14}\.\w{32}/u;
const RESPONSE_URL = /\/response\/\w{24}|hooks\.slack/u;

/** @throws Error that names the first line with a token, a signing secret, a trigger or an address to answer at. */
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
