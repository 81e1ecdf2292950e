import { beforeEach, describe, expect, it } from 'vitest';
import { JobId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { job as command } from '../../../src/slack/commands/job.ts';
import { type JobDesk, startJobDesk } from '../actions/job-desk.ts';
import { approval, JOB, job, linked, WAITING } from '../messages/bidding-samples.ts';
import { BEN, listed, NOW } from '../samples.ts';

const AT = `<!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|20 Nov 2026, 09:00 UTC>`;
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
    expect(shown?.text).toBe(
      [
        'text: Job #12: waiting for review',
        '-- section',
        '*Job #12: waiting for review*',
        TITLE_LINK,
        '-- section',
        'Night shift · bid $500',
        `Bid: $500 · boost 10 connects · when the setup schedules it · asked by <@U0BEN> ${AT}`,
        '-- section',
        '🚫 The AI disqualified this project: They want Angular.',
        '-- context',
        `As of ${AT}.`,
        'Followed: what becomes of it is told in its thread.',
        '-- actions',
        '[Approve]',
        '[Refresh]',
        '',
      ].join('\n'),
    );
    const presses = JSON.stringify(shown?.message.blocks?.at(-1));
    expect(presses).toContain(
      "with Night shift, which spends connects. This overrides the AI's disqualification: They want Angular.",
    );
    expect(presses).toContain(String.raw`{\"job\":12,\"seen\":0,\"own\":true}`);
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
    expect(shown?.text).toContain('*Job #12: Proposal sent*');
    expect(shown?.text).toContain(`scheduled for ${AT} · processed 2026-11-20 09:00:05 · retries: 1`);
    expect(shown?.text).toContain('Application `4455`');
    expect(shown?.text).toContain('Proposal sent · 16 connects · boost 10 · position 3 · :eyes: viewed');
    expect(shown?.text).toContain(`Approved by <@U0BEN>, ${AT}; the marketplace names “API token”`);
    expect(shown?.text).toContain('Reason: It was tried twice.');
    expect(shown?.text).toContain('[Refresh]\n[Proposal]');
    expect(shown?.text).not.toContain('[Approve]');
  });

  it('tells an error in full, and says where it is cut', async () => {
    const errorMessage = `Out of connects. ${'y'.repeat(5_000)}`;
    desk.state.look = { kind: 'found', status: { id: JOB, status: 'failed', errorMessage } };
    const [shown] = await desk.type(command, 'job 12');
    expect(shown?.text).toContain('Error: Out of connects.');
    expect(shown?.text).toContain('[1,500 of 5,017 characters]');
  });

  it('tells of a job that nobody bid from here, by the project that a list named', async () => {
    await desk.keepProject(listed());
    desk.state.look = { kind: 'found', status: { id: JOB, ...WAITING, marketplaceJobId: '0123456789' } };
    const [shown] = await desk.type(command, '12');
    expect(shown?.text).toContain(TITLE_LINK);
    expect(shown?.text).toContain('Not bid from here, as far as I know.');
    expect(shown?.text).toContain('[Approve]\n[Refresh]');
  });

  it('shows a state that nobody documented as it is', async () => {
    desk.state.look = { kind: 'found', status: { id: JOB, status: 'on_the_moon' } };
    expect((await desk.type(command, '12'))[0]?.text).toContain('*Job #12: on_the_moon*');
  });

  it('offers no Approve while somebody approves it', async () => {
    const waiting = job({ ...WAITING, approval: approval({ state: 'sending' }) });
    desk.state.look = { kind: 'found', status: { id: JOB, ...WAITING }, job: waiting };
    const [shown] = await desk.type(command, '12');
    expect(shown?.text).toContain(`Being approved by <@U0BEN>, ${AT}`);
    expect(shown?.text).not.toContain('[Approve]');
  });

  it('says that a job is not followed any more, and what Refresh does', async () => {
    const left = job({ follow: { state: 'left', at: NOW } });
    desk.state.look = { kind: 'failed', error: new MarketplaceError('timeout', 'unknown', 'x'), job: left };
    expect((await desk.type(command, '12'))[0]?.text).toContain('Not followed any more');
  });

  it('shows the last known state, and why it is not newer', async () => {
    const error = new MarketplaceError('network', 'unknown', 'secret words');
    desk.state.look = { kind: 'failed', error, job: job({ readAt: NOW - 60_000 }) };
    const [shown] = await desk.type(command, '12');
    expect(shown?.text).toContain('*Job #12: Scheduled for bidding*');
    expect(shown?.text).toContain(
      `:warning: This is as of <!date^${(NOW - 60_000) / 1_000}^\u200b{date_short_pretty} at {time}|20 Nov 2026, 08:59 UTC>: the marketplace cannot be reached.`,
    );
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
    expect((await desk.type(command, '12'))[0]?.text).toBe(
      'text: The marketplace knows no job #12. Check the id: cards and the dashboard show it.\n',
    );
    desk.state.look = { kind: 'failed', error, job: job() };
    expect((await desk.type(command, '12'))[0]?.text).toContain(
      'knows no job #12 any more. It may have been deleted in the dashboard.\nScheduled for ',
    );
  });

  it.each(['', 'twelve', '0', '-3', '1.5', '1e9', '~0123', '12 13', '9'.repeat(30), '<!channel>', '`12`'])(
    'asks nobody about “%s”, and shows how it would be right',
    async (args) => {
      const [shown] = await desk.type(command, args);
      expect(shown?.text).toContain('For example: `/gig job 123`');
      expect(desk.state.looks).toEqual([]);
    },
  );

  it('understands its own example', async () => {
    desk.state.look = { kind: 'found', status: { id: JobId.parse(123), status: 'scheduled' } };
    for (const example of command.examples)
      expect((await desk.type(command, example.slice(4)))[0]?.text).toContain('Job #123');
  });
});
