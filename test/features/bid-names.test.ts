/**
 * A project's uid, its `~id` and its links: one project as soon as that is known, and never another's by
 * mistake.
 */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, FAST_SETUP, FILTER, letBid, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const FAST = { 'Bidding setup': 'Fast setup' };
const SLOW = { 'Bidding setup': 'Slow setup' };
const twoSetups = appTestWith({ moreSetups: ['Slow setup'] });

describe('a bid by uid', () => {
  /** A card in `web`, and its project. */
  async function publish({ market }: Desk) {
    const published = market.publish();
    return { card: await published.cardIn('web'), project: published.project };
  }

  appTest(
    'that was created stands on the card, and takes its setup there',
    async ({ desk, market, ada, ben }) => {
      const { card, project } = await publish(desk);
      await (await ben.type(`/gig bid ${project.uid}`)).send(FAST);
      expect(market.requests(PATHS.bid)[0]?.body).toMatchObject({ marketplace_job_id: project.uid });
      const id = `#${market.jobs[0]?.id}`;
      expect(card.text).toContain(id);
      await desk.restart();
      const form = await ada.type(`/gig bid ${project.ciphertext} ${FAST_SETUP.id}`, 'data');
      expect((await form.send()).text).toContain(id);
      expect(market.requests(PATHS.bid)).toHaveLength(1);
    },
  );

  twoSetups(
    'without an answer joins the card’s project after a lookup',
    async ({ desk, market, ada, ben }) => {
      const { card, project } = await publish(desk);
      const form = await ada.press(card, 'Bid');
      market.fail(PATHS.bid, { kind: 'drop', when: 'after' });
      await (await ben.type(`/gig bid ${project.uid}`)).send(FAST);
      expect(card.text).not.toContain('@ben');
      await ben.type(`/gig lookup ${project.uid}`);
      expect(card.text).toMatch(/@ben.*Fast setup/u);
      expect((await form.send(SLOW)).text).toMatch(/@ben.*Fast setup/u);
      expect((await form.send(FAST)).text).toContain('newer bid');
      expect(market.requests(PATHS.bid)).toHaveLength(1);
      await ben.type(`/gig job ${market.jobs[0]?.id}`);
      expect(card.text).toMatch(new RegExp(`Fast setup.*#${market.jobs[0]?.id}`, 'u'));
    },
  );

  twoSetups(
    'that is answered with the uid is linked by a lookup alone',
    async ({ desk, market, ada, ben }) => {
      const { card, project } = await publish(desk);
      market.service.setModes({ echoedJobIds: true });
      await (await ben.type(`/gig bid ${project.uid}`)).send(FAST);
      expect(card.text).not.toContain('@ben');
      await ben.type(`/gig lookup ${project.uid}`);
      expect(card.text).toContain(`#${market.jobs[0]?.id}`);
      expect((await ada.press(card, 'Bid with another setup')).text).toMatch(/@ben.*Fast setup/u);
    },
  );

  appTest(
    'and one by the ~id from before they were linked are both seen',
    async ({ desk, market, ada, ben }) => {
      const { card, project } = await publish(desk);
      market.fail(PATHS.bid, { kind: 'drop', when: 'before' }, 2);
      await (await ben.type(`/gig bid ${project.uid}`)).send(FAST);
      await sendBid(ada, card);
      expect(market.requests(PATHS.bid)).toHaveLength(2);
      await ben.type(`/gig lookup ${project.uid}`);
      const form = await (await ada.type(`/gig bid ${project.ciphertext}`, 'data')).press('Fast setup');
      for (const text of [form.text, card.text])
        for (const who of ['ada', 'ben']) expect(text).toMatch(new RegExp(`@${who}.*Fast setup`, 'u'));
      await form.send();
      expect(market.requests(PATHS.bid)).toHaveLength(3);
      expect(card.text).toContain(`#${market.jobs[0]?.id}`);
    },
  );

  appTest('goes on with what was typed under the other name', async ({ desk, market, ben }) => {
    const { card, project } = await publish(desk);
    const typed = await ben.type(`/gig bid ${project.uid}`);
    await typed.send({ ...FAST, 'Cover letter': 'Kept letter', 'Bid amount': '4' });
    await ben.close();
    await ben.type(`/gig lookup ${project.uid}`);
    const form = await ben.press(card, 'Bid');
    expect(form.text).toContain('Kept letter');
    await form.send({ 'Fixed-price bid': '250' });
    expect(market.jobs.map((it) => it.coverLetter)).toEqual(['Kept letter']);
  });

  appTest('may be one of letters, and digits may be those of a ~id', async ({ desk, market, ben }) => {
    const { project } = await publish(desk);
    market.publish({ ...SHOP, title: 'Of letters', uid: 'ab_9-Xy', ciphertext: '~0212345678901' });
    expect((await ben.type('/gig lookup ab_9-Xy')).text).toContain('Of letters');
    await (await ben.type('/gig bid ab_9-Xy')).send(FAST);
    expect(market.jobs.at(-1)?.marketplaceJobId).toBe('~0212345678901');
    const form = await ben.type(`/gig bid ${project.ciphertext.slice(1)}`);
    expect(form.fields()).not.toContain('Project link or ~ID');
    await form.send(FAST);
    expect(market.jobs.at(-1)?.marketplaceJobId).toBe(project.ciphertext);
    for (const bad of ['../x9', 'a/b9', 'a?b=9', 'a&b9', '-9', 'no digits', `a${'9'.repeat(100)}`])
      expect((await ben.type(`/gig lookup ${bad}`)).text).toContain('lookup ~012345678901234567');
  });
});

