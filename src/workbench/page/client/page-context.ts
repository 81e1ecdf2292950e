/** What every part of the page can use: the server, the state, and ways to notify the person. */
import type { PageActionResult } from '../protocol.ts';
import type { PageActionWithoutPerson, PageApi } from './api.ts';
import type { BrowserApi } from './browser.ts';
import type { PageStateStore } from './store.ts';

export interface PageContext {
  readonly browser: BrowserApi;
  readonly api: PageApi;
  readonly store: PageStateStore;
  /** Performs an action as the current person and shows its problem or notice. */
  performAction(deed: PageActionWithoutPerson): Promise<PageActionResult>;
  /** A message for a while; above the modal if one is open. */
  showToast(words: string, kind: 'notice' | 'problem'): void;
  announceToScreenReader(words: string): void;
}
