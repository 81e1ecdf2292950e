/** The app's ports, each counting what is under way: whoever moves the clock waits for it. */
import { Agent, type Dispatcher } from 'undici';
import { type Disk, machineDisk } from '../storage/lowdb/disk.ts';
import type { Activity } from './activity.ts';

/** A disk, counted. `forgetful`: nothing is waited for until it is safe, since the folder goes with the process. */
export function countedDisk(
  activity: Activity,
  kind: 'durable' | 'forgetful' = 'durable',
  of: Disk = machineDisk,
): Disk {
  const count = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> => activity.during('disk', work(...args));
  };
  const file = (opened: Awaited<ReturnType<Disk['append']>>) => ({
    write: count((bytes: Uint8Array) => opened.write(bytes)),
    sync: kind === 'forgetful' ? () => Promise.resolve() : count(() => opened.sync()),
    close: count(() => opened.close()),
  });
  return {
    makeFolder: count((folder: string) => of.makeFolder(folder)),
    list: count((folder: string) => of.list(folder)),
    create: count(async (path: string) => file(await of.create(path))),
    append: count(async (path: string) => file(await of.append(path))),
    async *read(path) {
      const pieces = of.read(path)[Symbol.asyncIterator]();
      const next = count(() => pieces.next());
      for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
    },
    truncate: count((path: string, length: number) => of.truncate(path, length)),
    rename: count((from: string, to: string) => of.rename(from, to)),
    remove: count((path: string) => of.remove(path)),
    syncFolder:
      kind === 'forgetful' ? () => Promise.resolve() : count((folder: string) => of.syncFolder(folder)),
    touch: count((path: string, at: number) => of.touch(path, at)),
    changedAt: count((path: string) => of.changedAt(path)),
  };
}

/** An answer with its body: what is still to be read would be under way without being counted. */
async function fetchWhole(...args: Parameters<typeof globalThis.fetch>): Promise<Response> {
  const answer = await globalThis.fetch(...args);
  const body = await answer.arrayBuffer();
  const { status, statusText, headers } = answer;
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

/** `fetch`, counted. */
export function countedFetch(activity: Activity): typeof globalThis.fetch {
  return (input, init) => activity.during('request', fetchWhole(input, init));
}

/** The same handler, telling when its request is over. */
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

/** undici's dispatcher, counted. */
export function countedDispatcher(activity: Activity): Dispatcher {
  return new Agent().compose((dispatch) => (options, handler) => {
    let end = () => {};
    void activity.during('request', new Promise<void>((resolve) => (end = resolve)));
    return dispatch(options, whenOver(handler, end));
  });
}
