/** The database, and a connection that holds the workspace meanwhile. */
import { machineClock } from '../clock.ts';
import { type Report, runOnDatabase } from '../installations/run-on-database.ts';
import { Leases } from '../storage/postgres/leases.ts';
import type { MovingParts } from './move.ts';

/** Never throws: it reports what failed. */
export function runMove(run: (parts: MovingParts) => Promise<Report>): Promise<Report> {
  return runOnDatabase(async (database, { storage }) => {
    if (storage.engine !== 'postgres') throw new Error('run-on-database.ts has checked this');
    const leases = new Leases({ url: storage.url, clock: machineClock, onLost: () => undefined });
    try {
      return await run({ database, leases, clock: machineClock });
    } finally {
      await leases.close();
    }
  });
}
