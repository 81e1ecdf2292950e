/** A project has one claim that all its cards show, in whatever channel it was made. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, SHOP } from '../kit/start-desk.ts';

/** A project that two filters find, each for a channel. */
async function publishInTwo(desk: Desk, channels: readonly [string, string]) {
  const { market } = desk;
  const ada = desk.person('ada');
  market.service.addFilter({ id: 102, name: 'Shops' });
  await ada.type('/gig subscribe filter 102', channels[1]);
  const published = market.publish(SHOP, [101, 102]);
  return [await published.cardIn(channels[0]), await published.cardIn(channels[1])] as const;
}

appTest('a claim shows on the cards of other channels, with who and where', async ({ desk, ada, ben }) => {
  const [web, data] = await publishInTwo(desk, ['web', 'data']);
  await ada.press(web, 'Claim');
  expect(data.text).toMatch(/@ada.*#web/u);
  const asked = await ben.press(data, 'Claim');
  expect(asked.text).toMatch(/@ada.*#web/u);
  expect(data.offers('Release')).toBe(false);
  await asked.press('Claim Anyway');
  expect(data.text).toContain('Claimed by @ben');
  expect(web.text).toMatch(/@ben.*#data/u);
  await ada.press(web, 'Release');
  expect(data.text).not.toContain('@ada');
});

appTest('of two people who claim in two channels at once, one is asked', async ({ desk, ada, ben }) => {
  const [web, data] = await publishInTwo(desk, ['web', 'data']);
  const answers = await Promise.all([ada.press(web, 'Claim'), ben.press(data, 'Claim')]);
  expect(answers.filter((it) => it.offers('Claim Anyway'))).toHaveLength(1);
  expect([web, data].filter((card) => card.offers('Release'))).toHaveLength(1);
});

appTest('whoever assigns a project hears of a claim in another channel', async ({ desk, ada, ben }) => {
  const [web, data] = await publishInTwo(desk, ['web', 'data']);
  await ben.press(web, 'Claim');
  const end = await (await ada.press(data, 'Assign')).send({ 'Assign to': 'ada' });
  expect(end.text).toMatch(/@ben in #web/u);
  expect(data.text).toContain('Claimed by @ada');
});

appTest("a private channel's claim shows elsewhere without names", async ({ desk, slack, ada, ben }) => {
  slack.addChannel({ name: 'board', private: true, members: [ada.id] });
  const [web, board] = await publishInTwo(desk, ['web', 'board']);
  await ada.press(board, 'Claim');
  expect(web.text).toContain('Claimed in another channel');
  const asked = await ben.press(web, 'Claim');
  expect(asked.text).toContain('another channel');
  for (const text of [web.text, asked.text]) expect(text).not.toMatch(/@ada|board/u);
});

appTest('an invitation and a card of one project share the claim', async ({ desk, market, ada, ben }) => {
  market.service.addProfile({ id: 301 });
  await ada.type('/gig subscribe invitations 301', 'data');
  const published = market.publish();
  const { project } = published;
  const card = await published.cardIn('web');
  market.service.addInvitation({ profileId: 301, title: project.title, jobPostingUid: project.ciphertext });
  await desk.pass(5 * MINUTE);
  const invitation = ada.reads('data').findLast((it) => it.text.includes(project.title));
  if (!invitation) return expect.fail('no invitation came');
  await ada.press(invitation, 'Claim');
  expect(card.text).toMatch(/@ada.*#data/u);
  expect((await ben.press(card, 'Claim')).offers('Claim Anyway')).toBe(true);
});
