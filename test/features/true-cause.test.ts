/** What people read when the marketplace can't be reached: the error itself, and who can find out more. */
import { expect } from 'vitest';
import { appTest } from '../kit/app-test.ts';
import { PATHS } from '../kit/start-desk.ts';

appTest('a lookup whose connection breaks names the error and the doctor', async ({ app, market, ada }) => {
  market.fail(PATHS.lookup, { kind: 'drop', when: 'before' }, 3);
  const answer = await ada.type('/gig lookup ~012345678901234567', 'web');
  expect(answer.text).toMatch(/marketplace \((?:ECONNRESET|UND_ERR_SOCKET)\).*npm run doctor/u);
  const lines = app.logLines.filter((line) => line.includes('Marketplace request failed'));
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/"cause":"(?:ECONNRESET|UND_ERR_SOCKET)"/u);
});
