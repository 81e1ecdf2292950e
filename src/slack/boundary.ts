/**
 * Between Slack and the handlers: acknowledges at once, then does the work behind. Here repeats are recognised, people
 * get their roles, and whatever goes wrong becomes a sentence with a reference that is also in the log.
 */

import type { ViewResponseAction } from '@slack/bolt';
import { type Instant, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Fields } from '../log.ts';
import { cleanText } from './blocks/clean-text.ts';
import { actionIds } from './blocks/ids.ts';
import { unescapeMrkdwn } from './blocks/mrkdwn.ts';
import { LaterViews } from './later-views.ts';
import {
  otherWorkspaceMessage,
  restartingMessage,
  tooLongMessage,
  unknownCommandMessage,
  unknownPressMessage,
  unknownShortcutMessage,
} from './messages/boundary-answers.ts';
import { askedByCommand } from './messages/waiting.ts';
import type { Asked } from './patience.ts';
import {
  ActionPayload,
  CommandPayload,
  HomeOpenedPayload,
  LinkSharedPayload,
  LONGEST_COMMAND,
  ShortcutPayload,
  teamOf,
} from './payloads.ts';
import { RecentIds } from './recent-ids.ts';
import { type Asker, Reception, type ReceptionOptions } from './reception.ts';
import { checkTable, type RouteTable } from './route-table.ts';
import type { ActionCall, ActionRoute, Message } from './routes.ts';
import { Submissions } from './submissions.ts';
import { UnderWay } from './under-way.ts';
import { readPressedView } from './view-values.ts';

export interface BoundaryOptions extends ReceptionOptions {
  readonly table: RouteTable;
}

type Pressed = ActionPayload['actions'][number];

/** Slack's acknowledgement, without a body. */
export type Ack = () => Promise<void>;

/** The acknowledgement of a submitted view, which says what becomes of the view. */
export type ViewAck = (answer?: ViewResponseAction) => Promise<void>;

/** An acknowledgement that takes longer is close to the 3 s after which Slack shows an error. */
const SLOW_ACK_MS = 2.5 * SECOND;

export class Boundary {
  readonly #options: BoundaryOptions;
  readonly #recent: RecentIds;
  readonly #underWay: UnderWay;
  readonly #reception: Reception;
  readonly #submissions: Submissions;
  readonly #laterViews: LaterViews;
  #isStopping = false;
  #isOver = false;

  /** @throws RangeError for a table with two routes of one name. */
  constructor(options: BoundaryOptions) {
    checkTable(options.table);
    this.#options = options;
    this.#recent = new RecentIds(options.services.clock);
    this.#underWay = new UnderWay(options.services);
    this.#reception = new Reception(options);
    this.#laterViews = new LaterViews(options.services.clock);
    this.#submissions = new Submissions(options.table.views, options.services, this.#reception, this.#recent);
  }

  /** Whether no handler is under way. */
  get isIdle(): boolean {
    return this.#underWay.count === 0;
  }

  /** Whether it ends, or has ended: nobody is served any more. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Starts no more handlers and waits for those under way. @returns how many were left at the deadline. */
  async stop(deadlineMs: number): Promise<number> {
    this.#isStopping = true;
    const left = await this.#underWay.drain(deadlineMs);
    this.#isOver = true;
    return left;
  }

