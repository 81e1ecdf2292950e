/**
 * One team: its records, its client of the marketplace, its loops and its handlers of Slack's requests. They
 * are opened, run, and closed together. A process can hold any number of workspaces.
 */
import { setMaxListeners } from 'node:events';
import { type Instant, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { WorkspaceSources } from '../metrics/metrics.ts';
import { retryLastingFailures } from '../profiles/notify-failure.ts';
import { runScheduledJobs } from '../schedule/job-scheduler.ts';
import { noteConnection } from '../slack/account/note-connection.ts';
import type { ServedTeam } from '../slack/teams.ts';
import { ClosingList } from './closing-list.ts';
import { deleteOldDataHourly } from './delete-old-data.ts';
import { storeClockTimeHourly } from './process-records.ts';
import {
  openWorkspaceBase,
  type WorkspaceBase,
  type WorkspaceLife,
  type WorkspaceOptions,
} from './workspace-base.ts';
import { createWorkspaceServices, type WorkspaceServices } from './workspace-services.ts';

const THE_FEED = 'feed';

export interface OpenedWorkspace extends Omit<ServedTeam, 'kind'> {
  readonly sources: WorkspaceSources;
  /** Once all loops have ended, running work is done or given up, and everything is closed. Never throws. */
  close(): Promise<void>;
}

/** @throws StorageError, SlackCallError or Error after closing everything, also when `signal` aborts. */
export async function openWorkspace(options: WorkspaceOptions): Promise<OpenedWorkspace> {
  const { clock, log } = options.ports;
  const parts = new ClosingList(log);
  const ending = new AbortController();
  const { signal } = ending;
  // Every loop and its waits listen; Node warns of a leak above ten listeners.
  setMaxListeners(100, signal);
  let endsBy: Instant = 0;
  const end = () => {
    if (signal.aborted) return;
    // For all running work together: parts that wait in sequence must not add up.
    endsBy = clock.now() + 8 * SECOND;
    ending.abort();
  };
  if (options.signal.aborted) end();
  options.signal.addEventListener('abort', end, { once: true });
  const close = async () => {
    end();
    options.signal.removeEventListener('abort', end);
    await parts.closeAll();
  };
  const life: WorkspaceLife = {
    signal,
    open(name, closePart) {
      parts.add(name, closePart);
      signal.throwIfAborted();
    },
    timeLeft: () => Math.max(0, endsBy - clock.now()),
  };
  try {
    const base = await openWorkspaceBase(options, life);
    await noteConnection(base.parts, options.connection, options.account);
    await retryLastingFailures(base.parts);
    const services = await createWorkspaceServices(options, base, life);
    return { ...runLoops(options, base, services, life), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Starts the loops, which run until the workspace closes. An earlier end of one breaks the workspace. */
function runLoops(
  { ports, onBroken }: WorkspaceOptions,
  { parts, watch, identity }: WorkspaceBase,
  { services, dispatcher, delivery, invitations, missedInvitationsJob }: WorkspaceServices,
  life: WorkspaceLife,
): Omit<OpenedWorkspace, 'close'> {
  const { signal } = life;
  const { feed, bidding, proposals, digests, hints, follows, response } = services;
  const { mirror, search } = proposals;
  const running = new Set<string>();
  const runOn = (name: string, run: Promise<void>): Promise<void> => {
    running.add(name);
    return run
      .finally(() => running.delete(name))
      .then(
        () => {
          if (!signal.aborted) onBroken(new Error(`Loop "${name}" ended unexpectedly`));
        },
        (thrown: unknown) => onBroken(asError(thrown)),
      );
  };
  const jobs = [missedInvitationsJob, digests.job, feed.quietHoursJob, hints.job, response.job];
  const loops = [
    runOn(THE_FEED, feed.run(signal)),
    runOn('bidding', bidding.runJobTracking(signal)),
    runOn('proposal copy', mirror.run(signal)),
    runOn('proposal search', search.run(signal)),
    runOn('invitations', invitations.run(signal)),
    runOn('delivery', delivery.run(signal)),
    runOn('follows', follows.run(signal)),
    runOn('clock record', storeClockTimeHourly({ ...parts, watch }, signal)),
    runOn('deleting', deleteOldDataHourly(parts, signal)),
    runOn('scheduler', runScheduledJobs({ ...ports, ...parts }, jobs, signal)),
  ];
  life.open('loops', async () => {
    await Promise.all(loops);
  });
  const sources: WorkspaceSources = {
    ...services,
    store: parts.store,
    clockState: () => watch.readClockState(),
    mirror,
    isStopping: () => signal.aborted,
    isFeedRunning: () => running.has(THE_FEED),
  };
  return { identity, dispatcher, hints, sources };
}
