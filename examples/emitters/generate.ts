/** Generates code and reference pages: `npx tsx examples/emitters/generate.ts SCHEMAS OUT`. */
import { createGenerator, emitters, printDiagnostic } from 'kindforge/generator';
import { referencePages } from './reference-pages.js';

const [schemas = 'schemas', out = 'generated'] = process.argv.slice(2);
const { diagnostics, outcome } = createGenerator({ schemas, out, emitters: [...emitters, referencePages] }).run();
for (const diagnostic of diagnostics) console.log(printDiagnostic(diagnostic));
if (outcome) console.log(`${outcome.files} files`);
else process.exitCode = 1;
