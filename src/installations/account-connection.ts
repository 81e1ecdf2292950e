/** The port through which a workspace's admins connect their marketplace account. */
import type { Secret } from '../secret.ts';

/** Missing where the token comes from the environment. */
export interface AccountConnection {
  /** Now: it changes with `connect` and `remove`, before the workspace is opened again. */
  readonly isConnected: boolean;
  /**
   * Checks the token with a free request, stores it sealed, and has the workspace opened again. Doesn't wait
   * for that: the caller's work ends first. Replaces an earlier token.
   * @throws MarketplaceError for a refused token or no answer; StorageError. The earlier token stays then
   */
  connect(token: Secret): Promise<void>;
  /** Deletes the token, and has the workspace opened again, as `connect` does. @throws StorageError */
  remove(): Promise<void>;
}
