/** The app's ports for tests: each counts what is under way, and all of them freeze when the process is "killed". */
import type { Dispatcher } from 'undici';
import { type Clock, sleepWith } from '../../src/clock.ts';
import type { Disk } from '../../src/storage/lowdb/disk.ts';
import type { Activity } from '../../src/workbench/activity.ts';
import { countedDisk, countedDispatcher, countedFetch } from '../../src/workbench/sandbox-ports.ts';

/** Whether the process that these ports belong to is still alive. Shared by its ports. */
export interface Life {
  dead: boolean;
}

/** Whether the disk has room; shared by all lives. */
export interface Room {
  full: boolean;
}

/** How far ahead of the world's time the app's clock is set; shared by all lives. */
export interface Skew {
  ms: number;
}

const never = new Promise<never>(() => {});

/** A clock whose timers never fire once the process is dead. */
export function mortalClock(clock: Clock, life: Life, skew: Skew): Clock {
  const after: Clock['after'] = (ms, run) => clock.after(ms, () => life.dead || run());
  return { now: () => clock.now() + skew.ms, steady: () => clock.steady(), after, sleep: sleepWith(after) };
}

/**
 * A disk on which nothing happens any more once the process is dead: what was not written by then never is. While it is
 * full nothing can be made or grow; shortening, renaming and removing work.
 */
export function mortalDisk(activity: Activity, life: Life, room: Room, of: Disk): Disk {
  const disk = countedDisk(activity, 'durable', of);
  const needRoom = () => {
    if (room.full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const guard = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> => (life.dead ? never : work(...args));
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
    makeFolder: guard((folder: string) => disk.makeFolder(folder)),
    list: guard((folder: string) => disk.list(folder)),
    create: guard(async (path: string) => {
      needRoom();
      return file(await disk.create(path));
    }),
    append: guard(async (path: string) => file(await disk.append(path))),
    async *read(path) {
      const pieces = disk.read(path)[Symbol.asyncIterator]();
      const next = guard(() => pieces.next());
      for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
    },
    truncate: guard((path: string, length: number) => disk.truncate(path, length)),
    rename: guard((from: string, to: string) => disk.rename(from, to)),
    remove: guard((path: string) => disk.remove(path)),
    syncFolder: guard((folder: string) => disk.syncFolder(folder)),
    touch: guard((path: string, at: number) => disk.touch(path, at)),
    changedAt: guard((path: string) => disk.changedAt(path)),
  };
}

/** `fetch`, counted; a dead process sends nothing and hears nothing. */
export function mortalFetch(activity: Activity, life: Life): typeof globalThis.fetch {
  const send = countedFetch(activity);
  return async (input, init) => {
    if (life.dead) return never;
    const answer = await send(input, init);
    return life.dead ? never : answer;
  };
}

/** undici's dispatcher, counted; a dead process sends nothing. */
export function mortalDispatcher(activity: Activity, life: Life): Dispatcher {
  return countedDispatcher(activity).compose(
    (dispatch) => (options, handler) => (life.dead ? true : dispatch(options, handler)),
  );
}
