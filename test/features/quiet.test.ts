/** A channel's quiet hours, from the form to the summary afterwards. */
import { expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, SHOP } from '../kit/start-desk.ts';

/** Evening, night, five minutes before the end and the end of a night from 20:00 to 08:00 in Berlin. */
const NIGHTS = {
  ordinary: ['2027-01-20T17:00Z', '2027-01-20T19:30Z', '2027-01-21T06:55Z', '2027-01-21T07:00Z'],
  'in which clocks are set forward': [
    '2027-03-27T17:00Z',
    '2027-03-27T19:30Z',
    '2027-03-28T05:55Z',
    '2027-03-28T06:00Z',
  ],
  'in which clocks are set back': [
    '2027-10-30T16:00Z',
    '2027-10-30T18:30Z',
    '2027-10-31T06:55Z',
    '2027-10-31T07:00Z',
  ],
} as const;
const [EVENING, NIGHT, , END] = NIGHTS.ordinary;

const appTest = appTestWith({ start: Date.parse(EVENING) });

async function beQuiet({ person }: Desk, hours: readonly string[] | null = ['Every day']): Promise<void> {
  const ada = person('ada');
  const form = await (await ada.type('/gig settings')).press('Quiet Hours');
  await form.send({
    'Quiet hours': hours,
    'Quiet from': '20:00',
    'Quiet until': '08:00',
    'Time zone': 'berlin',
  });
  await ada.close();
}

/** As if the machine had slept in between. */
async function sleepUntil({ app, pass }: Desk, at: string): Promise<void> {
  app.clock.moveTo(Date.parse(at));
  await pass(2 * MINUTE);
}

async function publish({ market, pass }: Desk, ...titles: readonly string[]): Promise<void> {
  for (const title of titles) market.publish({ ...SHOP, title });
  await pass(MINUTE);
}

const cards = ({ person }: Desk) =>
  person('ada')
    .reads('web')
    .filter((it) => it.offers('Details'));

function onlySummary({ person }: Desk): Message | undefined {
  const [first, ...more] = person('ada')
    .reads('web')
    .filter((it) => it.text.includes('during quiet hours'));
  expect(more).toEqual([]);
  return first;
}

async function show(desk: Desk, label: string): Promise<void> {
  const summary = onlySummary(desk) ?? expect.fail('no summary');
  await desk.person('ada').press(summary, label);
  await desk.pass(MINUTE);
}

for (const [which, [evening, night, before, end]] of Object.entries(NIGHTS))
  appTestWith({ start: Date.parse(evening) })(
    `a night ${which} ends by the wall clock, in one summary`,
    async ({ desk }) => {
      await beQuiet(desk);
      await publish(desk, 'Before the night');
      expect(cards(desk)).toHaveLength(1);
      await sleepUntil(desk, night);
      await publish(desk, 'First of the night', 'Second of the night');
      await publish(desk, 'Third of the night');
      await sleepUntil(desk, before);
      expect(onlySummary(desk)).toBeUndefined();
      expect(cards(desk)).toHaveLength(1);
      await sleepUntil(desk, end);
      expect(onlySummary(desk)?.text).toMatch(/\b3 new projects/u);
      await publish(desk, 'After the night');
      await show(desk, 'Show All 3');
      expect(new Set(cards(desk).map(({ text }) => text)).size).toBe(5);
    },
  );

appTest('a single card comes as a card; answers are not held back', async ({ desk, ada }) => {
  await beQuiet(desk);
  await sleepUntil(desk, NIGHT);
  await publish(desk, 'The only one');
  expect((await ada.type('/gig list')).text).toMatch(/8:00 PM.*8:00 AM.*Europe\/Berlin/u);
  expect(cards(desk)).toEqual([]);
  await sleepUntil(desk, END);
  expect(cards(desk)).toHaveLength(1);
  expect(onlySummary(desk)).toBeUndefined();
});

appTest(
  'the summary comes once even if the app dies at the end of the night',
  async ({ app, desk, pass }) => {
    await beQuiet(desk);
    await sleepUntil(desk, NIGHT);
    await publish(desk, ...Array.from({ length: 14 }, (_, place) => `Project ${place}`));
    app.clock.moveTo(Date.parse(END) - SECOND);
    for (let crashes = 0; crashes < 3; crashes++) {
      app.clock.moveBy(500);
      await new Promise((resolve) => setImmediate(resolve));
      await app.kill();
      await app.start();
    }
    await pass(3 * MINUTE);
    expect(onlySummary(desk)?.text).toMatch(/\b14 new projects/u);
    expect(cards(desk)).toEqual([]);
    await show(desk, 'Show Best 10');
    await show(desk, 'Show All 4');
    expect(new Set(cards(desk).map(({ text }) => text)).size).toBe(14);
  },
);

appTest('what was held back comes at the start, if the app was down at the end', async ({ app, desk }) => {
  await beQuiet(desk);
  await sleepUntil(desk, NIGHT);
  await publish(desk, 'One', 'Two');
  await app.kill();
  app.clock.moveTo(Date.parse(END) + 2 * HOUR);
  await app.start();
  await desk.pass(MINUTE);
  expect(onlySummary(desk)).toBeDefined();
});

appTest('it comes at once when quiet hours are switched off', async ({ desk, ada }) => {
  await beQuiet(desk);
  await sleepUntil(desk, NIGHT);
  await publish(desk, 'One', 'Two');
  await beQuiet(desk, null);
  expect(onlySummary(desk)).toBeDefined();
  expect(ada.reads('web').some(({ text }) => /@ada changed.*settings[\s\S]*No quiet hours/u.test(text))).toBe(
    true,
  );
});

appTest(
  'invitations are held back, too, and come behind the summary',
  async ({ desk, market, ada, pass }) => {
    market.service.addProfile({ id: 301, label: 'Web studio' });
    await ada.type('/gig subscribe invitations 301');
    await beQuiet(desk);
    await pass(10 * MINUTE);
    await sleepUntil(desk, NIGHT);
    market.service.addInvitation({ profileId: 301, title: 'Invited at night' });
    await publish(desk, 'One', 'Two');
    await pass(15 * MINUTE);
    const place = (words: string) => ada.reads('web').findIndex(({ text }) => text.includes(words));
    expect(place('Invited at night')).toBe(-1);
    await sleepUntil(desk, END);
    expect(place('during quiet hours')).toBeGreaterThan(-1);
    expect(place('Invited at night')).toBeGreaterThan(place('during quiet hours'));
  },
);
