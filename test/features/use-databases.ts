/** For each worker of `npm run test:postgres`. */
import { inject } from 'vitest';
import { shareDatabases } from '../kit/database-place.ts';

shareDatabases(inject('databases'));