  async command(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    await this.#acknowledge(ack, 'command', receivedAt);
    this.#read('command', CommandPayload, body, (payload) => {
      const asker = this.#reception.asker(payload.response_url, {
        user: payload.user_id,
        channel: payload.channel_id,
        team: payload.team_id,
        userTeam: undefined,
        triggerId: payload.trigger_id,
      });
      return this.#attend(asker, 'command', () => this.#runCommand(asker, payload));
    });
  }

  async action(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    const arrival = this.#laterViews.arrive();
    await this.#acknowledge(ack, 'action', receivedAt);
    this.#read('action', ActionPayload, body, (payload) => {
      const asker = this.#interacting(payload);
      return this.#attend(asker, 'action', () => this.#runAction(asker, payload, arrival));
    });
  }

  async shortcut(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    await this.#acknowledge(ack, 'shortcut', receivedAt);
    this.#read('shortcut', ShortcutPayload, body, (payload) => {
      const asker = this.#interacting(payload);
      return this.#attend(asker, 'shortcut', () => this.#runShortcut(asker, payload));
    });
  }

  /** A submitted modal: decided first, since the acknowledgement says what becomes of it. Resolves when acknowledged. */
  async view(body: unknown, ack: ViewAck, receivedAt?: Instant): Promise<void> {
    const { clock } = this.#options.services;
    const from = receivedAt ?? clock.now();
    const decided = this.#submissions.decide(body, clock.now() - from, this.#isStopping);
    this.#laterViews.submitted(body, decided);
    const acknowledged = decided.then((decision) =>
      this.#acknowledge(() => ack(decision.ack), 'view', receivedAt ?? from),
    );
    this.#underWay.start(async () => {
      const [end] = await Promise.allSettled([acknowledged]);
      // Where the acknowledgement failed, Slack told the person that nothing was done.
      if (end.status === 'fulfilled') await (await decided).behind?.();
    });
    await acknowledged;
  }

  async viewClosed(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    this.#laterViews.closed(body);
    await this.#acknowledge(ack, 'view_closed', receivedAt);
    // What was typed is kept as long as there is a store to keep it.
    if (!this.#isOver) this.#underWay.start(() => this.#submissions.closed(body));
  }

  /** What the SDK could not place: whoever it came from hears that nothing was done. */
  async unplaced(body: unknown, ack: ViewAck): Promise<void> {
    const kind = kindOfBody(body);
    if (kind === undefined) return ack();
    await this[kind](body, ack);
  }

  /** Whoever pressed something or took a shortcut. */
  #interacting(payload: ActionPayload | ShortcutPayload): Asker {
    return this.#reception.asker(payload.response_url, {
      user: payload.user.id,
      channel: payload.channel?.id,
      team: teamOf(payload),
      userTeam: payload.user.team_id ?? undefined,
      triggerId: payload.trigger_id,
    });
  }

  /** An event needs no answer, so a failure is only logged. */
  linkShared(body: unknown): void {
    const { table, services } = this.#options;
    this.#read('link_shared', LinkSharedPayload, body, async ({ event, event_id, team_id }) => {
      if (team_id !== services.team || event.source === 'composer' || this.#isStopping) return;
      if (!table.events.link_shared || !this.#recent.isNew(event_id)) return;
      const { channel, user, message_ts: messageTs, links } = event;
      try {
        const person = await this.#options.people.person(user, channel);
        await table.events.link_shared({ channel, person, messageTs, links, services });
      } catch (thrown) {
        this.#logEventFailure('could not unfurl shared links', { channel, error: asError(thrown) });
      }
    });
  }

  homeOpened(body: unknown): void {
    const { table, services } = this.#options;
    this.#read('app_home_opened', HomeOpenedPayload, body, async ({ event, event_id, team_id }) => {
      const { user, tab } = event;
      if (team_id !== services.team || tab === 'messages' || this.#isStopping) return;
      if (!table.events.app_home_opened || !this.#recent.isNew(event_id)) return;
      try {
        await table.events.app_home_opened({ person: await this.#options.people.person(user), services });
      } catch (thrown) {
        this.#logEventFailure('could not show a Home tab', { user, error: asError(thrown) });
      }
    });
  }

  /** What an end cuts off is no fault: the store is closed by then. */
  #logEventFailure(message: string, fields: Fields): void {
    this.#options.services.log[this.#isStopping ? 'warn' : 'error'](message, fields);
  }

  async #acknowledge(ack: Ack, kind: string, receivedAt: Instant | undefined): Promise<void> {
    const { clock, log } = this.#options.services;
    const from = receivedAt ?? clock.now();
    await ack();
    const tookMs = clock.now() - from;
    this.#options.watch?.acknowledged(kind, tookMs);
    if (tookMs > SLOW_ACK_MS) log.warn('slow acknowledgement', { kind, tookMs });
  }

  /** Goes on behind, from the parsing on. */
  #read<T>(
    kind: string,
    schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
    body: unknown,
    work: (payload: T) => Promise<void>,
  ): void {
    this.#underWay.start(() => {
      const parsed = schema.safeParse(body);
      return parsed.success ? work(parsed.data) : this.#reception.refuseUnreadable(kind, body, parsed.error);
    });
  }

  /** Everything that every kind of call goes through. */
  async #attend(asker: Asker, kind: string, run: () => Promise<void>): Promise<void> {
    const { services } = this.#options;
    try {
      if (!this.#recent.isNew(asker.triggerId)) {
        services.log.info('Slack repeated a call', { kind, user: asker.user });
      } else if (asker.team !== services.team) {
        services.log.warn('ignored a call from another workspace', {
          kind,
          team: asker.team,
          user: asker.user,
        });
        await this.#answer(asker, otherWorkspaceMessage());
      } else if (this.#isStopping) {
        await this.#answer(asker, restartingMessage());
      } else {
        await run();
      }
    } catch (thrown) {
      await this.#reception.tellFailure(asker, kind, thrown);
    }
  }

  #answer(asker: Asker, message: Message): Promise<void> {
    return this.#reception.answer(asker, message);
  }

  async #runCommand(asker: Asker, payload: CommandPayload): Promise<void> {
    const { commands } = this.#options.table;
    if (payload.text.length > LONGEST_COMMAND)
      return this.#answer(asker, tooLongMessage(payload.text.length, LONGEST_COMMAND));
    const { word, args } = readCommand(payload.text);
    const wanted = word === '' ? 'help' : word.toLowerCase();
    const route = commands.find((it) => it.word === wanted);
    if (!route)
      return this.#answer(
        asker,
        unknownCommandMessage(
          word,
          commands.map((it) => it.word),
        ),
      );
    const run = async () => {
      const person = await this.#reception.admit(asker, { needs: route.needs, name: route.word });
      if (person) await route.run({ ...this.#reception.call(asker, person), args });
    };
    const asked = route.mayWait && { asked: askedByCommand(route.word, args) };
    await this.#runPatiently(asker, asked, run);
  }

  async #runAction(asker: Asker, payload: ActionPayload, arrival: number): Promise<void> {
    const { table, services } = this.#options;
    for (const pressed of payload.actions) {
      if (pressed.action_id === actionIds.open) continue;
      const route = table.actions.find((it) => it.id === pressed.action_id);
      if (!route) {
        services.log.info('ignored a button with an unknown action', {
          action: pressed.action_id.slice(0, 80),
        });
        await this.#answer(asker, unknownPressMessage());
        continue;
      }
      const placed = await this.#placed(asker, route, payload, pressed);
      await this.#press(placed, route, payload, { pressed, arrival });
    }
  }

  /** Slack names no channel for a press in a view: our own records know it, where they know the view. */
  async #placed(asker: Asker, route: ActionRoute, { view }: ActionPayload, pressed: Pressed): Promise<Asker> {
    if (!view || !route.place) return asker;
    const { services } = this.#options;
    const place = { user: asker.user, view: readPressedView(view), services, value: choiceIn(pressed) };
    const channel = await route.place(place);
    return channel === undefined ? asker : { ...asker, channel };
  }

  async #press(
    asker: Asker,
    route: ActionRoute,
    payload: ActionPayload,
    { pressed, arrival }: { readonly pressed: Pressed; readonly arrival: number },
  ): Promise<void> {
    const person = await this.#reception.admit(asker, { needs: route.needs, name: route.id });
    if (!person) return;
    const place = placeOf(payload);
    const view = place.view && route.inForm ? await this.#laterViews.since(arrival, place.view) : place.view;
    if (place.view && !view) return;
    const call: ActionCall = {
      ...this.#reception.call(asker, person),
      value: choiceIn(pressed),
      ...place,
      ...(view ? { view } : {}),
      replace: (message) =>
        payload.container?.is_ephemeral
          ? this.#reception.replace(asker, message)
          : this.#answer(asker, message),
    };
    await this.#runPatiently(asker, waitedFor(route, payload), () => route.run(call));
  }

  #runPatiently(asker: Asker, asked: Asked | undefined, run: () => Promise<void>): Promise<void> {
    return asked === undefined ? run() : this.#reception.attendPatiently(asker, asked, run);
  }

  async #runShortcut(asker: Asker, payload: ShortcutPayload): Promise<void> {
    const route = this.#options.table.shortcuts.find((it) => it.id === payload.callback_id);
    const { message } = payload;
    if (!route || !message) return this.#answer(asker, unknownShortcutMessage());
    const person = await this.#reception.admit(asker, { needs: route.needs, name: route.id });
    if (!person) return;
    const { ts, text, blocks } = message;
    const run = () => route.run({ ...this.#reception.call(asker, person), message: { ts, text, blocks } });
    await this.#runPatiently(asker, route.asked === undefined ? undefined : { asked: route.asked }, run);
  }
}

