import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Secret } from '../../src/secret.ts';
import { connectDatabase, type Database, readList, writeList } from '../../src/storage/postgres/database.ts';
import { type LocalDatabase, startLocalDatabase } from '../../src/workbench/database/start-database.ts';

let server: LocalDatabase;
let database: Database;
beforeAll(async () => {
  server = await startLocalDatabase({ fsync: 'off' });
  database = connectDatabase({ url: new Secret(await server.createDatabase()) });
});
afterAll(async () => {
  await database.end();
  await server.close();
});

/** PostgreSQL stores no U+0000. */
const text = fc.string({ unit: 'grapheme' }).filter((it) => !it.includes('\0'));
const awkward = fc.constantFrom('', 'null', 'NULL', ' ', ',', '{}', '"', '\\', 'a\nb', '\\"', "'");
const texts = fc.array(fc.oneof(text, awkward, fc.constant(null)));

it('texts come back as they were, and PostgreSQL sees each', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (list) => {
      const [row] = await database`
        select ${list}::text[] as list, to_json(${list}::text[]) as json`;
      expect(row).toEqual({ list, json: list });
      expect(readList(writeList(list))).toEqual(list);
    }),
    { numRuns: 100 },
  );
});

it('whole numbers, too', async () => {
  const list = [0, -1, Number.MAX_SAFE_INTEGER];
  const [row] = await database`select to_json(${list}::bigint[]) as json`;
  expect(row).toEqual({ json: list });
});
