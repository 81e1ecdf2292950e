/** Replicas of the app as processes on one database: starts, kills and pauses them. */
import { type CuttingProxy, startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import { type AppProcess, type CompiledApp, type Environment, isRunning } from './app-process.ts';
import { until } from './until.ts';

export const REPLICA_SECRET = 'shared by all replicas';

/** An address that stays when its process ends and another one is started. */
export interface Replica {
  readonly name: string;
  readonly url: string;
  /** Its way to the database. */
  readonly proxy: CuttingProxy;
  /** The process of now. */
  app: AppProcess;
}

interface FleetOptions {
  readonly compiled: CompiledApp;
  readonly databaseUrl: string;
  /** Of every process. */
  readonly environment: Environment;
}

export class Fleet {
  readonly replicas: Replica[] = [];
  /** Of all times. */
  readonly apps: AppProcess[] = [];
  readonly #options: FleetOptions;
  #next = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  /** A new replica as it starts. @param more settings of its process */
  async launch(more: Environment = {}): Promise<Replica> {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const proxy = await startCuttingProxy(this.#options.databaseUrl);
    const name = `replica ${this.replicas.length + 1}`;
    const replica = { name, url, proxy, app: this.#start({ url, proxy }, more) };
    this.replicas.push(replica);
    return replica;
  }

  /** Resolves once it runs. */
  async start(more?: Environment): Promise<Replica> {
    const replica = await this.launch(more);
    await replica.app.logged(isRunning);
    return replica;
  }

  /** Kills it, also when it is paused, and starts it again. */
  async restart(replica: Replica): Promise<void> {
    await replica.app.end('SIGKILL');
    replica.app = this.#start(replica);
  }

  #start({ url, proxy }: Pick<Replica, 'url' | 'proxy'>, more: Environment = {}): AppProcess {
    const app = this.#options.compiled.start({
      ...this.#options.environment,
      DATABASE_URL: proxy.url,
      PORT: new URL(url).port,
      REPLICA_URL: url,
      REPLICA_SECRET,
      ...more,
    });
    this.apps.push(app);
    return app;
  }

  get ready(): readonly Replica[] {
    return this.replicas.filter(({ app }) => app.isReady);
  }

  /** Ready replicas in turns, as a proxy sends Slack's requests there. undefined: none is ready. */
  nextAddress(): string | undefined {
    return this.ready[this.#next++ % Math.max(1, this.ready.length)]?.url;
  }

  /** Until exactly one of these owns the only workspace. @returns it */
  async untilOwned(by: readonly Replica[] = this.replicas): Promise<Replica> {
    const owners = () => by.filter(({ app }) => app.owned.size > 0);
    const [owner] = await until('an owner', () => (owners().length === 1 ? owners() : undefined), {
      state: () => by.map(({ app }) => app.lastWords).join('\n'),
    });
    if (!owner) throw new Error('nobody owns it');
    return owner;
  }

  /** Ends all with SIGTERM. @throws Error when one ends otherwise than with code 0 */
  async end(): Promise<void> {
    for (const { app } of this.replicas) app.send('SIGTERM');
    for (const { app, name } of this.replicas) {
      const how = await app.ended;
      if (how !== 0) throw new Error(`${name} ended with ${how} after SIGTERM`);
    }
  }

  async killAll(): Promise<void> {
    await Promise.all(this.replicas.map(({ app }) => app.end('SIGKILL')));
  }

  async close(): Promise<void> {
    await this.killAll();
    await Promise.all(this.replicas.map(({ proxy }) => proxy.close()));
  }
}
