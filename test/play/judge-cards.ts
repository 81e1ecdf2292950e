/** Cards, messages and digests: what was due came once, at its time, and nothing else. */
import { expect } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { messageAt } from '../kit/read-screen.ts';
import type { Play } from './play.ts';
import { CHANNELS } from './scene.ts';
import { WRONG_AT_MOST_MS } from './troubles.ts';

/** In UTC; no clock changes during a soak. */
const DIGESTS = [
  { channel: 'web', at: 8 * HOUR, days: [0, 1, 2, 3, 4, 5, 6] },
  { channel: 'data', at: 22 * HOUR + 30 * MINUTE, days: [1, 2, 3, 4, 5] },
];

/** New rules count for a project that wasn't read before them. */
const UNREAD_MS = 10 * MINUTE;

const numberOf = (text: string) => /№\d+\./u.exec(text)?.[0] ?? text;

function postOf({ metadata }: SlackMessage): string {
  const post = metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

/** Reading each card once: there may be hundreds. */
function readCards(play: Play) {
  return CHANNELS.flatMap((channel) =>
    play.cards(channel).map((card) => ({ channel, card, text: card.text, number: numberOf(card.text) })),
  );
}

type Cards = ReturnType<typeof readCards>;

function letsThrough(rules: string, title: string): boolean {
  return rules.startsWith('-') ? !title.includes(rules.slice(1)) : title.includes(rules);
}

/** The projects that must, and that may stand in the channel. */
function listWanted({ subscriptions, published }: Play, channel: string) {
  const own = subscriptions.filter((it) => it.channel === channel);
  const of = (holds: (it: (typeof own)[number], project: (typeof published)[number]) => boolean) =>
    published
      .filter((project) => own.some((it) => project.filterIds.includes(it.filter) && holds(it, project)))
      .map(({ title }) => numberOf(title));
  // Rules that changed in between may have left it out, or let it through.
  const due = of(
    ({ asked, seenAt, endedAt }, { publishedAt, title }) =>
      endedAt === Number.POSITIVE_INFINITY &&
      seenAt <= publishedAt &&
      asked.every(({ rules }) => letsThrough(rules, title)),
  );
  const allowed = of(
    ({ asked, endedAt }, { publishedAt, title }) =>
      publishedAt <= endedAt + MINUTE &&
      asked.some(
        ({ rules, at }, place) =>
          at - (place === 0 ? SECOND : UNREAD_MS) <= publishedAt && letsThrough(rules, title),
      ),
  );
  return { due, allowed };
}

/** Each project has one card in each channel that it is due in, and none where it isn't. */
function expectCardsOnce(play: Play, cards: Cards): void {
  for (const channel of CHANNELS) {
    const told = cards.filter((it) => it.channel === channel).map(({ number }) => number);
    expect(told.toSorted(), `no card twice in ${channel}`).toEqual([...new Set(told)].toSorted());
    const { due, allowed } = listWanted(play, channel);
    const lost = due.filter((it) => !told.includes(it));
    // People mute projects there.
    if (play.options.about !== 'soak' || channel !== 'ops') expect(lost, `lost in ${channel}`).toEqual([]);
    const unwanted = told.filter((it) => !allowed.includes(it));
    expect(unwanted, `unwanted in ${channel}`).toEqual([]);
  }
}

/** No message stands twice, in a channel, a thread or a direct message. */
function expectPostedOnce({ desk: { slack } }: Play): void {
  const top = slack.channels().flatMap(({ id }) => slack.messages(id));
  const direct = slack.users().flatMap(({ id }) => slack.directMessages(id));
  const all = new Set([...top.flatMap((it) => slack.thread(it.channel, it.ts)), ...direct]);
  const posts = [...all].map(postOf).filter(Boolean);
  expect(
    posts.filter((it, at) => posts.indexOf(it) !== at),
    'posted twice',
  ).toEqual([]);
}

/** What is published in quiet hours comes afterwards. */
function expectQuiet(play: Play, cards: Cards): void {
  const wrongMs = play.options.about === 'soak' ? WRONG_AT_MOST_MS : 0;
  for (const { channel, from, until } of play.quiet)
    for (const { card, number, ...it } of cards) {
      const at = Number(card.ts) * SECOND;
      if (it.channel !== channel || at < from || at >= until - wrongMs) continue;
      const project = play.published.find(({ title }) => title.includes(number));
      expect(project?.publishedAt, `${number} in quiet hours`).toBeLessThanOrEqual(from);
    }
}

/** Claims without a bid are over, and nobody was nudged more often than at both stages of a card. */
function expectResponse(play: Play, cards: Cards): void {
  const own = cards.filter(({ channel }) => channel === 'web');
  const claimed = own.filter(({ text, card }) => card.offers('Release') && !text.includes('Bid by @'));
  expect(
    claimed.map(({ text }) => text),
    'claims that have expired',
  ).toEqual([]);
  const texts = play.desk
    .person('ada')
    .reads('web')
    .map(({ text }) => text);
  const lists = texts.filter((it) => /\bcards? (?:were |was )?unclaimed/u.test(it));
  for (const { number, card } of own) {
    const replies = card.replies().filter((it) => it.text.includes('unclaimed'));
    const listed = lists.filter((it) => it.includes(number));
    expect(replies.length + listed.length, `nudges about ${number}`).toBeLessThanOrEqual(2);
  }
}

/** Each digest came once, or was covered by the next one. */
function expectDigests({ desk, began }: Play): void {
  const { slack, app } = desk;
  for (const { channel, at, days } of DIGESTS) {
    const posts = slack.messages(channel).filter((it) => /^digest:[^:]+:\d+$/u.test(postOf(it)));
    const came = posts.map((it) => Number(postOf(it).split(':').at(-1)));
    const first = Math.floor(began / DAY) * DAY + at;
    const slots = Array.from(
      { length: Math.ceil((app.clock.now() - first) / DAY) },
      (_, day) => first + day * DAY,
    );
    const due = slots.filter((it) => it > began && days.includes(new Date(it).getUTCDay()));
    expect(due, `slots of digests in ${channel}`).toEqual(expect.arrayContaining(came));
    const covered = posts.map((it) => /also covers (\d+) missed/u.exec(messageAt(slack, it).text)?.[1] ?? 0);
    const all = covered.reduce<number>((sum, it) => sum + Number(it), came.length);
    expect(all, `digests in ${channel}`).toBe(due.length);
  }
}

/** Each invitation and each hire is in a message. */
function expectProfileTold({ desk: { slack }, invitations, proposals }: Play): void {
  const all = CHANNELS.flatMap((it) => slack.messages(it)).flatMap((it) => slack.thread(it.channel, it.ts));
  const texts = all.map((it) => messageAt(slack, it).text).join('\n');
  const hired = proposals.filter((it) => it.isHired).map(({ title }) => title);
  expect(
    [...invitations, ...hired].filter((it) => !texts.includes(it)),
    'that nobody was told of',
  ).toEqual([]);
}

/** @throws AssertionError with the promise that was broken */
export function judgeCards(play: Play): void {
  const cards = readCards(play);
  expectCardsOnce(play, cards);
  expectPostedOnce(play);
  expectQuiet(play, cards);
  if (play.options.about !== 'bids') expectResponse(play, cards);
  if (play.options.about !== 'soak') return;
  expectDigests(play);
  expectProfileTold(play);
}
