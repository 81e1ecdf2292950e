import { beforeEach, describe, expect, it } from 'vitest';
import { UserId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { JOB_PRESS_OUTDATED, jobActions, noSuchJobMessage } from '../../../src/slack/bids/jobs.ts';
import { approveValueCodec } from '../../../src/slack/kit/button-values.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { offers, valuesOf } from '../buttons.ts';
import { type ANA, BEN, CHANNEL, NOW } from '../samples.ts';
import { approval, JOB, job, WAITING } from './bidding-samples.ts';
import { type JobDesk, startJobDesk } from './job-desk.ts';

const AT = `<!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|Nov 20, 2026, 9:00 AM UTC>`;
const SHOWN = '0123456789abcdef';
const onCard = approveValueCodec.write({ job: JOB, seen: 0, shown: SHOWN });
const ownMessage = approveValueCodec.write({ job: JOB, seen: 0, shown: SHOWN, own: true });
const route = (id: string) => jobActions.find((each) => each.id === id);
const approve = route(actionIds.jobApprove);
const refresh = route(actionIds.jobRefresh);

let desk: JobDesk;
beforeEach(() => {
  desk = startJobDesk();
});

const hostileValues = ['', '{}', 'null', '12', '{"job":"12","seen":0}', '{"job":12}', '{"job":12,"seen":-1}'];
const cay = UserId.parse('U0CAY');

describe('Approve', () => {
  beforeEach(() => {
    desk.people.roleEverywhere = 'bidder';
  });

  it('is for bidders of the job’s own channel, whatever the place of the press says', async () => {
    expect(approve?.needs).toBe('viewer');
    desk.people.roleEverywhere = 'viewer';
    await desk.keep(job());
    const [shown] = await desk.press(approve, onCard);
    expect(valuesOf(shown?.message, actionIds.accessAsk)).toEqual(['bidder']);
    expect(desk.state.orders).toEqual([]);
  });

  it('retries if the job moved to a channel meanwhile, then says that nothing was done', async () => {
    desk.state.approve = { kind: 'moved' };
    expect((await desk.press(approve, onCard))[0]?.message).toEqual(JOB_PRESS_OUTDATED);
    expect(desk.state.orders).toHaveLength(2);
  });

  it('names who pressed, which job and which attempt they saw', async () => {
    desk.state.approve = { kind: 'asked', job: job({ approval: approval() }) };
    await desk.press(approve, approveValueCodec.write({ job: JOB, seen: 3, shown: SHOWN }));
    await desk.keep(job());
    await desk.press(approve, approveValueCodec.write({ job: JOB, seen: 3, shown: SHOWN }));
    const order = { job: JOB, by: BEN, channel: CHANNEL, seenAttempt: 3, shown: SHOWN };
    expect(desk.state.orders).toEqual([
      { ...order, authorizedChannel: undefined },
      { ...order, authorizedChannel: CHANNEL },
    ]);
  });

  it('on a card is confirmed in short, with who approved it', async () => {
    const approved = approval({ approvedBy: 'API token', overrode: 'Wrong <stack>' });
    desk.state.approve = { kind: 'asked', job: job({ approval: approved }) };
    const shown = await desk.press(approve, onCard);
    expect(shown.map(({ to }) => to)).toEqual(['person']);
    for (const fact of ['#12', '<@U0BEN>', '<!date^1795167000^', 'Wrong &lt;stack&gt;'])
      expect(shown[0]?.message.text).toContain(fact);
    expect(shown[0]?.message).toMatchSnapshot();
  });

  it('in an answer of /gig job shows the new state in its place', async () => {
    desk.state.approve = { kind: 'asked', job: job({ approval: approval({ approvedBy: 'API token' }) }) };
    const shown = await desk.press(approve, ownMessage);
    expect(shown.map(({ to }) => to)).toEqual(['replaced']);
    for (const fact of ['#12', '<@U0BEN>', 'Scheduled for bidding']) expect(shown[0]?.text).toContain(fact);
    expect(offers(shown[0]?.message, actionIds.jobApprove)).toBe(false);
    expect(shown[0]?.text).toMatchSnapshot();
  });

  it('that was refused says so in the words of the API, and what next', async () => {
    const refusal = { code: 'bad-request', serverMessage: 'Job is not pending review' };
    desk.state.approve = {
      kind: 'asked',
      job: job({ ...WAITING, approval: approval({ state: 'refused', refusal }) }),
    };
    const [told] = await desk.press(approve, onCard);
    for (const fact of ['#12', '<@U0BEN>', '“Job is not pending review”'])
      expect(told?.message.text).toContain(fact);
    expect(told?.message).toMatchSnapshot();
    const again = await desk.press(approve, ownMessage);
    expect(JSON.stringify(again[0]?.message.blocks)).toMatch(
      /\{\\"job\\":12,\\"seen\\":1,\\"shown\\":\\"[a-f\d]{16}\\",\\"own\\":true\}/u,
    );
  });

  it('without an answer says that it is not approved again until it is read', async () => {
    desk.state.approve = {
      kind: 'asked',
      job: job({ ...WAITING, approval: approval({ state: 'unknown' }) }),
    };
    const [told] = await desk.press(approve, onCard);
    for (const fact of ['#12', '<@U0BEN>']) expect(told?.message.text).toContain(fact);
    expect(told?.message).toMatchSnapshot();
  });

  it('that was refused after one without an answer tells both', async () => {
    const doubtful = approval({ state: 'unknown', by: cay, attempt: 2, refusal: { code: 'forbidden' } });
    desk.state.approve = { kind: 'asked', job: job({ ...WAITING, approval: doubtful }) };
    const [told] = await desk.press(approve, onCard);
    for (const fact of ['#12', '<@U0BEN>', `<@${cay}>`]) expect(told?.message.text).toContain(fact);
    expect(told?.message).toMatchSnapshot();
  });

  it.each(['approved', 'sending', 'unknown', 'refused'] as const)(
    'of the second person: somebody has %s',
    async (state) => {
      const other = approval({ state, by: cay as typeof ANA, refusal: { code: 'not-found' } });
      desk.state.approve = { kind: 'taken', job: job({ ...WAITING, approval: other }) };
      const [told] = await desk.press(approve, onCard);
      for (const fact of ['#12', `<@${cay}>`, AT]) expect(told?.message.text).toContain(fact);
      expect(told?.message).toMatchSnapshot();
    },
  );

  it('of a job that does not wait says how it stands', async () => {
    desk.state.approve = { kind: 'not-waiting', job: job({ status: 'skipped', reason: 'A limit' }) };
    const [told] = await desk.press(approve, onCard);
    for (const fact of ['#12', 'A limit']) expect(told?.message.text).toContain(fact);
    expect(told?.message).toMatchSnapshot();
  });

  it('of a job that is not there says so, and leaves other failures to the boundary', async () => {
    desk.state.approve = { kind: 'failed', error: new MarketplaceError('not-found', 'none', 'x') };
    expect((await desk.press(approve, onCard))[0]?.message).toEqual(noSuchJobMessage(JOB));
    const error = new MarketplaceError('network', 'unknown', 'x');
    desk.state.approve = { kind: 'failed', error };
    await expect(desk.press(approve, onCard)).rejects.toBe(error);
  });

  it.each(hostileValues)('with the value “%s” sends nothing and says so', async (value) => {
    expect((await desk.press(approve, value))[0]?.message).toEqual(JOB_PRESS_OUTDATED);
    expect(desk.state.orders).toEqual([]);
  });
});

describe('Refresh', () => {
  it('is for every full member, and shows the job as it stands now', async () => {
    expect(refresh?.needs).toBe('viewer');
    desk.state.look = { kind: 'found', status: { id: JOB, status: 'processing', statusTitle: 'Bidding' } };
    const shown = await desk.press(refresh, '12');
    expect(shown.map(({ to }) => to)).toEqual(['replaced']);
    expect(shown[0]?.text).toMatch(/#12.*Bidding/u);
    expect(desk.state.looks).toEqual([JOB]);
  });

  it.each(['', '0', 'x', '{"job":12}', '-1', '9'.repeat(40)])(
    'with the value “%s” asks nobody',
    async (value) => {
      expect((await desk.press(refresh, value))[0]?.message).toEqual(JOB_PRESS_OUTDATED);
      expect(desk.state.looks).toEqual([]);
    },
  );
});
