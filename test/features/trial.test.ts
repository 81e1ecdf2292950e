/**
 * A trial's 50 credits don't renew and can't be topped up: a possible trial account gets different advice.
 */
import { expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, FILTER, SHOP } from '../kit/start-desk.ts';

const TRIAL = /looks like a trial/i;
const FALSE_HOPE = /tops?.?up|wait (until|for) the reset|before the reset/i;

async function publish({ app, market, pass }: Desk, count: number): Promise<void> {
  for (let each = 0; each < count; each++) {
    market.publish(SHOP);
    app.clock.moveBy(SECOND);
  }
  await pass(15 * MINUTE);
}

/** All texts about the account's credits. */
async function texts({ market, person }: Desk): Promise<Record<string, string>> {
  const ada = person('ada');
  const { ciphertext } = market.publish(SHOP).project;
  const said = async (line: string) => (await ada.type(`/gig ${line}`)).text;
  return {
    notice: ada.reads('web').find(({ text }) => text.includes('account has'))?.text ?? '',
    lookup: await said(`lookup ${ciphertext}`),
    status: await said('status'),
    budget: await said('budget'),
    home: (await ada.home()).text,
  };
}

appTestWith({ plan: 'trial' })(
  'a trial that runs out is told of no top-up or reset',
  async ({ desk, market, ada, pass }) => {
    await publish(desk, 70);
    expect(market.service.consumedCredits().total).toBe(50);
    for (const [where, text] of Object.entries(await texts(desk))) {
      for (const fact of [TRIAL, /50 credits don't renew/, /paid plan/]) expect(text, where).toMatch(fact);
      expect(text, where).not.toMatch(FALSE_HOPE);
    }
    await pass(7 * HOUR);
    await ada.type('/gig digest now');
    await pass(MINUTE);
    const digest = ada.reads('web').find(({ text }) => text.includes('credits spent'))?.text ?? '';
    for (const line of [/React work.*trial.*/iu, /Account:.*/u].map((it) => it.exec(digest)?.[0])) {
      for (const fact of [TRIAL, /paid plan/]) expect(line).toMatch(fact);
      expect(line).not.toMatch(FALSE_HOPE);
    }
  },
);

appTestWith({ empty: true })(
  'a paid account that starts nearly empty looks like one until a top-up',
  async ({ desk, market, ada, pass }) => {
    market.service.setCredits(20);
    market.service.addFilter(FILTER);
    await ada.type(`/gig subscribe filter ${FILTER.id}`);
    await pass(30 * SECOND);
    await publish(desk, 30);
    for (const [where, text] of Object.entries(await texts(desk))) {
      expect(text, where).toMatch(TRIAL);
      expect(text, where).toMatch(/paid plan.*renew/);
    }
    market.service.topUpCredits(500);
    await pass(30 * MINUTE);
    expect((await ada.type('/gig status')).text).not.toMatch(TRIAL);
    market.service.setCredits(0);
    await publish(desk, 5);
    for (const text of Object.values(await texts(desk)).slice(1)) expect(text).not.toMatch(TRIAL);
  },
);

appTest('a paid account that runs out may wait for the reset or top up', async ({ desk, market }) => {
  await publish(desk, 1);
  market.service.setCredits(0);
  await publish(desk, 5);
  const { notice, lookup, status } = await texts(desk);
  for (const text of [notice, lookup, status]) {
    expect(text).toMatch(FALSE_HOPE);
    expect(text).not.toMatch(TRIAL);
  }
});
