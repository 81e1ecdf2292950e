/** The log check looks for secrets in the format that the simulated services hand out. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHintsForm, shownSecret } from './hint-sender.ts';
import { expectNoSecrets } from './secrets-in-log.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

it('a log of a healthy run holds no secret, and each kind of secret would be found', async () => {
  const { slack, marketplace } = world;
  const { triggerId, responseUrl } = await slack.runSlashCommand({
    user: 'ada',
    channel: 'web',
    text: 'list',
  });
  await world.pass(1_000);
  const check = (line: string) => expectNoSecrets([...world.logLines, line], marketplace, slack);
  check('all is well');
  const secrets = [
    marketplace.token,
    slack.botToken,
    slack.appToken,
    slack.signingSecret,
    triggerId,
    responseUrl,
    shownSecret(await openHintsForm(world)),
    '/hooks/anything',
  ];
  for (const secret of secrets)
    expect(() => check(`{"msg":"x","with":"${secret}"}`)).toThrow('holds a secret');
});
