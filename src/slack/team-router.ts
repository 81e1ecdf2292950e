/**
 * Finds the handlers of each request of Slack: in this process, or in the replica that serves the workspace
 * (decision 8). A request that may have been acted on is never sent a second time.
 */
import { putBounded } from '../base/put-bounded.ts';
import { type Clock, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import {
  findInstallingTeam,
  getCallKind,
  PartialCallPayload,
  PartialSubmissionPayload,
  saysAppWasRemoved,
} from './core/payloads.ts';
import type { SlackBody } from './core/read-body.ts';
import { type PostJson, ResponseUrl } from './core/replies.ts';
import { movingText, unansweredText } from './core/request-errors.ts';
import {
  ACKNOWLEDGED,
  type Acknowledgement,
  type Forwarding,
  type ForwardResult,
  NOT_HERE,
  NOT_NOW,
  type SlackRequest,
  toAcknowledgement,
} from './core/slack-request.ts';
import { explainInView } from './core/submissions.ts';
import type { ServedTeam, TeamHandlers, TeamPlace } from './teams.ts';

/**
 * Events are left unacknowledged, so that Slack sends them again. Everything else is acknowledged.
 * @param title of a window without inputs, at most 24 characters
 * @returns `responseUrl`: where the sentence still has to be sent, as the acknowledgement can't carry it
 */
function declineRequest(
  body: SlackBody,
  title: string,
  words: string,
): { readonly acknowledgement: Acknowledgement; readonly responseUrl?: string } {
  if (body['type'] === 'event_callback') return { acknowledgement: NOT_NOW };
  if (body['type'] === 'block_suggestion') return { acknowledgement: toAcknowledgement({ options: [] }) };
  switch (getCallKind(body)) {
    case 'command':
      return { acknowledgement: toAcknowledgement({ response_type: 'ephemeral', text: words }) };
    case 'view': {
      const { data } = PartialSubmissionPayload.safeParse(body);
      return { acknowledgement: data ? toAcknowledgement(explainInView(data, title, words)) : ACKNOWLEDGED };
    }
    case 'action':
    case 'shortcut': {
      const responseUrl = PartialCallPayload.safeParse(body).data?.response_url;
      return responseUrl ? { acknowledgement: ACKNOWLEDGED, responseUrl } : { acknowledgement: ACKNOWLEDGED };
    }
    case undefined:
      return { acknowledgement: ACKNOWLEDGED };
  }
}

export interface TeamRouterOptions {
  readonly teams: TeamHandlers;
  /** Missing: there are no other replicas. */
  readonly forwarding?: Forwarding;
  readonly clock: Clock;
  readonly log: Log;
  /** For `response_url`s. */
  readonly post: PostJson;
}

/** Slack waits 3 s for an acknowledgement, and our answer takes its way, too. */
const ANSWERED_WITHIN_MS = 2.7 * SECOND;
/** Leaves time for the owner to answer. */
const FOUND_WITHIN_MS = 2 * SECOND;
const MOST_STRANGERS = 1_000;
const NOT_DONE: ForwardResult = { kind: 'not-done' };

export class TeamRouter {
  readonly #options: TeamRouterOptions;
  /** Of the requests that are handled here, by their bodies. */
  readonly #served = new WeakMap<object, ServedTeam>();
  /** Teams that aren't installed: each is logged once. */
  readonly #strangers = new Map<TeamId | undefined, true>();

  constructor(options: TeamRouterOptions) {
    this.#options = options;
  }

  /** Whether the request with this body was admitted. */
  isAdmitted(body: object): boolean {
    return this.#served.has(body);
  }

  /** The handlers of an admitted request. @throws Error for any other */
  findServed(body: object): ServedTeam {
    const served = this.#served.get(body);
    if (!served) throw new Error('The request was not admitted');
    return served;
  }

  /**
   * Never throws, and takes at most 2.7 s from the request's arrival.
   * @returns undefined: this process handles it; otherwise the answer to Slack
   */
  async admit(request: SlackRequest): Promise<Acknowledgement | undefined> {
    const team = findInstallingTeam(request.body);
    const { onRemoved } = this.#options.teams;
    if (team && onRemoved && saysAppWasRemoved(request.body)) return this.#remove(onRemoved, team, request);
    let place = this.#options.teams.find(team);
    if (place.kind === 'moving' && team) place = await this.#waitForOwner(team, request);
    if (request.isForwarded && place.kind !== 'here') return NOT_HERE;
    if (place.kind === 'there' && team) {
      const { url } = place;
      const result = await this.#forward(url, request);
      if (result.kind !== 'not-done') return this.#conclude(result, request);
      place = await this.#waitForOwner(team, request, url);
    }
    switch (place.kind) {
      case 'here':
        this.#served.set(request.body, place);
        return undefined;
      case 'there':
        return this.#conclude(await this.#forward(place.url, request), request);
      case 'moving':
        return this.#conclude(NOT_DONE, request);
      case 'nowhere':
        this.#logStranger(team);
        return ACKNOWLEDGED;
    }
  }

  async #remove(
    onRemoved: (team: TeamId) => Promise<void>,
    team: TeamId,
    request: SlackRequest,
  ): Promise<Acknowledgement> {
    try {
      await onRemoved(team);
      return ACKNOWLEDGED;
    } catch (thrown) {
      this.#options.log.warn("Couldn't remove a workspace's tokens yet", { team, error: asError(thrown) });
      return this.#conclude(NOT_DONE, request);
    }
  }

  #waitForOwner(team: TeamId, request: SlackRequest, except?: string): Promise<TeamPlace> {
    return this.#options.teams.waitForOwner(team, this.#leftMs(request, FOUND_WITHIN_MS), except);
  }

  async #forward(url: string, request: SlackRequest): Promise<ForwardResult> {
    const withinMs = this.#leftMs(request, ANSWERED_WITHIN_MS);
    if (withinMs === 0) return NOT_DONE;
    return (await this.#options.forwarding?.forward(url, request, withinMs)) ?? NOT_DONE;
  }

  /** A clock that was set back must not extend the time. */
  #leftMs({ receivedAt }: SlackRequest, withinMs: number): number {
    return Math.min(Math.max(receivedAt + withinMs - this.#options.clock.now(), 0), withinMs);
  }

  #conclude(result: ForwardResult, { body }: SlackRequest): Acknowledgement {
    if (result.kind === 'acknowledged') return result.acknowledgement;
    const isUnknown = result.kind === 'unknown';
    const words = isUnknown ? unansweredText() : movingText();
    const title = isUnknown ? 'No answer' : 'Not sent';
    const { acknowledgement, responseUrl } = declineRequest(body, title, words);
    this.#options.log.warn(
      isUnknown ? 'another replica did not answer a request' : 'no replica took a request',
      { team: findInstallingTeam(body) },
    );
    if (responseUrl !== undefined) void this.#explain(responseUrl, words);
    return acknowledgement;
  }

  async #explain(address: string, text: string): Promise<void> {
    try {
      await new ResponseUrl(address, this.#options).send({ text }, 'ephemeral');
    } catch (thrown) {
      this.#options.log.warn('could not explain an unhandled request', { error: asError(thrown) });
    }
  }

  #logStranger(team: TeamId | undefined): void {
    if (this.#strangers.has(team)) return;
    putBounded(this.#strangers, team, true, MOST_STRANGERS);
    this.#options.log.warn('ignored requests of a workspace that is not installed', { team });
  }
}
