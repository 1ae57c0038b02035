/**
 * The job of `kindforge lifecycle`: prints when each version may be removed, and refuses changes that come too early.
 */
import { join } from 'node:path';
import { apiRelease } from '../../runtime/objects/release.js';
import { lifeCodes } from '../check/life.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { plural, printDiagnostic } from '../diagnostics/print.js';
import { type Console, standardConsole } from '../diagnostics/progress.js';
import { calendarOf, type Pace, usualPerYear } from '../diff/life-calendar.js';
import { findingsOf } from '../diff/life-findings.js';
import { calendarLines, findingLines, type Lifecycle, lifecycleJson } from '../diff/print/lifecycle.js';
import { hasReleased, releasedPath } from '../diff/released.js';
import { readPath, readSide } from '../diff/sides/read-side.js';
import { isBroken, type Side, SideError } from '../diff/sides/side.js';

export const lifecycleFormats = ['text', 'json'] as const;

export interface LifecycleFlags {
  readonly schemas: string;
  /** The definitions of the release before. Default: the released ones, if there are any. */
  readonly against?: string;
  /** As in `1.27`. Default: the release that is served. */
  readonly release?: string;
  /** The date of the release, as in `2024-05-31`. Default: today. */
  readonly date?: string;
  readonly releasesPerYear?: string;
  readonly format: (typeof lifecycleFormats)[number];
  /** Whether to list removed versions, too. */
  readonly all?: boolean;
}

/** Prints the calendar and then the findings to standard output, and the totals to standard error. */
export async function runLifecycle(
  flags: LifecycleFlags,
  console: Console = standardConsole,
): Promise<'done' | 'refused' | 'failed'> {
  try {
    const pace = readPace(flags);
    const now = readPath(flags.schemas);
    const against = flags.against ?? (hasReleased(flags.schemas) ? join(flags.schemas, releasedPath) : undefined);
    const old = against === undefined ? undefined : await readSide(against, now);
    for (const side of [now, old]) if (side) tellBroken(side, console);
    if (old && isBroken(old)) return 'failed';
    if (isBroken(now) || now.definitions.diagnostics.some(breaksRules)) return 'refused';
    const lifecycle = { pace, versions: calendarOf(now.definitions.model, pace), findings: findingsOf(now, old, pace) };
    if (flags.format === 'json') console.out(lifecycleJson(lifecycle));
    else
      for (const line of [...calendarLines(lifecycle, flags.all ?? false), ...findingLines(lifecycle)])
        console.out(line);
    console.error(summaryOf(lifecycle));
    return lifecycle.findings.some(({ severity }) => severity === 'error') ? 'refused' : 'done';
  } catch (error) {
    if (!(error instanceof SideError)) throw error;
    console.error(`kindforge: ${error.message}`);
    return 'failed';
  }
}

/** Throws a `SideError`. */
function readPace({ release = apiRelease, date = today(), releasesPerYear }: LifecycleFlags): Pace {
  if (!/^\d+\.\d+$/.test(release)) throw new SideError(`--release ${release}: write it as in 1.27`);
  if (!isDate(date)) throw new SideError(`--date ${date}: write it as in 2024-05-31`);
  const perYear = Number(releasesPerYear ?? usualPerYear);
  if (perYear >= 1 && perYear <= 52) return { release, date, perYear };
  throw new SideError(`--releases-per-year ${releasesPerYear}: use a number from 1 to 52`);
}

/** Returns whether a text is a valid day or month. */
const isDate = (text: string): boolean =>
  /^\d{4}-\d{2}(-\d{2})?$/.test(text) && (Date.parse(text) || 0) !== 0 && new Date(text).toJSON().startsWith(text);

const today = (): string => new Date().toISOString().slice(0, 10);

const breaksRules = ({ code }: Diagnostic): boolean => lifeCodes.includes(code);

function tellBroken(side: Side, console: Console): void {
  for (const diagnostic of side.definitions.diagnostics.filter((one) => one.severity === 'error' || breaksRules(one))) {
    const file = side.definitions.state.folder.files.find(({ path }) => path === diagnostic.file);
    console.error(printDiagnostic({ ...diagnostic, file: file === undefined ? side.name : side.show(file) }));
  }
}

function summaryOf({ versions, findings }: Lifecycle): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return [
    plural(versions.length, 'version'),
    ...(errors === 0 ? [] : [plural(errors, 'error')]),
    ...(warnings === 0 ? [] : [plural(warnings, 'warning')]),
  ].join(', ');
}
