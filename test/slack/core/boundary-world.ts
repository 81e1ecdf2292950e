/** A boundary with one route of each kind, people with several roles, and recorded answers of Slack. */

import type { ModalView } from '@slack/types';
import { ChannelId, MessageTs, TeamId } from '../../../src/ids.ts';
import type { Log, LogFields } from '../../../src/log.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  LinkSharedCall,
  Message,
  Person,
  Services,
  ShortcutCall,
  SlackCalls,
  ViewRoute,
  ViewSubmissionCall,
} from '../../../src/slack/core/routes.ts';
import { SlackDispatcher } from '../../../src/slack/core/slack-dispatcher.ts';
import { checkView } from '../../../src/slack/kit/check-limits.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';
import { turn } from '../delivery/delivery-world.ts';

type AnyCall = CommandCall | ActionCall | ShortcutCall | LinkSharedCall | ViewSubmissionCall;

export interface Answered {
  readonly via: 'response_url' | 'ephemeral' | 'post';
  readonly channel?: string;
  readonly text: string;
  readonly body?: unknown;
}

/** The only channel where ULOCAL may bid. */
export const LOCAL = ChannelId.parse('C7');

/** Slack's payload for an input with this text. */
export const typed = (value: unknown) => ({ value: { type: 'plain_text_input', value } });

const roles: Readonly<Record<string, Person['role']>> = {
  UADMIN: 'admin',
  UBIDDER: 'bidder',
  UGUEST: 'outsider',
};

export class BoundaryWorld {
  readonly clock = new ManualClock();
  readonly answers: Answered[] = [];
  readonly logged: { level: string; message: string; fields: LogFields }[] = [];
  readonly calls: AnyCall[] = [];
  /** How a response_url answers. */
  responseStatus = 200;
  acks = 0;
  #triggers = 0;
  /** The handlers' work. */
  work: (call: AnyCall) => Promise<void> = async () => undefined;
  /** The result of a submitted view. */
  submit: ViewRoute['submit'] = async () => ({ kind: 'close' });
  closed: NonNullable<ViewRoute['closed']> = async () => undefined;
  place: NonNullable<ActionRoute['findChannel']> = async () => undefined;
  /** Blocks user lookups until it resolves. */
  admitted: Promise<void> = Promise.resolve();
  /** Acknowledgement bodies of views; undefined closes. */
  readonly viewAcks: unknown[] = [];
  readonly updated: { id: string; view: ModalView }[] = [];
  readonly boundary: SlackDispatcher;

  constructor() {
    const run = async (call: AnyCall) => {
      this.calls.push(call);
      await this.work(call);
    };
    const words = { topic: 'about', usage: [], summary: '', examples: [] } as const;
    this.boundary = new SlackDispatcher({
      table: {
        bareCommand: { needs: 'viewer', run },
        commands: [
          { ...words, word: 'help', needs: 'viewer', run },
          { ...words, word: 'lookup', needs: 'viewer', run },
          { ...words, word: 'results', needs: 'viewer', isSlow: true, run },
          { ...words, word: 'budget', needs: 'admin', run },
        ],
        actions: [
          { id: 'press', needs: 'viewer', run },
          { id: 'read', needs: 'outsider', run },
          { id: 'slow', needs: 'viewer', pendingLabel: '“Slow”', run },
          {
            id: 'act',
            needs: 'viewer',
            pendingLabel: '“Act”',
            hasSideEffects: true,
            showsOwnWaitNotice: true,
            run,
          },
          { id: 'spend', needs: 'bidder', run },
          { id: 'typed', needs: 'viewer', isInForm: true, run },
          { id: 'placed', needs: 'bidder', findChannel: (it) => this.place(it), run },
        ],
        views: [
          { id: 'form', needs: 'bidder', submit: (it) => this.submit(it), closed: (it) => this.closed(it) },
          { id: 'open-form', needs: 'viewer', submit: (it) => this.submit(it) },
        ],
        shortcuts: [{ id: 'look', needs: 'viewer', pendingLabel: '“Look”', run }],
        events: { link_shared: run },
      },
      services: this.#services(),
      people: {
        resolvePerson: async (user, channel) => {
          await this.admitted;
          if (user === 'UNKNOWN') return { user, role: 'outsider', unsure: true };
          const granted = user === 'ULOCAL' && channel === LOCAL ? 'bidder' : undefined;
          return { user, role: granted ?? roles[user] ?? 'viewer' };
        },
      },
      post: async (_, json) => {
        const body: unknown = JSON.parse(json);
        if (this.responseStatus === 200)
          this.answers.push({ via: 'response_url', text: (body as Message).text, body });
        return { status: this.responseStatus, text: this.responseStatus === 200 ? 'ok' : 'no' };
      },
    });
  }

