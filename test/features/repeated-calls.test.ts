/** Requests that Slack sends again after Gigdesk restarted: each is handled once. */
import { expect, it } from 'vitest';
import { DAY, HOUR } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { handledCalls } from '../../src/slack/core/handled-calls.ts';
import type { SentAppRequest } from '../../src/workbench/slack/simulated-slack.ts';
import { startWorld, type World } from './world.ts';

const CALLS: readonly (readonly [string, (world: World) => Promise<unknown>])[] = [
  ['a command', ({ slack }) => slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'budget' })],
  ['a mention', ({ slack }) => slack.mentionApp({ user: 'ada', channel: 'web', text: 'budget' })],
];

/** How many messages people got. */
const answers = ({ slack }: World) => slack.messages('web').length + slack.ephemerals('ada', 'web').length;

it.each(CALLS)('%s is answered once within a day, also after a crash', async (_, call) => {
  const world = await startWorld();
  try {
    await call(world);
    await world.pass(HOUR);
    const first = answers(world);
    expect(first).toBeGreaterThan(0);
    const sent: SentAppRequest | undefined = world.slack.sentRequests().at(-1);
    if (!sent) return expect.fail('Slack sent nothing');
    await world.crash();
    await world.restart();
    await world.slack.resendRequest(sent);
    await world.pass(HOUR);
    expect(answers(world)).toBe(first);

    await world.pass(DAY);
    await call(world);
    await world.pass(HOUR);
    expect(answers(world)).toBe(2 * first);
    const remembered = await world.read((tx) =>
      tx.list(handledCalls, { prefix: [TeamId.parse(world.slack.team.id)], limit: 10 }),
    );
    expect(remembered.length).toBe(1);
  } finally {
    await world.stop();
  }
});
