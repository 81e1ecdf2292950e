/** Requests that Slack sends again after Gigdesk restarted: each is handled once. */
import { expect } from 'vitest';
import { HOUR } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Desk } from '../kit/start-desk.ts';

const CALLS: readonly (readonly [string, (slack: Desk['slack']) => Promise<unknown>])[] = [
  ['a command', (slack) => slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'budget' })],
  ['a mention', (slack) => slack.mentionApp({ user: 'ada', channel: 'web', text: 'budget' })],
];

appTest.for(CALLS)(
  '%s is answered once within a day, also after a crash',
  async ([, call], { app, slack, ada, pass }) => {
    const answers = () => ada.reads('web').length + ada.notes('web').length;
    const before = answers();
    await call(slack);
    await pass(HOUR);
    const first = answers() - before;
    expect(first).toBeGreaterThan(0);
    const sent = slack.sentRequests().at(-1) ?? expect.fail('Slack sent nothing');
    await app.kill();
    await app.start();
    await slack.resendRequest(sent);
    await pass(HOUR);
    expect(answers() - before).toBe(first);
  },
);
