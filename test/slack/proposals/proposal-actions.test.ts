import { beforeEach, describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { JOB_PRESS_OUTDATED } from '../../../src/slack/bids/jobs.ts';
import { describeMarketplaceFailure } from '../../../src/slack/kit/words/marketplace-failure.ts';
import { showProposalAction } from '../../../src/slack/proposals/show-proposal.ts';
import { job, linked } from '../bids/bidding-samples.ts';
import { type JobDesk, startJobDesk } from '../bids/job-desk.ts';
import { proposal } from '../fake-proposals.ts';
import { NOW } from '../samples.ts';

let desk: JobDesk;
beforeEach(() => {
  desk = startJobDesk();
});

describe('Proposal', () => {
  it('shows it in full where it can be read, with the job that it came of', async () => {
    await desk.keep(job({ applicationUid: '4455', proposal: linked() }));
    desk.proposals.held = [proposal({ coverLetter: 'Dear client, THE LETTER' })];
    const [shown] = await desk.press(showProposalAction, '12');
    expect(shown?.to).toBe('person');
    expect(shown?.text).toContain('THE LETTER');
    expect(shown?.text).toMatch(/\b900\b.*#12\b/u);
    desk.proposals.held = [];
    desk.proposals.elsewhere = [proposal({ applicationUid: '4455', coverLetter: 'ASKED FOR' })];
    await desk.keep(job({ applicationUid: '4455' }));
    expect((await desk.press(showProposalAction, '12'))[0]?.text).toContain('ASKED FOR');
  });

  it('that can’t be read just now shows what was last read, and why', async () => {
    desk.proposals.findFails = new MarketplaceError('network', 'unknown', 'away');
    await desk.keep(job({ proposal: linked() }));
    const [shown] = await desk.press(showProposalAction, '12');
    expect(shown?.text).toMatch(/\b900\b.*#12\b/u);
    expect(shown?.text).toContain(describeMarketplaceFailure('network').what);
    expect(shown?.text).toMatchSnapshot();
  });

  it('shows what was last read of it, to the person alone', async () => {
    expect(showProposalAction.needs).toBe('viewer');
    await desk.keep(job({ applicationUid: '44`55', proposal: linked({ viewed: true, interviewed: true }) }));
    const [shown] = await desk.press(showProposalAction, '12');
    expect(shown?.to).toBe('person');
    expect(shown?.text).toContain('Rebuild our checkout in React');
    expect(shown?.text).toContain(`<!date^${NOW / 1_000}^`);
    expect(shown?.text).toMatch(/\b16\b.*\b10\b.*\b3\b/u);
    expect(shown?.text).toContain("`44'55`");
    expect(shown?.text).toMatchSnapshot();
  });

  it('says that nobody has looked at it, or that its boost was outbid', async () => {
    await desk.keep(job({ proposal: linked({ boostOutbid: true }) }));
    const [shown] = await desk.press(showProposalAction, '12');
    expect(shown?.text).toMatchSnapshot();
  });

  it('says where there is none yet', async () => {
    const [none] = await desk.press(showProposalAction, '12');
    await desk.keep(job({ applicationUid: '4455' }));
    const [unread] = await desk.press(showProposalAction, '12');
    expect(unread?.text).toContain('#12');
    expect(unread?.text).toContain('`4455`');
    expect([none?.text, unread?.text]).toMatchSnapshot();
  });

  it.each(['', '0', '{}', 'x'])('with the value “%s” says that it is out of date', async (value) => {
    expect((await desk.press(showProposalAction, value))[0]?.message).toEqual(JOB_PRESS_OUTDATED);
  });
});
