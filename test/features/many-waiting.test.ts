/** Fifty concurrent waiters cause no leak warning of Node in the log. */
import { expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { startWorld } from './world.ts';

it.each(['socket', 'http'] as const)(
  '50 commands that wait bring no warning of the process (%s)',
  async (mode) => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
    process.on('warning', note);
    const world = await startWorld({ mode });
    const { slack } = world;
    const sent = Array.from({ length: 50 }, (_, index) =>
      slack.runSlashCommand({ user: 'ada', channel: 'web', text: `job ${index + 1}` }),
    );
    await Promise.all(sent);
    await world.pass(60 * SECOND);
    expect(slack.ephemerals('ada', 'web').length).toBeGreaterThanOrEqual(50);
    await world.stop();
    process.off('warning', note);
    expect(warnings).toEqual([]);
  },
);
