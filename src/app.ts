/** Composition root: opens the workspace and the connection to Slack, and shuts them down. */

import { readFileSync } from 'node:fs';
import type { App, AppDependencies } from './app-contract.ts';
import { ClosingList } from './base/closing-list.ts';
import { SECOND, watchEventLoop } from './clock.ts';
import type { Config } from './config.ts';
import { createMetrics, createMonitoringRoutes } from './metrics/metrics.ts';
import { createChartRenderer } from './pictures/chart-renderer.ts';
import { type SlackApp, startSlackApp } from './slack/connect.ts';
import { serveSingleTeam } from './slack/teams.ts';
import { openWorkspace } from './workspace.ts';
import { type OpenRecords, recordsInDatabase, recordsInFolder } from './workspace-records.ts';

export type { App, AppDependencies } from './app-contract.ts';

const DRAIN_MS = 5 * SECOND;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Does nothing before `start`. */
export function createApp(config: Config, given: AppDependencies): App {
  const metrics = createMetrics();
  const { counters } = metrics;
  const ports = { ...given, log: counters.countLogLines(given.log) };
  const { log } = ports;
  const opened = new ClosingList(log);
  /** Aborted on shutdown. */
  const ending = new AbortController();
  const { signal } = ending;
  let slack: SlackApp | undefined;
  let starting: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;
  let tellBroken: (error: Error) => void = () => undefined;
  const broken = new Promise<Error>((resolve) => {
    tellBroken = resolve;
  });

  const openRecords = async (): Promise<OpenRecords> => {
    if (ports.openRecords) return ports.openRecords;
    const { storage } = config;
    const options = { ports, signal, onTakenOver: tellBroken };
    if (storage.engine === 'folder') return recordsInFolder(storage.folder, options);
    const records = await recordsInDatabase(storage.url, options);
    opened.add('database', () => records.close());
    return records.open;
  };

  const begin = async () => {
    const { workspaces: account } = config;
    if (account.mode !== 'single') throw new Error('Serving many workspaces is not there yet');
    const charts = ports.charts ?? createChartRenderer(ports);
    opened.add('pictures', () => charts.close());
    const workspace = await openWorkspace({
      config,
      account,
      ports,
      version,
      counters,
      charts,
      openRecords: await openRecords(),
      signal,
      onBroken: tellBroken,
    });
    opened.add('workspace', async () => {
      // Shutdown doesn't wait for a chart; the next start renders it again.
      await charts.close();
      await workspace.close();
    });
    const eventLoop = watchEventLoop();
    opened.add('event loop monitor', async () => eventLoop.stop());
    signal.throwIfAborted();
    const { identity, dispatcher, sources } = workspace;
    const connected = await startSlackApp({
      ...config.slack,
      ...ports,
      http: config.http,
      teams: serveSingleTeam({ identity, dispatcher }),
      routes: createMonitoringRoutes(metrics, {
        ...sources,
        eventLoop,
        folder: config.storage.engine === 'folder' ? config.storage.folder : undefined,
        isSlackConnected: () => slack?.isConnected ?? false,
      }),
      onRefused: (status) => counters.countRejectedSlackRequest(status),
      signal,
    });
    slack = connected;
    opened.add('Slack connection', () => connected.stop(DRAIN_MS));
    const { mode } = config.slack.receive;
    log.info('Gigdesk is running', { version, team: identity.team, mode, port: slack.port });
  };

  /** Aborts first, so that the feed stops polling while Slack's requests still get responses. */
  const closeAll = async () => {
    ending.abort();
    await opened.closeAll();
  };

  const start = async () => {
    try {
      signal.throwIfAborted();
      await begin();
      signal.throwIfAborted();
    } catch (thrown) {
      await closeAll();
      throw thrown;
    }
  };

  const stop = async () => {
    ending.abort();
    await starting?.catch(() => undefined);
    await closeAll();
  };

  return {
    start: () => {
      starting ??= start();
      return starting;
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
    fatalError: broken,
    localUrl: () => {
      if (!slack) throw new Error("The app hasn't started");
      return `http://${config.http.host}:${slack.port}`;
    },
  };
}
