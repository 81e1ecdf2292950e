/**
 * Runs a Dockerfile's steps without a container engine, each stage in an empty folder; its product belongs to
 * the image's user. It doesn't test a container's own file system and network.
 */
import { execFileSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import {
  passesIgnore,
  readDockerfile,
  type Stage,
  theEnvironment,
  theStep,
  theWords,
} from './read-dockerfile.ts';

const project = resolve(import.meta.dirname, '../..');

export type BuiltImage = Awaited<ReturnType<typeof buildImage>>;

/** @throws Error when a step fails */
export async function buildImage() {
  const place = await mkdtemp(join(tmpdir(), 'gigdesk-image-'));
  await chmod(place, 0o755);
  const stages = readDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8'));
  const last = stages.at(-1);
  const [uid, gid] = theStep(last, 'USER').split(':').map(Number);
  const isRoot = process.getuid?.() === 0;
  const ignore = await readFile(join(project, '.dockerignore'), 'utf8');
  for (const stage of stages) await buildStage(place, stage, ignore, isRoot);
  const root = rootOf(place, last);
  const workdir = join(root, theStep(last, 'WORKDIR'));
  const [volume = ''] = theWords(last, 'VOLUME');
  const env = theEnvironment(last);
  if (isRoot) execFileSync('chown', ['-R', `${uid}:${gid}`, root]);
  // In compose.yaml everything except the volume is read-only.
  execFileSync('chmod', ['-R', 'a-w', workdir]);
  return {
    /** The container's `/`. */
    root,
    workdir,
    env: { ...env, DATA_DIR: env['DATA_DIR'] === volume ? join(root, volume) : '' },
    command: theWords(last, 'CMD'),
    healthcheck: theWords(last, 'HEALTHCHECK'),
    /** The image's user; when this process isn't root, everything runs as its own. */
    as: isRoot ? { uid, gid } : {},
    remove: async () => {
      execFileSync('chmod', ['-R', 'u+w', workdir]);
      await rm(place, { recursive: true, force: true });
    },
  };
}

const rootOf = (place: string, stage: Stage | undefined) => join(place, stage?.name ?? 'last');

async function buildStage(place: string, stage: Stage, ignore: string, isRoot: boolean): Promise<void> {
  const root = rootOf(place, stage);
  let workdir = root;
  await mkdir(root);
  const run = (command: string) => {
    const here = command.replaceAll(/(?<= )\/(?=\w)/gu, `${root}/`);
    const mine = isRoot ? here : here.replaceAll(/ -[og] \d+/gu, '');
    execFileSync('/bin/sh', ['-ec', mine], { cwd: workdir, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  for (const { word, args } of stage.steps)
    if (word === 'WORKDIR') {
      workdir = join(root, args);
      await mkdir(workdir, { recursive: true });
    } else if (word === 'RUN') run(args);
    else if (word === 'COPY') await copy(place, args, workdir, ignore);
}

async function copy(place: string, args: string, workdir: string, ignore: string): Promise<void> {
  const [, stage, paths = ''] = /^(?:--from=(\S+) )?(.*)$/u.exec(args) ?? [];
  const sources = paths.split(' ');
  const to = sources.pop() ?? '';
  const from = stage === undefined ? project : join(place, stage);
  const passes = (file: string) => stage !== undefined || passesIgnore(ignore, relative(project, file));
  for (const source of sources) {
    if (!passes(join(from, source))) throw new Error(`${source} is kept out by .dockerignore`);
    const target = to.endsWith('/') ? join(workdir, to, source) : join(workdir, to);
    await cp(join(from, source), target, { recursive: true, filter: passes, verbatimSymlinks: true });
  }
}
