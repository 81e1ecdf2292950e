/** README.md, CONTRIBUTING.md and the user guides match the code. Their long tables are generated here. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Role } from '../src/access/access.ts';
import { commandRoutes } from '../src/slack/all-routes.ts';
import { optionalScopeLosses, slackScopeReasons } from '../src/slack-scopes.ts';

const guides = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...guides];

const WHO: Readonly<Record<Role, string>> = {
  outsider: 'everyone',
  viewer: 'full members',
  bidder: 'bidders',
  admin: 'admins',
};

function read(page: string): string {
  return readFileSync(page, 'utf8');
}

/** The page with this table between its two marks. @param name the start of the first mark */
function withTable(page: string, name: string, rows: readonly string[]): string {
  const text = read(page);
  const begin = text.indexOf('-->', text.indexOf(`<!-- ${name}:`)) + '-->'.length;
  const end = text.indexOf(`<!-- end of ${name} -->`);
  expect(begin).toBeLessThan(end);
  return `${text.slice(0, begin)}\n\n${rows.join('\n')}\n\n${text.slice(end)}`;
}

describe('docs/commands.md', () => {
  it('shows every command with its uses, its summary and who can use it', async () => {
    const rows = commandRoutes.map(({ usage, summary, needs }) => {
      const uses = usage.map((use) => `\`/gig ${use.replaceAll('|', '\\|')}\``).join('<br>');
      return `| ${uses} | ${summary} | ${WHO[needs]} |`;
    });
    const table = ['| command | what it does | who |', '|---|---|---|', ...rows];
    await expect(withTable('docs/commands.md', 'commands', table)).toMatchFileSnapshot('../docs/commands.md');
  });
});

describe('docs/install.md', () => {
  it('gives the reason for every scope, and names no other', async () => {
    const scopes = Object.entries(slackScopeReasons).map(
      ([scope, reason]) => `| \`${scope}\` | ${reason} | ${optionalScopeLosses[scope] ?? 'required'} |`,
    );
    const table = ['| scope | why | without it |', '|---|---|---|', ...scopes];
    const page = withTable('docs/install.md', 'scopes', table);
    await expect(page).toMatchFileSnapshot('../docs/install.md');
    const named = [...page.matchAll(/^\| `([a-z_]+:[a-z]+)` \| /gm)].map((match) => match[1]);
    const asked = Object.keys(slackScopeReasons).filter((scope) => scope.includes(':'));
    expect(new Set(named)).toEqual(new Set(asked));
  });

  it('explains every variable of .env.example', () => {
    const variables = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map((match) => match[1] ?? '');
    expect(variables.length).toBeGreaterThan(10);
    for (const variable of variables) expect(read('docs/install.md')).toContain(`\`${variable}\``);
  });

  it('names only variables that .env.example has', () => {
    const install = read('docs/install.md');
    const section = install.slice(install.indexOf('\n## Configure'), install.indexOf('\n## Check'));
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((line) => line.split('|')[1]?.match(/[A-Z_]{4,}/g) ?? []);
    expect(named).toContain('SLACK_API_URL');
    for (const variable of named) expect(read('.env.example')).toMatch(new RegExp(`^(# )?${variable}=`, 'm'));
  });
});

describe('the README', () => {
  it('shows the two commands that need nothing else', () => {
    expect(read('README.md')).toContain('\n    npm ci && npm run sandbox\n');
    expect(read('README.md')).toContain('\n    npm ci && npm test\n');
  });

  it('links to every guide', () => {
    for (const page of pages.slice(1)) expect(read('README.md')).toContain(`](${page})`);
  });
});

describe.each(pages)('%s', (page) => {
  it('links only to what is there', () => {
    const links = [...read(page).matchAll(/\]\((?!https:)([^)#]+)/g)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(path.join(path.dirname(page), link)))).toEqual([]);
  });

  it('names only files that are there', () => {
    const named = [...read(page).matchAll(/`((?:src|test|docs|scripts|bench)\/[\w./-]+)`/g)];
    expect(named.map(([, name = '']) => name).filter((name) => !existsSync(name))).toEqual([]);
  });

  it('runs only scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const named = [...read(page).matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});
