/** The search of a process with many workspaces: an index that exists only while it is used. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { aProposal, SearchDesk } from './search-desk.ts';

const letters = [1, 2, 3].map((id) => aProposal(id, { coverLetter: `A booking calendar, number ${id}` }));
let desk: SearchDesk;
afterEach(() => desk.stop());

function begin(): void {
  desk = new SearchDesk(letters, 'while-used');
  desk.start();
}

/** Lets time pass, and the loop work. */
async function pass(ms: number): Promise<void> {
  desk.clock.moveBy(ms);
  await nextTurn();
}

it('a search finds everything, after waiting for the index', async () => {
  begin();
  expect([desk.ids('calendar'), desk.search.unindexedCount]).toEqual([[], 0]);
  await desk.search.waitUntilIndexed(SECOND);
  expect(desk.ids('calendar')).toEqual([1, 2, 3]);
  desk.put(aProposal(4, { coverLetter: 'Another calendar' }));
  await desk.search.waitUntilIndexed(SECOND);
  expect(desk.ids('calendar')).toContain(4);
});

it('is gone after an hour without a search, and then built again with what has changed', async () => {
  begin();
  await desk.search.waitUntilIndexed(SECOND);
  await pass(50 * MINUTE);
  await desk.search.waitUntilIndexed(SECOND);
  await pass(50 * MINUTE);
  expect(desk.ids('calendar')).toHaveLength(3);
  await pass(2 * HOUR);
  expect(desk.ids('calendar')).toEqual([]);
  desk.put(aProposal(2, { coverLetter: 'Something else' }));
  desk.forget(3);
  await desk.search.waitUntilIndexed(SECOND);
  expect(desk.ids('calendar')).toEqual([1]);
});

it('a search waits no longer than it says', async () => {
  desk = new SearchDesk(letters, 'while-used');
  const waiting = desk.search.waitUntilIndexed(SECOND);
  await pass(SECOND);
  await waiting;
  expect(desk.ids('calendar')).toEqual([]);
});
