/** The rules of the Dockerfile, compose.yaml and .dockerignore; image/image.test.ts tests their results. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';
import { REPLICA_PATH } from '../src/slack/core/http-server.ts';
import { passesIgnore, readDockerfile, theEnvironment, theStep, theWords } from './image/read-dockerfile.ts';

const stages = readDockerfile(readFileSync('Dockerfile', 'utf8'));
const last = stages.at(-1);
type Service = Readonly<Record<string, unknown>>;
const { services, volumes, configs } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
  readonly services: { readonly gigdesk: Service } & Readonly<Record<string, Service>>;
  readonly volumes: object;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
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
    const [uid, gid] = theStep(last, 'USER').split(':').map(Number);
    expect(uid).toBeGreaterThan(0);
    expect(gid).toBeGreaterThan(0);
    expect(theStep(last, 'RUN')).toBe(`install -d -o ${uid} -g ${gid} -m 700 /data`);
    expect(theWords(last, 'VOLUME')).toEqual(['/data']);
    expect(theEnvironment(last)).toEqual({
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: theStep(last, 'EXPOSE'),
      DATA_DIR: '/data',
    });
  });

  it('is node itself, so that signals reach it', () => {
    const [, started] =
      /\bexec (node .*)$/.exec(JSON.parse(readFileSync('package.json', 'utf8')).scripts.start) ?? [];
    expect(theWords(last, 'CMD').join(' ')).toBe(started);
    expect(readFileSync('docs/install.md', 'utf8')).toContain(`ExecStart=/usr/bin/${started}\n`);
    expect(theStep(last, 'STOPSIGNAL')).toBe('SIGTERM');
    expect(theWords(last, 'HEALTHCHECK')[0]).toBe('node');
  });

  it('installs from the lock file, runs no package scripts, and includes no development modules', () => {
    const installs = stages.flatMap(({ steps }) =>
      steps.filter(({ word, args }) => word === 'RUN' && args.startsWith('npm')).map(({ args }) => args),
    );
    expect(installs.filter((it) => it.includes('install'))).toEqual([]);
    expect(installs.filter((it) => it.startsWith('npm ci') && !it.includes('--ignore-scripts'))).toEqual([]);
    const modules = stages.find(({ name }) => name === 'modules');
    expect(theStep(modules, 'RUN')).toContain('--omit=dev');
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
    for (const file of [...outside, 'src/workbench/sandbox.ts'])
      expect(passesIgnore(ignore, file)).toBe(false);
    const top = readdirSync('.').filter((name) => passesIgnore(ignore, name));
    expect(top.toSorted((a, b) => a.localeCompare(b))).toEqual([
      '.npmrc',
      'LICENSE',
      'package-lock.json',
      'package.json',
      'scripts',
      'src',
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
    expect(gigdesk['environment']).toEqual(theEnvironment(last));
  });
});

describe('the replicas of compose.yaml', () => {
  const replicas = ['gigdesk-1', 'gigdesk-2'];
  const given = {
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_SIGNING_SECRET: 'signing-secret-secret',
    MARKETPLACE_API_URL: 'https://marketplace.invalid/v1',
    MARKETPLACE_API_TOKEN: 'token',
    REPLICA_SECRET: 'at least sixteen characters',
  };

  it('start only when asked for, beside nothing that is reached from outside but the proxy', () => {
    expect(gigdesk).not.toHaveProperty('profiles');
    for (const [name, service] of Object.entries(services)) {
      if (name === 'gigdesk') continue;
      expect(service['profiles'], name).toEqual(['replicas']);
      expect(service['ports'] ?? [], name).toEqual(name === 'proxy' ? ['127.0.0.1:3000:3000'] : []);
    }
  });

  it.each(replicas)('%s has a configuration that starts, in PostgreSQL', (name) => {
    const environment = services[name]?.['environment'] as Record<string, string>;
    const read = readConfig({ ...theEnvironment(last), ...given, ...environment });
    expect(read).toMatchObject({
      kind: 'config',
      config: {
        storage: { engine: 'postgres' },
        replica: { url: `http://${name}:3000` },
        http: { port: 3_000 },
      },
    });
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], volumes: [] });
  });

  it('are behind a proxy that keeps the inside inside, and have pinned images beside them', () => {
    const caddy = configs['proxy']?.content ?? '';
    expect(caddy).toContain(`reverse_proxy ${replicas.map((name) => `${name}:3000`).join(' ')}`);
    const [, hidden = ''] = /path (.*)/u.exec(caddy) ?? [];
    expect(hidden.split(' ')).toEqual([`${path.posix.dirname(REPLICA_PATH)}/*`, '/metrics']);
    for (const name of ['postgres', 'proxy'])
      expect(services[name]?.['image']).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?-[a-z]+$/u);
  });
});
