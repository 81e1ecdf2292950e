/** The app's ports for tests: each counts pending work, and all freeze when the process is "killed". */
import type { Dispatcher } from 'undici';
import { type Clock, createSleep } from '../../src/clock.ts';
import type { Disk, DiskFile } from '../../src/storage/disk.ts';
import type { InFlightWorkCounter } from '../../src/workbench/activity.ts';
import {
  createTrackedDisk,
  createTrackedDispatcher,
  createTrackedFetch,
} from '../../src/workbench/sandbox-ports.ts';

/** Whether the process with these ports is alive. Shared by its ports. */
export interface Life {
  dead: boolean;
  /** The system closes a dead process's files; `closeFiles` does it here. */
  readonly openFiles?: Set<DiskFile>;
}

/** Otherwise they stay open until Node's garbage collector finds them, and warns. */
export async function closeFiles({ openFiles = new Set() }: Life): Promise<void> {
  await Promise.all([...openFiles].map((file) => file.close()));
  openFiles.clear();
}

/** Whether the disk has room; shared by all processes. */
export interface Room {
  full: boolean;
  /** A slow disk: writes wait for it. */
  until?: Promise<void>;
}

/** How far ahead of the world's time the app's clock is; shared by all processes. */
export interface Skew {
  ms: number;
}

export const never = new Promise<never>(() => {});

/** A clock with timers that never fire after the process's death. */
export function mortalClock(clock: Clock, life: Life, skew: Skew): Clock {
  const after: Clock['runAfter'] = (ms, run) => clock.runAfter(ms, () => life.dead || run());
  return {
    now: () => clock.now() + skew.ms,
    monotonicNow: () => clock.monotonicNow(),
    runAfter: after,
    sleep: createSleep(after),
  };
}

/**
 * A disk that freezes with the process: unwritten data is lost. On a full disk, creating and growing files
 * fails; shortening, renaming and removing works.
 */
export function mortalDisk(activity: InFlightWorkCounter, life: Life, room: Room, of: Disk): Disk {
  const disk = createTrackedDisk(activity, 'durable', of);
  const needRoom = () => {
    if (room.full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const guard = <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
    return (...args: Args): Promise<Result> => (life.dead ? never : work(...args));
  };
  const file = (opened: DiskFile): DiskFile => {
    life.openFiles?.add(opened);
    return guarded(opened);
  };
  const guarded = (opened: DiskFile) => ({
    write: guard(async (bytes: Uint8Array) => {
      needRoom();
      await room.until;
      await opened.write(bytes);
    }),
    sync: guard(() => opened.sync()),
    close: guard(() => {
      life.openFiles?.delete(opened);
      return opened.close();
    }),
  });
  return {
    makeFolder: guard((folder: string) => disk.makeFolder(folder)),
    list: guard((folder: string) => disk.list(folder)),
    create: guard(async (path: string) => {
      needRoom();
      return file(await disk.create(path));
    }),
    openForAppend: guard(async (path: string) => file(await disk.openForAppend(path))),
    async *read(path) {
      const pieces = disk.read(path)[Symbol.asyncIterator]();
      const next = guard(() => pieces.next());
      try {
        for (let piece = await next(); !piece.done; piece = await next()) yield piece.value;
      } finally {
        // Closes the file also when only its beginning was needed.
        await pieces.return?.();
      }
    },
    truncate: guard((path: string, length: number) => disk.truncate(path, length)),
    rename: guard((from: string, to: string) => disk.rename(from, to)),
    remove: guard((path: string) => disk.remove(path)),
    syncFolder: guard((folder: string) => disk.syncFolder(folder)),
    touch: guard((path: string, at: number) => disk.touch(path, at)),
    lastModifiedAt: guard((path: string) => disk.lastModifiedAt(path)),
  };
}

/** `fetch`, counted; a dead process sends and receives nothing. */
export function mortalFetch(activity: InFlightWorkCounter, life: Life): typeof globalThis.fetch {
  const send = createTrackedFetch(activity);
  return async (input, init) => {
    if (life.dead) return never;
    const answer = await send(input, init);
    return life.dead ? never : answer;
  };
}

/** undici's dispatcher, counted; a dead process sends nothing. */
export function mortalDispatcher(activity: InFlightWorkCounter, life: Life): Dispatcher {
  return createTrackedDispatcher(activity).compose(
    (dispatch) => (options, handler) => (life.dead ? true : dispatch(options, handler)),
  );
}
