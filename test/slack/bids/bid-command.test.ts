import { beforeEach, describe, expect, it } from 'vitest';
import { bidCommand as route } from '../../../src/slack/bids/bid-open.ts';
import { matchRequestedSetup } from '../../../src/slack/bids/bid-show.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { offers } from '../buttons.ts';
import { initialOf, inputIds } from '../kit/harmless-view.ts';
import { listed } from '../samples.ts';
import { type BidDesk, DAY, startBidDesk } from './bid-desk.ts';
import { NIGHT } from './bidding-samples.ts';

let desk: BidDesk;
beforeEach(async () => {
  desk = startBidDesk();
  await desk.knowSetups();
});

describe('/gig bid', () => {
  it.each([
    ['~4711', '~4711'],
    ['https://www.marketplace.example/jobs/~4711', '~4711'],
    ['<https://www.marketplace.example/jobs/Shop_~4711|Shop with words>', '~4711'],
    ['“~4711”', '~4711'],
    ['4711', '4711'],
    ['https://www.marketplace.example/open?uid=4711', '4711'],
  ])('%s opens the form', async (project, jobId) => {
    await desk.type(project);
    expect((await desk.drafts()).map(({ form }) => form.marketplaceJobId)).toEqual([jobId]);
    // A uid may have to be corrected.
    expect(inputIds(desk.screen()).includes('job_id')).toBe(!jobId.startsWith('~'));
    expect(offers(desk.screen(), actionIds.bidLookUp)).toBe(true);
  });

  it('knows what a filter found: the same project as its card, and the same draft', async () => {
    await desk.desk.addCard();
    await desk.type('https://www.marketplace.example/jobs/~0123456789');
    expect(desk.words()).toContain('Rebuild our checkout in React');
    await desk.type('~0123456789');
    expect(await desk.drafts()).toHaveLength(1);
  });

  it('opens a known project whose link bears no id, and asks for the job id', async () => {
    const url = 'https://www.marketplace.example/jobs/shop';
    const key = 'url:marketplace.example/jobs/shop' as never;
    await desk.desk.addCard(listed({ url, key }));
    await desk.type(url);
    expect(initialOf(desk.screen(), 'job_id')).toBe('');
  });

  it.each([
    ['7', '7'],
    ['Night shift', '7'],
    ['day', '8'],
  ])('chooses the setup %j', async (words, id) => {
    await desk.type(`~4711 ${words}`);
    expect(initialOf(desk.screen(), 'setup')).toBe(id);
  });

  it('chooses it also where setups are only read now', async () => {
    desk = startBidDesk();
    await desk.type('~4711 night');
    expect(initialOf(desk.screen(), 'setup')).toBe('7');
  });

  it('says when it knows no such setup, or several, and opens all the same', async () => {
    await desk.type('~4711 <!channel>');
    const { note } = matchRequestedSetup({ setups: [NIGHT, DAY] }, '<!channel>');
    expect(note).toContain('`&lt;!channel&gt;`');
    expect(desk.words()).toContain(note);
    expect(note).toMatchSnapshot();
    await desk.type('~4712 y');
    expect(initialOf(desk.screen(), 'setup')).toBe('8');
    await desk.type('~4713 t');
    expect(initialOf(desk.screen(), 'setup')).toBe('7');
  });

  it.each(['', 'shop', 'https://www.example.com/', '<!channel>', '~', 'javascript:alert(1)'])(
    '%j is explained with an example',
    async (args) => {
      await desk.type(args);
      expect(desk.told()[0]?.text).toContain('bid ~012345678901234567');
      expect(desk.desk.views).toEqual([]);
    },
  );

  it('has examples that work', async () => {
    for (const example of route.examples) {
      await desk.type(example.replace(/^bid /u, ''));
      const [draft] = await desk.drafts();
      expect(draft?.form.marketplaceJobId).toBe('~012345678901234567');
    }
  });
});
