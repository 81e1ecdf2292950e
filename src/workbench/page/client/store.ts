/** The page's state in one place; parts redraw themselves when it changes. */
import type { PageChannel, PageWorkspace } from '../protocol.ts';
import { type TimeFormatter, timeFormatterForZone } from './time-format.ts';
import type { SeenMessageCounts } from './unread.ts';

export interface PageState {
  /** Empty until the workspace has loaded. */
  readonly as: string;
  readonly world?: PageWorkspace;
  readonly channel: string;
  /** The open tab of the direct message with the app. */
  readonly tab: 'messages' | 'home';
  /** `ts` of the open thread's parent. */
  readonly thread?: string;
  readonly isMarketOpen: boolean;
  /** The drawer over the messages, on narrow screens. */
  readonly drawer: 'none' | 'channels' | 'side';
  readonly seen: SeenMessageCounts;
  readonly isConnected: boolean;
}

type Listener = (state: PageState, before: PageState) => void;

export class PageStateStore {
  #state: PageState;
  readonly #listeners: Listener[] = [];

  constructor(first: PageState) {
    this.#state = first;
  }

  get state(): PageState {
    return this.#state;
  }

  /** `undefined` removes an optional field. */
  updateState(changes: { readonly [Key in keyof PageState]?: PageState[Key] | undefined }): void {
    const before = this.#state;
    const merged = { ...before, ...changes };
    const entries = Object.entries(merged).filter(([, value]) => value !== undefined);
    this.#state = Object.fromEntries(entries) as unknown as PageState;
    for (const listener of this.#listeners) listener(this.#state, before);
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }
}

export function findCurrentChannel({ world, channel }: PageState): PageChannel | undefined {
  return world?.channels.find(({ id }) => id === channel);
}

/** Formats moments for the current person. */
export function timeFormatterForState({ world }: PageState): TimeFormatter {
  return timeFormatterForZone(world?.zone ?? 'UTC');
}

/** `#new-projects`, or the app's name. */
export function channelLabel(channel: PageChannel): string {
  return channel.kind === 'im' ? channel.name : `#${channel.name}`;
}
