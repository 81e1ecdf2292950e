/** CPU that this process has used so far, all its threads together, in ms: says what something costs where the machine is shared. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
