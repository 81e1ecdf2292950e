/** Which parts of an answer about a job are trusted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobId } from '../../src/ids.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { json, openClient, WireServer } from './wire-server.ts';

const JOB = JobId.parse(9);
const options = { lane: 'person' } as const;
const server = new WireServer();
let market: MarketplaceClient;

beforeAll(async () => {
  ({ market } = await openClient(await server.start()));
});
afterAll(async () => {
  await market.close();
  await server.stop();
});

function told(job: object) {
  server.answer(json({ success: true, job }));
  return market.fetchJobStatus(JOB, options);
}

test('an answer about another job is none', async () => {
  await expect(told({ id: 10, status: 'completed' })).rejects.toMatchObject({ code: 'unreadable' });
  await expect(told({ status: 'completed' })).rejects.toMatchObject({ code: 'unreadable' });
});

test('an approval that is answered with another job may have been carried out, or not', async () => {
  server.answer(json({ success: true, job: { id: 10, status: 'scheduled' } }));
  await expect(market.approveJob(JOB, options)).rejects.toMatchObject({
    code: 'unreadable',
    effect: 'unknown',
  });
});

test.each([
  ['scheduled_at', '0000-00-00 00:00:00'],
  ['scheduled_at', ''],
  ['processed_at', '0000-00-00 00:00:00'],
  ['processed_at', '0000-00-00T00:00:00Z'],
  ['processed_at', 0],
  ['error_message', 0],
  ['error_message', '0'],
  ['error_message', ' '],
  ['marketplace_application_uid', '0'],
  ['marketplace_application_uid', 0],
])('%s of %j means that it has not happened: the job is followed on', async (field, value) => {
  expect(await told({ id: 9, status: 'scheduled', [field]: value })).toEqual({ id: 9, status: 'scheduled' });
});

test('what has happened is told as it is', async () => {
  const job = {
    processed_at: '2026-11-20 00:00:00',
    error_message: 'Error 0',
    marketplace_application_uid: '100',
  };
  expect(await told({ id: 9, status: 'failed', ...job })).toEqual({
    id: 9,
    status: 'failed',
    processedAt: '2026-11-20 00:00:00',
    errorMessage: 'Error 0',
    applicationUid: '100',
  });
});
