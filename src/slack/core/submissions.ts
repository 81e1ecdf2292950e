/**
 * Handles submitted modals. Decides each one before the acknowledgement, which tells Slack what the person
 * sees next. It always acknowledges in time, and typed values are never lost.
 */
import type { ViewResponseAction } from '@slack/bolt';
import { SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { noticeView } from '../kit/block-builders.ts';
import { checkView } from '../kit/check-limits.ts';
import { escapeMrkdwn } from '../kit/mrkdwn.ts';
import { toAcknowledgedView } from './block-support.ts';
import type { Caller, CallGuard } from './call-guard.ts';
import { recordCallIfNew } from './call-tracking.ts';
import { failureMessage } from './failures.ts';
import {
  findPayloadTeam,
  PartialSubmissionPayload,
  readPressedView,
  SubmissionPayload,
  ViewClosedPayload,
} from './payloads.ts';
import { otherWorkspaceMessage, restartingMessage, unknownViewMessage } from './request-errors.ts';
import type { Message, Services, SubmissionResponse, ViewInteraction, ViewRoute } from './routes.ts';

/** The block IDs that can show an error. */
function inputsOf({ blocks }: Pick<PartialSubmissionPayload['view'], 'blocks'>): readonly string[] {
  return blocks.map((block) => block.block_id);
}

/**
 * Shows the error at an input, or else in a view on top, so that nothing typed is lost. Slack stacks at most
 * three views: a view that is already stacked is replaced.
 */
export function explainInView(
  submitted: Pick<PartialSubmissionPayload, 'view'>,
  title: string,
  words: string,
): ViewResponseAction {
  const [place] = inputsOf(submitted.view);
  if (place !== undefined) return errorAt(place, words);
  const { id, root_view_id: root } = submitted.view;
  const isAlone = root === undefined || root === id;
  return { response_action: isAlone ? 'push' : 'update', view: noticeView(title, words) };
}

function errorAt(blockId: string, words: string): ViewResponseAction {
  return { response_action: 'errors', errors: Object.fromEntries([[blockId, words]]) };
}

/** Slack waits 3 s for an acknowledgement, counted from when it sent the submission. */
const DECIDED_WITHIN_MS = 2 * SECOND;

export interface SubmissionDecision {
  /** The acknowledgement's body; undefined closes the view. */
  readonly ack: ViewResponseAction | undefined;
  /** The work after the acknowledgement. Handles its own errors. */
  readonly afterAck?: () => Promise<void>;
}

interface Submitted {
  readonly payload: SubmissionPayload;
  readonly caller: Caller;
}

export class SubmissionHandler {
  readonly #routes: readonly ViewRoute[];
  readonly #services: Services;
  readonly #callGuard: CallGuard;

  constructor(routes: readonly ViewRoute[], services: Services, callGuard: CallGuard) {
    this.#routes = routes;
    this.#services = services;
    this.#callGuard = callGuard;
  }

  /** Never throws, and takes at most 2 s. @param waitedMs since Slack's request arrived. */
  async decideSubmission(body: unknown, waitedMs: number, isStopping: boolean): Promise<SubmissionDecision> {
    const parsed = SubmissionPayload.safeParse(body);
    if (!parsed.success) return this.#unreadable(body, parsed.error);
    const { data: payload } = parsed;
    const decision = await this.#decide({ payload, caller: this.#caller(payload) }, waitedMs, isStopping);
    const { ack, afterAck } = decision;
    return afterAck ? { ack, afterAck: () => this.#runOnce(payload, afterAck) } : decision;
  }

  /** Does the work of a submission, unless Slack sent it before. */
  async #runOnce({ trigger_id: trigger, user }: SubmissionPayload, work: () => Promise<void>): Promise<void> {
    if (await recordCallIfNew(this.#services, trigger)) await work();
    else this.#services.log.info('Slack repeated a call', { kind: 'view', user: user.id });
  }

  async #decide(submitted: Submitted, waitedMs: number, isStopping: boolean): Promise<SubmissionDecision> {
    const { team, log } = this.#services;
    if (submitted.caller.team !== team) {
      log.warn('ignored a submission from another workspace', { team: submitted.caller.team });
      const words = "Gigdesk isn't set up for this workspace. Nothing was changed.";
      return this.#refuse(submitted, words, otherWorkspaceMessage());
    }
    const restarting = 'Gigdesk is restarting. What you typed is still here. Try again in a minute.';
    if (isStopping) return this.#refuse(submitted, restarting, restartingMessage());
    const route = this.#routes.find((it) => it.id === submitted.payload.view.callback_id);
    if (!route) return this.#close(submitted, unknownViewMessage());
    try {
      return await this.#ask(submitted, route, waitedMs);
    } catch (thrown) {
      const ref = this.#callGuard.logCallFailure(submitted.caller, `view ${route.id}`, thrown);
      const message = failureMessage(thrown, ref, this.#services.clock.now());
      const kept = 'What you typed is still here. Try again.';
      return this.#refuse(
        submitted,
        `Something went wrong, and nothing was sent. ${kept} (ref ${ref})`,
        message,
      );
    }
  }

  /** The person closed a view. Needs no answer, so a failure is only logged. */
  async handleClosedView(body: unknown): Promise<void> {
    const { log, team } = this.#services;
    const parsed = ViewClosedPayload.safeParse(body);
    if (!parsed.success) return void this.#callGuard.logUnreadablePayload('view_closed', parsed.error);
    const { user, view } = parsed.data;
    if (findPayloadTeam(parsed.data) !== team) return;
    try {
      const route = this.#routes.find((it) => it.id === view.callback_id);
      await route?.closed?.({ user: user.id, view: readPressedView(view), services: this.#services });
    } catch (thrown) {
      log.error('could not handle a closed view', { view: view.callback_id, error: asError(thrown) });
    }
  }

  #caller(payload: SubmissionPayload): Caller {
    const { user, trigger_id: triggerId } = payload;
    const names = { user: user.id, team: findPayloadTeam(payload), triggerId };
    return this.#callGuard.createCaller(undefined, { ...names, channel: undefined });
  }

  #unreadable(body: unknown, error: Error): SubmissionDecision {
    const ref = this.#callGuard.logUnreadablePayload('view_submission', error);
    const { data: rescued } = PartialSubmissionPayload.safeParse(body);
    const words = `Gigdesk couldn't read this, so nothing was sent. Try again. (ref ${ref})`;
    return { ack: rescued && explainInView(rescued, 'Nothing was sent', words) };
  }

  /**
   * Keeps the view open and shows the reason at its first input; without inputs it closes the view, which
   * loses nothing.
   */
  #refuse(submitted: Submitted, words: string, message: Message): SubmissionDecision {
    const [place] = inputsOf(submitted.payload.view);
    return place === undefined ? this.#close(submitted, message) : { ack: errorAt(place, words) };
  }

  #close({ caller }: Submitted, message: Message): SubmissionDecision {
    const afterAck = async () => {
      try {
        await this.#callGuard.sendReply(caller, message);
      } catch (thrown) {
        const { user } = caller;
        this.#services.log.warn('could not deliver a denial', { user, error: asError(thrown) });
      }
    };
    return { ack: undefined, afterAck };
  }

  async #ask(submitted: Submitted, route: ViewRoute, waitedMs: number): Promise<SubmissionDecision> {
    const { payload, caller } = submitted;
    const place = { user: caller.user, view: readPressedView(payload.view), services: this.#services };
    // However late it arrived, and though a clock that was set back must not extend the time.
    const leftMs = Math.min(Math.max(DECIDED_WITHIN_MS - waitedMs, SECOND / 4), DECIDED_WITHIN_MS);
    const answer = await this.#inTime(route, place, leftMs);
    // Slack shows errors only at inputs.
    if (answer.kind === 'errors' && inputsOf(payload.view).length === 0) {
      const words = Object.values(answer.errors).map(escapeMrkdwn).join(' ');
      return this.#close(submitted, { text: `:warning: Nothing was sent. ${words}` });
    }
    const ack = this.#ackOf(answer, payload);
    return answer.after ? { ack, afterAck: () => this.#follow(caller, route, place, answer) } : { ack };
  }

  /** @throws what `submit` throws; Error when it takes too long, and its answer is dropped. */
  #inTime(route: ViewRoute, place: ViewInteraction, ms: number): Promise<SubmissionResponse> {
    const { clock, log } = this.#services;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = clock.runAfter(ms, () => {
        isLate = true;
        reject(new Error('the submission was not decided in time'));
      });
      const fail = (thrown: unknown) => {
        cancel();
        if (isLate) log.warn('a late submission also failed', { view: route.id, error: asError(thrown) });
        reject(asError(thrown));
      };
      try {
        route.submit(place).then((answer) => {
          cancel();
          resolve(answer);
        }, fail);
      } catch (thrown) {
        fail(thrown);
      }
    });
  }

  /** @throws LimitError for a view that Slack would refuse; RangeError for errors that name none. */
  #ackOf(answer: SubmissionResponse, payload: SubmissionPayload): ViewResponseAction | undefined {
    switch (answer.kind) {
      case 'errors':
        return { response_action: 'errors', errors: this.#errorsOf(answer.errors, payload) };
      case 'update':
      case 'push': {
        checkView(answer.view);
        const view = toAcknowledgedView(answer.view, this.#services.blockSupport);
        return { response_action: answer.kind, view };
      }
      case 'close':
        return undefined;
    }
  }

  /** Slack refuses all errors if one names an unknown input: those are shown at the first input. */
  #errorsOf(errors: Readonly<Record<string, string>>, payload: SubmissionPayload): Record<string, string> {
    const inputs = inputsOf(payload.view);
    const shown = new Map<string, string>();
    for (const [blockId, words] of Object.entries(errors)) {
      const isKnown = inputs.includes(blockId);
      if (!isKnown) this.#services.log.error("error for an input that doesn't exist", { input: blockId });
      const place = isKnown ? blockId : (inputs[0] ?? blockId);
      const before = shown.get(place);
      shown.set(place, before === undefined ? words : `${before} ${words}`);
    }
    if (shown.size === 0) throw new RangeError('no errors in an error answer');
    return Object.fromEntries(shown);
  }

  async #follow(caller: Caller, route: ViewRoute, { view }: ViewInteraction, answer: SubmissionResponse) {
    const placed = { ...caller, channel: answer.channel };
    const tell = async (message: Message) => {
      // The acknowledgement showed a view that waits for the result.
      if (answer.kind === 'update') await this.#showIn(view.id, answer.view.title.text, message);
      await this.#callGuard.sendReply(placed, message);
    };
    try {
      const person = await this.#callGuard.authorize(placed, { needs: route.needs, name: route.id }, tell);
      if (person) await answer.after?.({ ...this.#callGuard.createHandlerCall(placed, person), view });
    } catch (thrown) {
      await this.#callGuard.reportFailure(placed, `view ${route.id}`, thrown, tell);
    }
  }

  async #showIn(viewId: string, title: string, { text }: Message): Promise<void> {
    try {
      await this.#services.slack.updateView(viewId, noticeView(title, text));
    } catch (thrown) {
      this.#services.log.info('a view could not show its result', { error: asError(thrown) });
    }
  }
}
