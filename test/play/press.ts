/** What people do in every move of a play: press, wait, and meet a fault of the marketplace. */
import { SECOND } from '../../src/clock.ts';
import { findPressable, type Screen } from '../kit/read-screen.ts';
import type { Play } from './play.ts';
import { PEOPLE } from './scene.ts';
import { anotherJob, TROUBLE } from './troubles.ts';

export type Move = (play: Play) => Promise<unknown>;

/** People don't act on older messages. */
export const NEWEST = 20;

export const anyone = ({ dice }: Play) => dice.pick(PEOPLE);
/** Sometimes several at once. */
export const someone = (play: Play) => (play.dice.share() < 0.3 ? PEOPLE : [anyone(play)]);
export const newestCards = (play: Play) => ['web', 'data'].flatMap((it) => play.cards(it, NEWEST));
export const afterwards = ({ dice, desk }: Play) => desk.pass(dice.pick([0, 0, 1, 4, 20]) * SECOND);

export async function press(play: Play, users: readonly string[], on: Screen, label: string): Promise<void> {
  const found = on.shown && findPressable(on.shown, label);
  if (!found) return;
  if (found.label === 'Approve') play.approvals.add(found.value ?? '');
  play.dice.note(`${users.join()}: ${label} ${found.value ?? ''}`);
  const before = { ...on, shown: on.shown };
  await Promise.all(users.map((it) => play.person(it).press(on, label)));
  // Another device still shows it as it was.
  if (play.dice.share() < 0.15) await play.person(anyone(play)).press(before, label);
}

/** @returns whether there is such a button */
export async function pressAny(
  play: Play,
  all: readonly Screen[],
  labels: readonly string[],
): Promise<boolean> {
  const offered = all.flatMap((on) => labels.filter((it) => on.offers(it)).map((label) => ({ on, label })));
  const found = play.dice.any(offered);
  if (found) await press(play, someone(play), found.on, found.label);
  return found !== undefined;
}

/** Breaks the next requests to a path. */
export function spoil({ dice, desk }: Play, path: string, times: number): void {
  const effect = dice.pick([...TROUBLE, anotherJob(dice.any(desk.market.jobs)?.id)]);
  dice.note(`fault ${path} ${JSON.stringify(effect)} x${times}`);
  desk.market.fail(path, effect, times);
}
