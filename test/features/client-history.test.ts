/** Whether a client has a history, from what the marketplace's lists say in words. */
import { request } from 'undici';
import { expect } from 'vitest';
import { appTest } from '../kit/app-test.ts';
import { FILTER, PATHS, setRules } from '../kit/start-desk.ts';

appTest('a client who spent “$50K+” is no client without history', async ({ desk, market, ben }) => {
  await setRules(desk.person('ada'), { 'Second approval options': 'For clients without history' });
  const published = market.publish();
  const { baseUrl, token } = market.service;
  const address = `${baseUrl}/filters/${FILTER.id}/projects`;
  const { body } = await request(address, { headers: { 'X-API-TOKEN': token } });
  const json = (await body.json()) as { data: { clientDetails: object }[] };
  for (const project of json.data)
    project.clientDetails = { ...project.clientDetails, totalHires: 0, totalSpent: '$50K+' };
  market.fail(PATHS.projects, { kind: 'answer', status: 200, json });
  const card = await published.cardIn('web');
  expect(card.text).toContain('$50K+');
  await (await ben.press(card, 'Bid')).send({ 'Bidding setup': 'Fast setup' });
  expect(market.jobs).toHaveLength(1);
});
