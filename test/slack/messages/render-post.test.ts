import { describe, expect, it } from 'vitest';
import { accessRequests } from '../../../src/access/access.ts';
import { bidKey, bids, jobKey, jobs } from '../../../src/bidding/records.ts';
import { projectRecordKey, seenProjects } from '../../../src/feed/records.ts';
import { BidId, JobId, ProjectKey } from '../../../src/ids.ts';
import { enqueuePost } from '../../../src/outbox/outbox.ts';
import { type Post, PostId, postKey, posts } from '../../../src/outbox/posts.ts';
import { renderPost } from '../../../src/slack/messages/render-post.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { ANA, CHANNEL, listed, NOW, REACT, TEAM } from '../samples.ts';
import { asText } from './as-text.ts';
import { bid, JOB, job, WAITING } from './bidding-samples.ts';

function post(content: Post['content'], id = 'post'): Post {
  return {
    team: TEAM,
    id: PostId.parse(id),
    channel: CHANNEL,
    content,
    state: 'waiting',
    order: NOW,
    enqueuedAt: NOW,
    revision: 0,
    shown: 0,
  };
}

/** What a post shows now, as text; undefined for nothing. */
async function shown(desk: Desk, content: Post['content']): Promise<string | undefined> {
  const { services } = desk;
  const message = await services.store.read((tx) => renderPost(services)(tx, post(content)));
  return message && asText(message);
}

describe('a post', () => {
  it('of a card shows it, and nothing once its project was cleared out', async () => {
    const desk = startDesk();
    await desk.addCard();
    const render = renderPost(desk.services);
    const shown = await desk.services.store.read((tx) =>
      render(tx, post({ kind: 'card', project: listed().key })),
    );
    expect(shown?.text).toContain('Rebuild our checkout');
    const gone = post({ kind: 'card', project: ProjectKey.parse('~gone') });
    expect(await desk.services.store.read((tx) => render(tx, gone))).toBeUndefined();
  });

  it('of a notice says it', async () => {
    const desk = startDesk();
    const notice = { about: 'feed-recovered', since: NOW, filters: [REACT] } as const;
    const told = post({ kind: 'notice', notice: { ...notice, filters: [REACT] } });
    const shown = await desk.services.store.read((tx) => renderPost(desk.services)(tx, told));
    expect(shown?.text).toContain('New projects of React work come again');
  });

  it('of a flood lists the newest that wait, newest first, and counts all', async () => {
    const desk = startDesk();
    const flood = post({ kind: 'flood' }, 'flood');
    await desk.services.store.transact(async (tx) => {
      for (let n = 1; n <= 14; n++) {
        const project = listed({ key: ProjectKey.parse(`~${n}`), title: `Project ${n}` });
        const id = PostId.parse(`card:${n}`);
        const content = { kind: 'card', project: project.key } as const;
        const record = { team: TEAM, project, filters: [REACT.id], firstSeenAt: NOW };
        await tx.put(seenProjects, projectRecordKey(TEAM, project.key), record);
        await enqueuePost(tx, { team: TEAM, id, channel: CHANNEL, content, order: n, at: NOW });
        const own = await tx.get(posts, postKey(TEAM, id));
        const state = n <= 2 ? 'posted' : 'bundled';
        if (own) await tx.put(posts, postKey(TEAM, id), { ...own, state, bundle: flood.id });
      }
    });
    const shown = await desk.services.store.read((tx) => renderPost(desk.services)(tx, flood));
    const text = asText(shown ?? { text: '' });
    expect(text).toContain(
      '*14 new projects came at once*, so they wait here. 2 have cards by now, 12 to go.',
    );
    expect(text.match(/Project \d+/gu)).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((n) => `Project ${n}`),
    );
    expect(text).toContain('…and 2 more');
  });
});