describe('a link with only a pid', () => {
  appTest('is one card of two filters, which stays as it is', async ({ market, slack, ada, pass }) => {
    market.service.setModes({ redirectUrls: true, ignoreLatestPublishedTs: true });
    market.service.addFilter({ id: 102, name: 'Shops' });
    await ada.type('/gig subscribe filter 102');
    await market.publish(SHOP, [FILTER.id, 102]).cardIn('web');
    await pass(MINUTE);
    const before = slack.apiCalls('chat.update').length;
    await pass(5 * MINUTE);
    expect(ada.reads('web').filter((it) => it.offers('Details'))).toHaveLength(1);
    expect(slack.apiCalls('chat.update')).toHaveLength(before);
  });

  appTest('is neither looked up nor bid on by it', async ({ desk, market, ben }) => {
    await letBid(desk, ['ben'], 'data');
    market.service.setModes({ redirectUrls: true });
    const published = market.publish();
    const card = await published.cardIn('web');
    const details = await ben.press(card, 'Details');
    expect(details.text).toContain('`~ID`');
    await ben.close();
    const form = await ben.press(card, 'Bid');
    await form.send(FAST);
    expect(market.requests(PATHS.bid)).toEqual([]);
    await form.send({ 'Project link or ~ID': published.project.ciphertext });
    expect(market.jobs.map((it) => it.projectId)).toEqual([published.project.id]);
    expect(card.text).toContain(`#${market.jobs[0]?.id}`);
    const [link = ''] = /https:\S+pid=\d+/u.exec(card.text) ?? [];
    for (const line of [`lookup ${link}`, `bid ${link.replace(/pid=\d+/u, 'pid=1234')}`])
      expect((await ben.type(`/gig ${line}`, 'data')).text).toContain('`~ID`');
    expect(market.requests(PATHS.lookup)).toEqual([]);
  });
});

const reviewed = appTestWith({ reviews: true });

describe('a job for another project', () => {
  /** A card, and another project with a job that waits. `named`: how the marketplace names its project */
  async function publishTwo({ market }: Desk, named: 'uid' | 'ciphertext' = 'ciphertext') {
    const card = await market.publish().cardIn('web');
    const other = market.publish({ ...SHOP, title: 'Paint our app' }).project;
    const { id } = market.service.addJob({
      projectId: other.id,
      setupId: FAST_SETUP.id,
      status: 'pending_review',
      marketplaceJobId: other[named],
    });
    return { card, other, id };
  }

  reviewed(
    'that a refusal names is told as such, and not approved there',
    async ({ desk, market, ben, pass }) => {
      const { card, other, id } = await publishTwo(desk);
      const json = { success: false, error: 'Something is in the way', job_id: id };
      market.fail(PATHS.bid, { kind: 'answer', status: 400, json });
      expect((await sendBid(ben, card)).text).toMatch(new RegExp(`#${id}[\\s\\S]*${other.ciphertext}`, 'u'));
      await pass(MINUTE);
      expect(card.text).toContain(`#${id}`);
      expect(card.offers('Review')).toBe(false);
      const shown = await ben.type(`/gig job ${id}`);
      expect(shown.text).toContain('Paint our app');
      expect(shown.text).not.toContain('Rebuild our checkout');
    },
  );

  reviewed('that is named by a uid may be any project’s', async ({ desk, market, ben, pass }) => {
    const { card, id } = await publishTwo(desk, 'uid');
    const json = { success: false, error: 'Something is in the way', job_id: id };
    market.fail(PATHS.bid, { kind: 'answer', status: 400, json });
    await sendBid(ben, card);
    await pass(MINUTE);
    expect(card.text).toContain(`#${id}`);
    expect(card.offers('Review')).toBe(false);
    market.service.updateJob(id, { status: 'skipped' });
    await (await ben.press(card, 'Try Again')).send();
    await ben.close();
    expect((await ben.press(card, 'Review')).text).toContain(`#${market.jobs.at(-1)?.id}`);
  });

  reviewed('that a bid has become is said everywhere', async ({ desk, market, ben }) => {
    const { card, other, id } = await publishTwo(desk);
    const job = {
      id,
      marketplace_job_id: other.ciphertext,
      status: 'pending_review',
      setup_id: FAST_SETUP.id,
    };
    market.fail(PATHS.bid, { kind: 'answer', status: 200, json: { success: true, message: 'Created', job } });
    expect((await sendBid(ben, card)).text).toContain(other.ciphertext);
    expect(card.text).toContain('for a different project');
    expect(card.offers('Review')).toBe(false);
    expect(
      card
        .replies()
        .map((it) => it.text)
        .join('\n'),
    ).toContain(other.ciphertext);
  });

  reviewed('is none for this project’s own, which is offered for approval', async ({ market, ben, pass }) => {
    const published = market.publish();
    const card = await published.cardIn('web');
    const job = {
      projectId: published.project.id,
      setupId: FAST_SETUP.id,
      status: 'pending_review',
    } as const;
    const { id } = market.service.addJob(job);
    await sendBid(ben, card);
    await pass(MINUTE);
    expect(card.text).toContain(`#${id}`);
    expect(card.offers('Review')).toBe(true);
  });
});
