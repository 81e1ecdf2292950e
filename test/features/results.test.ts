/** The projects of a monitoring result: they can be bought after a lost page, bid on, and shown in full. */
import { expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import { type Desk, PATHS, SHOP } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });

/** A result of filter 101 with one project. */
function addResult({ market }: Pick<Desk, 'market'>) {
  market.service.addFilter({ id: 101 });
  market.publish(SHOP);
  return `/results/${market.service.addResult({ filterId: 101 }).id}/projects`;
}

const buy = async ({ person }: Pick<Desk, 'person'>) =>
  (await person('ada').type('/gig results 101')).press('Projects');

/** The page is charged, but its answer is lost. */
async function losePage(desk: Desk, path: string): Promise<void> {
  const lost = desk.market.fail(path, presetFaults.status(500), 3);
  await buy(desk);
  await desk.pass(30 * SECOND);
  expect(desk.person('ada').notes('web').at(-1)?.text).not.toContain(SHOP.title);
  lost.cancel();
}

appTest('can be bought after the first page of a period was lost', async ({ desk, pass }) => {
  await losePage(desk, addResult(desk));
  await pass(HOUR);
  expect((await buy(desk)).text).toContain(SHOP.title);
});

appTest('a free request releases the budget that a lost page holds', async ({ desk, market, ada }) => {
  const path = addResult(desk);
  await ada.type('/gig budget 10');
  await ada.type(`/gig lookup ${market.publish(SHOP, []).project.ciphertext}`, 'data');
  await losePage(desk, path);
  expect((await buy(desk)).text).toContain(SHOP.title);
  expect(market.service.consumedCredits().total).toBe(2);
});

appTest('are refused with the reason where nothing is known that costs nothing', async ({ desk, ada }) => {
  const path = addResult(desk);
  await ada.type('/gig budget 10');
  await losePage(desk, path);
  const { text } = await buy(desk);
  for (const fact of ['10 credits are reserved', '/gig budget']) expect(text).toContain(fact);
});

appTest(
  'can be bought while the feed’s own page stays without an answer',
  async ({ desk, market, ada, pass }) => {
    addResult(desk);
    for (const path of [PATHS.lookup, '/filters/101/projects'])
      market.fail(path, presetFaults.status(500), Number.POSITIVE_INFINITY);
    await ada.type('/gig subscribe filter 101');
    await pass(2 * MINUTE);
    expect((await buy(desk)).text).toContain(SHOP.title);
  },
);

appTest('can be bid on and shown in full from their row, for no more', async ({ desk, market, ada }) => {
  addResult(desk);
  market.service.addSetup({ id: 7, name: 'Night shift' });
  const rows = await buy(desk);
  const details = await rows.press('Details');
  expect(details.text).toContain('No credits charged');
  expect(market.service.consumedCredits().total).toBe(1);
  const form = await rows.press('Bid');
  expect(form.text).toContain(SHOP.title);
  await ada.close();
});
