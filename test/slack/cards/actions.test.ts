import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/access/access.ts';
import { MessageTs, type UserId } from '../../../src/ids.ts';
import { MarketplaceError } from '../../../src/marketplace/errors.ts';
import { cardPostId } from '../../../src/outbox/outbox.ts';
import { postKey, posts } from '../../../src/outbox/posts.ts';
import { actionRoutes } from '../../../src/slack/all-routes.ts';
import { projectAlreadyClaimedMessage } from '../../../src/slack/cards/card-notices.ts';
import { CARD_GONE } from '../../../src/slack/core/handler-steps.ts';
import {
  muteValueCodec,
  resultProjectsValueCodec,
  resultsPageValueCodec,
} from '../../../src/slack/kit/button-values.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { chargedCreditsText, insufficientCreditsText } from '../../../src/slack/kit/words/credits-text.ts';
import { filterUnsubscribedMessage } from '../../../src/slack/subscriptions/subscribed.ts';
import { filterValueCodec } from '../../../src/slack/subscriptions/subscription-list.ts';
import { type Desk, startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { ANA, BEN, listed, REACT, TEAM } from '../samples.ts';

let desk: Desk;
let card: MessageTs;
beforeEach(async () => {
  desk = startDesk();
  card = await desk.addCard();
});

/** Presses and returns the answer. */
async function press(
  id: string,
  value = '',
  by: { user?: UserId; role?: Role; on?: MessageTs | undefined } = {},
) {
  const route = actionRoutes.find((each) => each.id === id) ?? expect.fail(`no action ${id}`);
  const before = desk.shown.length;
  await route.run(desk.press(value, 'on' in by ? by.on : card, by.user ?? ANA, by.role ?? 'viewer'));
  await desk.deliver();
  const shown = desk.shown.slice(before);
  return {
    shown,
    to: shown.map((each) => each.to),
    messages: shown.map((each) => each.message),
    words: shown.map((each) => JSON.stringify(each.message)).join('\n'),
    read: shown.map((each) => asText(each.message)).join('\n'),
  };
}

describe('every press', () => {
  const hostile = [
    '',
    '{}',
    '[]',
    'null',
    '{"filter":"1"}',
    'skip@x:y',
    'skip@1.1:toString',
    'word@1.1:',
    '__proto__',
    'x'.repeat(2_000),
  ];

  it.each(Object.values(actionIds))('%s survives any value on any message', async (id) => {
    for (const value of hostile) {
      for (const on of [undefined, MessageTs.parse('1.000001'), card]) {
        const { shown } = await press(id, value, { on });
        for (const { message } of shown)
          expectHarmless(JSON.parse(JSON.stringify(message).replaceAll(ANA, 'U0CAY')));
      }
    }
  });

  it('on what is no card any more is answered', async () => {
    for (const id of [
      actionIds.claim,
      actionIds.release,
      actionIds.details,
      actionIds.unskip,
      actionIds.showMore,
      actionIds.showNewest,
    ])
      expect((await press(id, '', { on: MessageTs.parse('1.000001') })).messages).toEqual([CARD_GONE]);
  });
});

describe('a press on a card whose message is not on record yet', () => {
  it('waits a moment for it', async () => {
    desk = startDesk();
    const ts = await desk.addCard();
    const id = cardPostId(desk.press('', ts).channel, listed().key);
    const { store } = desk.services;
    const posted = await store.read((tx) => tx.get(posts, postKey(TEAM, id)));
    if (!posted) return expect.fail('no post');
    const { ts: _ts, ...unposted } = posted;
    await store.transact((tx) => tx.put(posts, postKey(TEAM, id), { ...unposted, state: 'sending' }));
    desk.clock.runAfter(500, () => void store.transact((tx) => tx.put(posts, postKey(TEAM, id), posted)));
    expect((await press(actionIds.claim, '', { on: ts })).shown).toEqual([]);
    expect((await desk.card())?.claim?.by).toBe(ANA);
  });
});

describe('Claim and Release', () => {
  it('put it on the card and say nothing more', async () => {
    expect((await press(actionIds.claim)).shown).toEqual([]);
    expect((await desk.card())?.claim?.by).toBe(ANA);
    expect((await press(actionIds.release)).shown).toEqual([]);
    expect((await desk.card())?.claim).toBeUndefined();
  });

  it('tell the second who was first', async () => {
    await press(actionIds.claim, '', { user: BEN });
    const { to, messages } = await press(actionIds.claim);
    expect(to).toEqual(['person']);
    expect(messages).toEqual([projectAlreadyClaimedMessage(BEN, desk.clock.now())]);
    expect((await desk.card())?.claim?.by).toBe(BEN);
  });

  it("let only an admin release someone else's claim", async () => {
    await press(actionIds.claim, '', { user: BEN });
    expect((await press(actionIds.release)).messages).toEqual([
      projectAlreadyClaimedMessage(BEN, desk.clock.now()),
    ]);
    expect((await desk.card())?.claim?.by).toBe(BEN);
    await press(actionIds.release, '', { role: 'admin' });
    expect((await desk.card())?.claim).toBeUndefined();
  });

  it('of what is free already says so', async () => {
    const { to, read } = await press(actionIds.release);
    expect(to).toEqual(['person']);
    expect(read).toMatchSnapshot();
  });
});

describe('Skip', () => {
  it('is taken back by Undo', async () => {
    await desk.services.feed.skipProject(desk.press('', card).channel, listed().key, ANA, 'not-a-fit');
    expect((await press(actionIds.unskip)).shown).toEqual([]);
    expect((await desk.card())?.skip).toBeUndefined();
  });
});

describe('Mute', () => {
  it('is undone for everyone by the button of its confirmation', async () => {
    await desk.services.feed.addMute(desk.press('', card).channel, { kind: 'word', value: 'php' }, ANA);
    const undone = await press(actionIds.unmute, muteValueCodec.write({ kind: 'word', value: 'php' }));
    expect(undone.to).toEqual(['replaced', 'channel']);
    expect(desk.state.settings.mutes).toEqual([]);
  });

  it('of something that is not muted says so', async () => {
    const { to, read } = await press(actionIds.unmute, muteValueCodec.write({ kind: 'word', value: 'php' }));
    expect(to).toEqual(['replaced', 'person']);
    expect(read).toMatchSnapshot();
  });
});

describe('Details', () => {
  /** Presses a button of the person's open window. */
  async function pressInWindow(id: string, user: UserId = ANA) {
    const shown = desk.views.findLast(({ how }) => how === 'open') ?? expect.fail('no window');
    const { private_metadata: privateMetadata = '' } = shown.view;
    const view = {
      id: shown.id,
      rootId: shown.id,
      hash: 'h',
      callbackId: '',
      privateMetadata,
      values: new Map(),
    };
    const route = actionRoutes.find((each) => each.id === id) ?? expect.fail(`no action ${id}`);
    await route.run({ ...desk.press('card', undefined, user), view });
    return JSON.stringify(desk.views.at(-1)?.view);
  }

  it('open at once with what the list told, and cost nothing', async () => {
    expect((await press(actionIds.details)).shown).toEqual([]);
    const text = JSON.stringify(desk.views.at(-1)?.view);
    expect(text).toContain('garden furniture');
    expect(text).toContain('1 Credit');
    expect(desk.state.lookups).toEqual([]);
  });

  it('are looked up by their button, keep the verdict of the list, and say what it cost', async () => {
    desk = startDesk();
    card = await desk.addCard(listed({ verdict: { decision: 'qualified', reason: 'Fits', other: {} } }));
    await press(actionIds.details);
    const text = await pressInWindow(actionIds.detailsLookUp);
    expect(desk.state.lookups).toHaveLength(1);
    expect(text).toMatch(/qualified\W+Fits/u);
    expect(text).toContain(chargedCreditsText({ charged: 1 }));
  });

  it('that cannot be paid say so in the window, and may be tried again', async () => {
    const refused = { kind: 'no-budget', left: 0, needs: 1, resetsAt: 0 } as const;
    desk.state.lookup = refused;
    await press(actionIds.details);
    const text = await pressInWindow(actionIds.detailsLookUp);
    expect(text).toContain(JSON.stringify(insufficientCreditsText(refused)).slice(1, -1));
    expect(text).toContain('garden furniture');
    desk.state.lookup = { kind: 'failed', error: new MarketplaceError('timeout', 'unknown', 'no answer') };
    await expect(pressInWindow(actionIds.detailsLookUp)).rejects.toThrow('no answer');
  });

  it('of a project without an id offer no lookup', async () => {
    desk = startDesk();
    card = await desk.addCard(listed({ url: 'https://www.marketplace.example/some-job' }));
    await press(actionIds.details);
    const text = JSON.stringify(desk.views.at(-1)?.view);
    expect(text).toContain('no `~ID`');
    expect(text).not.toContain(actionIds.detailsLookUp);
  });

  it('are nobody else’s window: a stranger’s press in it changes nothing', async () => {
    await press(actionIds.details);
    await pressInWindow(actionIds.detailsClaim, BEN);
    expect((await desk.card())?.claim).toBeUndefined();
    await pressInWindow(actionIds.detailsClaim);
    expect((await desk.card())?.claim?.by).toBe(ANA);
    await pressInWindow(actionIds.detailsRelease);
    expect((await desk.card())?.claim).toBeUndefined();
  });
});

describe('Show the next', () => {
  it('releases the cards of the flood that was pressed', async () => {
    const flood = await desk.addFlood();
    expect((await press(actionIds.showMore, '10', { on: flood })).shown).toEqual([]);
    expect(desk.state.released).toEqual(['flood:1']);
  });

  it('on a card does nothing', async () => {
    await press(actionIds.showMore, '10');
    expect(desk.state.released).toEqual([]);
  });
});

describe('Unsubscribe in the list', () => {
  it('redraws the list and tells the channel', async () => {
    const by = { channel: desk.press('', card).channel, filter: REACT.id, rules: '', backfill: 0, by: ANA };
    await desk.services.feed.subscribe(by);
    const value = filterValueCodec.write({ filter: REACT.id });
    const { to, messages, read } = await press(actionIds.unsubscribe, value);
    expect(to).toEqual(['replaced', 'channel']);
    expect(messages.at(-1)).toEqual(filterUnsubscribedMessage(REACT, '', ANA));
    expect(messages.at(-1)?.text).toContain('“React work” (101)');
    const again = await press(actionIds.unsubscribe, value);
    expect(again.to).toEqual(['replaced', 'person']);
    expect(read + again.read).toMatchSnapshot();
  });
});

describe("a result's projects", () => {
  const value = (turn: boolean) => resultProjectsValueCodec.write({ result: 9 as never, page: 2, turn });

  it('come in a message of their own, and their pages in its place', async () => {
    expect((await press(actionIds.resultProjects, value(false))).to).toEqual(['person']);
    const { to, words, read } = await press(actionIds.resultProjectsBack, value(true));
    expect(to).toEqual(['replaced']);
    expect(words).toContain(chargedCreditsText({ charged: 1 }));
    expect(read).toMatchSnapshot();
  });

  it('that cannot be paid say so', async () => {
    desk.state.resultProjects = { kind: 'no-budget', left: 4, needs: 10, resetsAt: 0 };
    const { messages } = await press(actionIds.resultProjects, value(false));
    expect(messages).toEqual([
      { text: insufficientCreditsText({ kind: 'no-budget', left: 4, needs: 10, resetsAt: 0 }) },
    ]);
    expect(messages[0]?.text).toMatch(/\b10\b.*\b4\b/u);
  });

  it('and the pages of results turn in place', async () => {
    const page = resultsPageValueCodec.write({ filter: REACT.id, page: 2 });
    expect((await press(actionIds.resultsPage, page)).to).toEqual(['replaced']);
  });
});
