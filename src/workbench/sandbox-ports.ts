/** The app's ports, which count running work: the clock waits for it. */
import { Agent, type Dispatcher } from 'undici';
import { type Disk, fileSystemDisk } from '../storage/disk.ts';
import type { InFlightWorkCounter } from './activity.ts';

/**
 * A disk that counts its work. `forgetful`: doesn't wait for durable writes, since the folder is deleted with
 * the process.
 */
export function createTrackedDisk(
  activity: InFlightWorkCounter,
  kind: 'durable' | 'forgetful' = 'durable',
  of: Disk = fileSystemDisk,
): Disk {
  const count = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> => activity.trackWork('disk', work(...args));
  };
  const file = (opened: Awaited<ReturnType<Disk['openForAppend']>>) => ({
    write: count((bytes: Uint8Array) => opened.write(bytes)),
    sync: kind === 'forgetful' ? () => Promise.resolve() : count(() => opened.sync()),
    close: count(() => opened.close()),
  });
  return {
    makeFolder: count((folder: string) => of.makeFolder(folder)),
    list: count((folder: string) => of.list(folder)),
    create: count(async (path: string) => file(await of.create(path))),
    openForAppend: count(async (path: string) => file(await of.openForAppend(path))),
    async *read(path) {
      const pieces = of.read(path)[Symbol.asyncIterator]();
      const next = count(() => pieces.next());
      try {
        for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
      } finally {
        // Closes the file also when only its beginning was needed.
        await pieces.return?.();
      }
    },
    truncate: count((path: string, length: number) => of.truncate(path, length)),
    rename: count((from: string, to: string) => of.rename(from, to)),
    remove: count((path: string) => of.remove(path)),
    syncFolder:
      kind === 'forgetful' ? () => Promise.resolve() : count((folder: string) => of.syncFolder(folder)),
    touch: count((path: string, at: number) => of.touch(path, at)),
    lastModifiedAt: count((path: string) => of.lastModifiedAt(path)),
  };
}

/** Reads the whole body: otherwise the unread rest would be running work that isn't counted. */
async function fetchWhole(...args: Parameters<typeof globalThis.fetch>): Promise<Response> {
  const answer = await globalThis.fetch(...args);
  const body = await answer.arrayBuffer();
  const { status, statusText, headers } = answer;
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

/** `fetch` that counts its requests. */
export function createTrackedFetch(activity: InFlightWorkCounter): typeof globalThis.fetch {
  return (input, init) => activity.trackWork('request', fetchWhole(input, init));
}

/** The same handler, which also calls `end` when its request is over. */
function whenOver(handler: Dispatcher.DispatchHandler, end: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => {
      end();
      handler.onResponseEnd?.(...args);
    },
    onResponseError: (...args) => {
      end();
      handler.onResponseError?.(...args);
    },
  };
}

/** undici's dispatcher that counts its requests. */
export function createTrackedDispatcher(activity: InFlightWorkCounter): Dispatcher {
  return new Agent().compose((dispatch) => (options, handler) => {
    let end = () => {};
    void activity.trackWork('request', new Promise<void>((resolve) => (end = resolve)));
    return dispatch(options, whenOver(handler, end));
  });
}
