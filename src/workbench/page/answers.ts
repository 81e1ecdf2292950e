/** What the page asks for, endpoint by endpoint; protocol.ts has the table. */
import type { Clock } from '../../clock.ts';
import { type Exchange, parseJson } from '../http.ts';
import type { SimulatedSlack } from '../slack/simulated-slack.ts';
import { act } from './act.ts';
import type { Easel } from './easel.ts';
import type { EventStream } from './event-stream.ts';
import type { MarketDesk } from './market.ts';
import type { PageAnswer } from './protocol.ts';
import { readMarketAct, readPageAct } from './read-acts.ts';
import { type Offers, showWorld } from './show-world.ts';
import { findChannel, findMessage, findPerson, messagesFor, NotSeen, peopleOf, threadFor } from './sight.ts';

/** From what everything is answered. */
export interface Desk {
  readonly slack: SimulatedSlack;
  readonly clock: Clock;
  readonly offers: Offers;
  readonly easel: Easel;
  readonly events: EventStream;
  readonly market: MarketDesk;
}

/** As protocol.ts says. */
const PAGE_OF_MESSAGES = 200;

/** A parameter of the query. @throws NotSeen without it */
function wanted({ url }: Exchange, name: string): string {
  const value = url.searchParams.get(name);
  if (!value) throw new NotSeen(`Missing parameter: ${name}.`);
  return value;
}

/** What is sent as JSON. @throws NotSeen with a sentence for the person */
export type Answer = (desk: Desk, exchange: Exchange) => unknown;

/** By path. */
export const READS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [
    '/api/world',
    ({ slack, clock, offers }, { url }) => {
      // At first nobody is chosen.
      const id = url.searchParams.get('as') || (peopleOf(slack)[0]?.id ?? '');
      return showWorld(slack, clock, findPerson(slack, id), offers);
    },
  ],
  [
    '/api/channel',
    ({ slack, easel }, exchange) => {
      const person = findPerson(slack, wanted(exchange, 'as'));
      const channel = findChannel(slack, person, wanted(exchange, 'channel'));
      const before = exchange.url.searchParams.get('before') ?? undefined;
      return easel.messages(person, messagesFor(slack, person, channel, { most: PAGE_OF_MESSAGES, before }));
    },
  ],
  [
    '/api/thread',
    ({ slack, easel }, exchange) => {
      const person = findPerson(slack, wanted(exchange, 'as'));
      const parent = findMessage(slack, person, wanted(exchange, 'channel'), wanted(exchange, 'ts'));
      const channel = slack.channel(parent.channel);
      return easel.messages(person, threadFor(slack, person, channel, parent.ts));
    },
  ],
  [
    '/api/views',
    ({ slack, easel }, exchange) => {
      const person = findPerson(slack, wanted(exchange, 'as'));
      return slack.viewStack(person.id).map((view) => easel.view(person, view));
    },
  ],
  [
    '/api/home',
    ({ slack, easel }, exchange) => {
      const person = findPerson(slack, wanted(exchange, 'as'));
      const home = slack.home(person.id);
      return home ? easel.view(person, home) : null;
    },
  ],
  ['/api/market', ({ market }) => market.show()],
]);

const WHAT_IS_THIS = 'The page sent an invalid request.';

/** By path. */
export const POSTS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  [
    '/api/act',
    ({ slack }, { body }) => {
      const given = readPageAct(parseJson(body));
      return given ? act(slack, given) : ({ ok: false, problem: WHAT_IS_THIS } satisfies PageAnswer);
    },
  ],
  [
    '/api/market',
    async ({ market, events }, { body }) => {
      const given = readMarketAct(parseJson(body));
      if (!given) return { ok: false, problem: WHAT_IS_THIS } satisfies PageAnswer;
      const answer = await market.act(given);
      events.tell({ kind: 'market' });
      // Every age that is shown is another one now.
      if (given.kind === 'pass') events.tell({ kind: 'world' });
      return answer;
    },
  ],
]);
