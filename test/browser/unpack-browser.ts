/** Unpacks the browser from the npm packages, once for each machine. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const NAME = '@sparticuz/chromium';
const project = path.resolve(import.meta.dirname, '../..');

async function readVersion(): Promise<string> {
  const text = await readFile(path.join(project, 'node_modules', NAME, 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/**
 * The path of the executable. Parallel runs unpack into their own folders and rename them into place, so a
 * half-unpacked browser never starts. @throws Error when it can't be unpacked
 */
export async function unpackBrowser(): Promise<string> {
  const place = path.join(tmpdir(), `gigdesk-browser-${await readVersion()}`);
  const executable = path.join(place, 'chromium');
  if (existsSync(executable)) return executable;
  const own = await mkdtemp(`${place}-`);
  const script = `import chromium from '${NAME}'; await chromium.executablePath();`;
  try {
    // The package unpacks to the temporary folder of its process and ignores existing files.
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: project,
      env: { PATH: path.dirname(process.execPath), TMPDIR: own, TMP: own, TEMP: own },
    });
    await rename(own, place);
  } catch (thrown) {
    await rm(own, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(executable)) throw thrown;
  }
  return executable;
}
