import { beforeEach, describe, expect, it } from 'vitest';
import { JobId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { jobCommand as command, noSuchJobMessage } from '../../../src/slack/bids/jobs.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { describeMarketplaceFailure } from '../../../src/slack/kit/words/marketplace-failure.ts';
import { offers } from '../buttons.ts';
import { BEN, listed, NOW } from '../samples.ts';
import { approval, JOB, job, linked, WAITING } from './bidding-samples.ts';
import { type JobDesk, startJobDesk } from './job-desk.ts';

const AT = `<!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|Nov 20, 2026, 9:00 AM UTC>`;
const TITLE_LINK =
  '<https://www.marketplace.example/jobs/~0123456789?a=1&amp;b=2|Rebuild our checkout in React>';

let desk: JobDesk;
beforeEach(() => {
  desk = startJobDesk();
});

describe('/gig job', () => {
  it('tells a waiting job in full, with Approve that asks about the AI', async () => {
    await desk.keepBid();
    const reason = 'They want Angular.';
    await desk.keepProject(listed({ verdict: { decision: 'disqualified', reason, other: {} } }));
    desk.state.look = {
      kind: 'found',
      status: { id: JOB, ...WAITING, marketplaceJobId: '~0123456789' },
      job: job(WAITING),
    };
    const [shown] = await desk.type(command, '12');
    expect(shown?.to).toBe('person');
    for (const fact of ['#12', TITLE_LINK, 'Night shift', '$500', '<@U0BEN>', AT, 'They want Angular.'])
      expect(shown?.text).toContain(fact);
    expect(shown?.text).toMatchSnapshot();
    expect(offers(shown?.message, actionIds.jobRefresh)).toBe(true);
    const presses = JSON.stringify(shown?.message.blocks?.at(-1));
    expect(presses).toMatch(/"confirm".*Night shift.*They want Angular\./u);
    expect(shown?.message.blocks?.at(-1)).toMatchSnapshot();
    expect(presses).toMatch(/\{\\"job\\":12,\\"seen\\":0,\\"shown\\":\\"[a-f\d]{16}\\",\\"own\\":true\}/u);
    expect(desk.state.looks).toEqual([JOB]);
  });

  it('tells all of a job that has come to its end', async () => {
    const ended = {
      status: 'completed',
      statusTitle: 'Proposal sent',
      scheduledAt: '2026-11-20T09:00:00Z',
      processedAt: '2026-11-20 09:00:05',
      retryCount: 1,
      reason: 'It was tried twice.',
      applicationUid: '4455',
    };
    desk.state.look = {
      kind: 'found',
      status: { id: JOB, ...ended },
      job: job({
        ...ended,
        proposal: linked({ viewed: true }),
        approval: approval({ by: BEN, approvedBy: 'API token' }),
        follow: { state: 'settled', at: NOW },
      }),
    };
    const [shown] = await desk.type(command, '#12');
    for (const fact of ['#12', 'Proposal sent', AT, '2026-11-20 09:00:05', '`4455`', '16 connects'])
      expect(shown?.text).toContain(fact);
    for (const fact of ['<@U0BEN>', '“API token”', 'It was tried twice.'])
      expect(shown?.text).toContain(fact);
    expect(shown?.text).toMatchSnapshot();
    expect(offers(shown?.message, actionIds.jobRefresh)).toBe(true);
    expect(offers(shown?.message, actionIds.proposalShow)).toBe(true);
    expect(offers(shown?.message, actionIds.jobApprove)).toBe(false);
  });

  it('tells an error in full, and says where it is cut', async () => {
    const errorMessage = `Out of connects. ${'y'.repeat(5_000)}`;
    desk.state.look = { kind: 'found', status: { id: JOB, status: 'failed', errorMessage } };
    const [shown] = await desk.type(command, 'job 12');
    expect(shown?.text).toContain('Out of connects.');
    expect(shown?.text).toMatch(/\b1,500\b.*\b5,017\b/u);
  });

  it('tells of a job that nobody bid from here, by the project that a list named', async () => {
    await desk.keepProject(listed());
    desk.state.look = { kind: 'found', status: { id: JOB, ...WAITING, marketplaceJobId: '0123456789' } };
    const [shown] = await desk.type(command, '12');
    expect(shown?.text).toContain(TITLE_LINK);
    expect(shown?.text).toMatchSnapshot();
    expect(offers(shown?.message, actionIds.jobApprove)).toBe(true);
    expect(offers(shown?.message, actionIds.jobRefresh)).toBe(true);
  });

  it('shows a state that nobody documented as it is', async () => {
    desk.state.look = { kind: 'found', status: { id: JOB, status: 'on_the_moon' } };
    expect((await desk.type(command, '12'))[0]?.text).toMatch(/#12\b.*on_the_moon/u);
  });

  it('offers no Approve while somebody approves it', async () => {
    const waiting = job({ ...WAITING, approval: approval({ state: 'sending' }) });
    desk.state.look = { kind: 'found', status: { id: JOB, ...WAITING }, job: waiting };
    const [shown] = await desk.type(command, '12');
    for (const fact of ['<@U0BEN>', AT]) expect(shown?.text).toContain(fact);
    expect(shown?.text).toMatchSnapshot();
    expect(offers(shown?.message, actionIds.jobApprove)).toBe(false);
  });

  it('says that a job is not followed any more, and what Refresh does', async () => {
    const left = job({ follow: { state: 'left', at: NOW } });
    desk.state.look = { kind: 'failed', error: new MarketplaceError('timeout', 'unknown', 'x'), job: left };
    const [shown] = await desk.type(command, '12');
    expect(offers(shown?.message, actionIds.jobRefresh)).toBe(true);
    expect(shown?.text).toMatchSnapshot();
  });

  it('shows the last known state, and why it is not newer', async () => {
    const error = new MarketplaceError('network', 'unknown', 'secret words');
    desk.state.look = { kind: 'failed', error, job: job({ readAt: NOW - 60_000 }) };
    const [shown] = await desk.type(command, '12');
    expect(shown?.text).toMatch(/#12\b.*Scheduled for bidding/u);
    expect(shown?.text).toContain(describeMarketplaceFailure('network').what);
    expect(shown?.text).toMatchSnapshot();
    expect(shown?.text).toContain(`<!date^${(NOW - 60_000) / 1_000}^`);
    expect(shown?.text).not.toContain('secret');
  });

  it('leaves a failure of which nothing is known to the boundary', async () => {
    const error = new MarketplaceError('network', 'unknown', 'x');
    desk.state.look = { kind: 'failed', error };
    await expect(desk.type(command, '12')).rejects.toBe(error);
  });

  it('says that there is no such job, or not any more', async () => {
    const error = new MarketplaceError('not-found', 'none', 'x');
    desk.state.look = { kind: 'failed', error };
    const [never] = await desk.type(command, '12');
    expect(never?.message).toEqual(noSuchJobMessage(JOB));
    desk.state.look = { kind: 'failed', error, job: job() };
    const [gone] = await desk.type(command, '12');
    expect(gone?.message).toEqual(noSuchJobMessage(JOB, job()));
    expect([never?.text, gone?.text]).toMatchSnapshot();
  });

  it.each(['', 'twelve', '0', '-3', '1.5', '1e9', '~0123', '12 13', '9'.repeat(30), '<!channel>', '`12`'])(
    'asks nobody about “%s”, and shows how it would be right',
    async (args) => {
      const [shown] = await desk.type(command, args);
      expect(shown?.text).toContain('`/gig job 123`');
      expect(desk.state.looks).toEqual([]);
    },
  );

  it('understands its own example', async () => {
    desk.state.look = { kind: 'found', status: { id: JobId.parse(123), status: 'scheduled' } };
    for (const example of command.examples)
      expect((await desk.type(command, example.slice(4)))[0]?.text).toContain('#123');
  });
});
