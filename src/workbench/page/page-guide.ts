/** What the panel suggests to try, and what the person has done of it. */
import type { MarketAction, PageAction, ShownGuideStep } from './protocol.ts';

export interface PageGuide {
  /** Call it after each action that succeeded. */
  noteAction(act: PageAction): void;
  noteMarketAction(act: MarketAction): void;
  listSteps(): readonly ShownGuideStep[];
}

export const NO_GUIDE: PageGuide = {
  noteAction: () => undefined,
  noteMarketAction: () => undefined,
  listSteps: () => [],
};
