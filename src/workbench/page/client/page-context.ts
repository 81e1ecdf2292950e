/** What every part of the page may use: the server, the state, and ways to tell the person something. */
import type { PageActionResult } from '../protocol.ts';
import type { PageApi, UserAction } from './api.ts';
import type { BrowserApi } from './browser.ts';
import type { PageStateStore } from './store.ts';

export interface PageContext {
  readonly browser: BrowserApi;
  readonly api: PageApi;
  readonly store: PageStateStore;
  /** Does something as the present person; tells them of a problem or a notice. */
  performAction(deed: UserAction): Promise<PageActionResult>;
  /** A sentence that the person sees for a while; above the modal where one is open. */
  showToast(words: string, kind: 'notice' | 'problem'): void;
  /** For screen readers, politely. */
  announceToScreenReader(words: string): void;
}
