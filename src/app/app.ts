/** Composition root: opens the workspace and the connection to Slack, and shuts them down. */
import { SECOND, watchEventLoop } from '../clock.ts';
import { createForwarding } from '../cluster/forwarding.ts';
import type { Config } from '../config.ts';
import { createMetrics, createMonitoringRoutes } from '../metrics/metrics.ts';
import { createProxyPorts } from '../proxy.ts';
import { type SlackApp, startSlackApp } from '../slack/connect.ts';
import { version } from '../version.ts';
import type { App, AppDependencies } from './app-contract.ts';
import { ClosingList } from './closing-list.ts';
import { serveWorkspaces } from './serve-workspaces.ts';

export type { App, AppDependencies } from './app-contract.ts';

/** Does nothing before `start`. */
export function createApp(config: Config, given: AppDependencies): App {
  const metrics = createMetrics({ namesTeams: config.storage.engine === 'postgres' });
  const { counters } = metrics;
  const proxied = config.proxy && createProxyPorts(config.proxy);
  const ports = { ...proxied, ...given, log: counters.countLogLines(given.log) };
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

  const begin = async () => {
    if (proxied) opened.add('proxy connections', () => proxied.dispatcher.destroy());
    const startedAt = ports.clock.now();
    const served = await serveWorkspaces({ config, ports, version, counters, signal, onBroken: tellBroken });
    opened.add('workspaces', () => served.close());
    const eventLoop = watchEventLoop();
    opened.add('event loop monitor', async () => eventLoop.stop());
    signal.throwIfAborted();
    const isSlackConnected = () => slack?.isConnected ?? false;
    const forwarding =
      config.replica &&
      createForwarding({
        // Not through the proxy.
        ...given,
        log,
        secret: config.replica.secret,
        commonNow: served.commonNow ?? (() => ports.clock.now()),
        onForward: (outcome) => counters.countForward(outcome),
      });
    if (forwarding) opened.add('forwarding', () => forwarding.close());
    const connected = await startSlackApp({
      ...config.slack,
      ...ports,
      socketDispatcher: proxied?.dispatcher,
      http: config.http,
      teams: served.teams,
      forwarding,
      commonNow: served.commonNow,
      routes: {
        ...served.routes,
        ...createMonitoringRoutes(metrics, {
          process: {
            version,
            startedAt,
            eventLoop,
            folder: config.storage.engine === 'folder' ? config.storage.folder : undefined,
            isSlackConnected,
            readiness: () => served.judgeReadiness(isSlackConnected()),
            countWorkspaces: () => served.list().length,
          },
          listWorkspaces: () => served.list().map(({ sources }) => sources),
        }),
      },
      onRefused: (status) => counters.countRejectedSlackRequest(status),
      onHintRequest: (outcome) => counters.countHintRequest(outcome),
      signal,
    });
    slack = connected;
    opened.add('Slack connection', () => connected.stop(5 * SECOND));
    const { mode } = config.slack.receive;
    const teams = served.list().map(({ identity }) => identity.team);
    log.info('Gigdesk is running', { version, teams: teams.join(' '), mode, port: slack.port });
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
