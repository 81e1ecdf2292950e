/**
 * A whole-app test: its own app, services and people, all in the test's arguments. Every action waits for
 * what it leads to. `appTestWith` changes how the app starts.
 */
import { test } from 'vitest';
import type { Person } from './person.ts';
import { type Desk, type DeskOptions, startDesk } from './start-desk.ts';

interface AppFixtures extends Pick<Desk, 'app' | 'market' | 'slack' | 'pass'> {
  readonly desk: Desk;
  /** The admin. */
  readonly ada: Person;
  /** May bid in `web`. */
  readonly ben: Person;
  /** Sees all public channels, without a role. */
  readonly cem: Person;
}

export function appTestWith(options: DeskOptions) {
  return test.extend<AppFixtures>({
    desk: async ({ onTestFinished }, use) => {
      const desk = await startDesk(options);
      onTestFinished(desk.stop);
      await use(desk);
    },
    app: ({ desk }, use) => use(desk.app),
    market: ({ desk }, use) => use(desk.market),
    slack: ({ desk }, use) => use(desk.slack),
    pass: ({ desk }, use) => use(desk.pass),
    ada: ({ desk }, use) => use(desk.person('ada')),
    ben: ({ desk }, use) => use(desk.person('ben')),
    cem: ({ desk }, use) => use(desk.person('cem')),
  });
}

export const appTest = appTestWith({});
