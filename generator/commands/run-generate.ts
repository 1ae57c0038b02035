/** The job of `kindforge generate`: runs a generator once, or after each change, and prints the result. */
import { withAdvice } from '../../runtime/objects/failures.js';
import { countDiagnostics, plural, printDiagnostic } from '../diagnostics/print.js';
import { type Console, createProgress, standardConsole } from '../diagnostics/progress.js';
import type { Gate } from '../diff/gate.js';
import type { Emitter } from '../emit/emitter.js';
import type { Generated } from './generate.js';
import { type Memory, openMemory } from './memory.js';
import { watchFolder } from './watch.js';

export interface GenerateFlags {
  readonly schemas: string;
  readonly out: string;
  readonly check?: boolean;
  readonly watch?: boolean;
  /** Compares the definitions with the released ones. */
  readonly gate?: Gate | undefined;
  /** The side that the gate compares them with. */
  readonly against?: string | undefined;
  /** Path of the gate's allow file. */
  readonly allow?: string | undefined;
  /** Emitters that run after the built-in ones. */
  readonly own?: readonly Emitter[] | undefined;
  /** Whether to write the reference pages, too. Default: true. */
  readonly reference?: boolean;
  /** Whether to use what the last run remembers. Default: true. */
  readonly cache?: boolean;
  /** The folder of that memory. Default: in the project. */
  readonly cacheFolder?: string;
}

type Ending = 'done' | 'refused' | 'failed';

/** Generates. With `watch`, generates again after each change, until the process is asked to stop. */
export async function runGenerate(flags: GenerateFlags, console = standardConsole): Promise<Ending> {
  const start = performance.now();
  const { schemas, out, gate, own = [], against, allow, watch = false, cache = true } = flags;
  const isClosed = own.length === 0 && against === undefined;
  const memory = cache
    ? openMemory({ schemas, out, allow, isGated: gate !== undefined, isClosed, folder: flags.cacheFolder })
    : undefined;
  const unchanged = watch ? undefined : memory?.unchanged();
  if (unchanged !== undefined) {
    const outcome = { files: unchanged.files, differences: [], kept: [] };
    report({ ...unchanged, outcome }, flags, console, start);
    return 'done';
  }
  const { run, remember } = await prepare(flags, console, memory);
  if (watch) {
    console.error(`watching ${schemas}; stop with Ctrl+C`);
    await watchFolder(schemas, () => void run(performance.now()));
  }
  const ending = watch ? 'done' : run(start);
  remember();
  return ending;
}

/** A generator that reports what it does. */
interface Job {
  readonly run: (start: number) => Ending;
  /** Saves the state of the last run for the next process. */
  readonly remember: () => void;
}

/** Loads the generator, which takes some time. */
async function prepare(flags: GenerateFlags, console: Console, memory: Memory | undefined): Promise<Job> {
  const { createLearnedGenerator } = await import('./generate.js');
  const { codeEmitters, emitters } = await import('../emit/index.js');
  const { keepState, readState } = await import('./kept-state.js');
  const { schemas, out, check = false, gate, own = [], reference = true } = flags;
  const progress = createProgress(console.progress);
  const options = { schemas, out, check, progress, emitters: [...(reference ? emitters : codeEmitters), ...own], gate };
  const generator = createLearnedGenerator(options, () => memory?.recall(readState));
  let last: Generated | undefined;
  const run = (start: number): Ending => {
    last = undefined;
    try {
      last = generator.run();
      report(last, flags, console, start);
      return endingOf(last, check);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      console.error(`kindforge: --out ${out}: ${withAdvice(message, process.cwd())}`);
      return 'failed';
    }
  };
  const remember = (): void => {
    const knowledge = last?.outcome === undefined ? undefined : generator.knowledge();
    if (last !== undefined && knowledge !== undefined) memory?.keep(last, knowledge, keepState);
  };
  return { run, remember };
}

function endingOf(generated: Generated, check: boolean): 'done' | 'refused' {
  if (generated.outcome === undefined) return 'refused';
  return check && generated.outcome.differences.length > 0 ? 'refused' : 'done';
}

/** Prints mistakes and differences to standard output, and the changes it made to standard error. */
function report(
  { diagnostics, outcome, resources, emitted }: Generated,
  { check = false }: GenerateFlags,
  console: Console,
  start: number,
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
  const ms = Math.round(performance.now() - start);
  console.error(`${plural(resources, 'resource')}, ${emitted} generated; ${rest}${warnings}; ${ms} ms`);
}
