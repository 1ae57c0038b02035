/**
 * The job of `kindforge diff`: compares two sets of definitions, and prints what a change from one to the other breaks.
 */
import { join } from 'node:path';
import type { JsonObject } from '../../runtime/contract/index.js';
import { printDiagnostic } from '../diagnostics/print.js';
import { type Console, createProgress, standardConsole } from '../diagnostics/progress.js';
import { type AllowFile, applyAllow, loadAllow, today } from '../diff/allow-file.js';
import { diffSides } from '../diff/diff.js';
import { printGitHub } from '../diff/print/github.js';
import { printAsJson } from '../diff/print/json.js';
import { isRefused, type Report } from '../diff/print/report.js';
import { printSarif } from '../diff/print/sarif.js';
import { printText, summaryOf } from '../diff/print/text.js';
import { hasReleased, releasedPath } from '../diff/released.js';
import { readSide } from '../diff/sides/read-side.js';
import { isBroken, type Side, SideError } from '../diff/sides/side.js';

export const diffFormats = ['text', 'json', 'sarif', 'github'] as const;
export type DiffFormat = (typeof diffFormats)[number];

export interface DiffFlags {
  /** Default: the released definitions of `new`. */
  readonly old?: string | undefined;
  readonly new: string;
  readonly format: DiffFormat;
  readonly allow?: string | undefined;
  /** Whether undecided findings and warnings count as breaks. */
  readonly strict?: boolean;
  /** Objects of the user to try differences on. */
  readonly objects?: (resources: readonly NamedResource[]) => Promise<readonly JsonObject[]>;
}

/** A resource by its plural and its group, which is empty for the core group. */
export interface NamedResource {
  readonly group: string;
  readonly plural: string;
}

/**
 * Compares two sides. Prints findings to standard output. Prints the totals, and mistakes of sides, to standard error.
 */
export async function runDiff(
  flags: DiffFlags,
  console: Console = standardConsole,
): Promise<'done' | 'refused' | 'failed'> {
  try {
    const old = await readSide(oldSide(flags));
    const next = await readSide(flags.new, old);
    const broken = [old, next].filter(isBroken);
    for (const side of broken) tellBroken(side, console);
    const allow = loadAllow(flags.allow, next.extent === 'folder' && next.isLocal ? flags.new : undefined);
    for (const line of allowMistakes(allow)) console.error(line);
    if (broken.length > 0 || (allow?.problems.length ?? 0) > 0) return 'failed';
    // The default file is for the released definitions. In another comparison, many of its entries may be unused.
    const isWhole = flags.old === undefined || flags.allow !== undefined;
    const objects = await flags.objects?.(
      old.definitions.model.resources.map(({ group, names }) => ({ group, plural: names.plural })),
    );
    const report = compare(old, next, allow, isWhole, objects, console);
    print(report, flags.format, console);
    console.error(summaryOf(report));
    return isRefused(report, flags.strict ?? false) ? 'refused' : 'done';
  } catch (error) {
    if (!(error instanceof SideError)) throw error;
    console.error(`kindforge: ${error.message}`);
    return 'failed';
  }
}

function oldSide({ old, new: next }: DiffFlags): string {
  if (old !== undefined) return old;
  if (hasReleased(next)) return join(next, releasedPath);
  throw new SideError(
    `${next}: must have a record of released definitions; name a side to compare with, or run kindforge release first`,
  );
}

function tellBroken(side: Side, console: Console): void {
  for (const diagnostic of side.definitions.diagnostics.filter(({ severity }) => severity === 'error')) {
    const file = side.definitions.state.folder.files.find(({ path }) => path === diagnostic.file);
    console.error(printDiagnostic({ ...diagnostic, file: file === undefined ? side.name : side.show(file) }));
  }
  console.error(`kindforge: ${side.name}: must have no errors to be compared`);
}

const allowMistakes = (allow: AllowFile | undefined): readonly string[] =>
  (allow?.problems ?? []).map(({ line, column, message }) => `${allow?.path}:${line}:${column} ${message}`);

function compare(
  old: Side,
  next: Side,
  allow: AllowFile | undefined,
  isWhole: boolean,
  objects: readonly JsonObject[] | undefined,
  console: Console,
): Report {
  const progress = createProgress(console.progress);
  try {
    const { findings, resources, changed } = diffSides(old, next, {
      ...(objects === undefined ? {} : { objects }),
      onResource: (done, total, name) => progress.step('comparing', done, total, name),
    });
    const { findings: marked, idle } = applyAllow(findings, allow, today());
    return {
      findings: marked,
      idle: isWhole ? idle : [],
      resources,
      changed,
      ...(allow === undefined ? {} : { allowFile: allow.path }),
    };
  } finally {
    progress.end();
  }
}

function print(report: Report, format: DiffFormat, console: Console): void {
  if (format === 'json') console.out(printAsJson(report));
  else if (format === 'sarif') console.out(printSarif(report));
  else for (const line of format === 'github' ? printGitHub(report) : printText(report)) console.out(line);
}
