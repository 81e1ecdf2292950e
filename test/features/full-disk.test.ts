/** A full disk: nothing is bought that can't be recorded, everyone is told, and all goes on with new room. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, PATHS, SHOP } from '../kit/start-desk.ts';

const FULL = "Gigdesk's disk is full, so nothing changed";

const publish = ({ market }: Desk, ...titles: readonly string[]) =>
  titles.map((title) => market.publish({ ...SHOP, title }).project.title);

/** Each stands once, and each charge is booked once. */
async function expectInOrder({ market, person }: Desk, titles: readonly string[]): Promise<void> {
  const ada = person('ada');
  const texts = ada.reads('web').map(({ text }) => text);
  for (const title of titles)
    expect(
      texts.filter((text) => text.includes(title)),
      title,
    ).toHaveLength(1);
  expect(market.service.consumedCredits().total).toBe(titles.length);
  expect((await ada.type('/gig budget')).text).toContain(`${titles.length} of 500 credits spent`);
}

appTest(
  'the feed pauses, people get an answer, and all goes on by itself',
  async ({ desk, app, market, ada, pass }) => {
    app.room.full = true;
    const titles = publish(desk, 'One', 'Two', 'Three');
    await pass(MINUTE);
    const asked = market.service.requests().length;
    expect((await ada.type('/gig list')).text).toContain('React work');
    expect((await ada.type('/gig budget 300')).text).toContain(FULL);
    await pass(10 * MINUTE);
    // The app buys nothing that it can't record.
    expect(market.service.requests()).toHaveLength(asked);
    expect(app.logLines.some((line) => line.includes('"code":"full"'))).toBe(true);
    app.room.full = false;
    await pass(3 * MINUTE);
    await expectInOrder(desk, titles);
    expect((await ada.type('/gig budget 300')).text).toContain('300');
  },
);

appTest(
  'a disk that fills while projects arrive: their credits are settled later',
  async ({ desk, app, market, pass }) => {
    const held = market.fail(PATHS.projects, { kind: 'hold-headers' });
    const titles = publish(desk, 'One', 'Two', 'Three');
    await app.until('a poll to be under way', () => held.hits() > 0, MINUTE);
    app.room.full = true;
    held.release();
    await pass(5 * MINUTE);
    app.room.full = false;
    await pass(2 * MINUTE);
    // Its answer proves what the lost record reserved.
    const last = publish(desk, 'Four');
    await pass(2 * MINUTE);
    await expectInOrder(desk, [...titles, ...last]);
  },
);

appTest(
  'a disk that fills while a lookup is in flight: its credit is settled later',
  async ({ desk, app, market, ada, pass }) => {
    const { ciphertext } = market.publish({ ...SHOP, title: 'Looked up' }, []).project;
    const held = market.fail(PATHS.lookup, { kind: 'hold-headers' });
    await ada.type(`/gig lookup ${ciphertext}`);
    await app.until('the lookup to be under way', () => held.hits() > 0, MINUTE);
    app.room.full = true;
    held.release();
    await pass(5 * MINUTE);
    expect(ada.notes('web').at(-1)?.text).toContain(FULL);
    app.room.full = false;
    publish(desk, 'One');
    await pass(3 * MINUTE);
    expect(market.service.consumedCredits().total).toBe(2);
    expect((await ada.type('/gig budget')).text).toContain('2 of 500 credits spent');
  },
);

appTest('a disk that fills while Slack takes a card: it stands once', async ({ desk, app, slack, pass }) => {
  const held = slack.injectFault('chat.postMessage', { kind: 'hold', when: 'after' });
  const titles = publish(desk, 'One', 'Two');
  await app.until('a post to be under way', () => held.held > 0, MINUTE);
  app.room.full = true;
  held.release();
  await pass(5 * MINUTE);
  app.room.full = false;
  await pass(3 * MINUTE);
  await expectInOrder(desk, titles);
});
