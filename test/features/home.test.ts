/** A person's Home: what stands there, when it is put there anew, and what its buttons do. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, FAST_SETUP, FILTER, PATHS } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const always = Number.POSITIVE_INFINITY;
const SLACK_IS_OUT = { kind: 'error', error: 'fatal_error' } as const;

/** How often a person's Home was put on the screen. */
function published({ slack }: Desk, user: string): number {
  const { id } = slack.user(user);
  return slack.apiCalls('views.publish').filter(({ args }) => args['user_id'] === id).length;
}

describe('a Home', () => {
  appTest('shows credits, health, channels and setups, once for each opening', async ({ desk, ben }) => {
    const { market, slack } = desk;
    await market.publish().cardIn('web');
    const home = await ben.home();
    expect(home.text).toContain(`${(9_999).toLocaleString('en-US')} credits left`);
    expect(home.text).toContain('Everything works');
    expect(home.text).toContain('1 of 500 credits');
    for (const name of ['#web', '“React work” (101)', 'Fast setup (#7)']) expect(home.text).toContain(name);
    expect(home.text).not.toContain('#data');
    const before = published(desk, 'ben');
    await ben.home();
    expect(published(desk, 'ben')).toBe(before + 1);
    const opened = slack
      .sentRequests()
      .findLast((it) => JSON.stringify(it.payload).includes('app_home_opened'));
    await desk.settleAfter(slack.resendRequest(opened ?? expect.fail('nothing was sent')));
    await desk.settleAfter(slack.openHome({ user: 'ben', tab: 'messages' }));
    expect(published(desk, 'ben')).toBe(before + 1);
  });

  appTest(
    'shows within a second what is stored, and what is newer later',
    async ({ desk, app, ada, ben }) => {
      const { market, slack } = desk;
      await market.publish().cardIn('web');
      await ben.home();
      market.service.updateSetup(FAST_SETUP.id, { proposalsSentToday: 20 });
      await desk.pass(6 * MINUTE);
      const silence = market.fail({}, { kind: 'hold-headers' }, always);
      await ada.type('/gig budget 300');
      const before = published(desk, 'ben');
      await slack.openHome({ user: 'ben' });
      await desk.pass(SECOND);
      expect(published(desk, 'ben')).toBe(before + 1);
      const { text } = await ben.home();
      expect(text).toContain('1 of 300');
      expect(text).toContain('0 of 20');
      const held = published(desk, 'ben');
      silence.cancel();
      silence.release();
      await app.pass(5 * SECOND);
      expect(published(desk, 'ben')).toBeGreaterThan(held);
      expect((await ben.home()).text).toContain('20 of 20');
    },
  );

  appTest(
    'names what is in trouble first, and a standstill of all feeds',
    async ({ market, ada, ben, pass }) => {
      market.service.addFilter({ id: 102 });
      await ada.type('/gig subscribe filter 102', 'data');
      await ada.type('/gig budget 3', 'data');
      const { text } = await ben.home();
      expect(text).toMatch(/Problems with 1 of 2 feeds[^#]*\n.*filter 102 in #data/u);
      expect(text.lastIndexOf('#data')).toBeLessThan(text.lastIndexOf('#web'));
      market.fail(PATHS.projects, { kind: 'answer', status: 401, json: { error: 'no' } }, always);
      await pass(5 * MINUTE);
      expect((await ben.home()).text).toMatch(/Feeds stopped since .*rejected the API token/u);
    },
  );

  appTest.for(['hash_conflict', 'not_enabled', 'ratelimited'])(
    'that Slack refuses with %s is told in the log, and the next opening shows it',
    async (error, { app, slack, ben }) => {
      slack.injectFault('views.publish', { kind: 'error', error }, 2);
      await ben.home();
      const told = (line: string) =>
        [`"level":40`, `"error":"${error}"`, ben.id].every((it) => line.includes(it));
      expect(app.logLines.some(told)).toBe(true);
      expect((await ben.home()).text).toContain('#web');
    },
  );

  appTest('shows nothing of the team to guests and strangers', async ({ desk }) => {
    for (const person of [desk.person('gus', { guest: 'multi' }), desk.person('sam', { stranger: true })]) {
      const { text } = await person.home();
      expect(text).toContain('As a guest or external member');
      expect(text).not.toMatch(/credits|web|React|Fast/u);
    }
  });

  appTest('finds the channels of somebody who is in very many', async ({ slack, ada, ben }) => {
    for (let at = 0; at < 230; at++) slack.addChannel({ name: `idle-${at}`, members: ['ben'] });
    slack.addChannel({ name: 'last', members: ['ben', 'ada'] });
    await ada.type('/gig subscribe filter 101', 'last');
    expect((await ben.home()).text).toContain('#last');
    const asked = slack.apiCalls('users.conversations').filter(({ args }) => args['user'] === ben.id);
    expect(asked).toHaveLength(2);
  });
});

describe('approving on a Home', () => {
  const bid = async ({ market, person }: Desk) => {
    const card = await market.publish().cardIn('web');
    const form = await person('ben').press(card, 'Bid');
    await form.send({ 'Bidding setup': 'Fast setup' });
    await person('ben').close();
    return { card, job: market.jobs[0] ?? expect.fail('no job') };
  };

  reviewed(
    'is done once, and told on every Home, the card and its thread',
    async ({ desk, market, ada, ben, cem }) => {
      const { card, job } = await bid(desk);
      const [home, other] = [await ada.home(), await ben.home()];
      expect((await cem.home()).offers('Review')).toBe(false);
      const window = await home.press('Review');
      const late = await other.press('Review');
      market.fail(PATHS.approve, { kind: 'answer', status: 403, json: { error: 'Not you' } });
      const refused = await window.send();
      expect(refused.text).toMatch(new RegExp(`#${job.id} wasn't approved.*Not you`, 'u'));
      expect((await ada.home()).offers('Review')).toBe(true);
      const done = await (await home.press('Review')).send();
      expect(done.text).toMatch(new RegExp(`#${job.id} is approved.*@ada`, 'u'));
      expect((await late.send()).text).toContain('@ada already approved');
      expect(market.requests(PATHS.approve).filter((it) => it.status !== 403)).toHaveLength(1);
      expect((await ada.home()).offers('Review')).toBe(false);
      expect(card.text).toContain('approved by @ada');
      expect(card.replies().at(-1)?.text).toContain('@ada approved');
      expect(ben.inbox()).toEqual([]);
    },
  );

  reviewed('says that it overrules the AI, and why', async ({ desk, market, ada, ben, pass }) => {
    const { job } = await bid(desk);
    market.service.updateJob(job.id, { reason: 'Disqualified: wrong stack' });
    await pass(MINUTE);
    await ada.type(`/gig job ${job.id}`);
    const home = await ben.home();
    expect(home.text).toContain('Disqualified: wrong stack');
    const window = await home.press('Review');
    expect(window.text).toContain("overrides the AI's disqualification: Disqualified: wrong stack");
  });

  reviewed(
    'of a bid from a direct message is for bidders of everywhere',
    async ({ slack, market, ada, cem, pass }) => {
      const { project } = market.publish();
      await pass(MINUTE);
      expect(ada.inbox()).toEqual([]);
      const direct = slack.channels().find((it) => it.kind === 'im' && it.members.includes(ada.id));
      const found = await ada.type(`/gig lookup ${project.ciphertext}`, direct?.id);
      const form = await found.press('Bid');
      await form.send({ 'Bidding setup': 'Fast setup' });
      expect(market.jobs).toHaveLength(1);
      expect((await ada.home()).offers('Review')).toBe(true);
      const home = await cem.home();
      expect(home.offers('Review')).toBe(false);
      expect(home.text).not.toContain(`#${market.jobs[0]?.id}`);
    },
  );

  reviewed('is not asked for once it was done in the dashboard', async ({ desk, market, ben, pass }) => {
    const { job } = await bid(desk);
    await pass(HOUR);
    market.service.updateJob(job.id, { status: 'scheduled' });
    await ben.home();
    expect((await ben.home()).offers('Review')).toBe(false);
  });
});

describe('claims and drafts on a Home', () => {
  appTest('are the own ones, and what is released there is free', async ({ desk, market, ada, ben, cem }) => {
    const { id } = market.service.addProfile();
    await ada.type(`/gig subscribe invitations ${id}`);
    const card = await market.publish().cardIn('web');
    market.service.addInvitation({ profileId: id, title: 'Come and build' });
    await desk.pass(5 * MINUTE);
    const invitation = ben.reads('web').at(-1) ?? expect.fail('no invitation');
    expect(invitation.text).toContain('Come and build');
    for (const it of [card, invitation]) await ben.press(it, 'Claim');
    expect((await cem.home()).offers('Release')).toBe(false);
    const home = await ben.home();
    expect(home.text).toMatch(/Claimed by you[^#]*Come and build/u);
    await home.press('Release');
    expect(home.text).not.toContain('Come and build');
    expect(home.text).toMatch(/Claimed by you[^#]*Rebuild our checkout/u);
    await home.press('Release');
    expect(home.offers('Release')).toBe(false);
    for (const it of [card, invitation]) expect(it.offers('Claim')).toBe(true);
  });

  appTest('go on with what was typed, and show only where something was', async ({ market, ben, cem }) => {
    const card = await market.publish().cardIn('web');
    await ben.press(card, 'Bid');
    await ben.close();
    await ben.type('/gig template new');
    await ben.close();
    expect((await ben.home()).offers('Continue')).toBe(false);
    const form = await ben.press(card, 'Bid');
    await form.send({ 'Bidding setup': 'Fast setup', 'Fixed-price': '3', 'Cover letter': 'Dear' });
    await ben.close();
    expect((await cem.home()).offers('Continue')).toBe(false);
    const home = await ben.home();
    expect(home.text).toContain('cover letter started');
    expect((await home.press('Continue')).text).toContain('Dear');
    await ben.close();
    await home.press('Discard');
    expect(home.text).toContain('Draft discarded');
    expect(home.offers('Continue')).toBe(false);
    const builder = await ben.type('/gig template new');
    await builder.send({ Name: 'Shop letter', 'Sender (organization ID)': '7' });
    await ben.close();
    const again = await ben.home();
    expect(again.text).toContain('Shop letter');
    expect((await again.press('Continue')).text).toContain('Hourly bids');
    await ben.close();
    await again.press('Discard');
    expect(again.text).toContain('“Shop letter” was discarded');
    expect(again.offers('Continue')).toBe(false);
  });
});

describe('a channel on a Home', () => {
  appTest('is paused, resumed and given a budget by admins, and reads of it', async ({ ada, ben, pass }) => {
    const last = () => ben.reads('web').at(-1)?.text;
    const home = await ada.home();
    await home.press('Pause');
    expect(last()).toContain('@ada paused new projects');
    expect(home.text).toMatch(/:double_vertical_bar: .*@ada/u);
    await home.press('Resume');
    expect(last()).toContain('@ada resumed');
    expect(home.text).not.toContain(':double_vertical_bar:');
    await ada.type('/gig pause 1h');
    expect((await ada.home()).text).toContain(':double_vertical_bar:');
    await pass(HOUR);
    expect((await ada.home()).text).not.toContain(':double_vertical_bar:');
    const form = await home.press('Set Budget');
    const wrong = await form.send({ 'Credits per billing period': 'plenty' });
    expect(wrong.text).toContain('whole number of credits');
    await wrong.send({ 'Credits per billing period': '40' });
    expect(last()).toMatch(/@ada.*40 credits/u);
    expect(home.text).toContain('of 40');
    expect(ada.inbox()).toEqual([]);
  });

  appTest(
    'offers others what they may do, each channel by the role there',
    async ({ desk, market, ada, cem }) => {
      const home = await cem.home();
      for (const label of ['Pause', 'Set Budget']) expect(home.offers(label)).toBe(false);
      expect((await home.press('Settings')).text).toContain('Only admins');
      await cem.close();
      market.service.addFilter({ id: 102, name: 'Anything' });
      await ada.type('/gig subscribe filter 102', 'data');
      await (await ada.type('/gig access', 'data')).send({ Admins: ['cem'] });
      const mixed = await cem.home();
      await (await mixed.press('Set Budget')).send({ 'Credits per billing period': '77' });
      expect((await ada.type('/gig budget', 'data')).text).toContain('of 77');
      expect((await ada.type('/gig budget', 'web')).text).not.toContain('of 77');
      expect(desk.person('cem').inbox()).toEqual([]);
    },
  );

  appTest('loses what it follows, which it reads', async ({ market, ada, cem }) => {
    const { id } = market.service.addProfile();
    await ada.type(`/gig subscribe invitations ${id}`);
    const home = await cem.home();
    await home.press('Unsubscribe');
    expect(cem.reads('web').at(-1)?.text).toContain('@cem unsubscribed this channel from “React work” (101)');
    expect(home.text).not.toContain('React work');
    await home.press('Unsubscribe');
    expect(cem.reads('web').at(-1)?.text).toContain('@cem unsubscribed this channel from invitations');
    expect(home.text).toContain('Your channels get nothing');
  });

  appTest('gets a digest at once, and the time of the next one shows', async ({ ada, cem, pass }) => {
    await ada.type('/gig digest at 09:00 Europe/Berlin daily');
    const home = await cem.home();
    expect(home.text).toContain('next digest Jan 6, 2026, 8:00 AM UTC');
    const before = cem.reads('web').length;
    await home.press('Post Digest');
    expect(home.text).toContain('posting the digest');
    await pass(MINUTE);
    expect(cem.reads('web').length).toBeGreaterThan(before);
  });
});

describe('a private channel on a Home', () => {
  const startSecret = async ({ slack, market, person, pass }: Desk) => {
    slack.addChannel({ name: 'secret-deal', private: true, members: ['ben', 'ada'] });
    market.service.addFilter({ id: 102 });
    await person('ben').type('/gig subscribe filter 102', 'secret-deal');
    await pass(30 * SECOND);
  };

  appTest('shows to those who are in it, until they have left', async ({ desk, ada, ben, cem }) => {
    await startSecret(desk);
    const home = await ben.home();
    expect(home.text).toContain('filter 102');
    const seen = await cem.home();
    expect(seen.text).toContain(FILTER.name);
    expect(seen.text).not.toMatch(/filter 102|secret/u);
    desk.slack.remove('secret-deal', 'ben');
    await desk.pass(2 * MINUTE);
    await home.press('Unsubscribe');
    expect(home.text).toContain('no longer in that channel');
    expect(home.text).not.toContain('secret-deal');
    expect((await ada.type('/gig list', 'secret-deal')).text).toContain('filter 102');
  });

  appTest(
    'never shows from memory while Slack is silent; public ones do',
    async ({ desk, app, slack, ben }) => {
      await startSecret(desk);
      await ben.home();
      await desk.pass(2 * MINUTE);
      const silence = slack.injectFault('users.conversations', { kind: 'hold' }, always);
      await slack.openHome({ user: 'ben' });
      await desk.pass(SECOND);
      const now = () => JSON.stringify(slack.home('ben')?.blocks);
      expect(now()).toContain('Showing public channels as of');
      expect(now()).toContain(FILTER.name);
      expect(now()).not.toMatch(/filter 102|secret/u);
      silence.cancel();
      await desk.pass(2 * SECOND);
      expect(now()).toContain('filter 102');
      await app.kill();
      await app.start();
      slack.injectFault('users.conversations', SLACK_IS_OUT, 5);
      const { text } = await ben.home();
      expect(text).toContain(FILTER.name);
      expect(text).not.toMatch(/filter 102|secret/u);
    },
  );

  appTest('is claimed nothing of while Slack never answered', async ({ desk, slack, ben }) => {
    await startSecret(desk);
    slack.injectFault('users.conversations', SLACK_IS_OUT, 20);
    const { text } = await ben.home();
    expect(text).toContain('this list may be incomplete');
    expect(text).not.toMatch(/#web|secret|Next step|get nothing/u);
  });
});
