import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { scopeReasons } from '../src/slack/scopes.ts';
import { commands } from '../src/slack/table.ts';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  it.each(commands.map((route) => [route.word, route] as const))('shows every use of /gig %s', (_, route) => {
    for (const use of route.usage) expect(readme).toContain(`/gig ${use.replaceAll('|', '\\|')}`);
    expect(readme).toContain(route.summary);
  });

  it('gives the reason for every scope, and names no other', () => {
    for (const [scope, reason] of Object.entries(scopeReasons))
      expect(readme).toContain(`| \`${scope}\` | ${reason} |`);
    const named = [...readme.matchAll(/^\| `([a-z]+:[a-z]+)` \| /gm)].map((match) => match[1]);
    const asked = Object.keys(scopeReasons).filter((scope) => scope.includes(':'));
    expect(new Set(named)).toEqual(new Set(asked));
  });

  it('explains every variable of .env.example', () => {
    const variables = [...readFileSync('.env.example', 'utf8').matchAll(/^#? ?([A-Z_]+)=/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(variables.length).toBeGreaterThan(10);
    for (const variable of variables) expect(readme).toContain(`\`${variable}\``);
  });

  it('names only variables that .env.example has', () => {
    const example = readFileSync('.env.example', 'utf8');
    const section = readme.slice(readme.indexOf('### 2. Configure'), readme.indexOf('### 3. First steps'));
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((line) => line.split('|')[1]?.match(/[A-Z_]{4,}/g) ?? []);
    expect(named).toContain('SLACK_API_URL');
    for (const variable of named) expect(example).toMatch(new RegExp(`^(# )?${variable}=`, 'm'));
  });

  it('links only to what is there', () => {
    const links = [...readme.matchAll(/\]\((?!https:)([^)#]+)/g)].map((match) => match[1] ?? '');
    expect(links).toContain('docs/architecture.md');
    expect(links.filter((link) => !existsSync(link))).toEqual([]);
  });

  it('runs only scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '');
    expect(named).toContain('sandbox');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });
});
