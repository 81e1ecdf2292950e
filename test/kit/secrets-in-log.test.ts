/** The log check looks for secrets in the format that the simulated services hand out. */
import { expect } from 'vitest';
import { appTest } from './app-test.ts';
import { expectNoSecrets } from './secrets-in-log.ts';

appTest(
  'a healthy log holds no secret, and each kind of secret would be found',
  async ({ desk, app, slack, market, ada }) => {
    const { service } = market;
    const command = slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'list' });
    const { triggerId, responseUrl } = await desk.settleAfter(command);
    const hints = await (await ada.type('/gig settings')).press('Hints');
    const [address = expect.fail('no address')] = /\/hooks\/T[\w-]+/u.exec(hints.text) ?? [];
    const check = (line: string) => expectNoSecrets([...app.logLines, line], service, slack);
    check('all is well');
    const tokens = [service.token, slack.botToken, slack.appToken, slack.signingSecret];
    for (const secret of [
      ...tokens,
      triggerId,
      responseUrl,
      address.slice('/hooks/'.length),
      '/hooks/anything',
    ])
      expect(() => check(`{"msg":"x","with":"${secret}"}`)).toThrow('holds a secret');
  },
);
