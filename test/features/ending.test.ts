/** The app stops in time on its own with any amount of work in progress. */
import { expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { AFTER_THE_END_MS } from '../kit/run-app.ts';
import { PATHS, SHOP } from '../kit/start-desk.ts';

/** Supervisors kill after 10 s; a second is left for the disk. */
const IN_TIME_MS = 9 * SECOND;
const held = { kind: 'hold-headers' } as const;
const always = Number.POSITIVE_INFINITY;

appTest(
  'with a message, a poll, a copy and a lookup held back it ends within 9 s',
  async ({ app, market, slack, ben }) => {
    const profile = market.service.addProfile({ id: 301 });
    for (let count = 0; count < 30; count++) market.service.addProposal({ profileId: profile.id });
    const post = slack.injectFault('chat.postMessage', { kind: 'hold', when: 'after' }, always);
    market.publish();
    await app.until('a message under way', () => post.held > 0);
    const poll = market.fail(PATHS.projects, held, always);
    await app.until('a poll under way', () => poll.hits() > 0);
    const copy = market.fail(PATHS.proposals, held, always);
    await slack.runSlashCommand({ user: 'ada', channel: 'data', text: 'subscribe outcomes 301' });
    await app.until('a copy under way', () => copy.hits() > 0);
    const lookup = market.fail(PATHS.lookup, held, always);
    const { ciphertext } = market.publish(SHOP, []).project;
    await slack.runSlashCommand({ user: 'ada', channel: 'web', text: `lookup ${ciphertext}` });
    await app.until('a lookup under way', () => lookup.hits() > 0);
    expect(ben.reads('web').at(-1)?.text).toContain(SHOP.title);
    const asked = app.clock.now();
    await app.end();
    expect(app.clock.now() - asked).toBeLessThanOrEqual(IN_TIME_MS + AFTER_THE_END_MS);
    // Cancelled calls have a reference; there are no other errors.
    const errors = app.logLines.filter((line) => line.includes('"level":50'));
    expect(errors.filter((line) => !line.includes('"ref"'))).toEqual([]);
    expect(app.logLines.filter((line) => line.includes('"level":40') && line.includes('"error":'))).toEqual(
      [],
    );
  },
);
