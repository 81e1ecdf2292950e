import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bid, bidId, bidKey, bids } from '../../src/bidding/records.ts';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { ProjectKey, SetupId } from '../../src/ids.ts';
import { failure } from '../fake-marketplace.ts';
import { plainProposal } from '../plain-proposal.ts';
import { ann, channel, FollowWorld, home, jobNumber, newJob, START, team } from './follow-world.ts';

let world: FollowWorld;
beforeEach(() => {
  world = new FollowWorld();
});

const five = jobNumber(5);
const abouts = async () => (await world.thread()).map(({ about }) => about);

describe('a look at a job that is on record', () => {
  it('asks at once, as a person does, and brings it up to date', async () => {
    await world.keep(newJob(5));
    world.told.set(5, { status: 'failed', errorMessage: 'No connects' });
    const look = await world.tracker.refreshJob(five);
    expect(look).toMatchObject({
      kind: 'found',
      status: { status: 'failed' },
      job: { status: 'failed', errorMessage: 'No connects', follow: { state: 'settled' } },
    });
    expect(world.marketplace.calls.at(-1)?.parameters).toEqual([five, { lane: 'person' }]);
    expect(await abouts()).toEqual(['job-failed']);
    expect(await world.tracker.refreshJob(five)).toMatchObject({ kind: 'found' });
    expect(await abouts()).toEqual(['job-failed']);
  });

  it('follows one that was left anew, from now', async () => {
    await world.keep(newJob(5, { follow: { state: 'left', at: START } }));
    world.told.set(5, { status: 'scheduled' });
    await world.pass(HOUR);
    await world.start();
    const look = await world.tracker.refreshJob(five);
    const since = world.clock.now();
    expect(look.job?.follow).toEqual({ state: 'following', since, step: 1, dueAt: since + MINUTE / 2 });
    await world.pass(50 * HOUR);
    expect(await world.thread()).toEqual([{ about: 'job-left', job: 5, hours: 48 }]);
    expect(await world.job(5)).toMatchObject({ follow: { state: 'left', at: since + 48 * HOUR } });
    await world.stop();
  });

  it('leaves one that is settled so, and tells what changed', async () => {
    await world.keep(newJob(5, { follow: { state: 'settled', at: START } }));
    world.told.set(5, { status: 'revived' });
    expect((await world.tracker.refreshJob(five)).job?.follow).toEqual({ state: 'settled', at: START });
    expect(await abouts()).toEqual(['job-changed']);
  });

  it('follows one anew that the marketplace did not know for a while', async () => {
    await world.keep(newJob(5));
    await world.tracker.refreshJob(five);
    expect(await world.job(5)).toMatchObject({ follow: { state: 'gone' } });
    world.told.set(5, { status: 'scheduled' });
    expect((await world.tracker.refreshJob(five)).job?.follow).toMatchObject({ state: 'following' });
    expect(await abouts()).toEqual(['job-gone']);
  });

  it('has the tracker read the proposal at once when it shows that the job was sent', async () => {
    await world.keep(newJob(5, { follow: { state: 'left', at: START } }));
    world.told.set(5, { status: 'completed', applicationUid: 'A9' });
    world.proposals.set('A9', plainProposal(77));
    await world.start();
    await world.tracker.refreshJob(five);
    await world.pass(0);
    expect(await abouts()).toEqual(['job-sent', 'proposal-found']);
    await world.stop();
  });

  it('that fails changes nothing', async () => {
    const job = newJob(5, { follow: { state: 'left', at: START } });
    await world.keep(job);
    world.told.set(5, failure('server'));
    expect(await world.tracker.refreshJob(five)).toMatchObject({
      kind: 'failed',
      error: { code: 'server' },
      job,
    });
    expect(await world.job(5)).toEqual(job);
  });

  it('that finds nothing says that it is gone, once; of one that had come to its end nothing', async () => {
    await world.keep(newJob(5));
    expect(await world.tracker.refreshJob(five)).toMatchObject({
      kind: 'failed',
      job: { follow: { state: 'gone' } },
    });
    await world.tracker.refreshJob(five);
    expect(await abouts()).toEqual(['job-gone']);
    await world.keep(newJob(6, { errorMessage: 'No', follow: { state: 'settled', at: START } }));
    expect(await world.tracker.refreshJob(jobNumber(6))).toMatchObject({
      job: { follow: { state: 'settled' } },
    });
    expect(await abouts()).toEqual(['job-gone']);
  });

  it('answers the person also while the disk refuses', async () => {
    await world.keep(newJob(5, { bid: bidId('~0123', SetupId.parse(7)) }));
    world.told.set(5, { status: 'odd' });
    world.disk.failNext();
    expect(await world.tracker.refreshJob(five)).toMatchObject({
      kind: 'found',
      status: { status: 'odd' },
      job: { status: 'scheduled' },
    });
  });
});

describe('a look at a job that we do not know', () => {
  async function keepBid(number: number): Promise<Bid> {
    const setup = SetupId.parse(number);
    const bid: Bid = {
      team,
      id: bidId('~0123', setup),
      project: ProjectKey.parse('~0123'),
      title: 'Rebuild our checkout',
      channel,
      home,
      by: ann,
      at: START,
      request: { setup, marketplaceJobId: '~0123' },
      attempt: 1,
      state: 'unknown',
      audit: [team, START, 1],
    };
    await world.disk.transact((tx) => tx.put(bids, bidKey(team, bid.id), bid));
    return bid;
  }

  it('tells its status and keeps nothing', async () => {
    world.told.set(5, { status: 'scheduled', marketplaceJobId: '~0999' });
    const look = await world.tracker.refreshJob(five);
    expect(look).toEqual({
      kind: 'found',
      status: { id: 5, status: 'scheduled', marketplaceJobId: '~0999' },
    });
    await expect(world.job(5)).rejects.toThrow('no job 5');
  });

  it('settles the bid without an answer that has become it, with all that the reading tells', async () => {
    const bid = await keepBid(7);
    world.told.set(5, { status: 'completed', marketplaceJobId: '0123', applicationUid: 'A9' });
    const look = await world.tracker.refreshJob(five);
    expect(look).toMatchObject({ kind: 'found', job: { id: 5, bid: bid.id, applicationUid: 'A9' } });
    const stored = await world.disk.read((tx) => tx.get(bids, bidKey(team, bid.id)));
    expect(stored).toMatchObject({ state: 'created', job: 5 });
    expect(await abouts()).toEqual(['bid-found', 'job-sent']);
  });

  it('settles none where two may have become it', async () => {
    await keepBid(7);
    await keepBid(8);
    world.told.set(5, { status: 'scheduled', marketplaceJobId: '~0123' });
    expect(await world.tracker.refreshJob(five)).not.toHaveProperty('job');
    expect(await abouts()).toEqual([]);
  });

  it('that is not found says so', async () => {
    expect(await world.tracker.refreshJob(five)).toMatchObject({
      kind: 'failed',
      error: { code: 'not-found' },
    });
  });
});

afterEach(() => world.stop());
