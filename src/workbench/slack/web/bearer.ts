/** The token in a request's head. */
import type { Exchange } from '../../http.ts';

export function bearerOf({ headers }: Pick<Exchange, 'headers'>): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
