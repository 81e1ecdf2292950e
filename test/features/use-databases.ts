/** For each worker of `npm run test:postgres`. */
import { inject } from 'vitest';
import { shareDatabases } from './database-place.ts';

shareDatabases(inject('databases'));
