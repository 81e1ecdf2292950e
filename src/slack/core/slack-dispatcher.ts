/**
 * Between Slack and the handlers: acknowledges at once, then does the work. Drops repeats, checks roles, and
 * reports failures. A failure's message and its log line share a reference.
 */
import type { ViewResponseAction } from '@slack/bolt';
import { type Instant, SECOND } from '../../clock.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { cleanText, unescapeMrkdwn } from '../kit/mrkdwn.ts';
import { type Caller, CallGuard, type CallGuardOptions } from './call-guard.ts';
import { BackgroundWork, recordCallIfNew, SubmissionsSincePress } from './call-tracking.ts';
import {
  ActionPayload,
  CommandPayload,
  findPayloadTeam,
  getCallKind,
  MAX_COMMAND_LENGTH,
  readPressedView,
  ShortcutPayload,
} from './payloads.ts';
import {
  commandTooLongMessage,
  otherWorkspaceMessage,
  restartingMessage,
  unknownButtonMessage,
  unknownCommandMessage,
} from './request-errors.ts';
import type { ActionCall, ActionRoute, Message, RouteTable } from './routes.ts';
import { type ReadInBackground, SlackEvents } from './slack-events.ts';
import { commandRequestLabel, type PendingWork } from './slow-reply.ts';
import { SubmissionHandler } from './submissions.ts';

export type SlackDispatcherOptions = CallGuardOptions & { readonly table: RouteTable };

type Pressed = ActionPayload['actions'][number];

/** Slack's acknowledgement, without a body. */
export type Ack = () => Promise<void>;

/** The acknowledgement of a submitted view; its body decides what the view shows next. */
export type ViewAck = (answer?: ViewResponseAction) => Promise<void>;

export class SlackDispatcher {
  readonly events: SlackEvents;
  readonly #options: SlackDispatcherOptions;
  readonly #backgroundWork: BackgroundWork;
  readonly #callGuard: CallGuard;
  readonly #submissions: SubmissionHandler;
  readonly #submissionsSincePress: SubmissionsSincePress;
  #isStopping = false;
  #isOver = false;

  /** @throws RangeError when two routes of a kind have the same name. */
  constructor(options: SlackDispatcherOptions) {
    assertUniqueRoutes(options.table);
    this.#options = options;
    this.#backgroundWork = new BackgroundWork(options.services);
    this.#callGuard = new CallGuard(options);
    this.#submissionsSincePress = new SubmissionsSincePress(options.services.clock);
    this.#submissions = new SubmissionHandler(options.table.views, options.services, this.#callGuard);
    this.events = new SlackEvents({
      ...options,
      handlers: options.table.events,
      read: (kind, schema, body, work) => this.#read(kind, schema, this.#toInside(body), work),
      readAsSent: this.#read,
      isStopping: () => this.#isStopping,
    });
  }

  /** Whether no handler is running. */
  get isIdle(): boolean {
    return this.#backgroundWork.count === 0;
  }

  /** Whether it is stopping or has stopped: no more calls are handled. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Starts no more handlers and waits for running ones. @returns how many were left at the deadline. */
  async stop(deadlineMs: number): Promise<number> {
    this.#isStopping = true;
    const left = await this.#backgroundWork.drain(deadlineMs);
    this.#isOver = true;
    return left;
  }

