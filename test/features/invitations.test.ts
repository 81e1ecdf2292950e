/** Invitations of followed profiles, in the channels that follow them. */
import { describe, expect } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith, appTest as withFilter } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, PATHS } from '../kit/start-desk.ts';

const appTest = appTestWith({ empty: true });

const PROFILE = 31;
const LETTER = `Dear Ada, please help us. ${'We sell chairs. '.repeat(60)}THE END`;

/** Ada Webb's invitations come to these channels. */
async function follow(desk: Desk, channels: readonly string[] = ['web']): Promise<void> {
  desk.market.service.addProfile({ id: PROFILE, label: 'Ada Webb' });
  for (const channel of channels)
    await desk.person('ada').type(`/gig subscribe invitations ${PROFILE}`, channel);
  await desk.pass(MINUTE);
}

const invite = (desk: Desk, title: string, more: object = {}) =>
  desk.market.service.addInvitation({ profileId: PROFILE, title, ...more });

/** The cards of invitations with this title. */
function cardsOf(by: Person, title: string, channel = 'web'): readonly Message[] {
  return by.reads(channel).filter((it) => it.text.includes(`Invitation: ${title}`));
}

/** The one card of an invitation. */
function cardOf(by: Person, title: string, channel = 'web'): Message {
  const [found, ...more] = cardsOf(by, title, channel);
  expect(more).toEqual([]);
  return found ?? expect.fail(`no ${title} in ${channel}`);
}

const threadOf = (card: Message) => card.replies().map((it) => it.text);

