/** Word of changes from the server, handed to those whom it concerns. The browser connects again by itself. */
import type { PageEvent } from '../protocol.ts';
import type { Browser } from './browser.ts';

export interface LiveDeeds {
  onEvent(event: PageEvent): void;
  onConnection(isConnected: boolean): void;
}

export function listenForChanges(browser: Browser, deeds: LiveDeeds): void {
  const source = browser.listen('/api/events');
  source.addEventListener('open', () => deeds.onConnection(true));
  source.addEventListener('error', () => deeds.onConnection(false));
  source.addEventListener('message', ({ data }) => deeds.onEvent(JSON.parse(String(data)) as PageEvent));
}
