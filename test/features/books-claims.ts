/** Claims during `books-play.ts`, in a channel whose claims expire after a few minutes. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import type { Books } from './read-books.ts';
import { ROUND_THE_CLOCK, setResponse } from './response-form.ts';
import type { World } from './world.ts';

const EXPIRY_MINUTES = 5;
/** A claim is over by then: the clock runs once a minute, and checks again for pauses later. */
export const CLAIMS_OVER_MS = (EXPIRY_MINUTES + 14) * MINUTE;

export function turnOnClaims(world: World, channel: string): Promise<void> {
  return setResponse(world, channel, {
    ...ROUND_THE_CLOCK,
    'nudge-after': '2',
    'lead-after': '2',
    'claim-expiry': String(EXPIRY_MINUTES),
    'lead-user': world.slack.user('ada').id,
  });
}

/** @returns the claimed card's post, or what stood in the way */
export async function claimSomething(world: World, channel: string, upTo: (most: number) => number) {
  const open = world.cards(channel).filter((card) => findPressable(card, 'Claim')?.kind === 'button');
  const card = open[upTo(Math.max(0, open.length - 1))];
  const found = card && findPressable(card, 'Claim');
  if (!card || found?.kind !== 'button') return 'nothing to claim';
  const { actionId, blockId, value } = found;
  await world.slack.press({ user: 'ben', message: card, actionId, blockId, value });
  await world.pass(0);
  return `claimed ${card.ts}`;
}

/** No stage of a card or of a claim was sent twice, whatever failed and whenever the process was killed. */
export function expectStagesOnce({ posts }: Books): void {
  const keys = posts.flatMap(({ content }) =>
    content.kind === 'response'
      ? content.items.map(({ stage, card, since }) =>
          stage === 'nudge' || stage === 'lead' ? `${stage} ${card}` : `${stage} ${card} ${since}`,
        )
      : [],
  );
  expect(keys.length, keys.join()).toBe(new Set(keys).size);
}

/** Every claim without a bid is over some time after its end. */
export function expectClaimsOver(world: World, channel: string, { claimed }: Books): void {
  const { id } = world.slack.channel(channel);
  const old = claimed.filter(
    ({ channel: of, claim }) => of === id && (claim?.at ?? 0) < world.clock.now() - CLAIMS_OVER_MS,
  );
  expect(old.map(({ project, claim }) => [project, claim])).toEqual([]);
}