describe('an invitation', () => {
  appTest('comes once to each channel that follows its profile, with its letter', async ({ desk, ada }) => {
    const { market, pass } = desk;
    market.service.addProfile({ id: PROFILE, label: 'Ada Webb' });
    invite(desk, 'Of the past');
    await pass(SECOND);
    await ada.type(`/gig subscribe invitations ${PROFILE}`);
    await ada.type('/gig subscribe invitations "ada webb"', 'data');
    await pass(MINUTE);
    const before = market.requests(PATHS.invitations).length;
    const { id } = invite(desk, 'Chairs', { invitationLetter: LETTER, statusLabel: 'Pending' });
    await pass(4 * MINUTE);
    expect(market.requests(PATHS.invitations).length - before).toBeLessThanOrEqual(4);
    for (const channel of ['web', 'data']) {
      const card = cardOf(ada, 'Chairs', channel);
      expect(card.text).toContain('Ada Webb');
      expect(card.text).not.toContain('THE END');
      expect(threadOf(card).join()).toContain('THE END');
    }
    market.service.updateInvitation(id, { statusLabel: 'Declined by client' });
    await pass(5 * MINUTE);
    for (const channel of ['web', 'data']) {
      const card = cardOf(ada, 'Chairs', channel);
      expect(card.text).toContain('Declined by client');
      expect(threadOf(card).filter((it) => /Declined by client.*Pending/u.test(it))).toHaveLength(1);
      expect(cardsOf(ada, 'Of the past', channel)).toEqual([]);
    }
  });

  appTest('is the past for a channel that follows later, or again', async ({ desk, ada }) => {
    await follow(desk);
    invite(desk, 'First');
    await desk.pass(3 * MINUTE);
    await (await ada.type('/gig list')).press('Unsubscribe');
    invite(desk, 'Between');
    await desk.pass(10 * MINUTE);
    for (const channel of ['web', 'data']) await ada.type(`/gig subscribe invitations ${PROFILE}`, channel);
    await desk.pass(3 * MINUTE);
    // It was sent an hour ago; the server shows it late.
    invite(desk, 'Last', { invitedAt: desk.app.clock.now() - HOUR });
    await desk.pass(3 * MINUTE);
    for (const channel of ['web', 'data']) {
      expect(cardsOf(ada, 'Between', channel)).toEqual([]);
      cardOf(ada, 'Last', channel);
    }
    cardOf(ada, 'First');
    expect(cardsOf(ada, 'First', 'data')).toEqual([]);
  });

  appTest('is the past for a channel that follows while an answer is on its way', async ({ desk, ada }) => {
    await follow(desk);
    const slow = desk.market.fail(PATHS.invitations, { kind: 'hold-headers', ms: 9 * SECOND });
    for (let waited = 0; slow.hits() === 0 && waited < 150; waited++) await desk.pass(SECOND);
    expect(slow.hits()).toBe(1);
    invite(desk, 'Meanwhile');
    await desk.pass(SECOND);
    await ada.type(`/gig subscribe invitations ${PROFILE}`, 'data');
    await desk.pass(5 * MINUTE);
    cardOf(ada, 'Meanwhile');
    expect(cardsOf(ada, 'Meanwhile', 'data')).toEqual([]);
  });

  appTest('of one organization comes where that one is followed', async ({ desk, market, ada }) => {
    for (const id of [5, 6]) market.service.addOrganization({ id, label: `Team ${id}` });
    await follow(desk);
    // The past of the team's subscription, and news for the profile's.
    invite(desk, 'Before the team', { organizationId: 5 });
    await desk.pass(SECOND);
    await ada.type(`/gig subscribe invitations ${PROFILE} organization 5`);
    await ada.type(`/gig subscribe invitations ${PROFILE} organization 5`, 'data');
    await desk.pass(MINUTE);
    for (const organizationId of [5, 6]) invite(desk, `For team ${organizationId}`, { organizationId });
    await desk.pass(4 * MINUTE);
    for (const title of ['Before the team', 'For team 5', 'For team 6']) cardOf(ada, title);
    cardOf(ada, 'For team 5', 'data');
    for (const title of ['Before the team', 'For team 6']) expect(cardsOf(ada, title, 'data')).toEqual([]);
  });

  appTest('waits for the end of a pause, and of quiet hours with its thread', async ({ desk, ada }) => {
    const { market, pass, app } = desk;
    await follow(desk);
    await ada.type('/gig pause 1h');
    invite(desk, 'In the pause');
    await pass(30 * MINUTE);
    expect(cardsOf(ada, 'In the pause')).toEqual([]);
    await pass(35 * MINUTE);
    cardOf(ada, 'In the pause');
    const settings = await ada.type('/gig settings');
    const at = (ms: number) => new Date(app.clock.now() + ms).toISOString().slice(11, 16);
    await (await settings.press('Quiet Hours')).send({
      'Quiet hours': ['Every day'],
      'Quiet from': at(-HOUR),
      'Quiet until': at(HOUR),
      'Time zone': 'UTC',
    });
    await ada.close();
    const { id } = invite(desk, 'At night', { invitationLetter: LETTER });
    await pass(5 * MINUTE);
    market.service.updateInvitation(id, { statusLabel: 'Declined' });
    await pass(20 * MINUTE);
    expect(cardsOf(ada, 'At night')).toEqual([]);
    await pass(HOUR);
    const [letter, status] = threadOf(cardOf(ada, 'At night'));
    expect(letter).toContain('THE END');
    expect(status).toContain('Declined');
  });

  appTest('is neither lost nor told twice when the process is killed', async ({ desk, ada }) => {
    await follow(desk);
    for (let round = 0; round < 3; round++) {
      const { id } = invite(desk, `Round ${round}`, { statusLabel: 'Pending' });
      await desk.pass((20 + round * 37) * SECOND);
      desk.market.service.updateInvitation(id, { statusLabel: 'Declined' });
      await desk.restart();
    }
    await desk.pass(10 * MINUTE);
    for (let round = 0; round < 3; round++) {
      const card = cardOf(ada, `Round ${round}`);
      expect(card.text).toContain('Declined');
      expect(threadOf(card).length).toBeLessThanOrEqual(1);
    }
  });

  appTest('among hundreds shows what changes later, with its own card', async ({ desk, market, ada }) => {
    market.service.setModes({ refuseLimit: true });
    await follow(desk);
    const { id } = invite(desk, 'The first', { statusLabel: 'Pending' });
    await desk.pass(3 * MINUTE);
    for (let place = 0; place < 230; place++) invite(desk, `Chair ${place}`);
    await desk.pass(5 * MINUTE);
    expect(ada.reads('web').at(-1)?.text).toContain('228 new invitations');
    market.service.updateInvitation(id, { statusLabel: 'Declined' });
    await desk.pass(2 * HOUR);
    expect(cardOf(ada, 'The first').text).toContain('Pending');
    for (let part = 0; part < 4; part++) {
      desk.app.clock.moveBy(DAY / 4);
      await desk.pass(2 * MINUTE);
    }
    expect(cardOf(ada, 'The first').text).toContain('Declined');
    expect(threadOf(cardOf(ada, 'The first'))).toHaveLength(1);
  });

  appTest('claimed on day 80 can be released on day 95; others are gone', async ({ desk, app, ada }) => {
    await follow(desk);
    invite(desk, 'Chairs');
    invite(desk, 'Tables');
    await desk.pass(10 * MINUTE);
    await ada.press(cardOf(ada, 'Tables'), 'Details');
    const old = ada.form();
    app.clock.moveBy(80 * DAY);
    await desk.pass(2 * MINUTE);
    await ada.press(cardOf(ada, 'Chairs'), 'Claim');
    for (let week = 0; week < 3; week++) {
      app.clock.moveBy(5 * DAY);
      await desk.pass(5 * MINUTE);
    }
    await ada.press(cardOf(ada, 'Chairs'), 'Release');
    expect(cardOf(ada, 'Chairs').offers('Claim')).toBe(true);
    await old.press('Claim');
    expect(cardOf(ada, 'Tables').offers('Release')).toBe(false);
    expect(ada.inbox().concat(ada.notes('web')).at(-1)?.text).toMatch(/again|old/u);
  });
});