  ack = async () => {
    this.acks++;
  };

  /** Sends a command and waits for all answers. */
  async command(text: string, more: object = {}): Promise<void> {
    await this.boundary.command(
      {
        team_id: 'T1',
        user_id: 'UVIEWER',
        channel_id: 'C1',
        text,
        trigger_id: `t${this.#triggers++}`,
        response_url: 'https://hooks.example/1',
        ...more,
      },
      this.ack,
    );
    await turn();
  }

  async press(actionId: string, more: object = {}): Promise<void> {
    await this.boundary.action(
      {
        type: 'block_actions',
        team: { id: 'T1' },
        user: { id: 'UVIEWER', team_id: 'T1' },
        channel: { id: 'C1' },
        trigger_id: `t${this.#triggers++}`,
        response_url: 'https://hooks.example/1',
        message: { ts: '1.5' },
        actions: [{ action_id: actionId, value: 'the value' }],
        ...more,
      },
      this.ack,
    );
    await turn();
  }

  /** Submits a view with one input, without passing time. */
  async submitView(view: object = {}, more: object = {}): Promise<void> {
    const body = {
      type: 'view_submission',
      team: { id: 'T1' },
      user: { id: 'UBIDDER', team_id: 'T1' },
      trigger_id: `t${this.#triggers++}`,
      view: {
        id: 'V1',
        hash: 'h1',
        callback_id: 'form',
        private_metadata: 'draft',
        blocks: [
          { type: 'section', block_id: 'intro' },
          { type: 'input', block_id: 'amount' },
          { type: 'input', block_id: 'letter' },
        ],
        state: { values: {} },
        ...view,
      },
      ...more,
    };
    void this.boundary.view(body, async (answer) => {
      this.viewAcks.push(answer);
    });
    await turn();
  }

  async closeView(view: object = {}, more: object = {}): Promise<void> {
    const shown = { id: 'V1', hash: 'h', callback_id: 'form', private_metadata: 'draft', ...view };
    const who = { team: { id: 'T1' }, user: { id: 'UVIEWER', team_id: 'T1' } };
    await this.boundary.viewClosed({ type: 'view_closed', ...who, view: shown, ...more }, this.ack);
    await turn();
  }

  get texts(): readonly string[] {
    return this.answers.map((it) => it.text);
  }

  #services(): Services {
    const write =
      (via: Answered['via']) =>
      async (channel: ChannelId, ...rest: unknown[]) => {
        const message = rest.find(
          (it): it is Message => typeof it === 'object' && it !== null && 'text' in it,
        );
        this.answers.push({ via, channel, text: message?.text ?? '' });
        return MessageTs.parse('1.1');
      };
    const slack: Partial<SlackCalls> = {
      post: write('post'),
      ephemeral: async (...call) => {
        await write('ephemeral')(...call);
      },
      updateView: async (id, view) => {
        checkView(view);
        this.updated.push({ id, view });
      },
    };
    return {
      team: TeamId.parse('T1'),
      version: '0',
      startedAt: 0,
      timezone: 'UTC',
      clock: this.clock,
      store: createMemoryStore(),
      random: () => 0.5,
      log: this.#log(),
      slack,
      // Routes of these tests use no feature.
    } as unknown as Services;
  }

  #log(): Log {
    const at =
      (level: string) =>
      (message: string, fields: LogFields = {}) => {
        this.logged.push({ level, message, fields });
      };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }
}
