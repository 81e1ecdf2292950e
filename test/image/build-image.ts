/**
 * Runs a Dockerfile's steps without a container engine: each stage in an empty folder, everything as a
 * non-root user. It doesn't test a container's own file system and network.
 */
import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { passesIgnore, readDockerfile, type Stage, type Step, theStep } from './read-dockerfile.ts';

const project = resolve(import.meta.dirname, '../..');

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface BuiltImage {
  /** The container's `/`. */
  readonly root: string;
  /** The command, working directory and user of the image's process. */
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absent when this process isn't root: then everything runs as the current user. */
  readonly as: Partial<Identity>;
  remove(): Promise<void>;
}

interface Building {
  readonly place: string;
  readonly as: Partial<Identity>;
  readonly ignore: string;
  /** By stage. */
  readonly roots: Map<string, string>;
  readonly npm: Readonly<Record<string, string>>;
}

async function makeFolder(building: Building, path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  const { uid, gid } = building.as;
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

/** An npm setting; undefined when it isn't set. */
function npmSetting(name: string): string | undefined {
  const told = execFileSync('npm', ['config', 'get', name], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const value = told.trim();
  return ['', 'null', 'undefined'].includes(value) ? undefined : value;
}

/** This machine's npm settings, for the other user. */
function npmSettings(cache: string): Readonly<Record<string, string>> {
  const passed = ['registry', 'https-proxy', 'noproxy', 'cafile'].flatMap((name) => {
    const value = npmSetting(name);
    return value === undefined ? [] : [[`npm_config_${name.replaceAll('-', '_')}`, value]];
  });
  return { ...Object.fromEntries(passed), npm_config_cache: cache, npm_config_update_notifier: 'false' };
}

/** A copy of npm's cache that the other user can read: links to its files, in new folders. */
async function lendCache(place: string, { uid, gid }: Partial<Identity>): Promise<string> {
  const cache = join(place, 'npm-cache');
  const own = npmSetting('cache') ?? cache;
  if (uid === undefined) return own;
  const kept = join(cache, '_cacache');
  await mkdir(kept, { recursive: true });
  // npm appends to its index, and only reads the contents.
  await cp(join(own, '_cacache/index-v5'), join(kept, 'index-v5'), { recursive: true });
  const contents = join(own, '_cacache/content-v2');
  try {
    execFileSync('cp', ['-al', contents, kept], { stdio: 'ignore' });
  } catch {
    execFileSync('cp', ['-a', contents, kept]);
  }
  execFileSync('chown', ['-R', `${uid}:${gid}`, join(kept, 'index-v5')]);
  execFileSync('find', [cache, '-type', 'd', '-exec', 'chown', `${uid}:${gid}`, '{}', '+']);
  return cache;
}

/** Maps the image's absolute paths below the stage's root. */
function inRoot(root: string, workdir: string, path: string): string {
  return path.startsWith('/') ? join(root, path) : join(workdir, path);
}

async function copy(
  building: Building,
  step: Extract<Step, { kind: 'copy' }>,
  root: string,
  workdir: string,
) {
  const { from, sources, to } = step;
  const stage = from === undefined ? undefined : building.roots.get(from);
  if (from !== undefined && stage === undefined) throw new Error(`no stage ${from}`);
  const target = inRoot(root, workdir, to);
  const isFolder = to.endsWith('/') || sources.length > 1;
  for (const source of sources) {
    const path = stage === undefined ? join(project, source) : join(stage, source);
    const passes = (file: string) =>
      stage !== undefined || passesIgnore(building.ignore, relative(project, file));
    if (!passes(path)) throw new Error(`${source} is kept out by .dockerignore`);
    await cp(path, isFolder ? join(target, source) : target, {
      recursive: true,
      filter: passes,
      verbatimSymlinks: true,
    });
  }
  const { uid, gid } = building.as;
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, root]);
}

function run(
  building: Building,
  command: string,
  root: string,
  workdir: string,
  env: Readonly<Record<string, string>>,
): void {
  const here = command.replaceAll(/(?<= )\/(?=\w)/g, `${root}/`);
  const mine = building.as.uid === undefined ? here.replaceAll(/ -[og] \d+/g, '') : here;
  execFileSync('/bin/sh', ['-ec', mine], {
    cwd: workdir,
    env: {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: building.place,
      ...building.npm,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...building.as,
  });
}

async function buildStage(building: Building, stage: Stage, index: number) {
  const root = join(building.place, stage.name ?? `stage-${index}`);
  await makeFolder(building, root);
  building.roots.set(stage.name ?? '', root);
  let workdir = root;
  let env: Readonly<Record<string, string>> = {};
  for (const step of stage.steps) {
    if (step.kind === 'workdir') {
      workdir = join(root, step.path);
      await makeFolder(building, workdir);
    } else if (step.kind === 'env') env = { ...env, ...step.values };
    else if (step.kind === 'copy') await copy(building, step, root, workdir);
    else if (step.kind === 'run') run(building, step.command, root, workdir, env);
  }
  return { root, workdir, env };
}

/** @throws Error when a step fails; it leaves no files behind */
export async function buildImage(): Promise<BuiltImage> {
  const place = await mkdtemp(join(tmpdir(), 'gigdesk-image-'));
  try {
    return await buildIn(place);
  } catch (thrown) {
    await rm(place, { recursive: true, force: true });
    throw thrown;
  }
}

async function buildIn(place: string): Promise<BuiltImage> {
  const stages = readDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8'));
  const last = stages.at(-1);
  const { uid, gid } = theStep(last, 'user');
  const as = process.getuid?.() === 0 ? { uid, gid } : {};
  await chmod(place, 0o755);
  const building: Building = {
    place,
    as,
    ignore: await readFile(join(project, '.dockerignore'), 'utf8'),
    roots: new Map(),
    npm: npmSettings(await lendCache(place, as)),
  };
  let built = { root: place, workdir: place, env: {} as Readonly<Record<string, string>> };
  for (const [index, stage] of stages.entries()) built = await buildStage(building, stage, index);
  const { root, workdir, env } = built;
  const volumes = theStep(last, 'volume').paths;
  const placed = Object.entries(env).map(([name, value]) => [
    name,
    volumes.includes(value) ? join(root, value) : value,
  ]);
  // In compose.yaml everything except the volume is read-only.
  execFileSync('chmod', ['-R', 'a-w', workdir]);
  return {
    root,
    workdir,
    as,
    command: theStep(last, 'command').command,
    healthcheck: theStep(last, 'healthcheck').command,
    env: Object.fromEntries(placed),
    remove: async () => {
      execFileSync('chmod', ['-R', 'u+w', workdir]);
      await rm(place, { recursive: true, force: true });
    },
  };
}
