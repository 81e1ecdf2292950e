/** The rules of the Dockerfile, compose.yaml and .dockerignore; image.proof.ts tests their results. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { passesIgnore, readDockerfile, theStep } from './read-dockerfile.ts';

const stages = readDockerfile(readFileSync('Dockerfile', 'utf8'));
const last = stages.at(-1);
const { services, volumes } = parse(readFileSync('compose.yaml', 'utf8')) as {
  readonly services: { readonly gigdesk: Readonly<Record<string, unknown>> };
  readonly volumes: object;
};
const { gigdesk } = services;

describe('the image', () => {
  it('has one base, pinned to a version that the product supports', () => {
    const names = new Set(stages.flatMap(({ name }) => name ?? []));
    expect(stages.filter(({ base }) => !names.has(base)).map(({ base }) => base)).toEqual([
      expect.stringMatching(/^node:24\.\d+\.\d+-bookworm-slim$/),
    ]);
  });

  it('runs as a user who is not root, whose is the volume', () => {
    const { uid, gid } = theStep(last, 'user');
    expect(uid).toBeGreaterThan(0);
    expect(gid).toBeGreaterThan(0);
    expect(theStep(last, 'run').command).toBe(`install -d -o ${uid} -g ${gid} -m 700 /data`);
    expect(theStep(last, 'volume').paths).toEqual(['/data']);
    expect(theStep(last, 'env').values).toEqual({
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: String(theStep(last, 'expose').port),
      DATA_DIR: '/data',
    });
  });

  it('is node itself, so that signals reach it', () => {
    const [, started] =
      /\bexec (node .*)$/.exec(JSON.parse(readFileSync('package.json', 'utf8')).scripts.start) ?? [];
    expect(theStep(last, 'command').command.join(' ')).toBe(started);
    expect(readFileSync('docs/install.md', 'utf8')).toContain(`ExecStart=/usr/bin/${started}\n`);
    expect(theStep(last, 'stop-signal').signal).toBe('SIGTERM');
    expect(theStep(last, 'healthcheck').command[0]).toBe('node');
  });

  it('installs from the lock file, runs no package scripts, and includes no development modules', () => {
    const installs = stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'run' && step.command.startsWith('npm') ? [step.command] : [])),
    );
    expect(installs.filter((it) => it.includes('install'))).toEqual([]);
    expect(installs.filter((it) => it.startsWith('npm ci') && !it.includes('--ignore-scripts'))).toEqual([]);
    const modules = stages.find(({ name }) => name === 'modules');
    expect(theStep(modules, 'run').command).toContain('--omit=dev');
  });

  it('is built without secrets, data, tests and the workbench', () => {
    const ignore = readFileSync('.dockerignore', 'utf8');
    const outside = [
      '.env',
      '.env.local',
      '.git/config',
      'data/lock',
      'test/app.test.ts',
      'node_modules/zod/index.js',
    ];
    for (const path of [...outside, 'src/workbench/sandbox.ts'])
      expect(passesIgnore(ignore, path)).toBe(false);
    const top = readdirSync('.').filter((name) => passesIgnore(ignore, name));
    expect(top.toSorted((a, b) => a.localeCompare(b))).toEqual([
      '.npmrc',
      'LICENSE',
      'package-lock.json',
      'package.json',
      'src',
      'tsconfig.build.json',
      'tsconfig.image.json',
      'tsconfig.json',
    ]);
  });
});

describe('compose.yaml', () => {
  it('takes from the container what it does not need', () => {
    expect(gigdesk).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp'],
      ports: [expect.stringMatching(/^127\.0\.0\.1:/)],
    });
    expect(gigdesk).not.toHaveProperty('privileged');
    expect(gigdesk).not.toHaveProperty('user');
  });

  it('keeps the data, begins again by itself, and gives it time to end', () => {
    expect(gigdesk).toMatchObject({ volumes: ['data:/data'], restart: 'unless-stopped', env_file: '.env' });
    expect(volumes).toHaveProperty('data');
    expect(Number.parseInt(String(gigdesk['stop_grace_period']), 10)).toBeGreaterThan(10);
  });

  it('lets no line of .env move what the image has placed', () => {
    expect(gigdesk['environment']).toEqual(theStep(last, 'env').values);
  });
});