/** Which kind of call it is; undefined where nobody waits for an answer to it. */
function kindOfBody(body: unknown): 'command' | 'action' | 'shortcut' | 'view' | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if ('command' in body) return 'command';
  switch ('type' in body ? body.type : undefined) {
    case 'view_submission':
      return 'view';
    case 'block_actions':
      return 'action';
    case 'shortcut':
    case 'message_action':
      return 'shortcut';
    default:
      return undefined;
  }
}

/** What somebody waits for who pressed; undefined where they are not kept waiting, or see it where they pressed. */
function waitedFor({ asked, acts, waitsInView }: ActionRoute, { view }: ActionPayload): Asked | undefined {
  if (asked === undefined || (view && waitsInView)) return undefined;
  return { asked, acts: acts ?? false };
}

/** A command's first word and the rest; without what nobody sees, and `/gig` typed twice. */
function readCommand(text: string): { readonly word: string; readonly args: string } {
  const typed = cleanText(unescapeMrkdwn(text)).replace(/^(?:\/gig(?:\s+|$))+/iu, '');
  const [, word = '', args = ''] = /^(\S*)\s*([\s\S]*)$/u.exec(typed) ?? [];
  return { word, args: args.trim() };
}

function choiceIn({ value, selected_option: option }: Pressed): string {
  return value ?? option?.value ?? '';
}

/** The message or view that was pressed. */
function placeOf({ message, view, container }: ActionPayload) {
  const thread = message?.thread_ts ?? container?.thread_ts;
  return {
    ...(message ? { message: { ts: message.ts, ...(thread ? { thread } : {}) } } : {}),
    ...(view ? { view: readPressedView(view) } : {}),
  };
}
