import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { bidKey, bids, jobKey, jobs } from '../../../src/bidding/records.ts';
import { SECOND } from '../../../src/clock.ts';
import { subscriptionKey, subscriptions } from '../../../src/feed/records.ts';
import { BidId, ChannelId, FilterId, JobId } from '../../../src/ids.ts';
import { homeChannels } from '../../../src/slack/core/user-channels.ts';
import { handleHomeOpened, publishHomeAfterPress } from '../../../src/slack/home/show-home.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { bid, HOSTILE, job, WAITING } from '../bids/bidding-samples.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { asText } from '../kit/as-text.ts';
import { ANA, BEN, CHANNEL, NOW, TEAM } from '../samples.ts';

const places = (count: number) =>
  Array.from({ length: count }, (_none, at) => ({
    id: ChannelId.parse(`C0WEB${at}`),
    name: HOSTILE[at % HOSTILE.length] ?? '',
    isPrivate: at % 2 === 0,
  }));

/** One subscription per channel; the first ones also have waiting jobs. */
async function furnish(desk: Desk, channels: number, waiting: number): Promise<void> {
  desk.state.channels = places(channels);
  await desk.services.store.transact(async (tx) => {
    for (const { id: channel, name } of desk.state.channels) {
      const filter = FilterId.parse(101);
      const value = { team: TEAM, channel, filter, rules: name, by: ANA, createdAt: NOW, startsAt: NOW };
      await tx.put(subscriptions, subscriptionKey(TEAM, channel, filter), value);
    }
    for (let at = 1; at <= waiting; at++) {
      const id = JobId.parse(at);
      const channel = ChannelId.parse(`C0WEB${at % 3}`);
      const title = HOSTILE[at % HOSTILE.length] ?? '';
      await tx.put(jobs, jobKey(TEAM, id), job({ ...WAITING, id, channel, title, knownAt: NOW + at }));
    }
  });
}

const open = (desk: Desk) =>
  handleHomeOpened({ person: { user: ANA, role: desk.state.roleEverywhere }, services: desk.services });

/** The line of a feed that ANA paused. */
const PAUSED = new RegExp(`:double_vertical_bar: [^"]*<@${ANA}>`, 'u');
const shown = (desk: Desk) => desk.homes.get(ANA) ?? expect.fail('there is no Home');

describe('showing a Home', () => {
  it('fits 60 channels with hostile names and 100 waiting jobs, and says how many more exist', async () => {
    const desk = startDesk();
    desk.state.roleEverywhere = 'bidder';
    await furnish(desk, 60, 100);
    await open(desk);
    expect(findViewLimitProblems(shown(desk))).toEqual([]);
    const words = JSON.stringify(shown(desk));
    expect(words).toContain('#100');
    expect(words).not.toContain('#92)');
    expect(words).toMatch(/"…[^"]*\b93\b/u);
    expect(words).toMatch(/"…[^"]*\b35\b/u);
  });

  it('lists direct-message jobs with their bidder, only for those who are bidders everywhere', async () => {
    const desk = startDesk();
    await furnish(desk, 1, 3);
    await desk.services.store.transact(async (tx) => {
      for (const [at, place] of ['D0BEN', 'U0BEN', 'W0BEN', 'D0ANA'].entries()) {
        const id = JobId.parse(50 + at);
        const channel = ChannelId.parse(place);
        const ofBen = bid({ id: BidId.parse(`ofben${at}`), channel, by: BEN });
        await tx.put(bids, bidKey(TEAM, ofBen.id), ofBen);
        const became = job({ ...WAITING, id, channel, ...(at < 3 ? { bid: ofBen.id } : {}) });
        await tx.put(jobs, jobKey(TEAM, id), became);
      }
    });
    await open(desk);
    expect(JSON.stringify(shown(desk))).not.toContain(actionIds.homeReview);
    desk.state.roleEverywhere = 'bidder';
    await open(desk);
    const words = JSON.stringify(shown(desk));
    expect(words.split('<@U0BEN>')).toHaveLength(4);
    for (const at of [50, 51, 52, 53]) expect(words).toContain(`#${at}`);
    expect(words).not.toMatch(/<#[^C]/u);
    const blocks = shown(desk).blocks as KnownBlock[];
    expect(asText({ text: 'a Home', blocks })).toMatchSnapshot();
    expect(findViewLimitProblems(shown(desk))).toEqual([]);
  });

  it('keeps in the store no private channel, and none that Gigdesk has nothing to do with', async () => {
    const desk = startDesk();
    await furnish(desk, 4, 0);
    desk.state.channels = [
      ...desk.state.channels,
      { id: ChannelId.parse('C0IDLE'), name: 'idle', isPrivate: false },
    ];
    await open(desk);
    const kept = await desk.services.store.read((tx) => tx.get(homeChannels, [TEAM, ANA]));
    expect(kept?.channels.map(({ id }) => id).toSorted()).toEqual(['C0WEB1', 'C0WEB3']);
  });

  it('finds those that matter among as many channels as Slack tells of', async () => {
    const desk = startDesk();
    await furnish(desk, 3, 3);
    desk.state.channels = [
      ...desk.state.channels,
      ...Array.from({ length: 2_000 }, (_none, at) => ({
        id: ChannelId.parse(`C0IDLE${at}`),
        name: `idle-${at}`,
        isPrivate: false,
      })),
    ];
    await open(desk);
    expect(desk.clock.now() - NOW).toBeLessThan(SECOND);
    expect(JSON.stringify(shown(desk))).toContain('C0WEB1');
  });

  it('puts one state after the other, the newest last, and the notice of a press above all', async () => {
    const desk = startDesk();
    await furnish(desk, 2, 0);
    await Promise.all([
      open(desk),
      open(desk),
      publishHomeAfterPress(desk.services, ANA, 'Done.'),
      open(desk),
    ]);
    await publishHomeAfterPress(desk.services, ANA, 'Done again.');
    expect(shown(desk).blocks[0]).toMatchObject({ text: { text: 'Done again.' } });
    await open(desk);
    expect(JSON.stringify(shown(desk))).not.toContain('Done');
  });

  it('takes no channel for paused whose pause has run out', async () => {
    const desk = startDesk();
    await furnish(desk, 2, 0);
    const { services, state } = desk;
    await services.feed.pauseChannelFeed(CHANNEL, ANA, NOW + SECOND);
    await open(desk);
    expect(JSON.stringify(shown(desk))).toMatch(PAUSED);
    await services.feed.pauseChannelFeed(CHANNEL, ANA, desk.clock.now() - SECOND);
    expect(state.settings.paused).toBeDefined();
    await open(desk);
    const words = JSON.stringify(shown(desk));
    expect(words).not.toMatch(PAUSED);
    expect(words).not.toContain(actionIds.homeResume);
  });

  it('ends when a part of it fails, and the next opening is not held up by that', async () => {
    const desk = startDesk();
    await furnish(desk, 2, 0);
    const { setups, ...rest } = desk.services;
    const known = () => Promise.reject(new Error('no disk'));
    await expect(
      handleHomeOpened({
        person: { user: ANA, role: 'viewer' },
        services: { ...rest, setups: { ...setups, readStoredSetups: known } },
      }),
    ).rejects.toThrow('no disk');
    await open(desk);
    expect(JSON.stringify(shown(desk))).toContain('C0WEB1');
  });
});
