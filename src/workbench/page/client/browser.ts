/** What the page needs of the browser besides the document, in one place. */
export interface BrowserApi {
  readonly fetch: (address: string, request?: RequestInit) => Promise<Response>;
  /** Runs later unless the returned function is called first. */
  after(ms: number, run: () => void): () => void;
  onNextFrame(run: () => void): void;
  openEventSource(address: string): EventSource;
  /** Texts that outlive a reload: `tab` until the tab closes, `machine` permanently. */
  readonly tab: TextStorage;
  readonly machine: TextStorage;
}

export interface TextStorage {
  read(key: string): string | undefined;
  write(key: string, text: string): void;
}

/** A browser may block storage: then nothing is saved, and everything else works. */
function keep(storageOf: () => Storage): TextStorage {
  return {
    read(key) {
      try {
        return storageOf().getItem(key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(key, text) {
      try {
        storageOf().setItem(key, text);
      } catch {
        // Only in memory then, until the page closes.
      }
    },
  };
}

export function createBrowserApi(): BrowserApi {
  return {
    fetch: (address, request) => window.fetch(address, request),
    after(ms, run) {
      const timer = window.setTimeout(run, ms);
      return () => window.clearTimeout(timer);
    },
    onNextFrame: (run) => void window.requestAnimationFrame(run),
    openEventSource: (address) => new EventSource(address),
    tab: keep(() => window.sessionStorage),
    machine: keep(() => window.localStorage),
  };
}
