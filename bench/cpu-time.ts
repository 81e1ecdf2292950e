/** CPU time of this process so far, all threads together, in ms: a cost measure for shared machines. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
