/** Identifies a lock's holder so exactly that a reused process ID is not mistaken for it. */
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import { systemErrorCode } from './storage-errors.ts';

export const ProcessIdentity = z.object({
  pid: z.number().int().positive(),
  /** When the process started, in the kernel's ticks since boot; null where the system doesn't say. */
  started: z.string().nullable(),
  /** The machine, its boot and the process namespace in which `pid` means something. */
  realm: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** Field 22 of /proc/<pid>/stat; the name before it may contain spaces and parentheses. Source: proc(5). */
async function startOf(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

export async function identifyProcess(): Promise<ProcessIdentity> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return {
    pid: process.pid,
    started: await startOf(process.pid),
    realm: [hostname(), boot.trim(), namespace].join(' '),
  };
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemErrorCode(thrown) !== 'ESRCH';
  }
}

/** `unknown`: the process is not visible from here (another container), or its start time is unknown. */
export async function checkProcessState(
  holder: ProcessIdentity,
  self: ProcessIdentity,
): Promise<'running' | 'gone' | 'unknown'> {
  if (holder.realm !== self.realm) return 'unknown';
  if (!answersSignals(holder.pid)) return 'gone';
  const started = await startOf(holder.pid);
  if (started === null || holder.started === null) return 'unknown';
  return started === holder.started ? 'running' : 'gone';
}
