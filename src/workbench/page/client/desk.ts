/** What every part of the page may use: the server, the state, and ways to tell the person something. */
import type { PageAnswer } from '../protocol.ts';
import type { Api, Deed } from './api.ts';
import type { Browser } from './browser.ts';
import type { Store } from './store.ts';

export interface Desk {
  readonly browser: Browser;
  readonly api: Api;
  readonly store: Store;
  /** Does something as the present person; tells them of a problem or a notice. */
  act(deed: Deed): Promise<PageAnswer>;
  /** A sentence that the person sees for a while; above the modal where one is open. */
  tell(words: string, kind: 'notice' | 'problem'): void;
  /** For screen readers, politely. */
  announce(words: string): void;
}
