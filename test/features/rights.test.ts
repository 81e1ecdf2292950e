/** A bid's own channel decides who may see and approve it, from any place. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Answer } from '../kit/person.ts';
import { findPressable } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, letBid, PATHS, SHOP } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const TITLE = 'Migrate the payroll';
const LETTER = 'Our private letter';
const NOT_YOURS = "belongs to a private channel you aren't in";
const always = Number.POSITIVE_INFINITY;

/** A bid of ben's in the private channel `secret`, where ada is, too. Cem bids in `data` alone. */
async function bidInSecret(desk: Desk, alsoIn?: string) {
  const { slack, market, person } = desk;
  const [ada, ben] = [person('ada'), person('ben')];
  person('cem');
  slack.addChannel({ name: 'secret', private: true, members: [ada.id, ben.id] });
  market.service.addFilter({ id: 102, name: 'Quiet work' });
  await ada.type('/gig subscribe filter 102', 'secret');
  if (alsoIn) await ada.type('/gig subscribe filter 102', alsoIn);
  await letBid(desk, ['ben'], 'secret');
  await letBid(desk, ['cem'], 'data');
  const published = market.publish({ ...SHOP, title: TITLE, clientQuestions: [] }, 102);
  const card = await published.cardIn('secret');
  const form = await ben.press(card, 'Bid');
  await form.send({ 'Bidding setup': FAST_SETUP.name, 'Cover letter': LETTER });
  await ben.close();
  const { id: job } = market.jobs[0] ?? expect.fail('no bid');
  return { card, published, job, show: `/gig job ${job}` };
}

/** Presses what somebody else was shown. @returns what the person is told */
async function forge({ slack, person, settleAfter }: Desk, user: string, seen: Answer, label: string) {
  const { shown } = seen;
  const found = shown && findPressable(shown, label);
  if (!found || !('message' in shown)) return expect.fail(`no “${label}” on ${seen.text}`);
  const { actionId, blockId, value } = found;
  const at = { message: shown.message, user, actionId, blockId, force: true, confirm: 'accept' } as const;
  await settleAfter(slack.press({ ...at, ...(value === undefined ? {} : { value }) }));
  return person(user).notes('data').at(-1)?.text ?? '';
}

