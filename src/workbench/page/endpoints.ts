/** The page server's endpoints; protocol.ts has the table. */
import type { Clock } from '../../clock.ts';
import { type HttpExchange, parseJsonBody } from '../http.ts';
import type { SimulatedSlack } from '../slack/simulated-slack.ts';
import type { EventStream } from './event-stream.ts';
import type { MarketController } from './market-controller.ts';
import type { PageGuide } from './page-guide.ts';
import type { PageRenderer } from './page-renderer.ts';
import { type AppCommandCatalog, buildPageWorkspace } from './page-workspace.ts';
import { parseMarketAction, parsePageAction } from './parse-actions.ts';
import { performPageAction } from './perform-action.ts';
import type { PageActionResult, ShownMarket } from './protocol.ts';
import {
  listPeople,
  listVisibleMessages,
  listVisibleThread,
  NotVisibleError,
  requirePerson,
  requireVisibleChannel,
  requireVisibleMessage,
} from './visibility.ts';

export interface PageServerContext {
  readonly slack: SimulatedSlack;
  readonly clock: Clock;
  readonly offers: AppCommandCatalog;
  readonly easel: PageRenderer;
  readonly events: EventStream;
  readonly market: MarketController;
  readonly guide: PageGuide;
}

/** Source: protocol.ts. */
const PAGE_OF_MESSAGES = 200;

/** A required query parameter. @throws NotVisibleError without it */
function wanted({ url }: HttpExchange, name: string): string {
  const value = url.searchParams.get(name);
  if (!value) throw new NotVisibleError(`Missing parameter: ${name}.`);
  return value;
}

/** Returns the value to send as JSON. @throws NotVisibleError with a sentence for the person */
export type PageEndpoint = (desk: PageServerContext, exchange: HttpExchange) => unknown;

/** By path. */
export const GET_ENDPOINTS: ReadonlyMap<string, PageEndpoint> = new Map<string, PageEndpoint>([
  [
    '/api/world',
    ({ slack, clock, offers }, { url }) => {
      // At first no person is chosen.
      const id = url.searchParams.get('as') || (listPeople(slack)[0]?.id ?? '');
      return buildPageWorkspace(slack, clock, requirePerson(slack, id), offers);
    },
  ],
  [
    '/api/channel',
    ({ slack, easel }, exchange) => {
      const person = requirePerson(slack, wanted(exchange, 'as'));
      const channel = requireVisibleChannel(slack, person, wanted(exchange, 'channel'));
      const before = exchange.url.searchParams.get('before') ?? undefined;
      return easel.renderShownMessages(
        person,
        listVisibleMessages(slack, person, channel, { most: PAGE_OF_MESSAGES, before }),
      );
    },
  ],
  [
    '/api/thread',
    ({ slack, easel }, exchange) => {
      const person = requirePerson(slack, wanted(exchange, 'as'));
      const parent = requireVisibleMessage(
        slack,
        person,
        wanted(exchange, 'channel'),
        wanted(exchange, 'ts'),
      );
      const channel = slack.channel(parent.channel);
      return easel.renderShownMessages(person, listVisibleThread(slack, person, channel, parent.ts));
    },
  ],
  [
    '/api/views',
    ({ slack, easel }, exchange) => {
      const person = requirePerson(slack, wanted(exchange, 'as'));
      return slack.viewStack(person.id).map((view) => easel.renderShownView(person, view));
    },
  ],
  [
    '/api/home',
    ({ slack, easel }, exchange) => {
      const person = requirePerson(slack, wanted(exchange, 'as'));
      const home = slack.home(person.id);
      return home ? easel.renderShownView(person, home) : null;
    },
  ],
  [
    '/api/market',
    ({ market, guide }) => ({ ...market.readMarket(), guide: guide.listSteps() }) satisfies ShownMarket,
  ],
]);

const WHAT_IS_THIS = 'The page sent an invalid request.';

/** By path. */
export const POST_ENDPOINTS: ReadonlyMap<string, PageEndpoint> = new Map<string, PageEndpoint>([
  [
    '/api/act',
    async ({ slack, guide }, { body }) => {
      const given = parsePageAction(parseJsonBody(body));
      if (!given) return { ok: false, problem: WHAT_IS_THIS } satisfies PageActionResult;
      const answer = await performPageAction(slack, given);
      if (answer.ok) guide.noteAction(given);
      return answer;
    },
  ],
  [
    '/api/market',
    async ({ market, guide, events }, { body }) => {
      const given = parseMarketAction(parseJsonBody(body));
      if (!given) return { ok: false, problem: WHAT_IS_THIS } satisfies PageActionResult;
      const answer = await market.performMarketAction(given);
      if (answer.ok) guide.noteMarketAction(given);
      events.sendToAll({ kind: 'market' });
      // All displayed ages have changed.
      if (given.kind === 'pass') events.sendToAll({ kind: 'world' });
      return answer;
    },
  ],
]);
