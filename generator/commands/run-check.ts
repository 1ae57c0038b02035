/** The job of `kindforge check`: prints every mistake of a folder, and every break of a release. */
import { loadDefinitions } from '../check/load-definitions.js';
import { countDiagnostics, hasErrors, plural, printDiagnostic } from '../diagnostics/print.js';
import { createProgress, standardConsole } from '../diagnostics/progress.js';
import type { Gate } from '../diff/gate.js';
import { createNumbering } from '../lock/number-model.js';

export interface CheckFlags {
  readonly schemas: string;
  /** Compares the definitions with the released ones. */
  readonly gate?: Gate | undefined;
}

/** Checks the definitions of a folder. Prints mistakes to standard output, and the totals to standard error. */
export function runCheck({ schemas, gate }: CheckFlags, console = standardConsole): 'done' | 'refused' {
  const progress = createProgress(console.progress);
  const loaded = loadDefinitions(schemas, undefined, (done, total, path, stage) => {
    progress.step(stage, done, total, path);
  });
  progress.end();
  const found = hasErrors(loaded.diagnostics)
    ? loaded.diagnostics
    : [...loaded.diagnostics, ...createNumbering(schemas)(loaded.model).diagnostics, ...(gate?.(loaded) ?? [])];
  for (const diagnostic of found) console.out(printDiagnostic(diagnostic));
  const count = countDiagnostics(found);
  console.error(
    `${plural(loaded.model.resources.length, 'resource')} without errors${count === '' ? '' : `; ${count}`}`,
  );
  return hasErrors(found) ? 'refused' : 'done';
}
