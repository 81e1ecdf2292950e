/** The token in a request's headers. */
import type { HttpExchange } from '../../http.ts';

export function readBearerToken({ headers }: Pick<HttpExchange, 'headers'>): string | undefined {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
