/** A database with a made-up workspace in it, beside a simulated Slack and marketplace. */
import { machineClock } from '../../src/clock.ts';
import { importFolder } from '../../src/moving/move.ts';
import { Secret } from '../../src/secret.ts';
import { connectDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { Leases } from '../../src/storage/postgres/leases.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrations.ts';
import type { LocalDatabase } from '../../src/workbench/database/start-database.ts';
import type { FolderSize } from '../app/place.ts';
import { type Services, startServices } from '../app/start-services.ts';
import type { Environment } from './replica.ts';

export interface DatabasePlace {
  readonly services: Services;
  readonly url: string;
  readonly database: Database;
  /** For the replicas of the only workspace. */
  readonly env: Environment;
  close(): Promise<void>;
}

export async function openDatabasePlace(server: LocalDatabase, size: FolderSize): Promise<DatabasePlace> {
  const services = await startServices(size);
  const url = await server.createDatabase();
  const secret = new Secret(url);
  const database = connectDatabase({ url: secret });
  const leases = new Leases({ url: secret, clock: machineClock, onLost: () => undefined });
  await migrateDatabase(database);
  const moved = await importFolder({ database, leases, clock: machineClock }, services.folder);
  await leases.close();
  if (moved.kind !== 'moved') throw new Error(`the folder wasn't imported: ${moved.kind}`);
  await database`analyze`;
  const { DATA_DIR: _folder, PORT: _port, ...env } = services.env;
  return {
    services,
    url,
    database,
    env: { ...env, DATABASE_URL: url },
    async close() {
      await database.end();
      await services.close();
    },
  };
}
