import { beforeEach, describe, expect, it } from 'vitest';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { proposalShow } from '../../../src/slack/actions/proposal.ts';
import { proposal } from '../fake-proposals.ts';
import { job, linked } from '../messages/bidding-samples.ts';
import { NOW } from '../samples.ts';
import { type JobDesk, startJobDesk } from './job-desk.ts';

let desk: JobDesk;
beforeEach(() => {
  desk = startJobDesk();
});

describe('Proposal', () => {
  it('shows it in full where it can be read, with the job that it came of', async () => {
    await desk.keep(job({ applicationUid: '4455', proposal: linked() }));
    desk.proposals.held = [proposal({ coverLetter: 'Dear client, THE LETTER' })];
    const [shown] = await desk.press(proposalShow, '12');
    expect(shown?.to).toBe('person');
    expect(shown?.text).toContain('THE LETTER');
    expect(shown?.text).toContain('Proposal 900 · of job #12');
    desk.proposals.held = [];
    desk.proposals.elsewhere = [proposal({ applicationUid: '4455', coverLetter: 'ASKED FOR' })];
    await desk.keep(job({ applicationUid: '4455' }));
    expect((await desk.press(proposalShow, '12'))[0]?.text).toContain('ASKED FOR');
  });

  it('that can’t be read just now shows what was last read, and why', async () => {
    desk.proposals.findFails = new MarketplaceError('network', 'unknown', 'away');
    await desk.keep(job({ proposal: linked() }));
    const [shown] = await desk.press(proposalShow, '12');
    expect(shown?.text).toContain('*Proposal 900 of job #12*');
    expect(shown?.text).toContain("can't be read in full just now: the marketplace cannot be reached");
  });

  it('shows what was last read of it, to the person alone', async () => {
    expect(proposalShow.needs).toBe('viewer');
    await desk.keep(job({ applicationUid: '44`55', proposal: linked({ viewed: true, interviewed: true }) }));
    const [shown] = await desk.press(proposalShow, '12');
    expect(shown?.to).toBe('person');
    expect(shown?.text).toBe(
      [
        'text: Proposal 900 of job #12: Viewed, interviewed',
        '-- section',
        '*Proposal 900 of job #12*',
        'Rebuild our checkout in React',
        `sent <!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|20 Nov 2026, 09:00 UTC> · 16 connects · boost 10 · position 3`,
        'Viewed, interviewed',
        "Application `44'55`",
        '-- context',
        'As last read while the job was followed.',
        '',
      ].join('\n'),
    );
  });

  it('says that nobody has looked at it, or that its boost was outbid', async () => {
    await desk.keep(job({ proposal: linked({ boostOutbid: true }) }));
    const [shown] = await desk.press(proposalShow, '12');
    expect(shown?.text).toContain('the boost was outbid');
    expect(shown?.text).toContain('Not viewed yet');
  });

  it('says where there is none yet', async () => {
    expect((await desk.press(proposalShow, '12'))[0]?.text).toContain('No proposal is known of this job yet');
    await desk.keep(job({ applicationUid: '4455' }));
    expect((await desk.press(proposalShow, '12'))[0]?.text).toContain(
      'Job #12 has become the application `4455`, but its proposal is not read yet.',
    );
  });

  it.each(['', '0', '{}', 'x'])('with the value “%s” says that it is out of date', async (value) => {
    expect((await desk.press(proposalShow, value))[0]?.text).toContain('out of date');
  });
});
