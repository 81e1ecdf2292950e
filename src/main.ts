/** `node dist/main.js` starts Gigdesk; with a word behind it, runs that command. */
import { runOnNewNode } from './on-new-node.ts';

const programs: Readonly<Record<string, () => Promise<unknown>>> = {
  start: () => import('./app/main.ts'),
  doctor: () => import('./doctor/main.ts'),
  backup: () => import('./backup/main.ts'),
  ledger: () => import('./ledger/main.ts'),
  import: () => import('./moving/commands.ts').then(({ importCommand }) => importCommand()),
  export: () => import('./moving/commands.ts').then(({ exportCommand }) => exportCommand()),
  'rotate-key': () =>
    import('./installations/commands.ts').then(({ rotateKeyCommand }) => rotateKeyCommand()),
  forget: () => import('./installations/commands.ts').then(({ forgetCommand }) => forgetCommand()),
};

// The programs read what follows.
const [word = 'start'] = process.argv.splice(2, 1);
const load = programs[word];
if (load) {
  runOnNewNode(load);
} else {
  console.error(`There's no command "${word}". Commands: ${Object.keys(programs).join(', ')}.`);
  process.exitCode = 1;
}
