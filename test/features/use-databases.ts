/** For each worker of `npx vitest run --project postgres`. */
import { inject } from 'vitest';
import { shareDatabases } from '../kit/database-place.ts';

shareDatabases(inject('databases'));
