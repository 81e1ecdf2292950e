/**
 * Answers `POST /hooks/<secret>`, where outside tools say that a filter has a new project. The secret is the
 * only thing that is checked, and it is in the path: the path must never be logged.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { parseJson } from '../base/parse-json.ts';
import { withTimeLimit } from '../base/time-limit.ts';
import type { Clock } from '../clock.ts';
import { asError } from '../errors.ts';
import { findTeamOfSecret, type HintIntake } from '../hints/hints.ts';
import { MOST_HINTED_FILTERS, readHint } from '../hints/read-hint.ts';
import { FilterId, type TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import { BodyMemoryLimit, type BodyReadFailure, readBody } from './core/read-body.ts';
import { type Acknowledgement, type Forwarding, NOT_HERE } from './core/slack-request.ts';
import type { TeamHandlers } from './teams.ts';

/** What the receiver itself counts; the rest is known where the workspace is. */
export type HintRequestOutcome = 'no-filter' | 'refused';

export interface HintRequestOptions {
  readonly teams: Pick<TeamHandlers, 'find' | 'lookUp'>;
  /** Missing: there are no other replicas. */
  readonly forwarding?: Forwarding;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for each request of a tool that isn't passed on to a workspace. Must not throw. */
  readonly onHintRequest?: (outcome: HintRequestOutcome) => void;
}

/** A project with its description takes a few kB. */
const MOST_BODY_BYTES = 256 * 1_024;
const FORWARDED_WITHIN_MS = 1_000;
/** Unproven requests that ask the database or another replica, at once. */
const MOST_ELSEWHERE = 8;
/** Later, the answer is that the address couldn't be checked. */
const CHECKED_WITHIN_MS = 2_500;

const Hint = z.object({ secret: z.string().max(200), filters: z.array(FilterId).max(MOST_HINTED_FILTERS) });
type Hint = z.infer<typeof Hint>;

/** `unchecked`: the workspace can't be reached just now, so nobody knows whether the secret is right. */
type Verdict = 'right' | 'wrong' | 'unchecked' | 'busy';

interface ReadRequest {
  readonly method: string | undefined;
  readonly filters: readonly FilterId[];
  readonly failure?: BodyReadFailure;
}

interface HintAnswer {
  readonly status: number;
  readonly words: string;
}

const NOT_FOUND: HintAnswer = { status: 404, words: 'not found' };
const BUSY: HintAnswer = { status: 429, words: 'Too many requests. Try again in a second.' };
const UNCHECKED: HintAnswer = {
  status: 202,
  words: "Received. Gigdesk can't check this address just now, and reads all filters at their usual times.",
};
const GET: HintAnswer = { status: 200, words: 'Send hints with POST.' };
const POST_ONLY: HintAnswer = { status: 405, words: 'POST only' };
const FOUND: HintAnswer = {
  status: 200,
  words: 'Thanks. Gigdesk reads this filter next, if a channel follows it.',
};
const NO_FILTER: HintAnswer = {
  status: 200,
  words: 'Thanks. No filter ID found: add ?filter=<ID> to the address, or send {"filter": <ID>}.',
};
const UNREAD: HintAnswer = {
  status: 200,
  words: 'Thanks. The body is too large or too slow: add ?filter=<ID> to the address.',
};

/** Pure. Anything but 4xx for a right secret, so that tools don't give up the address. */
function decideAnswer(verdict: Verdict, { method, filters, failure }: ReadRequest): HintAnswer {
  if (verdict === 'wrong') return NOT_FOUND;
  if (verdict === 'busy') return BUSY;
  if (method === 'GET' || method === 'HEAD') return GET;
  if (method !== 'POST') return POST_ONLY;
  if (verdict === 'unchecked') return UNCHECKED;
  if (filters.length > 0) return FOUND;
  return failure === undefined ? NO_FILTER : UNREAD;
}

async function takeHint(hints: HintIntake, { secret, filters }: Hint): Promise<Verdict> {
  try {
    if (!(await hints.isSecret(secret))) return 'wrong';
  } catch {
    // The workspace is closing.
    return 'unchecked';
  }
  if (filters.length > 0) hints.takeHints(filters);
  return 'right';
}

export class HintRequests {
  readonly #options: HintRequestOptions;
  readonly #room = new BodyMemoryLimit();
  #elsewhere = 0;

  constructor(options: HintRequestOptions) {
    this.#options = options;
  }

