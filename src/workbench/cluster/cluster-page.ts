/** Serves the cluster sandbox's page to this machine, and does what its buttons say. */
import { z } from 'zod';
import { answerJson, answerText, type HttpExchange, parseJsonBody, startServerNear } from '../http.ts';
import { findForeignRequestProblem } from '../page/foreign-requests.ts';
import { PAGE_SCRIPT } from './page-style.ts';
import { renderClusterPage, renderClusterState } from './render-cluster.ts';
import type { ReplicaProcess } from './replica-process.ts';
import type { Cluster } from './start-cluster.ts';

export interface ClusterPage {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  close(): Promise<void>;
}

const HEADERS = {
  'content-security-policy':
    "default-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

const Press = z.object({ action: z.string(), target: z.string() });

interface Action {
  readonly run: (replica: ReplicaProcess) => void | Promise<void>;
  /** The event, before it runs. Missing: what follows has events of its own. */
  readonly describe?: (replica: ReplicaProcess) => string;
  /** Whether the replica stops or goes on serving its workspaces. */
  readonly serves?: boolean;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  start: { run: (it) => it.start(), describe: ({ name }) => `${name} is starting` },
  kill: { run: (it) => it.kill() },
  restart: { run: (it) => it.restart(), describe: ({ name }) => `${name} is restarting` },
  pause: { run: (it) => it.pause(), describe: ({ name }) => `${name} is paused`, serves: false },
  resume: { run: (it) => it.resume(), describe: ({ name }) => `${name} continues`, serves: true },
  cut: {
    run: (it) => it.cutConnections(),
    describe: ({ name }) => `${name}: connections to the database cut`,
    serves: false,
  },
  slow: {
    run: (it) => it.toggleSlow(),
    describe: ({ name, isSlow }) =>
      isSlow ? `${name}: normal database` : `${name}: slow database, 0.4 s for each answer`,
  },
};

/** @returns why it can't be done; undefined once it is done */
async function press(cluster: Cluster, body: unknown): Promise<string | undefined> {
  const { data } = Press.safeParse(body);
  if (!data) return "This isn't a press of a button.";
  const { action, target } = data;
  const team = cluster.teams.find(({ id }) => id === target);
  if (action === 'publish' && team) {
    team.publish();
    cluster.note(`${team.name}: project published`);
    return undefined;
  }
  const replica = cluster.replicas.find(({ name }) => name === target);
  const found = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (!replica || !found) return `There's no “${action}” of “${target}”.`;
  const { describe, serves } = found;
  if (describe)
    cluster.note(describe(replica), serves === undefined ? undefined : { name: replica.name, serves });
  await found.run(replica);
  return undefined;
}

async function serve(cluster: Cluster, exchange: HttpExchange): Promise<void> {
  const { method, url, headers, request, response, body } = exchange;
  const refusal = findForeignRequestProblem(method, headers, request.socket.localPort ?? 0);
  if (refusal !== undefined) return answerJson(response, 403, { problem: refusal }, HEADERS);
  const html = { ...HEADERS, 'content-type': 'text/html; charset=utf-8' };
  switch (`${method} ${url.pathname}`) {
    case 'GET /':
      return answerText(response, 200, renderClusterPage(cluster), html);
    case 'GET /state':
      return answerText(response, 200, renderClusterState(cluster), html);
    case 'GET /cluster.js':
      return answerText(response, 200, PAGE_SCRIPT, { ...HEADERS, 'content-type': 'text/javascript' });
    case 'POST /do': {
      const problem = await press(cluster, parseJsonBody(body));
      return answerJson(response, problem === undefined ? 200 : 400, problem ? { problem } : {}, HEADERS);
    }
    default:
      return answerJson(response, 404, { problem: 'Page not found.' }, HEADERS);
  }
}

/** @param port the first port to try; 0: any free port */
export async function startClusterPage(cluster: Cluster, port: number): Promise<ClusterPage> {
  const server = await startServerNear(port, (exchange) => serve(cluster, exchange));
  return { origin: server.origin, close: () => server.close() };
}
