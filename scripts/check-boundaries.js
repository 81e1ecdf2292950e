/** Checks the dependency rules over src, and that the parser found modules. */
import { cruise } from 'dependency-cruiser';
import rules from './boundary-rules.js';

/** src has never had fewer modules: fewer means the parser failed. */
const FEWEST_MODULES = 40;

const { output } = await cruise(['src'], {
  ruleSet: rules,
  validate: true,
  parser: 'swc',
  doNotFollow: { path: 'node_modules' },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    conditionNames: ['import', 'node', 'default', 'types'],
  },
});

const own = output.modules.filter((module) => module.source.startsWith('src/'));
const links = own.reduce((count, module) => count + module.dependencies.length, 0);
for (const { rule, from, to } of output.summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
if (own.length < FEWEST_MODULES || links < own.length) {
  console.error(`found only ${own.length} modules and ${links} imports, so the check itself is broken`);
  process.exit(1);
}
if (output.summary.violations.length > 0) process.exit(1);
console.log(`boundaries OK: ${own.length} modules, ${links} imports`);
