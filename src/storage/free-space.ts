import { statfs } from 'node:fs/promises';

/** How many bytes this user may still write where the folder lies. @throws Error with Node's code, as where there is no such folder. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
