/** Rules that need people who don't exist say so when they are saved. */
import { expect } from 'vitest';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { letBid } from '../kit/start-desk.ts';

const alone = appTestWith({ empty: true });

alone('a rule for second approvals says when too few people can give them', async ({ ada, desk, market }) => {
  market.service.addFilter({ id: 101 });
  await ada.type('/gig subscribe filter 101');
  const save = async (amount: string) => {
    const form = await ada.press(await ada.type('/gig settings'), 'Spending Rules');
    await form.send({ 'Second approval above this amount': amount });
    await ada.close();
    return ada.reads('web').at(-1)?.text;
  };
  expect(await save('500')).toMatch(/only @ada may approve here/u);
  desk.person('ben');
  desk.person('cem');
  await letBid(desk, ['ben', 'cem']);
  expect(await save('600')).not.toMatch(/may approve here/u);
});

appTest('nudges with nobody on duty say so', async ({ ada }) => {
  const form = await ada.press(await ada.type('/gig settings'), 'Response Times');
  await form.send({ 'Targets and nudges': ['Show targets'] });
  expect(ada.reads('web').at(-1)?.text).toMatch(/nudges mention nobody/u);
});