describe('a card', () => {
  withFilter(
    'is one person’s, shows its letter, and looks up for a credit',
    async ({ desk, ada, ben, cem }) => {
      const { market } = desk;
      await follow(desk);
      const { project } = market.publish({ title: 'Chairs in React', clientQuestions: [] }, []);
      invite(desk, 'Chairs in React', { jobPostingUid: project.uid, invitationLetter: LETTER });
      await desk.pass(5 * MINUTE);
      const card = cardOf(ada, 'Chairs in React');
      await Promise.all([ben.press(card, 'Claim'), cem.press(card, 'Claim')]);
      const [first, second] = card.text.includes('Claimed by @ben') ? [ben, cem] : [cem, ben];
      expect(card.text).toContain(`Claimed by @${first.name}`);
      expect(second.notes('web').at(-1)?.text).toContain(`@${first.name} claimed`);
      expect((await second.press(card, 'Release')).text).toContain(`@${first.name} claimed`);
      await ada.press(card, 'Release');
      expect(card.text).not.toContain('Claimed');
      const window = await ben.press(card, 'Details');
      expect(window.text).toContain('THE END');
      const claimed = await window.press('Claim');
      for (const screen of [card, claimed]) expect(screen.text).toContain('Claimed by @ben');
      const spent = () => market.service.consumedCredits().total;
      expect(spent()).toBe(0);
      const looked = await window.press('Look Up (1 Credit)');
      expect(spent()).toBe(1);
      expect(looked.text).toContain('Connects');
      await (await looked.press('Bid')).send({ 'Bidding setup': 'Fast setup' });
      expect(market.jobs.map((it) => it.projectId)).toEqual([project.id]);
    },
  );

  withFilter('says why a lookup bought nothing', async ({ desk, market, ada }) => {
    await follow(desk);
    invite(desk, 'Gone', { jobPostingUid: '~0123' });
    invite(desk, 'Unpaid', { jobPostingUid: '~0124' });
    invite(desk, 'Nameless', { jobPostingUid: '<!channel>' });
    await desk.pass(5 * MINUTE);
    const nameless = cardOf(ada, 'Nameless');
    expect(['Bid', 'Details'].filter((it) => nameless.offers(it))).toEqual([]);
    const window = await ada.press(cardOf(ada, 'Gone'), 'Details');
    expect((await window.press('Look Up')).text).toContain('~0123');
    await ada.close();
    await ada.type('/gig budget 0');
    const again = await ada.press(cardOf(ada, 'Unpaid'), 'Details');
    const before = market.requests(PATHS.lookup).length;
    expect((await again.press('Look Up')).text).toMatch(/budget/u);
    expect(market.requests(PATHS.lookup)).toHaveLength(before);
  });
});
