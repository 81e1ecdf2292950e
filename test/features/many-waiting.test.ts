/** Fifty concurrent waiters cause no leak warning of Node in the log. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';

for (const mode of ['socket', 'http'] as const)
  appTestWith({ mode, empty: true })(
    `50 commands that wait bring no warning of the process (${mode})`,
    async ({ slack, ada, pass }) => {
      const warnings: string[] = [];
      const note = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
      process.on('warning', note);
      const sent = Array.from({ length: 50 }, (_, index) =>
        slack.runSlashCommand({ user: 'ada', channel: 'web', text: `job ${index + 1}` }),
      );
      await Promise.all(sent);
      await pass(MINUTE);
      process.off('warning', note);
      expect(ada.notes('web').length).toBeGreaterThanOrEqual(50);
      expect(warnings).toEqual([]);
    },
  );
