/** Runs a whole generation: load, check, emit, write. A second run of the same generator does only what has changed. */
import { memoizeByObject } from '../../runtime/objects/memoize.js';
import { type Definitions, loadDefinitions } from '../check/load-definitions.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { noProgress, type Progress } from '../diagnostics/progress.js';
import type { Gate } from '../diff/gate.js';
import { type Emitter, fingerprintOf, keyOf, surroundingsOf } from '../emit/emitter.js';
import { emitters as allEmitters, emitters as builtIn } from '../emit/index.js';
import { createNumbering, lockIsBehind, type NumberedModel } from '../lock/number-model.js';
import type { Model, ResourceModel } from '../model/model.js';
import { type Manifest, readManifest } from '../write/manifest.js';
import type { OutputFile } from '../write/output-file.js';
import {
  type GenerationResult,
  type OutputFolder,
  openOutput,
  refuseForeign,
  refuseOwnFolder,
} from '../write/output-folder.js';
import { holdingSignals } from '../write/staged-files.js';
import type { EmittedFile, Knowledge, Remembered, Unit, Units } from './kept-state.js';

export interface GenerateOptions {
  /** Folder of the definitions. */
  readonly schemas: string;
  /** The output folder. */
  readonly out: string;
  /** Whether to compare only, without writing. */
  readonly check?: boolean;
  readonly progress?: Progress;
  /** Compares the definitions with the released ones. Default: no comparison. */
  readonly gate?: Gate | undefined;
  /** Default: all emitters. */
  readonly emitters?: readonly Emitter[];
}

/** The outcome of one run. */
export interface Generated {
  readonly diagnostics: readonly Diagnostic[];
  /** Absent if errors in the definitions prevented a generation. */
  readonly outcome?: GenerationResult;
  /** Resources in the model, and how many of them were emitted in this run. */
  readonly resources: number;
  readonly emitted: number;
}

/** A generator that keeps everything it has read and written, so that its next run is quick. */
export interface Generator {
  readonly run: () => Generated;
}

/** A generator that starts from the state of another process, and saves its own for the next. */
export interface LearnedGenerator extends Generator {
  /** Returns the state after the last run; `undefined` if the run has not written everything. */
  readonly knowledge: () => Knowledge | undefined;
}

/** Maximum number of runs of one generation. A run is repeated if another process has written the folder meanwhile. */
const MOST_TRIES = 10;

/** Creates a generator. `run` throws the errors of the file system, and never throws for the content of definitions. */
export function createGenerator(options: GenerateOptions): Generator {
  const { run } = createLearnedGenerator(options, () => undefined);
  return { run };
}

/**
 * Creates a generator that continues from the state of another one.
 * @param recall - returns that state; called once, when the first run begins.
 */
