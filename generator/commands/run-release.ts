/** The job of `kindforge release`: records definitions as released. From then on, breaks of them are refused. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadDefinitions } from '../check/load-definitions.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { countDiagnostics, hasErrors, plural, printDiagnostic } from '../diagnostics/print.js';
import { type Console, standardConsole } from '../diagnostics/progress.js';
import { releasedPath, writeReleased } from '../diff/released.js';
import { createNumbering } from '../lock/number-model.js';
import { openGate } from './open-gate.js';

export interface ReleaseFlags {
  readonly schemas: string;
  readonly allow?: string | undefined;
  /** Whether to ignore earlier released definitions. */
  readonly force?: boolean | undefined;
}

/**
 * Records the definitions. If they have mistakes or break released definitions, prints these to standard output and
 * records nothing.
 */
export async function runRelease(flags: ReleaseFlags, console: Console = standardConsole): Promise<'done' | 'refused'> {
  const { schemas, allow, force = false } = flags;
  const loaded = loadDefinitions(schemas);
  const gate = force || hasErrors(loaded.diagnostics) ? undefined : await openGate({ schemas, allow });
  const found: readonly Diagnostic[] = [...loaded.diagnostics, ...(gate?.(loaded) ?? [])];
  if (hasErrors(found)) return refuse(found, console);
  mkdirSync(dirname(join(schemas, releasedPath)), { recursive: true });
  // A release promises its field numbers, too.
  const numbered = createNumbering(schemas)(loaded.model);
  if (hasErrors(numbered.diagnostics)) return refuse([...found, ...numbered.diagnostics], console);
  numbered.save?.();
  const files = writeReleased(schemas);
  for (const diagnostic of found) console.out(printDiagnostic(diagnostic));
  console.error(
    `${plural(files, 'file')} recorded in ${join(schemas, releasedPath)}; commit ${files === 1 ? 'it' : 'them'}`,
  );
  return 'done';
}

function refuse(found: readonly Diagnostic[], console: Console): 'refused' {
  for (const diagnostic of found) console.out(printDiagnostic(diagnostic));
  console.error(`${countDiagnostics(found)}; nothing was recorded`);
  return 'refused';
}