describe('a summary of more than anybody counts', () => {
  async function drawn(total: number, waiting: number) {
    const desk = startDesk();
    const summary = post({ kind: 'flood', quiet: true }, 'flood');
    await desk.services.store.transact(async (tx) => {
      for (let n = 1; n <= total; n++) {
        const project = listed({ key: ProjectKey.parse(`~${n}`) });
        const record = { team: TEAM, project, filters: [REACT.id], firstSeenAt: NOW };
        await tx.put(seenProjects, projectRecordKey(TEAM, project.key), record);
        const content = { kind: 'card', project: project.key } as const;
        const state = n <= waiting ? 'bundled' : 'posted';
        const card = { ...post(content, `card:${n}`), state, order: n, bundle: summary.id } as const;
        await tx.put(posts, postKey(TEAM, card.id), card);
      }
    });
    let looks = 0;
    const message = await desk.services.store.read((tx) =>
      renderPost(desk.services)(
        {
          get: (...asked) => tx.get(...asked),
          has: (...asked) => tx.has(...asked),
          trustedNow: () => tx.trustedNow(),
          async list(collection, options) {
            const found = await tx.list(collection, options);
            looks += found.length;
            return found;
          },
        },
        summary,
      ),
    );
    return { text: asText(message ?? { text: '' }), looks };
  }

  it.each([
    [
      'none has its card yet',
      1_500,
      ['*More than 1,000 new projects came in quiet hours.* Newest first:', '…and more than 990 more'],
    ],
    [
      'some have',
      600,
      [
        '*More than 1,000 new projects came in quiet hours.* Many have cards by now, 600 to go. Newest first:',
        '…and 590 more',
      ],
    ],
    [
      'all have',
      0,
      ['*More than 1,000 new projects came in quiet hours.* All of them have their cards now.'],
    ],
  ])('is drawn at a cost that is bounded, where %s', async (_, waiting, words) => {
    const { text, looks } = await drawn(1_500, waiting);
    for (const each of words) expect(text).toContain(each);
    expect(looks).toBeLessThanOrEqual(1_011);
  });

  it('is counted where it can be', async () => {
    expect((await drawn(1_000, 1_000)).text).toContain(
      '*1,000 new projects came in quiet hours.* Newest first:',
    );
  });
});

describe('a post about bids', () => {
  async function deskWithBid(): Promise<Desk> {
    const desk = startDesk();
    await desk.services.store.transact(async (tx) => {
      await tx.put(bids, bidKey(TEAM, bid().id), bid({ job: JOB }));
      await tx.put(jobs, jobKey(TEAM, JOB), job(WAITING));
    });
    return desk;
  }

  it('of a card shows what became of the bids on its project', async () => {
    const desk = await deskWithBid();
    await desk.addCard();
    const text = await shown(desk, { kind: 'card', project: listed().key });
    expect(text).toContain('Bid by <@U0ANA> with Night shift: waiting for review (job #12)');
    expect(text).toContain('[Approve]\n[Details]\n[Claim]');
  });

  it('of a bid or a job shows it with the verdict on its project, and nothing once it was cleared out', async () => {
    const desk = await deskWithBid();
    const verdict = { decision: 'disqualified', reason: 'Wrong stack', other: {} };
    await desk.addCard(listed({ verdict }));
    for (const content of [
      { kind: 'bid', bid: bid().id },
      { kind: 'job', job: JOB },
    ] as const)
      expect(await shown(desk, content)).toContain('The AI disqualified this project: Wrong stack');
    expect(await shown(desk, { kind: 'bid', bid: BidId.parse('9:9') })).toBeUndefined();
    expect(await shown(desk, { kind: 'job', job: JobId.parse(99) })).toBeUndefined();
  });

  it('of news of a job names its project', async () => {
    const desk = await deskWithBid();
    const news = { about: 'job-gone', job: JOB } as const;
    expect(await shown(desk, { kind: 'bid-news', news })).toContain(
      'job #12 (“Rebuild our checkout in React”)',
    );
    const unknown = { about: 'job-gone', job: JobId.parse(99) } as const;
    expect(await shown(desk, { kind: 'bid-news', news: unknown })).toContain(
      'does not know job #99 any more',
    );
    const lost = { about: 'bid-unknown', by: ANA, title: 'Other' } as const;
    expect(await shown(desk, { kind: 'bid-news', news: lost })).toContain('bid on “Other”');
  });

  it('of a request for a role shows it as it stands', async () => {
    const desk = startDesk();
    const request = { team: TEAM, id: 'r1', user: ANA, channel: CHANNEL, role: 'bidder', at: NOW } as const;
    await desk.services.store.transact((tx) => tx.put(accessRequests, [TEAM, 'r1'], request));
    expect(await shown(desk, { kind: 'access-request', request: 'r1' })).toContain('<@U0ANA> asks to be');
    expect(await shown(desk, { kind: 'access-request', request: 'r2' })).toBeUndefined();
  });
});
