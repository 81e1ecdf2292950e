import { describe, expect, it } from 'vitest';
import { accessRequests } from '../../src/access/access.ts';
import { bidKey, bids, jobKey, jobs } from '../../src/bidding/records.ts';
import { seenProjectKey, seenProjects } from '../../src/feed/records.ts';
import { BidId, JobId, ProjectKey } from '../../src/ids.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, PostId, postKey, posts } from '../../src/outbox/posts.ts';
import { accessRequestMessage } from '../../src/slack/access/access.ts';
import { disqualifiedBlock } from '../../src/slack/bids/bid-buttons.ts';
import { bidLine } from '../../src/slack/bids/bid-lines.ts';
import { bidNewsMessage } from '../../src/slack/bids/bid-messages.ts';
import { createPostRenderer } from '../../src/slack/render-post.ts';
import { noticeMessage } from '../../src/slack/status/notice.ts';
import { bid, JOB, job, WAITING } from './bids/bidding-samples.ts';
import { type Desk, startDesk } from './fakes.ts';
import { asText, textOf } from './kit/as-text.ts';
import { ANA, CHANNEL, listed, NOW, REACT, TEAM } from './samples.ts';

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

/** A post's current text; undefined for none. */
async function shown(desk: Desk, content: Post['content']): Promise<string | undefined> {
  const { services } = desk;
  const message = await services.store.read((tx) => createPostRenderer(services)(tx, post(content)));
  return message && asText(message);
}

describe('a post', () => {
  it('of a card shows it, and nothing once its project was cleared out', async () => {
    const desk = startDesk();
    await desk.addCard();
    const render = createPostRenderer(desk.services);
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
    const shown = await desk.services.store.read((tx) => createPostRenderer(desk.services)(tx, told));
    expect(shown).toEqual(noticeMessage({ ...notice, filters: [REACT] }));
    expect(shown?.text).toMatchSnapshot();
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
        await tx.put(seenProjects, seenProjectKey(TEAM, project.key), record);
        await enqueuePost(tx, { team: TEAM, id, channel: CHANNEL, content, order: n, at: NOW });
        const own = await tx.get(posts, postKey(TEAM, id));
        const state = n <= 2 ? 'posted' : 'bundled';
        if (own) await tx.put(posts, postKey(TEAM, id), { ...own, state, bundle: flood.id });
      }
    });
    const shown = await desk.services.store.read((tx) => createPostRenderer(desk.services)(tx, flood));
    const text = asText(shown ?? { text: '' });
    const head = textOf(shown?.blocks?.[0]);
    expect(head).toMatch(/14 .* 2 .* 12 /u);
    expect(head).toMatchSnapshot();
    expect(text.match(/Project \d+/gu)).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((n) => `Project ${n}`),
    );
    expect(text).toMatch(/^….*\b2\b/mu);
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
        await tx.put(seenProjects, seenProjectKey(TEAM, project.key), record);
        const content = { kind: 'card', project: project.key } as const;
        const state = n <= waiting ? 'bundled' : 'posted';
        const card = { ...post(content, `card:${n}`), state, order: n, bundle: summary.id } as const;
        await tx.put(posts, postKey(TEAM, card.id), card);
      }
    });
    let looks = 0;
    const message = await desk.services.store.read((tx) =>
      createPostRenderer(desk.services)(
        {
          get: (...asked) => tx.get(...asked),
          getMany: (...asked) => tx.getMany(...asked),
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
    // The first line, and the one with the number of unlisted items.
    const words = asText(message ?? { text: '' })
      .split('\n')
      .filter((each) => /^\*|^…/u.test(each) && !each.includes('|Rebuild'));
    return { words, looks };
  }

  it.each([
    ['none has its card yet', 1_500, [/1,000/u, /990/u]],
    ['some have', 600, [/1,000.* 600 /u, /590/u]],
    ['all have', 0, [/1,000/u]],
  ] as const)('is drawn at a cost that is bounded, where %s', async (_, waiting, facts) => {
    const { words, looks } = await drawn(1_500, waiting);
    expect(words).toMatchSnapshot();
    expect(words).toEqual(facts.map((fact) => expect.stringMatching(fact)));
    expect(looks).toBeLessThanOrEqual(1_501);
  });

  it('is counted where it can be', async () => {
    const { words } = await drawn(1_000, 1_000);
    expect(words[0]).toContain('1,000');
    expect(words[0]).not.toBe((await drawn(1_500, 1_500)).words[0]);
    expect(words).toMatchSnapshot();
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
    expect(text).toContain(bidLine({ bid: bid({ job: JOB }), job: job(WAITING) }));
    expect(text).toMatchSnapshot();
  });

  it('of a bid or a job shows it with its project’s verdict, and nothing once cleared out', async () => {
    const desk = await deskWithBid();
    const verdict = { decision: 'disqualified', reason: 'Wrong stack', other: {} };
    await desk.addCard(listed({ verdict }));
    for (const content of [
      { kind: 'bid', bid: bid().id },
      { kind: 'job', job: JOB },
    ] as const)
      expect(await shown(desk, content)).toContain(textOf(disqualifiedBlock('Wrong stack')));
    expect(await shown(desk, { kind: 'bid', bid: BidId.parse('9:9') })).toBeUndefined();
    expect(await shown(desk, { kind: 'job', job: JobId.parse(99) })).toBeUndefined();
  });

  it('of news of a job names its project', async () => {
    const desk = await deskWithBid();
    const news = { about: 'job-gone', job: JOB } as const;
    expect(await shown(desk, { kind: 'bid-news', news })).toContain('#12 (“Rebuild our checkout in React”)');
    const unknown = { about: 'job-gone', job: JobId.parse(99) } as const;
    expect(await shown(desk, { kind: 'bid-news', news: unknown })).toBe(asText(bidNewsMessage(unknown)));
    const lost = { about: 'bid-unknown', by: ANA, title: 'Other' } as const;
    expect(await shown(desk, { kind: 'bid-news', news: lost })).toContain('“Other”');
  });

  it('of a request for a role shows it as it stands', async () => {
    const desk = startDesk();
    const request = { team: TEAM, id: 'r1', user: ANA, channel: CHANNEL, role: 'bidder', at: NOW } as const;
    await desk.services.store.transact((tx) => tx.put(accessRequests, [TEAM, 'r1'], request));
    expect(await shown(desk, { kind: 'access-request', request: 'r1' })).toBe(
      asText(accessRequestMessage(request)),
    );
    expect(await shown(desk, { kind: 'access-request', request: 'r2' })).toBeUndefined();
  });
});
