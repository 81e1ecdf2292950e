/** Each check alone: its result and the suggested fix. */
import { appendFile, chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, machineClock } from '../../src/clock.ts';
import { checkData, checkDataFolderLock, checkEnvFile } from '../../src/doctor/check-machine.ts';
import { checkSlack } from '../../src/doctor/check-services.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { optionalScopeLosses, slackScopeReasons } from '../../src/slack-scopes.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { counts } from '../storage/collections.ts';

const clock = new ManualClock();
const config = {
  botToken: new Secret('xoxb-secret'),
  receive: { mode: 'socket', appToken: new Secret('xapp-secret') },
} as const;

interface Answers {
  readonly auth?: object;
  readonly open?: object;
  readonly validate?: object;
  readonly scopes?: readonly string[];
  readonly aheadMs?: number;
}

/** A Slack with this answer. */
async function slackSays({
  auth,
  open,
  validate,
  scopes = Object.keys(slackScopeReasons),
  aheadMs = 0,
}: Answers) {
  const fetch: typeof globalThis.fetch = async (input) => {
    const method = typeof input === 'string' ? input.split('/').at(-1) : '';
    const isAuth = method === 'auth.test';
    const other = (method === 'blocks.validate' ? validate : open) ?? { ok: true };
    const body = isAuth ? (auth ?? { ok: true, user: 'gigdesk', team: 'Studio' }) : other;
    const headers = {
      'x-oauth-scopes': scopes.join(','),
      date: new Date(clock.now() + aheadMs).toUTCString(),
    };
    return new Response(JSON.stringify(body), { headers });
  };
  return (await checkSlack(config, fetch, clock)).findings;
}

describe('Slack', () => {
  it('is well when nothing is missing', async () => {
    expect((await slackSays({})).filter(({ ok }) => !ok)).toEqual([]);
  });

  it.each(Object.keys(slackScopeReasons).filter((scope) => !(scope in optionalScopeLosses)))(
    'is told that the scope %s is missing, and what to do',
    async (scope) => {
      const findings = await slackSays({
        scopes: Object.keys(slackScopeReasons).filter((it) => it !== scope),
      });
      expect(findings.filter(({ ok }) => !ok)).toEqual([
        {
          check: 'Slack scopes',
          ok: false,
          detail: expect.stringMatching(new RegExp(` ${scope}$`, 'u')),
          remedy: expect.any(String),
        },
      ]);
      expect(findings.filter(({ ok }) => !ok)).toMatchSnapshot();
    },
  );

  it.each(Object.keys(optionalScopeLosses))(
    'works without the optional scope %s, and names it',
    async (scope) => {
      const findings = await slackSays({
        scopes: Object.keys(slackScopeReasons).filter((it) => it !== scope),
      });
      expect(findings.filter(({ ok }) => !ok)).toEqual([]);
      expect(findings.find(({ check }) => check === 'Slack scopes')?.detail).toContain(scope);
    },
  );

  it('asks what it takes of the newer blocks, or says why it cannot', async () => {
    const blocks = async (validate?: object) =>
      (await slackSays(validate ? { validate } : {})).find(({ check }) => check === 'Slack blocks');
    expect(await blocks()).toMatchObject({ ok: true, detail: expect.stringContaining('accepts') });
    const refusal = { ok: false, error: 'invalid_message', errors: [] };
    expect(await blocks(refusal)).toMatchObject({ ok: true, detail: expect.stringContaining('data_table') });
    const unknown = { ok: false, error: 'unknown_method' };
    expect(await blocks(unknown)).toMatchObject({ ok: true, detail: expect.stringContaining('not checked') });
  });

  it.each([
    ['invalid_auth', 'invalid_auth'],
    ['token_revoked', 'token_revoked'],
    ['account_inactive', 'account_inactive'],
    ['constructor', 'invalid_auth'],
  ])('refuses the token with %s: the remedy fits', async (error, like) => {
    const findings = await slackSays({ auth: { ok: false, error } });
    expect(findings).toEqual([
      {
        check: 'Slack bot token',
        ok: false,
        detail: expect.stringMatching(new RegExp(` ${error}$`, 'u')),
        remedy: expect.any(String),
      },
    ]);
    expect(findings).toMatchSnapshot();
    const [alike] = await slackSays({ auth: { ok: false, error: like } });
    expect(findings[0]?.remedy).toBe(alike?.remedy);
  });

  it('has a remedy for each way to refuse a token', async () => {
    const remedies = ['invalid_auth', 'token_revoked', 'account_inactive'].map(async (error) => {
      const [finding] = await slackSays({ auth: { ok: false, error } });
      return finding?.remedy;
    });
    expect(new Set(await Promise.all(remedies)).size).toBe(3);
  });

  it('refuses the app token: the rest is told all the same', async () => {
    const findings = await slackSays({ open: { ok: false, error: 'not_allowed_token_type' } });
    expect(findings.map(({ check, ok }) => [check, ok])).toEqual([
      ['Slack bot token', true],
      ['Slack scopes', true],
      ['Slack blocks', true],
      ['Slack app token', false],
      ['clock', true],
    ]);
    expect(JSON.stringify(findings)).not.toMatch(/xoxb-secret|xapp-secret/);
  });

  it.each([6, -6])('is %i minutes ahead: the clock must be set', async (minutes) => {
    const findings = await slackSays({ aheadMs: minutes * MINUTE });
    expect(findings.find(({ check }) => check === 'clock')).toMatchObject({
      ok: false,
      detail: expect.stringContaining('360 s'),
      remedy: expect.stringContaining('NTP'),
    });
  });
});

