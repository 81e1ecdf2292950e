import { describe, it, onTestFinished } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { seedsToPlay } from '../fuzz/fuzz.ts';
import type { Input } from '../kit/person.ts';
import { FILTER, startDesk } from '../kit/start-desk.ts';
import { Dice } from '../soak/dice.ts';
import { BidGame } from './bid-game.ts';
import { judgeBids } from './bid-judge.ts';

const TITLES = ['Rebuild our checkout', 'Paint our app', 'Count our stock'];
/** Few, since each needs a whole app. */
const SEEDS = seedsToPlay([4, 43]);
const WINDOW = { 'Cancel window': '10 seconds' };
const SECOND_APPROVAL = { ...WINDOW, 'Second approval above this amount': '5' };

async function play(seed: number, steps: number, rules?: Input): Promise<void> {
  const desk = await startDesk({ seed, empty: true });
  onTestFinished(desk.stop);
  const { app, market, pass } = desk;
  market.service.addFilter(FILTER);
  const projects: ProjectWithFilterIds[] = [];
  const dice = new Dice(seed, app.clock);
  const game = await BidGame.join(desk, dice, { seed, ...(rules ? { rules } : {}) }, projects);
  await pass(20 * SECOND);
  for (const [place, title] of TITLES.entries()) {
    const clientQuestions = place === 0 ? ['Which shops have you built?'] : [];
    projects.push(market.publish({ title, clientQuestions, usOnly: false, ukOnly: false }).project);
    await pass(SECOND);
  }
  await app.until('the cards', () => game.cards().length === 2 * TITLES.length, 2 * MINUTE);
  try {
    for (let step = 0; step < steps; step++) await game.step();
    await game.calm();
    await judgeBids(game);
  } catch (thrown) {
    throw new Error(`after these steps:\n${dice.steps.join('\n')}`, { cause: thrown });
  }
}

describe('whatever people press and whatever fails', () => {
  it.each(SEEDS)(
    'each form sent knowing how the last one ended sends one bid, with its true outcome posted (seed %i)',
    (seed) => play(seed, 40),
    60_000,
  );

  it.each(SEEDS)(
    'nothing is sent after Cancel, and everything else once, with a cancel window (seed %i)',
    (seed) => play(seed + 1_000, 40, WINDOW),
    60_000,
  );

  it.each(SEEDS)(
    'nothing is sent without its second approval, and everything else once (seed %i)',
    (seed) => play(seed + 2_000, 50, SECOND_APPROVAL),
    60_000,
  );
});
