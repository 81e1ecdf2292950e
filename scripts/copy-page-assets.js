/** Copies the page's static files beside its compiled server, which serves them. */
import { cp, rm } from 'node:fs/promises';

const target = 'dist/workbench/page/assets';
await rm(target, { recursive: true, force: true });
await cp('src/workbench/page/assets', target, { recursive: true });
