import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';

const whole = {
  SLACK_BOT_TOKEN: 'xoxb-111-abc',
  SLACK_APP_TOKEN: 'xapp-1-abc',
  MARKETPLACE_API_URL: 'https://api.example.com/v1/',
  MARKETPLACE_API_TOKEN: 'market-secret',
};

function problemsOf(env: Record<string, string>): readonly string[] {
  const read = readConfig(env);
  return read.kind === 'problems' ? read.problems : [];
}

describe('the configuration', () => {
  it('needs four values and has a default for the rest', () => {
    const read = readConfig(whole);
    expect(read).toMatchObject({
      kind: 'config',
      config: {
        slack: { receive: { mode: 'socket' } },
        marketplace: { baseUrl: 'https://api.example.com/v1', requestsPerMinute: 'auto' },
        defaultChannelBudget: 500,
        storage: { engine: 'folder', folder: './data' },
        workspaces: { mode: 'single' },
        http: { host: '127.0.0.1', port: 3000 },
        logLevel: 'info',
        timezone: 'UTC',
      },
    });
  });

  it('names every problem at once, without repeating a value', () => {
    const problems = problemsOf({
      SLACK_BOT_TOKEN: 'wrong-secret-value',
      MARKETPLACE_API_URL: 'http://api.example.com/v1',
      MARKETPLACE_REQUESTS_PER_MINUTE: 'lots',
      DEFAULT_CHANNEL_BUDGET: '-5',
      ADMIN_USER_IDS: 'ada,grace',
      PORT: '99999',
      LOG_LEVEL: 'loud',
      TZ_DEFAULT: 'Mars/Olympus',
    });
    const named = problems.map((problem) => problem.split(' ')[0]);
    expect(new Set(named)).toEqual(
      new Set([
        'SLACK_BOT_TOKEN',
        'SLACK_APP_TOKEN',
        'MARKETPLACE_API_URL',
        'MARKETPLACE_API_TOKEN',
        'MARKETPLACE_REQUESTS_PER_MINUTE',
        'DEFAULT_CHANNEL_BUDGET',
        'ADMIN_USER_IDS',
        'PORT',
        'LOG_LEVEL',
        'TZ_DEFAULT',
      ]),
    );
    expect(problems.join('\n')).not.toContain('wrong-secret-value');
    expect(problems).toMatchSnapshot();
  });

  it('takes HTTP mode when only the signing secret is there', () => {
    const { SLACK_APP_TOKEN: _, ...rest } = whole;
    const read = readConfig({ ...rest, SLACK_SIGNING_SECRET: '0123456789abcdef0123456789abcdef' });
    expect(read).toMatchObject({ kind: 'config', config: { slack: { receive: { mode: 'http' } } } });
  });

  it('counts empty values as absent', () => {
    expect(problemsOf({ ...whole, SLACK_BOT_TOKEN: '  ' })[0]).toBe(
      problemsOf({ ...whole, SLACK_BOT_TOKEN: '' })[0],
    );
    expect(problemsOf({ ...whole, PORT: '' })).toEqual([]);
  });

  it('allows plain http for this machine alone', () => {
    expect(problemsOf({ ...whole, MARKETPLACE_API_URL: 'http://127.0.0.1:4000/v1' })).toEqual([]);
    expect(problemsOf({ ...whole, SLACK_API_URL: 'http://slack.example.com/api/' })).toHaveLength(1);
  });

  it('hides its secrets from print, JSON and inspection', () => {
    const read = readConfig({ ...whole, SLACK_SIGNING_SECRET: 'signing-secret-signing-secret' });
    const shown = `${inspect(read, { depth: 9, showHidden: true })}${JSON.stringify(read)}`;
    for (const secret of ['xoxb-111-abc', 'xapp-1-abc', 'market-secret']) expect(shown).not.toContain(secret);
  });

  const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const many = {
    DATABASE_URL: 'postgres://gigdesk:db-secret@db/gigdesk',
    SLACK_SIGNING_SECRET: 'signing-secret-signing-secret',
    SLACK_CLIENT_ID: '1.2',
    SLACK_CLIENT_SECRET: 'client-secret',
    PUBLIC_URL: 'https://gigdesk.example.com/',
    ENCRYPTION_KEY: `new:${key(1)}, ${key(2)}`,
    MARKETPLACE_API_URL: whole.MARKETPLACE_API_URL,
  };

  it('serves many workspaces with the variables for that, and none of a single one', () => {
    expect(readConfig(many)).toMatchObject({
      kind: 'config',
      config: {
        workspaces: { mode: 'installed', clientId: '1.2', publicUrl: 'https://gigdesk.example.com' },
        storage: { engine: 'postgres' },
      },
    });
    const named = problemsOf({ ...many, SLACK_BOT_TOKEN: 'xoxb-1', ADMIN_USER_IDS: 'U1' });
    expect(named.map((problem) => problem.split(' ')[0])).toEqual(['SLACK_BOT_TOKEN', 'ADMIN_USER_IDS']);
  });

  it.each([
    [
      'half of what installing takes',
      { SLACK_CLIENT_ID: '1.2', PUBLIC_URL: 'https://a.example' },
      ['SLACK_CLIENT_SECRET', 'ENCRYPTION_KEY', 'SLACK_SIGNING_SECRET', 'DATABASE_URL'],
    ],
    [
      'a replica without its secret',
      { DATABASE_URL: 'postgres://db/a', REPLICA_URL: 'http://a:3000' },
      ['REPLICA_SECRET'],
    ],
    [
      'replicas without a database',
      { REPLICA_URL: 'http://a:3000', REPLICA_SECRET: '0123456789abcdef' },
      ['DATABASE_URL'],
    ],
    ['another kind of database', { DATABASE_URL: 'mysql://db/a' }, ['DATABASE_URL']],
    ['a password with a sign of URLs', { DATABASE_URL: 'postgres://a:b#c@db/a' }, ['DATABASE_URL']],
    ['a password with half an escape', { DATABASE_URL: 'postgres://a:b%c@db/a' }, ['DATABASE_URL']],
    [
      'a secret without an address',
      { DATABASE_URL: 'postgres://db/a', REPLICA_SECRET: '0123456789abcdef' },
      ['REPLICA_URL'],
    ],
    [
      'an address of replicas that is none',
      { DATABASE_URL: 'postgres://db/a', REPLICA_URL: 'gigdesk-1:3000', REPLICA_SECRET: '0123456789abcdef' },
      ['REPLICA_URL'],
    ],
    [
      'a secret that is too short',
      { DATABASE_URL: 'postgres://db/a', REPLICA_URL: 'http://a:3000', REPLICA_SECRET: 'short' },
      ['REPLICA_SECRET'],
    ],
    [
      'many workspaces without their other half',
      { ENCRYPTION_KEY: key(1), SLACK_CLIENT_ID: '1.2' },
      ['SLACK_CLIENT_SECRET', 'PUBLIC_URL', 'SLACK_SIGNING_SECRET', 'DATABASE_URL'],
    ],
    [
      'many workspaces and the tokens of one',
      {
        ...many,
        ADMIN_USER_IDS: 'U1',
        SLACK_APP_TOKEN: 'xapp-1',
        SLACK_BOT_TOKEN: 'xoxb-1',
        MARKETPLACE_API_TOKEN: 'a',
      },
      ['ADMIN_USER_IDS', 'SLACK_APP_TOKEN', 'SLACK_BOT_TOKEN', 'MARKETPLACE_API_TOKEN'],
    ],
    [
      'everything at once',
      {
        ...many,
        DATABASE_URL: 'mysql://db/a',
        REPLICA_URL: 'a',
        PUBLIC_URL: 'http://a.example',
        ENCRYPTION_KEY: 'short',
        SLACK_BOT_TOKEN: 'xoxb-1',
      },
      ['DATABASE_URL', 'REPLICA_URL', 'REPLICA_SECRET', 'PUBLIC_URL', 'ENCRYPTION_KEY', 'SLACK_BOT_TOKEN'],
    ],
    ['an address that is none', { ...many, PUBLIC_URL: 'http://gigdesk.example.com' }, ['PUBLIC_URL']],
    ['a key that is too short', { ...many, ENCRYPTION_KEY: `${key(1)},c2hvcnQ=` }, ['ENCRYPTION_KEY']],
    ['two keys of one name', { ...many, ENCRYPTION_KEY: `a:${key(1)},a:${key(2)}` }, ['ENCRYPTION_KEY']],
  ])('names what is wrong with %s', (_, env, names) => {
    const single = 'SLACK_CLIENT_ID' in env ? {} : whole;
    const problems = problemsOf({ MARKETPLACE_API_URL: whole.MARKETPLACE_API_URL, ...single, ...env });
    expect(new Set(problems.map((problem) => problem.split(' ')[0]))).toEqual(new Set(names));
  });

  it.each([
    'postgresql://a:b%23c@db:5432/a?sslmode=verify-full',
    'postgres://a:b,c@db-1:5432,db-2:5432/a',
    'postgres://[::1]:5432/a',
  ])('takes the database %s', (DATABASE_URL) => {
    expect(problemsOf({ ...whole, DATABASE_URL })).toEqual([]);
  });

  it('hides the secrets of many workspaces, too', () => {
    const read = readConfig({ ...many, REPLICA_URL: 'http://a:3000', REPLICA_SECRET: 'replica-secret-1234' });
    const shown = `${inspect(read, { depth: 9, showHidden: true })}${JSON.stringify(read)}`;
    for (const secret of ['db-secret', 'client-secret', 'replica-secret', key(1)])
      expect(shown).not.toContain(secret);
  });
});