export function createLearnedGenerator(
  options: GenerateOptions,
  recall: () => Remembered | undefined,
): LearnedGenerator {
  const { schemas, out, check = false, progress = noProgress, gate, emitters = allEmitters } = options;
  let definitions: Definitions | undefined;
  let known: Manifest | undefined;
  let listed: Manifest | undefined;
  let units: Units = new Map();
  let hasBegun = false;
  const number = createNumbering(schemas);

  const begin = (): void => {
    if (hasBegun) return;
    hasBegun = true;
    // Reads this first, so that the end of the run notices later changes by other processes.
    const manifest = readManifest(out);
    const before = recall();
    if (before === undefined) return;
    ({ definitions, units, contents: known } = before);
    listed = manifest;
  };

  const emitAll = (model: Model, output: OutputFolder): number => {
    const next = new Map<string, Unit>();
    const emit = (id: string, key: string | undefined, make: () => readonly OutputFile[]): boolean => {
      const before = units.get(id);
      const isSame =
        key !== undefined && before?.key === key && before.files.every((file) => output.has(file.path, file.hash));
      if (isSame) for (const { path, hash } of before.files) output.keep(path, hash);
      const files = isSame ? before.files : addAll(make(), output);
      if (key !== undefined) next.set(id, { key, files });
      return !isSame;
    };
    let count = 0;
    model.resources.forEach((resource, index) => {
      const isNew = emitters.map((emitter) => {
        const { name, emitResource } = emitter;
        if (emitResource === undefined) return false;
        const id = `${name} ${resource.group}/${resource.names.plural}`;
        return emit(id, keyFor(emitter, resource, model), () => emitResource(resource, model));
      });
      if (isNew.includes(true)) count++;
      progress.step('generating', index + 1, model.resources.length, resource.source.path);
    });
    emitters.forEach((emitter, index) => {
      const { name, emitModel } = emitter;
      for (const file of emitModel?.(model) ?? []) emit(`${name} ${file.path}`, keyOfFile(emitter, file), () => [file]);
      progress.step('generating', index + 1, emitters.length, name);
    });
    units = next;
    return count;
  };

  const generate = (): Generated | 'moved' => {
    refuseOwnFolder(out, schemas);
    refuseForeign(out, schemas);
    begin();
    definitions = loadDefinitions(schemas, definitions, (done, total, path, stage) =>
      progress.step(stage, done, total, path),
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
    const output = openOutput(out, {
      check,
      schemas,
      ...(known === undefined ? {} : { known }),
      ...(listed === undefined ? {} : { listed }),
    });
    const count = emitAll(model, output);
    const outcome = holdingSignals(() => finish(output, save));
    if (outcome === 'moved') return outcome;
    listed = undefined;
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
    listed = undefined;
    units = new Map();
  };

  /**
   * Forgets what the folder contains, after a failure or another process's run, so that the next run starts from
   * nothing.
   */
  const run = (): Generated => {
    try {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const generated = generate();
        if (generated !== 'moved') return generated;
        forget();
      }
      throw new Error(`other processes keep generating into ${out}`);
    } catch (error) {
      forget();
      throw error;
    } finally {
      progress.end();
    }
  };

  const knowledge = (): Knowledge | undefined =>
    definitions === undefined || known === undefined || check
      ? undefined
      : { definitions, files: known, units: lasting(units) };

  return { run, knowledge };
}

/** Updates the output and the lock: both, or neither. */
function finish(output: OutputFolder, save: NumberedModel['save']): GenerationResult | 'moved' {
  // Writes the lock first: clients may only read numbers that are already promised.
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

function addAll(files: readonly OutputFile[], output: OutputFolder): readonly EmittedFile[] {
  return files.map((file) => ({ path: file.path, hash: output.add(file) }));
}

/**
 * Returns a text that changes with every input of a resource's files. For emitters of users, the only known input is
 * the resource.
 */
function keyFor(emitter: Emitter, resource: ResourceModel, model: Model): string {
  if (!isBuiltIn(emitter)) return `${TRANSIENT}${numberOf(resource)}`;
  return keyOf(fingerprintOf(resource), surroundingsOf(model), emitter.dependsOn?.(resource, model) ?? '');
}

/**
 * Returns the key of a file about all resources. For emitters of users it is valid in this process only, because their
 * code may change.
 */
const keyOfFile = (emitter: Emitter, { key }: OutputFile): string | undefined =>
  key === undefined || isBuiltIn(emitter) ? key : `${TRANSIENT}${key}`;

const isBuiltIn = (emitter: Emitter): boolean => builtIn.includes(emitter);

/** The prefix of keys that are valid in this process only. */
const TRANSIENT = '#';

/** A number for each resource object. It stays the same while the object does. */
const numberOf = (() => {
  let last = 0;
  return memoizeByObject((_resource: ResourceModel) => ++last);
})();

/** Returns the units that are valid in another process, too. */
const lasting = (units: Units): Units => new Map([...units].filter(([, { key }]) => !key.startsWith(TRANSIENT)));
