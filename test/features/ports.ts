/** The app's ports for tests: each counts what is under way, and all of them freeze when the process is "killed". */
import { Agent, type Dispatcher } from 'undici';
import { type Clock, sleepWith } from '../../src/clock.ts';
import { type Disk, machineDisk } from '../../src/storage/lowdb/disk.ts';
import type { Activity } from './activity.ts';

/** Whether the process that these ports belong to is still alive. Shared by its ports. */
export interface Life {
  dead: boolean;
}

/** Whether the disk has room; shared by all lives. */
export interface Room {
  full: boolean;
}

const never = new Promise<never>(() => {});

/** A clock whose timers never fire once the process is dead. */
export function mortalClock(clock: Clock, life: Life): Clock {
  const after: Clock['after'] = (ms, run) => clock.after(ms, () => life.dead || run());
  return { now: () => clock.now(), after, sleep: sleepWith(after) };
}

/**
 * A disk on which nothing happens any more once the process is dead: what was not written by then never is. While it is
 * full nothing can be made or grow; shortening, renaming and removing work.
 */
export function mortalDisk(activity: Activity, life: Life, room: Room): Disk {
  const needRoom = () => {
    if (room.full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const guard = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> => (life.dead ? never : activity.during('disk', work(...args)));
  };
  const file = (opened: Awaited<ReturnType<Disk['append']>>) => ({
    write: guard(async (bytes: Uint8Array) => {
      needRoom();
      await opened.write(bytes);
    }),
    sync: guard(() => opened.sync()),
    close: guard(() => opened.close()),
  });
  return {
    makeFolder: guard((folder: string) => machineDisk.makeFolder(folder)),
    list: guard((folder: string) => machineDisk.list(folder)),
    create: guard(async (path: string) => {
      needRoom();
      return file(await machineDisk.create(path));
    }),
    append: guard(async (path: string) => file(await machineDisk.append(path))),
    async *read(path) {
      const pieces = machineDisk.read(path)[Symbol.asyncIterator]();
      const next = guard(() => pieces.next());
      for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
    },
    truncate: guard((path: string, length: number) => machineDisk.truncate(path, length)),
    rename: guard((from: string, to: string) => machineDisk.rename(from, to)),
    remove: guard((path: string) => machineDisk.remove(path)),
    syncFolder: guard((folder: string) => machineDisk.syncFolder(folder)),
    touch: guard((path: string, at: number) => machineDisk.touch(path, at)),
    changedAt: guard((path: string) => machineDisk.changedAt(path)),
  };
}

/** An answer with its body: what is still to be read would be under way without being counted. */
async function fetchWhole(...args: Parameters<typeof globalThis.fetch>): Promise<Response> {
  const answer = await globalThis.fetch(...args);
  const body = await answer.arrayBuffer();
  const { status, statusText, headers } = answer;
  return new Response(body.byteLength > 0 ? body : null, { status, statusText, headers });
}

/** `fetch`, counted; a dead process sends nothing and hears nothing. */
export function mortalFetch(activity: Activity, life: Life): typeof globalThis.fetch {
  return async (input, init) => {
    if (life.dead) return never;
    const answer = await activity.during('request', fetchWhole(input, init));
    return life.dead ? never : answer;
  };
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

/** undici's dispatcher, counted; a dead process sends nothing. */
export function mortalDispatcher(activity: Activity, life: Life): Dispatcher {
  return new Agent().compose((dispatch) => (options, handler) => {
    if (life.dead) return true;
    let end = () => {};
    void activity.during('request', new Promise<void>((resolve) => (end = resolve)));
    return dispatch(options, whenOver(handler, end));
  });
}
