/** The proposal search: copied from the marketplace, found, opened, and kept up to date. */
import { describe, expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith, appTest as biddingTest } from '../kit/app-test.ts';
import { type Desk, PATHS, sendBid } from '../kit/start-desk.ts';

const EMPTY = { empty: true } as const;
const appTest = appTestWith(EMPTY);
const slowTest = appTestWith({
  ...EMPTY,
  requestsPerMinute: 5,
  env: { MARKETPLACE_REQUESTS_PER_MINUTE: '5' },
});
const PROFILE = 31;
const LETTER = `Dear client, ${'I have built many shops. '.repeat(100)}THE END`;

/** A profile with this many past proposals, the newest for a garden shop. */
function addPast({ app, market }: Desk, count: number): void {
  const { service } = market;
  service.addProfile({ id: PROFILE, label: 'Ada Webb', type: 'freelancer' });
  const hoursAgo = (hours: number) => app.clock.now() - hours * HOUR;
  for (let n = count - 1; n > 0; n--)
    service.addProposal({
      profileId: PROFILE,
      jobTitle: `Data job ${n}`,
      coverLetter: 'I clean data.',
      submittedAt: hoursAgo(n),
      isHired: false,
    });
  service.addProposal({
    profileId: PROFILE,
    jobTitle: 'Garden shop',
    coverLetter: LETTER,
    submittedAt: hoursAgo(0.1),
    isHired: false,
    isViewed: true,
  });
}

async function follow({ person, pass }: Desk, forMs = 2 * MINUTE): Promise<void> {
  await person('ada').type(`/gig subscribe outcomes ${PROFILE}`);
  await pass(forMs);
}

describe('the search', () => {
  appTest('finds by words, qualifiers, typing errors and everyday words', async ({ desk, market, ada }) => {
    addPast(desk, 230);
    expect((await ada.type('/gig proposals')).text).toContain('/gig subscribe outcomes');
    await follow(desk);
    const { text: newest } = await ada.type('/gig proposals');
    expect(newest).toMatch(/\b230\b/u);
    expect(newest).toContain('“Ada Webb” (31)');
    expect(newest.indexOf('Garden shop')).toBeLessThan(newest.indexOf('Data job 1'));
    for (const query of ['"garden shop" is:viewed', 'gardn']) {
      const { text } = await ada.type(`/gig proposals ${query}`);
      expect(text).toContain('Garden shop');
      expect(text).not.toContain('Data job');
    }
    const none = await ada.type('/gig proposals is:hired garden');
    expect(none.text).not.toContain('Garden shop');
    expect((await none.press('Show')).text).toContain('Garden shop');
    const meant = await ada.type('/gig proposals garden viewed today');
    expect(meant.text).toContain('Garden shop');
    expect((await meant.press('Search Exact Words')).text).not.toContain('Garden shop');
    const wrong = await ada.type('/gig proposals is:viewd garden');
    expect(wrong.text).toContain('^^^^^');
    expect((await wrong.press('Run Correction')).text).toContain('Garden shop');
    expect((await ada.type('/gig status')).text).toMatch(/\b230\b.*\b1\b/u);
    expect(market.service.consumedCredits().total).toBe(0);
  });

  appTest('turns pages, and opens one with its whole letter, for the person alone', async ({ desk, ada }) => {
    addPast(desk, 22);
    await follow(desk);
    const first = await ada.type('/gig proposals sort:oldest');
    expect(first.offers('Previous')).toBe(false);
    const second = await first.press('Next');
    expect(second.text).toMatch(/\b11\D{1,6}20\b/u);
    const last = await second.press('Next');
    expect(last.text).toMatch(/\b21\D{1,6}22\b/u);
    expect(last.offers('Next')).toBe(false);
    const back = await second.press('Previous');
    expect(back.text).toMatch(/\b11\D{1,6}20\b/u);
    expect((await back.press('Data job 5 (')).text).toContain('I clean data.');
    await ada.close();
    const found = await ada.type('/gig proposals garden');
    expect(found.text).not.toContain('THE END');
    expect((await found.press('Open')).text).toContain('THE END');
    expect(JSON.stringify(ada.reads('web').map(({ text }) => text))).not.toContain('Garden shop');
  });

  appTest(
    'finds new proposals and later outcomes, and copies nothing again',
    async ({ desk, market, ada }) => {
      addPast(desk, 230);
      await follow(desk);
      const chairs = market.service.addProposal({
        profileId: PROFILE,
        jobTitle: 'Chairs',
        submittedAt: desk.app.clock.now(),
        isViewed: false,
        isHired: false,
      });
      await desk.pass(3 * MINUTE);
      expect((await ada.type('/gig proposals chairs')).text).toContain('Chairs');
      market.service.updateProposal(chairs.id, { isHired: true });
      await desk.pass(3 * MINUTE);
      expect((await ada.type('/gig proposals is:hired chairs')).text).toContain('Chairs');
      const read = market.requests(PATHS.proposals).length;
      expect(read).toBeGreaterThan(2);
      await desk.restart();
      expect((await ada.type('/gig proposals')).text).toMatch(/\b231\b/u);
      expect(market.requests(PATHS.proposals).length - read).toBeLessThan(3);
      // A month after nobody follows the profile, its proposals are forgotten.
      await (await ada.type('/gig list 31')).press('Unsubscribe');
      await desk.restart(29 * DAY);
      expect((await ada.type('/gig proposals chairs')).text).toContain('Chairs');
      await desk.restart(2 * DAY);
      expect((await ada.type('/gig proposals chairs')).text).toContain('/gig subscribe outcomes');
    },
  );

  slowTest('tells how far the first copy is, and finds and counts what is there', async ({ desk, ada }) => {
    addPast(desk, 900);
    await follow(desk, MINUTE);
    const early = await ada.type('/gig proposals');
    expect(early.text).toMatch(/\b\d\d%.*\b[1-8]00 of 900\b/u);
    expect(early.text).toContain('Garden shop');
    expect((await ada.type('/gig stats 60')).text).toMatch(/\b[1-8]00 of 900\b/u);
    await desk.pass(10 * MINUTE);
    expect((await ada.type('/gig proposals')).text).toMatch(/\b900\b/u);
    expect((await ada.type('/gig stats 60')).text).not.toMatch(/\bof 900\b.*copy/u);
  });
});

