/** The program's version. Directly in `src`, as built files are in `dist`: both are beside package.json. */
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export { version };
