/** What every line at the sandbox's prompt acts on. */
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import type { MarketController } from './page/market-controller.ts';
import type { InputValues, SimulatedSlack, SlackMessage, SlackView } from './slack/simulated-slack.ts';

export interface PromptLocation {
  channel: string;
  person: string;
  /** The Home of the person is before them, instead of the channel. */
  atHome?: boolean;
}

/** By the view's id, then by block. */
export type UnsentModalValues = Map<string, Record<string, InputValues[string]>>;

export interface PromptContext {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly market: MarketController;
  readonly place: PromptLocation;
  /** What was typed into modals and not sent yet. */
  readonly typed: UnsentModalValues;
  readonly print: (text: string) => void;
  readonly show: (on: SlackMessage | SlackView) => string;
}