describe('a bid of a private channel', () => {
  reviewed('is neither shown nor approved where nobody is in it', async ({ desk, market, ada, ben, cem }) => {
    const { show, job } = await bidInSecret(desk);
    const eve = desk.person('eve', { admin: true });
    for (const other of [cem, eve]) {
      const { text } = await other.type(show, 'data');
      expect(text).toContain(NOT_YOURS);
      for (const fact of [TITLE, 'Fast setup', '@ben']) expect(text).not.toContain(fact);
    }
    for (const other of ['cem', 'eve'])
      for (const label of ['Approve', 'Refresh'])
        expect(await forge(desk, other, await ben.type(show, 'data'), label)).not.toContain(TITLE);
    expect(market.requests(PATHS.approve)).toEqual([]);
    await (await ben.type(show, 'data')).press('Approve');
    expect(market.requests(PATHS.approve)).toHaveLength(1);
    const full = (await ada.type('/gig audit', 'data')).text;
    for (const fact of [TITLE, 'Fast setup', `bid #${job}`, '#secret']) expect(full).toContain(fact);
    expect(full).toMatch(/@ben \| #secret \| approved/u);
    const { text } = await eve.type('/gig audit', 'data');
    for (const fact of [TITLE, 'Fast setup', `bid #${job}`, 'secret', 'filter 102'])
      expect(text).not.toContain(fact);
    expect(text).toContain('show without details');
  });

  reviewed('is shown to a member who is no bidder there, and not approved', async ({ desk, market, cem }) => {
    const { show } = await bidInSecret(desk);
    desk.slack.invite('secret', 'cem');
    const seen = await cem.type(show, 'data');
    expect(seen.text).toContain(TITLE);
    const refused = await seen.press('Approve');
    expect(refused.text).toMatch(/only bidders/iu);
    expect(refused.offers('Request Access')).toBe(false);
    expect(market.requests(PATHS.approve)).toEqual([]);
  });

  reviewed('stays closed while Slack does not say who is in it', async ({ desk, slack, ben }) => {
    const { show } = await bidInSecret(desk);
    const fault = slack.injectFault('users.conversations', { kind: 'error', error: 'fatal_error' }, always);
    const unsure = await ben.type(show, 'data');
    expect(unsure.text).not.toContain(TITLE);
    expect(unsure.text).toContain("Couldn't check with Slack");
    expect((await ben.type(show, 'secret')).text).toContain(TITLE);
    fault.cancel();
    expect((await ben.type(show, 'data')).text).toContain(TITLE);
  });

  reviewed('gives its letter to nobody elsewhere who bids on the project', async ({ desk, ben, cem }) => {
    const { card, published } = await bidInSecret(desk, 'data');
    const again = `${FAST_SETUP.id}:${published.project.ciphertext.replace('~', '')}`;
    const open = async (person: typeof ben, { shown }: typeof card) => {
      if (!shown || !('message' in shown)) return expect.fail('no card');
      const press = {
        message: shown.message,
        user: person.name,
        actionId: 'bid_open',
        value: again,
        force: true,
      };
      await desk.settleAfter(desk.slack.press(press));
      return person.form().text;
    };
    const other = await published.cardIn('data');
    expect(await open(cem, other)).toContain(TITLE);
    expect(JSON.stringify(desk.slack.view('cem'))).not.toContain(LETTER);
    expect(await open(ben, card)).toContain(LETTER);
  });
});

describe('what a private channel spends', () => {
  reviewed(
    'stands in the status for its members; others get a sum',
    async ({ desk, slack, ada, ben, cem }) => {
      await bidInSecret(desk);
      await ada.type('/gig budget 500', 'secret');
      const status = async (who: typeof ben, channel = 'data') =>
        (await who.type('/gig status', channel)).text;
      expect(await status(ben)).toContain('#secret: 1 of 500');
      const forCem = await status(cem);
      expect(forCem).toContain('1 other channel: 1 credit');
      expect(forCem).not.toContain('secret');
      // Everyone who may read a public channel in Slack can see its content here.
      expect(forCem).toContain('#web: ');
      const asked = slack.apiCalls('users.conversations').length;
      await status(cem, 'web');
      expect(slack.apiCalls('users.conversations')).toHaveLength(asked);
      await ada.type('/gig budget 3', 'secret');
      expect(await status(ben)).toContain('Not enough budget in #secret');
      expect(await status(cem)).toContain('Not enough budget in 1 other channel');
      await desk.pass(2 * MINUTE);
      slack.injectFault('users.conversations', { kind: 'error', error: 'fatal_error' }, always);
      const unsure = await status(ben);
      expect(unsure).not.toContain('#secret');
      expect(unsure).toContain("Couldn't check with Slack");
      expect(await status(ben, 'secret')).toContain('#secret');
    },
  );
});

describe('a bid', () => {
  reviewed(
    'of a public channel is approved elsewhere by its own bidders alone',
    async ({ desk, market, ben, cem }) => {
      await letBid(desk, ['cem'], 'data');
      const card = await market.publish().cardIn('web');
      const form = await ben.press(card, 'Bid');
      await form.send({ 'Bidding setup': FAST_SETUP.name, 'Cover letter': LETTER });
      await ben.close();
      const show = `/gig job ${market.jobs[0]?.id}`;
      // Full members may read every public channel, so they see its content.
      const seen = await cem.type(show, 'data');
      expect(seen.text).toContain(SHOP.title);
      expect((await seen.press('Approve')).text).toContain('#web');
      expect(market.requests(PATHS.approve)).toEqual([]);
      await (await ben.type(show, 'data')).press('Approve');
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect(card.replies().at(-1)?.text).toContain('@ben approved');
    },
  );

  reviewed('without a record is approved by bidders of everywhere alone', async ({ market, ada, ben }) => {
    const { id: projectId } = market.publish({ title: 'From the dashboard' }, []).project;
    const job = market.service.addJob({ projectId, setupId: FAST_SETUP.id, status: 'pending_review' });
    const seen = await ben.type(`/gig job ${job.id}`);
    expect(seen.text).toContain(`#${job.id}`);
    expect((await seen.press('Approve')).text).toMatch(/only bidders/iu);
    expect(market.requests(PATHS.approve)).toEqual([]);
    await (await ada.type(`/gig job ${job.id}`)).press('Approve');
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  });
});
