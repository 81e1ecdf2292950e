/** Receives change events from the server. The browser reconnects automatically. */
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