  /**
   * Answers every request, except bodies that break off. Never throws.
   * @param secret what follows the path. @param query what follows `?`. Both untrusted
   */
  async handleRequest(
    request: IncomingMessage,
    response: ServerResponse,
    secret: string,
    query: string,
  ): Promise<void> {
    const team = findTeamOfSecret(secret);
    if (!team) return this.#end(response, NOT_FOUND, true);
    // First without the body: a stranger's isn't read.
    const checked = await this.#decide(team, { secret, filters: [] });
    if (checked !== 'right')
      return this.#end(response, decideAnswer(checked, { method: request.method, filters: [] }), true);
    const read = await this.#read(request, query);
    if (read.failure === 'broken') return;
    const hint = { secret, filters: [...read.filters] };
    const verdict = hint.filters.length > 0 ? await this.#decide(team, hint) : checked;
    const answer = decideAnswer(verdict, read);
    if (answer === NO_FILTER || answer === UNREAD) this.#options.onHintRequest?.('no-filter');
    this.#end(response, answer, read.failure !== undefined);
  }

  async #decide(team: TeamId, hint: Hint): Promise<Verdict> {
    const place = this.#options.teams.find(team);
    return place.kind === 'here' ? takeHint(place.hints, hint) : this.#passOnIfFree(team, hint);
  }

  /** Answers what another replica received and passed on. Never throws. @param json parsed here */
  async handleForwarded(json: string): Promise<Acknowledgement> {
    const { data } = Hint.safeParse(parseJson(json));
    const team = data && findTeamOfSecret(data.secret);
    if (!team) return toForwardAnswer('wrong');
    const place = this.#options.teams.find(team);
    return place.kind === 'here' ? toForwardAnswer(await takeHint(place.hints, data)) : NOT_HERE;
  }

  async #read(request: IncomingMessage, query: string): Promise<ReadRequest> {
    const { method } = request;
    if (method !== 'POST') return { method, filters: [] };
    const { clock } = this.#options;
    const read = await readBody(request, { mostBytes: MOST_BODY_BYTES, clock, room: this.#room });
    if (typeof read === 'string') return { method, filters: readHint(query, ''), failure: read };
    return { method, filters: readHint(query, read.toString()) };
  }

  /** A request keeps its place until nothing of it waits in a queue, even when it is answered before. */
  async #passOnIfFree(team: TeamId, hint: Hint): Promise<Verdict> {
    const { clock, log } = this.#options;
    if (this.#elsewhere >= MOST_ELSEWHERE) return 'busy';
    this.#elsewhere++;
    const verdict = this.#passOn(team, hint)
      .catch((thrown: unknown): Verdict => {
        log.warn("couldn't pass a hint on", { team, error: asError(thrown) });
        return 'unchecked';
      })
      .finally(() => {
        this.#elsewhere--;
      });
    return withTimeLimit(clock, CHECKED_WITHIN_MS, verdict, () => 'unchecked');
  }

  /** @param except the address of a replica that doesn't serve the workspace anymore */
  async #passOn(team: TeamId, hint: Hint, except?: string): Promise<Verdict> {
    const { teams } = this.#options;
    const known = teams.find(team);
    const isLost = except !== undefined || known.kind === 'moving';
    const place = isLost ? await teams.lookUp(team, except) : known;
    switch (place.kind) {
      case 'here':
        return takeHint(place.hints, hint);
      case 'nowhere':
        return 'wrong';
      case 'moving':
        return 'unchecked';
      case 'there': {
        const verdict = await this.#forward(place.url, hint);
        if (verdict) return verdict;
        return except === undefined ? this.#passOn(team, hint, place.url) : 'unchecked';
      }
    }
  }

  /** @returns undefined: that replica doesn't answer, or doesn't serve the workspace */
  async #forward(url: string, hint: Hint): Promise<Verdict | undefined> {
    const { forwarding, clock } = this.#options;
    const forwarded = { hint: JSON.stringify(hint), receivedAt: clock.now() };
    const result = await forwarding?.forward(url, forwarded, FORWARDED_WITHIN_MS);
    const body = result?.kind === 'acknowledged' ? result.acknowledgement.body : undefined;
    return body === 'right' || body === 'wrong' ? body : undefined;
  }

  #end(response: ServerResponse, { status, words }: HintAnswer, closes: boolean): void {
    if (status >= 400) this.#options.onHintRequest?.('refused');
    // The rest of the body isn't read.
    if (closes) response.once('finish', () => response.req.destroy());
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    response.writeHead(status, closes ? { ...headers, connection: 'close' } : headers).end(`${words}\n`);
  }
}

function toForwardAnswer(verdict: Verdict): Acknowledgement {
  return verdict === 'unchecked' ? NOT_HERE : { status: 200, body: verdict };
}
