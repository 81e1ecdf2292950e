/** Titles and dates that are missing or mean none, and titles with Slack's markup. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Message } from '../kit/read-screen.ts';
import { PATHS, SHOP } from '../kit/start-desk.ts';

const ODD = 'Fix *bold* `code` _new_ ~old~ <!channel> <https://evil.example|here>';

function textsOf(messages: readonly Message[]): string {
  return messages.flatMap((it) => [it.text, ...it.replies().map((reply) => reply.text)]).join('\n');
}

appTest('a title formats nothing, wherever it is', async ({ ada, ben, market, pass }) => {
  const card = await market.publish({ ...SHOP, title: ODD }).cardIn('web');
  await ben.press(card, 'Claim');
  const form = await ben.press(card, 'Bid');
  market.fail(PATHS.bid, { kind: 'hold-headers' });
  await form.send({ 'Bidding setup': 'Fast setup' });
  await ada.press(card, 'Details');
  const details = ada.form().text;
  await ada.close();
  await pass(2 * MINUTE);
  const home = await ben.home();
  const audit = await ada.type('/gig audit');
  const all = [textsOf(ada.reads('web')), details, form.text, home.text, audit.text, textsOf(ben.inbox())];
  for (const text of all.filter((it) => it.includes('bold'))) {
    expect(text).not.toMatch(/\*bold\*|`code`|_new_|~old~/u);
  }
  expect(textsOf(ada.reads('web'))).toContain('<!channel>');
  expect(
    card
      .replies()
      .map((it) => it.text)
      .join('\n'),
  ).toContain('bold');
});

appTest('a project without a title is a card like any other', async ({ ben, market }) => {
  const before = market.service.creditsRemaining();
  market.publish({ ...SHOP, title: null as never });
  const card = await market.publish({ ...SHOP, title: 'Rebuild our checkout' }).cardIn('web');
  expect(card.text).toContain('Rebuild our checkout');
  expect(before - market.service.creditsRemaining()).toBe(2);
  const untitled = ben.reads('web').find((it) => it.text.includes('Untitled project'));
  if (!untitled) return expect.fail('no card');
  await (await ben.press(untitled, 'Bid')).send({ 'Bidding setup': 'Fast setup' });
  expect(market.jobs).toHaveLength(1);
  expect(textsOf([untitled])).not.toContain('“”');
});

appTest('a date that stands for none is no date', async ({ market }) => {
  const dates = { 'Never ends': '2099-01-01T00:00:00Z', 'Began with computers': '1970-01-01T00:00:00Z' };
  for (const [title, shownDate] of Object.entries(dates)) {
    const card = await market.publish({ ...SHOP, title, shownDate }).cardIn('web');
    expect(card.text).not.toMatch(/2099|1970|posted/u);
  }
});
