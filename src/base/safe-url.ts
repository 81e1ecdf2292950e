/** Addresses to which secrets may go. Pure. */

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether nothing sent there crosses a network unencrypted: https, or http on this machine. */
export function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}
