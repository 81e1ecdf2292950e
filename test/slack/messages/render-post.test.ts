import { describe, expect, it } from 'vitest';
import { projectRecordKey, seenProjects } from '../../../src/feed/records.ts';
import { ProjectKey } from '../../../src/ids.ts';
import { enqueuePost } from '../../../src/outbox/outbox.ts';
import { type Post, PostId, postKey, posts } from '../../../src/outbox/posts.ts';
import { renderPost } from '../../../src/slack/messages/render-post.ts';
import { startDesk } from '../fakes.ts';
import { CHANNEL, listed, NOW, REACT, TEAM } from '../samples.ts';
import { asText } from './as-text.ts';

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
