/** The context of every command at the sandbox's prompt. */
import type { SimulatedMarketplace } from './marketplace/simulated-marketplace.ts';
import type { MarketController } from './page/market-controller.ts';
import type { InputValues, SimulatedSlack, SlackMessage, SlackView } from './slack/simulated-slack.ts';

export interface PromptLocation {
  channel: string;
  person: string;
  /** The person sees their Home instead of the channel. */
  atHome?: boolean;
}

/** By view ID, then by block. */
export type UnsentModalValues = Map<string, Record<string, InputValues[string]>>;

export interface PromptContext {
  readonly slack: SimulatedSlack;
  readonly marketplace: SimulatedMarketplace;
  readonly market: MarketController;
  readonly place: PromptLocation;
  /** Values typed into modals and not submitted yet. */
  readonly typed: UnsentModalValues;
  readonly print: (text: string) => void;
  readonly show: (on: SlackMessage | SlackView) => string;
}