  async command(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    const isLate = this.#isStopping;
    await this.#acknowledge(ack, 'command', receivedAt);
    this.#read('command', CommandPayload, this.#toInside(body), (payload) => {
      const caller = this.#callGuard.createCaller(payload.response_url, {
        user: payload.user_id,
        channel: payload.channel_id,
        team: payload.team_id,
        triggerId: payload.trigger_id,
      });
      return this.#attend(caller, 'command', isLate, () => this.#runCommand(caller, payload));
    });
  }

  async action(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    const arrival = this.#submissionsSincePress.nextArrivalNumber();
    const isLate = this.#isStopping;
    await this.#acknowledge(ack, 'action', receivedAt);
    this.#read('action', ActionPayload, this.#toInside(body), (payload) => {
      const caller = this.#interacting(payload);
      return this.#attend(caller, 'action', isLate, () => this.#runAction(caller, payload, arrival));
    });
  }

  async shortcut(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    const isLate = this.#isStopping;
    await this.#acknowledge(ack, 'shortcut', receivedAt);
    this.#read('shortcut', ShortcutPayload, this.#toInside(body), (payload) => {
      const caller = this.#interacting(payload);
      return this.#attend(caller, 'shortcut', isLate, () => this.#runShortcut(caller, payload));
    });
  }

  /** A submitted modal: decided first, as its acknowledgement sets what shows next. Resolves with that. */
  async view(sent: unknown, ack: ViewAck, receivedAt?: Instant): Promise<void> {
    const { clock, channelIds } = this.#options.services;
    const body = this.#toInside(sent);
    const from = receivedAt ?? clock.now();
    const decided = this.#submissions.decideSubmission(body, clock.now() - from, this.#isStopping);
    this.#submissionsSincePress.recordSubmission(body, decided);
    const acknowledged = decided.then((decision) => {
      const answer = channelIds ? channelIds.toOutside(decision.ack) : decision.ack;
      return this.#acknowledge(() => ack(answer), 'view', from);
    });
    this.#backgroundWork.start(async () => {
      const [end] = await Promise.allSettled([acknowledged]);
      // If the acknowledgement failed, Slack reported an error to the person: do nothing.
      if (end.status === 'fulfilled') await (await decided).afterAck?.();
    });
    await acknowledged;
  }

  async viewClosed(sent: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    const body = this.#toInside(sent);
    this.#submissionsSincePress.recordClosedView(body);
    await this.#acknowledge(ack, 'view_closed', receivedAt);
    // Saves typed values for as long as the store is open.
    if (!this.#isOver) this.#backgroundWork.start(() => this.#submissions.handleClosedView(body));
  }

  /** For requests that the SDK couldn't route: the sender learns that nothing was done. */
  async handleUnrecognizedPayload(body: unknown, ack: ViewAck): Promise<void> {
    const kind = getCallKind(body);
    if (kind === undefined) return ack();
    await this[kind](body, ack);
  }

  /** The person who pressed something or used a shortcut. */
  #interacting(payload: ActionPayload | ShortcutPayload): Caller {
    return this.#callGuard.createCaller(payload.response_url, {
      user: payload.user.id,
      channel: payload.channel?.id,
      team: findPayloadTeam(payload),
      triggerId: payload.trigger_id,
    });
  }

  async #acknowledge(ack: Ack, kind: string, receivedAt: Instant | undefined): Promise<void> {
    const { clock, log } = this.#options.services;
    const from = receivedAt ?? clock.now();
    await ack();
    const tookMs = clock.now() - from;
    this.#options.watch?.acknowledged(kind, tookMs);
    // Close to the 3 s after which Slack shows an error.
    if (tookMs > 2.5 * SECOND) log.warn('slow acknowledgement', { kind, tookMs });
  }

  /** With the channel IDs of our records. */
  #toInside<T>(body: T): T {
    const { channelIds } = this.#options.services;
    return channelIds ? channelIds.toInside(body) : body;
  }

  /** Parses and handles the payload in the background. */
  readonly #read: ReadInBackground = (kind, schema, body, work) => {
    this.#backgroundWork.start(() => {
      const parsed = schema.safeParse(body);
      return parsed.success
        ? work(parsed.data)
        : this.#callGuard.rejectUnreadablePayload(kind, body, parsed.error);
    });
  };

  /**
   * The checks of every kind of call.
   * @param isLate it came during the stop; what came before is handled: the stop waits for it
   */
  async #attend(caller: Caller, kind: string, isLate: boolean, run: () => Promise<void>): Promise<void> {
    const { services } = this.#options;
    const { team, user } = caller;
    try {
      if (team !== services.team) {
        services.log.warn('ignored a call from another workspace', { kind, team, user });
        await this.#answer(caller, otherWorkspaceMessage());
      } else if (isLate) {
        await this.#answer(caller, restartingMessage());
      } else if (await recordCallIfNew(services, caller.triggerId)) {
        await run();
      } else {
        services.log.info('Slack repeated a call', { kind, user });
      }
    } catch (thrown) {
      await this.#callGuard.reportFailure(caller, kind, thrown);
    }
  }

  #answer(caller: Caller, message: Message): Promise<void> {
    return this.#callGuard.sendReply(caller, message);
  }

  async #runCommand(caller: Caller, payload: CommandPayload): Promise<void> {
    const { commands, bareCommand } = this.#options.table;
    if (payload.text.length > MAX_COMMAND_LENGTH)
      return this.#answer(caller, commandTooLongMessage(payload.text.length, MAX_COMMAND_LENGTH));
    // Without invisible characters or a repeated `/gig`.
    const typed = cleanText(unescapeMrkdwn(payload.text)).replace(/^(?:\/gig(?:\s+|$))+/iu, '');
    const [, word = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/u.exec(typed) ?? [];
    const args = rest.trim();
    const name = word.toLowerCase();
    const route = name === '' ? bareCommand : commands.find((it) => it.word === name);
    const known = commands.map((it) => it.word);
    if (!route) return this.#answer(caller, unknownCommandMessage(word, known));
    const run = async () => {
      const person = await this.#callGuard.authorize(caller, { needs: route.needs, name });
      if (person) await route.run({ ...this.#callGuard.createHandlerCall(caller, person), args });
    };
    const asked = route.isSlow && { pendingLabel: commandRequestLabel(name, args) };
    await this.#callGuard.runWithSlowNotice(caller, asked, run);
  }

  async #runAction(caller: Caller, payload: ActionPayload, arrival: number): Promise<void> {
    const { table, services } = this.#options;
    for (const pressed of payload.actions) {
      if (pressed.action_id === actionIds.openLink) continue;
      const route = table.actions.find((it) => it.id === pressed.action_id);
      if (!route) {
        const action = pressed.action_id.slice(0, 80);
        services.log.info('ignored a button with an unknown action', { action });
        await this.#answer(caller, unknownButtonMessage());
        continue;
      }
      const placed = await this.#placed(caller, route, payload, pressed);
      await this.#press(placed, route, payload, pressed, arrival);
    }
  }

  /** Slack names no channel for a press in a view: our own records do, if they know the view. */
  async #placed(caller: Caller, route: ActionRoute, { view }: ActionPayload, pressed: Pressed) {
    if (!view || !route.findChannel) return caller;
    const { services } = this.#options;
    const place = { user: caller.user, view: readPressedView(view), services, value: choiceIn(pressed) };
    const channel = await route.findChannel(place);
    return channel === undefined ? caller : { ...caller, channel };
  }

  async #press(
    caller: Caller,
    route: ActionRoute,
    payload: ActionPayload,
    pressed: Pressed,
    arrival: number,
  ): Promise<void> {
    const person = await this.#callGuard.authorize(caller, { needs: route.needs, name: route.id });
    if (!person) return;
    const thread = payload.message?.thread_ts ?? payload.container?.thread_ts ?? undefined;
    let view = payload.view ? readPressedView(payload.view) : undefined;
    if (view && route.isInForm) {
      view = await this.#submissionsSincePress.latestValues(arrival, view);
      if (!view) return;
    }
    const call: ActionCall = {
      ...this.#callGuard.createHandlerCall(caller, person),
      value: choiceIn(pressed),
      message: payload.message ? { ts: payload.message.ts, thread } : undefined,
      view,
      replace: (message) =>
        payload.container?.is_ephemeral
          ? this.#callGuard.replacePressedMessage(caller, message)
          : this.#answer(caller, message),
    };
    await this.#callGuard.runWithSlowNotice(caller, waitedFor(route, payload), () => route.run(call));
  }

  async #runShortcut(caller: Caller, payload: ShortcutPayload): Promise<void> {
    const route = this.#options.table.shortcuts.find((it) => it.id === payload.callback_id);
    const { message } = payload;
    const text = `This shortcut no longer works. See \`${SLASH_COMMAND} help\`.`;
    if (!route || !message) return this.#answer(caller, { text });
    const person = await this.#callGuard.authorize(caller, { needs: route.needs, name: route.id });
    if (!person) return;
    const run = () =>
      route.run({
        ...this.#callGuard.createHandlerCall(caller, person),
        message: { ts: message.ts, text: message.text, blocks: message.blocks },
      });
    const asked = route.pendingLabel === undefined ? undefined : { pendingLabel: route.pendingLabel };
    await this.#callGuard.runWithSlowNotice(caller, asked, run);
  }
}

/** What the slow-reply notice says; undefined if the press is fast or the view shows its own notice. */
function waitedFor(
  { pendingLabel, hasSideEffects, showsOwnWaitNotice }: ActionRoute,
  { view }: ActionPayload,
): PendingWork | undefined {
  if (pendingLabel === undefined || (view && showsOwnWaitNotice)) return undefined;
  return { pendingLabel, hasSideEffects: hasSideEffects ?? false };
}

function choiceIn({ value, selected_option: option }: Pressed): string {
  return value ?? option?.value ?? '';
}

/** @throws RangeError when two routes of a kind have the same name, which is always our bug. */
export function assertUniqueRoutes(table: RouteTable): void {
  const names = {
    command: table.commands.map((route) => route.word),
    action: table.actions.map((route) => route.id),
    view: table.views.map((route) => route.id),
    shortcut: table.shortcuts.map((route) => route.id),
  };
  for (const [kind, all] of Object.entries(names)) {
    const twice = all.find((name, place) => all.indexOf(name) !== place);
    if (twice !== undefined) throw new RangeError(`two routes for the ${kind} ${twice}`);
  }
}
