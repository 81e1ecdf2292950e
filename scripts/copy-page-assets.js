/** Puts the page's own files beside its compiled server, which serves them from there. */
import { cp, rm } from 'node:fs/promises';

const target = 'dist/workbench/page/assets';
await rm(target, { recursive: true, force: true });
await cp('src/workbench/page/assets', target, { recursive: true });