describe('the data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gigdesk-doctor-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is used by nobody', async () => {
    const unused = await checkDataFolderLock(folder);
    expect(unused).toMatchObject({ ok: true });
    expect(unused).toMatchSnapshot();
    expect(await checkDataFolderLock(join(folder, 'missing'))).toEqual(unused);
  });

  it('is used by a process that runs, which is named', async () => {
    const unused = await checkDataFolderLock(folder);
    const store = await openJournalStore({
      folder,
      team: TeamId.parse('T1'),
      collections: [],
      log: silentLog,
      clock: machineClock,
    });
    expect(await checkDataFolderLock(folder)).toMatchObject({
      ok: true,
      detail: expect.stringContaining(String(process.pid)),
    });
    await store.close();
    expect(await checkDataFolderLock(folder)).toEqual(unused);
  });

  it('was left by a process that is gone, or by one that can’t be seen from here', async () => {
    const lock = join(folder, 'lock');
    await writeFile(lock, JSON.stringify({ pid: 1, started: '1', realm: 'another container' }));
    expect(await checkDataFolderLock(folder)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('container'),
    });
    await writeFile(lock, 'half of a li');
    expect(await checkDataFolderLock(folder)).toMatchObject({
      ok: true,
      detail: expect.stringContaining('container'),
    });
  });

  it('holds a lock that is no file', async () => {
    const beside = join(folder, 'file');
    await writeFile(beside, '');
    await chmod(beside, 0o600);
    expect(await checkDataFolderLock(beside)).toMatchObject({
      ok: false,
      remedy: expect.stringContaining('readable'),
    });
  });
});

describe('the data', () => {
  const team = TeamId.parse('T1');
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gigdesk-doctor-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  function open(version = 1) {
    const parts = { folder, team, log: silentLog, clock: machineClock, version };
    return openJournalStore({ ...parts, collections: [counts] });
  }

  async function store(version = 1): Promise<void> {
    const opened = await open(version);
    await opened.transact((tx) => tx.put(counts, { key: [team, 'n'], count: 1 }));
    await opened.close();
  }

  it('is nothing to report before anything is stored', async () => {
    expect(await checkData(join(folder, 'missing'), team)).toEqual([]);
    await (await open()).close();
    expect(await checkData(folder, team)).toEqual([]);
  });

  it('is the bot token’s team’s, or another’s, while a token that fails says nothing', async () => {
    await store();
    const files = await readdir(folder);
    for (const known of [team, undefined])
      expect(await checkData(folder, known)).toMatchObject([
        { ok: true, detail: expect.stringContaining('T1') },
      ]);
    const other = await checkData(folder, 'T2');
    expect(other).toMatchObject([{ ok: false, remedy: expect.stringContaining('T1') }]);
    expect(other).toMatchSnapshot();
    expect(await readdir(folder)).toEqual(files);
  });

  it('is damaged, or of a newer version', async () => {
    await store();
    await appendFile(join(folder, 'journal-00000002.jsonl'), 'damaged\n');
    expect(await checkData(folder, team)).toMatchSnapshot();
    await rm(folder, { recursive: true });
    await store(2);
    expect(await checkData(folder, team)).toMatchObject([
      { ok: false, detail: expect.stringContaining('version 2') },
    ]);
  });
});

describe('the file with the tokens', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gigdesk-doctor-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['its owner alone can read', 0o600, false],
    ['its group can read', 0o640, true],
    ['everyone can read', 0o604, true],
  ])('that %s', async (_, mode, isWarnedOf) => {
    const file = join(folder, '.env');
    await writeFile(file, '');
    await chmod(file, mode);
    const [finding] = await checkEnvFile(file);
    expect(finding?.ok).toBe(true);
    expect(finding?.remedy !== undefined).toBe(isWarnedOf);
  });

  it('may be missing: then the environment has all', async () => {
    expect(await checkEnvFile(join(folder, 'missing'))).toEqual([]);
  });
});
