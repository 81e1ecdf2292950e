/** How many messages a channel gets at its level, and that nothing is lost or late because of it. */
import { expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Input } from '../kit/person.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, SHOP } from '../kit/start-desk.ts';

const appTest = appTestWith({
  requestsPerMinute: 500,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '500' },
});

const PROFILE = 31;
/** A simulated proposal without any outcome yet. */
const QUIET = {
  isViewed: false,
  isInterviewed: false,
  isHired: false,
  isWithdrawn: false,
  boostOutbid: false,
} as const;

const titles = (count: number) => Array.from({ length: count }, (_, each) => `Invited ${each + 1}.`);

/** A channel that follows a profile's invitations and outcomes. @returns what it has read since */
async function follow(desk: Desk, level: string): Promise<() => readonly Message[]> {
  const { market, pass, person } = desk;
  const ada = person('ada');
  market.service.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
  for (const what of ['invitations', 'outcomes']) await ada.type(`/gig subscribe ${what} ${PROFILE}`);
  await set(desk, 'Updates', { Updates: level });
  await pass(10 * MINUTE);
  return startCounting(desk);
}

async function set({ person }: Desk, part: string, input: Input): Promise<void> {
  const ada = person('ada');
  await (await (await ada.type('/gig settings')).press(part)).send(input);
  await ada.close();
}

/** @returns the messages since now */
function startCounting({ person }: Desk): () => readonly Message[] {
  const before = new Set(
    person('ada')
      .reads('web')
      .map(({ ts }) => ts),
  );
  return () =>
    person('ada')
      .reads('web')
      .filter(({ ts }) => !before.has(ts));
}

function invite({ market }: Desk, names: readonly string[]): void {
  for (const title of names) market.service.addInvitation({ profileId: PROFILE, title });
}

const send = ({ market }: Desk, jobTitle: string) =>
  market.service.addProposal({ profileId: PROFILE, jobTitle, ...QUIET });

/** The titles of single invitations, sorted; each should be there once. */
function singles({ person }: Desk): readonly string[] {
  const cards = person('ada')
    .reads('web')
    .filter((it) => it.offers('Claim') && it.text.includes('Invited'));
  return cards.map(({ text }) => /Invited \d+\./u.exec(text)?.[0] ?? '').toSorted();
}

/** Opens all bundles, press by press. */
async function openAll({ person, pass }: Desk): Promise<void> {
  const ben = person('ben');
  for (let presses = 0; presses < 10; presses++) {
    const bundle = ben.reads('web').find((it) => it.offers('Show'));
    if (!bundle) return;
    await ben.press(bundle, 'Show');
    await pass(MINUTE);
  }
}

appTest.for([
  ['Normal', 5, 3],
  ['Quiet', 3, 1],
] as const)(
  '12 invitations at %s are at most %i messages, and each can be opened',
  async ([level, most, few], { desk }) => {
    const counted = await follow(desk, level);
    invite(desk, titles(12));
    await desk.pass(10 * MINUTE);
    expect(counted().length).toBeLessThanOrEqual(most);
    expect(singles(desk)).toHaveLength(few);
    await openAll(desk);
    expect(singles(desk)).toEqual(titles(12).toSorted());
  },
);

appTest.for(['before', 'after'] as const)(
  'a bundle that Slack loses %s its effect as the app dies is there once',
  async (when, { app, desk, slack, pass }) => {
    await follow(desk, 'Normal');
    invite(desk, titles(12));
    await app.until('single ones', () => singles(desk).length === 3, 10 * MINUTE);
    const lost = slack.injectFault('chat.postMessage', { kind: 'drop', when }, 1);
    await app.until('the bundle is sent', () => lost.used > 0);
    await app.kill();
    invite(desk, ['Invited 13.']);
    await app.start();
    await pass(15 * MINUTE);
    await openAll(desk);
    expect(singles(desk)).toEqual(titles(13).toSorted());
  },
);

appTest.for([
  ['Quiet', 0],
  ['Normal', 1],
  ['Everything', 11],
] as const)(
  '12 views at %s are %i messages, and a hire is its own',
  async ([level, messages], { desk, market, pass }) => {
    const counted = await follow(desk, level);
    const sent = titles(13).map((title) => send(desk, title));
    await pass(5 * MINUTE);
    for (const { id } of sent.slice(1)) market.service.updateProposal(id, { isViewed: true });
    await pass(5 * MINUTE);
    expect(counted()).toHaveLength(messages);
    market.service.updateProposal(sent[0]?.id ?? 0, { isViewed: true, isHired: true });
    await pass(5 * MINUTE);
    expect(counted()).toHaveLength(messages + 1);
    expect(counted().at(-1)?.text).toMatch(/hired[\s\S]*Invited 1\.|Invited 1\.[\s\S]*hired/iu);
    const [list] = counted();
    if (level === 'Normal' && list)
      expect((await desk.person('ben').press(list, 'Invited 8.')).text).toContain('Invited 8.');
  },
);

appTest('a bundle has what quiet hours and a pause held back', async ({ app, desk, market, ada, pass }) => {
  await follow(desk, 'Normal');
  const sent = titles(9).map((title) => send(desk, title));
  await pass(5 * MINUTE);
  const hour = new Date(app.clock.now()).getUTCHours();
  const at = (hours: number) => `${String((hour + hours) % 24).padStart(2, '0')}:00`;
  const hours = { 'Quiet from': at(0), 'Quiet until': at(4), 'Time zone': 'UTC' };
  await set(desk, 'Quiet Hours', { 'Quiet hours': ['Every day'], ...hours });
  const counted = startCounting(desk);
  for (const { id } of sent) market.service.updateProposal(id, { isViewed: true });
  invite(desk, titles(12));
  await pass(10 * MINUTE);
  expect(counted()).toEqual([]);
  await app.kill();
  app.clock.moveBy(4 * HOUR);
  await app.start();
  await pass(10 * MINUTE);
  // Three invitations, a bundle of nine, and one list of the nine views.
  expect(counted()).toHaveLength(5);
  await ada.type('/gig pause 2h');
  const later = startCounting(desk);
  invite(desk, titles(20).slice(12));
  await pass(30 * MINUTE);
  expect(later()).toEqual([]);
  await pass(2 * HOUR);
  expect(later().length).toBeLessThanOrEqual(4);
  await openAll(desk);
  expect(singles(desk)).toEqual(titles(20).toSorted());
});

appTest(
  '20 lively minutes are few messages, and every result comes at once',
  async ({ desk, market, pass }) => {
    const counted = await follow(desk, 'Normal');
    const sent = Array.from({ length: 40 }, (_, each) => send(desk, `Sent ${each}.`));
    await pass(5 * MINUTE);
    for (let minute = 0; minute < 20; minute++) {
      market.publish({ ...SHOP, title: `Project ${minute}` });
      invite(desk, [`Invited ${minute}.`]);
      const isResult = minute % 4 === 3;
      market.service.updateProposal(sent[2 * minute]?.id ?? 0, { isViewed: true });
      market.service.updateProposal(
        sent[2 * minute + 1]?.id ?? 0,
        isResult ? { isHired: true } : { isViewed: true },
      );
      await desk.app.pass(MINUTE, 2 * SECOND);
    }
    await pass(5 * MINUTE);
    const words = counted().map(({ text }) => text);
    expect(words.length).toBeLessThanOrEqual(35);
    expect(words.filter((it) => /hired/iu.test(it))).toHaveLength(5);
    await openAll(desk);
    expect(singles(desk)).toHaveLength(20);
  },
);
