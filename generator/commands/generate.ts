/** Runs a whole generation: load, check, emit, write; a second run of the same generator does only what has changed. */
import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type Definitions, loadDefinitions } from '../check/load-definitions.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { noProgress, type Progress } from '../diagnostics/progress.js';
import type { Gate } from '../diff/gate.js';
import type { Emitter } from '../emit/emitter.js';
import { emitters as allEmitters } from '../emit/index.js';
import { createNumbering, lockIsBehind, type NumberedModel } from '../lock/number-model.js';
import type { Model, ResourceModel } from '../model/model.js';
import { holdingSignals } from '../write/held-signals.js';
import { type Manifest, otherOrigin } from '../write/manifest.js';
import type { OutputFile } from '../write/output-file.js';
import { type Outcome, type OutputFolder, openOutput } from '../write/output-folder.js';

export interface GenerateOptions {
  /** Folder of the definitions. */
  readonly schemas: string;
  /** Folder that is written. */
  readonly out: string;
  /** Compares without writing. */
  readonly check?: boolean;
  readonly progress?: Progress;
  /** Holds the definitions against what is released; they are not where absent. */
  readonly gate?: Gate | undefined;
  /** All emitters where absent. */
  readonly emitters?: readonly Emitter[];
}

/** The outcome of one run. */
export interface Generated {
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where errors in the definitions kept everything as it was. */
  readonly outcome?: Outcome;
  /** Resources in the model, and those among them that were emitted in this run. */
  readonly resources: number;
  readonly emitted: number;
}

/** A generator keeps what it has read and written, so that its next run is quick. */
export interface Generator {
  readonly run: () => Generated;
}

/** A file that was emitted, without its content. */
interface Emitted {
  readonly path: string;
  readonly hash: string;
}

/** Runs of one generation: each that others come in between is made again. */
const MOST_TRIES = 10;

/** Prepares a generator. `run` throws for what the file system refuses, and never for what definitions contain. */
export function createGenerator(options: GenerateOptions): Generator {
  const { schemas, out, check = false, progress = noProgress, gate, emitters = allEmitters } = options;
  let definitions: Definitions | undefined;
  let known: Manifest | undefined;
  let emitted = new Map<ResourceModel, readonly Emitted[]>();
  const number = createNumbering(schemas);

  const emitResource = (resource: ResourceModel, model: Model, output: OutputFolder): readonly Emitted[] =>
    emitters.flatMap((emitter) => addAll(emitter.emitResource?.(resource, model) ?? [], output));

  const emitAll = (model: Model, output: OutputFolder): number => {
    const next = new Map<ResourceModel, readonly Emitted[]>();
    let count = 0;
    model.resources.forEach((resource, index) => {
      const before = emitted.get(resource);
      if (before === undefined) count++;
      else for (const { path, hash } of before) output.keep(path, hash);
      next.set(resource, before ?? emitResource(resource, model, output));
      progress.step('generating', index + 1, model.resources.length, resource.source.path);
    });
    emitted = next;
    for (const emitter of emitters) addAll(emitter.emitModel?.(model) ?? [], output);
    return count;
  };

  const generate = (): Generated | 'moved' => {
    refuseOwnFolder(out, schemas);
    refuseForeign(out, schemas);
    definitions = loadDefinitions(schemas, definitions, (done, total, path) =>
      progress.step('reading', done, total, path),
    );
    const loaded = definitions;
    const refuse = (diagnostics: readonly Diagnostic[]): Generated => ({
      diagnostics: [...loaded.diagnostics, ...diagnostics],
      resources: loaded.model.resources.length,
      emitted: 0,
    });
    if (loaded.diagnostics.some((each) => each.severity === 'error')) return refuse([]);
    const { model, diagnostics, save } = number(loaded.model);
    if (diagnostics.length > 0) return refuse(diagnostics);
    const released = gate?.(loaded) ?? [];
    if (released.some((each) => each.severity === 'error')) return refuse(released);
    if (check && save !== undefined) return refuse([lockIsBehind()]);
    const output = openOutput(out, { check, schemas, ...(known === undefined ? {} : { known }) });
    const count = emitAll(model, output);
    const outcome = holdingSignals(() => finish(output, save));
    if (outcome === 'moved') return outcome;
    if (!check) known = output.manifest();
    return {
      diagnostics: [...loaded.diagnostics, ...released],
      outcome,
      resources: model.resources.length,
      emitted: count,
    };
  };

  const forget = (): void => {
    definitions = undefined;
    known = undefined;
    emitted = new Map();
  };

  /** After a failure, or another's run, nobody knows what the folder holds, so the next run begins from nothing. */
  const run = (): Generated => {
    try {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const generated = generate();
        if (generated !== 'moved') return generated;
        forget();
      }
      throw new Error(`others keep generating into ${out}`);
    } catch (error) {
      forget();
      throw error;
    } finally {
      progress.end();
    }
  };

  return { run };
}

/** Brings the output and the lock to what was generated: both, or neither. */
function finish(output: OutputFolder, save: NumberedModel['save']): Outcome | 'moved' {
  // The lock comes first: what clients may read must already be promised.
  const restore = save?.();
  try {
    const outcome = output.finish();
    if (outcome === 'moved') restore?.();
    return outcome;
  } catch (error) {
    restore?.();
    throw error;
  }
}

/** Refuses the folder of the definitions itself: definitions are not looked for in what was generated. */
function refuseOwnFolder(out: string, schemas: string): void {
  if (realPath(out) !== realPath(schemas)) return;
  throw new Error(`${out} is the folder of the definitions; name another one with --out`);
}

/** The path without symbolic links, or as it is where there is nothing yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Refuses a folder that was generated from other definitions: its files would be removed as stale. */
function refuseForeign(out: string, schemas: string): void {
  const origin = otherOrigin(out, schemas);
  if (origin === undefined) return;
  const named = relative('', origin) || '.';
  throw new Error(
    `${out} holds what was generated from ${named}, which ${schemas} would replace; name another folder with --out, or remove ${out} first`,
  );
}

function addAll(files: readonly OutputFile[], output: OutputFolder): readonly Emitted[] {
  return files.map((file) => ({ path: file.path, hash: output.add(file) }));
}
