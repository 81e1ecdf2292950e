/** Word of changes from the server, handed to those whom it concerns. The browser connects again by itself. */
import type { PageEvent } from '../protocol.ts';
import type { BrowserApi } from './browser.ts';

export interface ServerEventHandlers {
  onEvent(event: PageEvent): void;
  onConnection(isConnected: boolean): void;
}

export function listenForServerEvents(browser: BrowserApi, deeds: ServerEventHandlers): void {
  const source = browser.openEventSource('/api/events');
  source.addEventListener('open', () => deeds.onConnection(true));
  source.addEventListener('error', () => deeds.onConnection(false));
  source.addEventListener('message', ({ data }) => deeds.onEvent(JSON.parse(String(data)) as PageEvent));
}
