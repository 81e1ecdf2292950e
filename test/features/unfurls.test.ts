/** Links of projects that people post: what they show, and that they cost nothing nobody chose to spend. */
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, FILTER, PATHS, SHOP } from '../kit/start-desk.ts';

/** Posts links. @returns what the new previews show */
async function share({ slack, pass }: Desk, urls: readonly string[], user = 'ben', channel = 'data') {
  const before = slack.unfurls().length;
  await slack.postLinks({ user, channel, urls });
  await pass(MINUTE);
  return slack
    .unfurls()
    .slice(before)
    .map(({ unfurl }) => JSON.stringify(unfurl));
}

appTest('a link shows public facts, and nothing of the team', async ({ desk, market, ada }) => {
  market.service.addFilter({ id: 102, name: 'Our secret niche', qualifier: true });
  await ada.type('/gig subscribe filter 102');
  const judged = market.publish(
    {
      ...SHOP,
      skills: ['Elixir', 'Phoenix'],
      client: { country: 'Norway', rating: 4.8, reviews: 12, totalHires: 9, totalSpent: 51_000 },
    },
    102,
  );
  const verdict = { decision: 'disqualified', reason: 'We lost twice against Acme here' } as const;
  market.service.setVerdict(judged.project.id, verdict);
  const card = await judged.cardIn('web');
  expect(card.text).toContain('Acme');
  const [shown = ''] = await share(desk, [judged.project.url]);
  for (const fact of ['Rebuild our checkout', '$700', 'Norway', '4.8', 'Elixir'])
    expect(shown).toContain(fact);
  expect(shown).not.toMatch(/qualified|acme|niche|:robot|verdict/iu);
  expect(market.requests(PATHS.lookup)).toEqual([]);
});

appTest(
  'it leads where the person linked to, not to the address our filter got',
  async ({ desk, market }) => {
    market.service.setModes({ redirectUrls: true });
    const card = await market.publish().cardIn('web');
    const [, pid = ''] = /pid=(\d+)/u.exec(card.text) ?? [];
    const [shown] = await share(desk, [`https://www.marketplace.example/redirect?pid=${pid}&source=mail`]);
    expect(shown).toContain('source=mail');
    expect(shown).not.toContain(`filter-${FILTER.id}`);
  },
);

appTest.for([
  ['a guest', { guest: 'single' }],
  ['somebody of another company', { stranger: true }],
] as const)('it shows and costs nothing where %s posts it', async ([, who], { desk, market, ada }) => {
  const known = market.publish();
  await known.cardIn('web');
  desk.person('gus', who);
  await ada.type('/gig budget 500', 'data');
  const spent = market.service.consumedCredits().total;
  const { url } = market.publish(SHOP, []).project;
  for (const channel of ['data', 'web'])
    expect(await share(desk, [known.project.url, url], 'gus', channel)).toEqual([]);
  expect(market.service.consumedCredits().total).toBe(spent);
});

appTest('it is looked up only where somebody chose to spend', async ({ desk, market, ada, ben, pass }) => {
  const links = (count: number) => Array.from({ length: count }, () => market.publish(SHOP, []).project.url);
  const spent = () => market.service.consumedCredits().total;
  expect(await share(desk, links(1))).toEqual([]);
  await ben.type(`/gig lookup ${market.publish(SHOP, []).project.ciphertext}`, 'data');
  await pass(10 * SECOND);
  expect(await share(desk, links(1))).toEqual([]);
  expect(spent()).toBe(1);
  await ada.type('/gig budget 500', 'data');
  expect(await share(desk, links(7))).toHaveLength(5);
  expect(spent()).toBe(6);
  expect(await share(desk, ['https://www.marketplace.example/about'])).toEqual([]);
  await ada.type('/gig budget 6', 'data');
  expect(await share(desk, links(1))).toEqual([]);
  expect(await share(desk, links(1), 'ben', 'web')).toHaveLength(1);
  expect(spent()).toBe(7);
});

appTest('Slack may send a link again: it is shown once', async ({ market, slack, pass, ada }) => {
  await ada.type('/gig budget 100');
  const { url } = market.publish(SHOP, []).project;
  const message = slack.postAsUser({ user: 'ben', channel: 'web', text: url });
  const fields = {
    channel: slack.channel('web').id,
    user: slack.user('ben').id,
    message_ts: message.ts,
    links: [{ url, domain: new URL(url).hostname }],
  };
  for (let time = 0; time < 3; time++) {
    await slack.sendEvent('link_shared', fields, { eventId: 'EvSAME' });
    await pass(MINUTE);
  }
  expect(slack.apiCalls('chat.unfurl')).toHaveLength(1);
  expect(market.service.consumedCredits().total).toBe(1);
});
