/** A PostgreSQL server for the whole-app tests of a run: see vitest.config.ts. */
import type { TestProject } from 'vitest/node';
import { startLocalDatabase } from '../../src/workbench/database/start-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's `adminUrl`. */
    databases: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startLocalDatabase({ fsync: 'off', max_connections: '200' });
  project.provide('databases', server.adminUrl);
  return () => server.close();
}
