/** Channels that invite Gigdesk when it can't hear it. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';

appTest(
  'a channel that invited Gigdesk while it was down is welcomed once',
  async ({ app, slack, ada, pass }) => {
    slack.addChannel({ name: 'sales', withBot: false });
    await pass(MINUTE);
    await app.end();
    slack.inviteBot('sales');
    await app.start();
    await pass(MINUTE);
    // Slack may send the event of that time late.
    await slack.joinChannel({ user: 'bot', channel: 'sales', by: 'ben' });
    await app.end();
    await app.start();
    await pass(2 * MINUTE);
    const [welcome, ...more] = ada.reads('sales');
    expect(more).toEqual([]);
    const form = await ada.press(welcome ?? expect.fail('no welcome'), 'Set Up This Channel');
    expect(form.fields()).toContain('Filter');
    expect(ada.reads('web').some((it) => it.offers('Set Up This Channel'))).toBe(false);
  },
);

appTestWith({ empty: true })(
  'Home offers to set up a channel that Gigdesk was in before its first start',
  async ({ ada, pass }) => {
    await pass(MINUTE);
    const home = await ada.home();
    expect(home.text).not.toContain('/invite');
    expect((await ada.press(home, 'Set Up')).fields()).toContain('Filter ID');
  },
);
