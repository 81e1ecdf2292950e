/** The weekly note, from skipped cards to the suggested rule that people copy. */
import { afterEach, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead } from './as-read.ts';
import { expectDecentMessage, expectHealthy } from './healthy.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

const at = (iso: string) => Date.parse(`${iso}Z`);

async function press(words: string, message: SlackMessage): Promise<void> {
  const found = findPressable(message, words) ?? expect.fail(`nothing says “${words}”`);
  const { actionId, blockId } = found;
  const place = { message, user: 'ben', actionId, ...(blockId ? { blockId } : {}) };
  if (found.kind === 'button') await world.slack.press({ ...place, value: found.value });
  else await world.slack.chooseOption({ ...place, option: found.option });
  await world.pass(SECOND);
}

/** Thursday; a few cards: the cheap ones skipped, the expensive ones claimed. */
async function beginWeek(): Promise<void> {
  world = await startWorld({ start: at('2026-11-19T12:00:00') });
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  world.marketplace.addSetup({ filter: { id: 101, name: 'React work' } });
  await world.gig('web', 'subscribe filter 101 -wordpress');
  await world.gig('web', 'digest at 09:00 Europe/Berlin');
  await world.pass(20 * SECOND);
  for (let round = 0; round < 6; round++) {
    const paid = round < 2 ? 900 : 40;
    for (const title of ['one', 'two'])
      world.marketplace.publishProject(101, {
        title: `For $${paid}: ${title}`,
        budget: { type: 'fixed', fixedAmount: paid },
      });
    await world.pass(MINUTE);
  }
  await world.until('the cards', () => world.told('web').length === 12, HOUR);
  for (const card of world.cards('web')) {
    if (wordsOf(card).includes('$900')) {
      await press('Claim', card);
      continue;
    }
    await press('Skip', card);
    await world.slack.submitView({ user: 'ben', values: { reason: 'not-a-fit' } });
    await world.pass(SECOND);
  }
}

function notes(): readonly SlackMessage[] {
  return world.slack
    .messages('web')
    .filter((it) => String(it.metadata?.event_payload['post']).startsWith('tuning:'));
}

/** Jumps to a time; nothing runs until then. */
async function beDown(until: string): Promise<void> {
  await world.crash();
  world.clock.moveTo(at(until));
  await world.restart();
  await world.pass(MINUTE);
}

it('comes with the first digest of a week, and its advice can be copied', async () => {
  await beginWeek();
  await beDown('2026-11-20T08:01:00');
  expect(notes()).toEqual([]);
  await beDown('2026-11-23T08:01:00');
  const [note, ...more] = notes();
  expect(more).toEqual([]);
  const words = wordsOf(note ?? expect.fail('no note'));
  expectDecentMessage(note ?? expect.fail('no note'));
  expect(words).toMatch(/“React work” \(101\).*\b12\b/u);
  expect(words).toMatch(/\b4\b.*\b8\b/u);
  expect(words).toMatch(/\b8\b.*\b8\b/u);
  expect(asRead(world, words)).toMatchSnapshot();
  const command = /`\/gig (subscribe filter 101 -wordpress budget:&gt;=\d+)`/u.exec(words)?.[1];
  await world.gig('web', (command ?? expect.fail('no command')).replace('&gt;', '>'));
  expect(await world.gig('web', 'list')).toMatch(/`-wordpress budget:&gt;=\d+`/u);
  await beDown('2026-11-24T08:01:00');
  expect(notes()).toHaveLength(1);
  expectHealthy(world);
});

it('does not come where a week says nothing', async () => {
  world = await startWorld({ start: at('2026-11-19T12:00:00') });
  await world.gig('web', 'digest at 09:00 Europe/Berlin');
  await beDown('2026-11-23T08:01:00');
  expect(notes()).toEqual([]);
  expectHealthy(world);
});