describe('one proposal', () => {
  appTest(
    'of any profile is shown by its ID and its UID, to members alone',
    async ({ desk, market, ada }) => {
      addPast(desk, 3);
      const past = { profileId: PROFILE, jobTitle: 'Chairs', coverLetter: LETTER };
      const { id, applicationUid } = market.service.addProposal(past);
      for (const words of [String(id), `#${id}`, applicationUid]) {
        const { text } = await ada.type(`/gig proposals ${words}`);
        expect(text).toContain('Chairs');
        expect(text).toContain('THE END');
      }
      expect((await ada.type('/gig proposals chairs')).text).toContain('/gig subscribe outcomes');
      const unknown = await ada.type('/gig proposals 987654');
      expect(unknown.text).toContain('/gig proposals "987654"');
      expect(ada.reads('web')).toEqual([]);
      const gil = desk.person('gil', { guest: 'single' });
      for (const words of ['', ` ${id}`])
        expect((await gil.type(`/gig proposals${words}`)).text).not.toMatch(/chairs|garden|data job/iu);
    },
  );

  biddingTest(
    'of a bid is in full, or as last seen while nobody can read it',
    async ({ market, ben, pass }) => {
      market.service.addProfile({ id: PROFILE });
      const card = await market.publish().cardIn('web');
      await sendBid(ben, card, { 'Cover letter': LETTER });
      const { id } = market.jobs[0] ?? expect.fail('no bid');
      market.service.turnJobIntoProposal(id);
      await pass(20 * MINUTE);
      const whole = await ben.press(card, 'Proposal');
      expect(whole.text).toContain('THE END');
      expect(whole.text).toContain(`#${id}`);
      market.fail('/proposals/*', presetFaults.status(503), Number.POSITIVE_INFINITY);
      const seen = await ben.press(card, 'Proposal');
      expect(seen.text).not.toContain('THE END');
      expect(seen.text).toMatch(/Rebuild our checkout[\s\S]*Not viewed yet[\s\S]*:warning:/u);
      expect(
        ben
          .reads('web')
          .flatMap((it) => it.replies())
          .map(({ text }) => text)
          .join('\n'),
      ).not.toContain('THE END');
    },
  );
});
