/** The forms of the settings with random input. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { expectDecent, expectDecentView, expectHealthy } from './healthy.ts';
import { openedForm, openPart, openSettings, submitSettings, valuesByPart } from './settings-form.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
});
afterAll(async () => {
  await world.stop();
});

/** The channel's list, without the time of the last check. */
const listed = async () => (await world.gig('web', 'list')).replace(/checked <[^>]*>/u, 'checked');

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '<!channel>',
    'budget:>',
    '"',
    'rating:>=9',
    '-',
    'Europe/',
    '+25:99',
    'constructor',
    '__proto__',
    '\u202Eabc',
  ),
);
const time = fc.constantFrom('00:00', '08:00', '23:59');

describe('whatever is filled in', () => {
  it('is saved or refused at its field, and never understood by halves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.record({
            quiet: fc.subarray(['daily', 'weekends']),
            'quiet-from': time,
            'quiet-to': time,
            timezone: strange,
          }),
          fc.record({ buttons: fc.subarray(['bid', 'details', 'claim', 'more']) }),
          fc.record({
            'mention-rules-0': strange,
            'mention-users-0': fc.subarray([world.slack.user('ben').id]),
          }),
        ),
        async (values) => {
          const before = await listed();
          await openSettings(world, 'web');
          expectDecentView(openedForm(world));
          const [[part] = expect.fail('no part')] = valuesByPart(values);
          expectDecentView(await openPart(world, part));
          const answer = await submitSettings(world, values);
          const after = await listed();
          if (answer.action === 'errors') {
            for (const words of Object.values(answer.errors))
              expectDecent(words.replaceAll('<!channel>', ''));
            expect(after).toBe(before);
          }
          for (const message of world.slack.messages('web')) expectDecent(wordsOf(message));
          await world.pass(2 * SECOND);
        },
      ),
      { numRuns: 40 },
    );
    expectHealthy(world);
  }, 60_000);
});
