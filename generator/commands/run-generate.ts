/** The job of `kindforge generate`: runs a generator once, or again and again, and prints what came of it. */
import { withAdvice } from '../../runtime/objects/system-advice.js';
import { countDiagnostics, plural, printDiagnostic } from '../diagnostics/print.js';
import { createProgress } from '../diagnostics/progress.js';
import type { Gate } from '../diff/gate.js';
import type { Emitter } from '../emit/emitter.js';
import { emitters } from '../emit/index.js';
import { createGenerator, type Generated } from './generate.js';
import { type Console, standardConsole } from './run-check.js';
import { watchFolder } from './watch.js';

export interface GenerateFlags {
  readonly schemas: string;
  readonly out: string;
  readonly check?: boolean;
  readonly watch?: boolean;
  /** Holds the definitions against what is released. */
  readonly gate?: Gate | undefined;
  /** Emitters that run after the built-in ones. */
  readonly own?: readonly Emitter[] | undefined;
}

/** Generates; with `watch` it goes on until the process is asked to stop. */
export async function runGenerate(
  flags: GenerateFlags,
  console = standardConsole,
): Promise<'done' | 'refused' | 'failed'> {
  const { schemas, out, check = false, watch = false, gate, own = [] } = flags;
  const generator = createGenerator({
    schemas,
    out,
    check,
    progress: createProgress(console.progress),
    emitters: [...emitters, ...own],
    gate,
  });
  const attempt = (): 'done' | 'refused' | 'failed' => {
    const start = performance.now();
    try {
      const generated = generator.run();
      report(generated, check, console, performance.now() - start);
      return endingOf(generated, check);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      console.error(`kindforge: --out ${out}: ${withAdvice(message, process.cwd())}`);
      return 'failed';
    }
  };
  if (!watch) return attempt();
  console.error(`watching ${schemas}; stop with Ctrl+C`);
  await watchFolder(schemas, () => void attempt());
  return 'done';
}

function endingOf(generated: Generated, check: boolean): 'done' | 'refused' {
  if (generated.outcome === undefined) return 'refused';
  return check && generated.outcome.differences.length > 0 ? 'refused' : 'done';
}

/** Mistakes and differences go to standard output, what was done to standard error. */
function report(
  { diagnostics, outcome, resources, emitted }: Generated,
  check: boolean,
  console: Console,
  ms: number,
): void {
  for (const diagnostic of diagnostics) console.out(printDiagnostic(diagnostic));
  const count = countDiagnostics(diagnostics);
  if (outcome === undefined) {
    console.error(`${count}; nothing was written`);
    return;
  }
  const { differences, files, kept } = outcome;
  for (const path of kept) console.error(`kept ${path}: no longer generated, but changed by someone else`);
  if (check) for (const { kind, path } of differences) console.out(`${kind} ${path}`);
  const stale = differences.filter((each) => each.kind === 'stale').length;
  const rest = check
    ? `${differences.length} of ${plural(files, 'file')} differ`
    : `${plural(files, 'file')}, ${differences.length - stale} written, ${stale} removed`;
  const warnings = count === '' ? '' : `; ${count}`;
  console.error(`${plural(resources, 'resource')}, ${emitted} generated; ${rest}${warnings}; ${Math.round(ms)} ms`);
}
