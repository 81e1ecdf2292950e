/** `npm run sandbox`, see `sandbox-command.ts`. */
import { runOnNewNode } from '../on-new-node.ts';

runOnNewNode(() => import('./sandbox-command.ts'));
