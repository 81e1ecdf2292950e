/** What the page needs of the browser besides the document, so that it is named in one place. */
export interface Browser {
  readonly fetch: (address: string, request?: RequestInit) => Promise<Response>;
  /** Runs later unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
  /** Before the next picture is drawn. */
  frame(run: () => void): void;
  listen(address: string): EventSource;
  /** Texts that outlive a reload; forgotten with the tab, or kept on this machine. */
  readonly tab: Keeper;
  readonly machine: Keeper;
}

export interface Keeper {
  read(key: string): string | undefined;
  write(key: string, text: string): void;
}

/** A browser may refuse storage altogether: then nothing is kept, and all else works. */
function keep(storageOf: () => Storage): Keeper {
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
        // Kept for as long as the page is open, by whoever wrote it.
      }
    },
  };
}

export function realBrowser(): Browser {
  return {
    fetch: (address, request) => window.fetch(address, request),
    after(ms, run) {
      const timer = window.setTimeout(run, ms);
      return () => window.clearTimeout(timer);
    },
    frame: (run) => void window.requestAnimationFrame(run),
    listen: (address) => new EventSource(address),
    tab: keep(() => window.sessionStorage),
    machine: keep(() => window.localStorage),
  };
}
