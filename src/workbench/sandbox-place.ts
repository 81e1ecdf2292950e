/** What every line at the sandbox's prompt acts on. */
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import type { MarketDesk } from './page/market.ts';
import type { Filled, Message, SimulatedSlack, View } from './slack/simulated-slack.ts';

export interface Place {
  channel: string;
  person: string;
  /** The Home of the person is before them, instead of the channel. */
  atHome?: boolean;
}

/** By the view's id, then by block. */
export type Typed = Map<string, Record<string, Filled[string]>>;

export interface Prompt {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly market: MarketDesk;
  readonly place: Place;
  /** What was typed into modals and not sent yet. */
  readonly typed: Typed;
  readonly print: (text: string) => void;
  readonly show: (on: Message | View) => string;
}
