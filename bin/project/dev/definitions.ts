/** Checks the definitions of a project while users edit them, makes modules of them, and generates code. */
import { join } from 'node:path';
import { type Definitions, loadDefinitions } from '../../../generator/check/load-definitions.js';
import { createGenerator, type Generator } from '../../../generator/commands/generate.js';
import { openGate } from '../../../generator/commands/open-gate.js';
import type { Diagnostic } from '../../../generator/diagnostics/diagnostic.js';
import { countDiagnostics, hasErrors, plural, printDiagnostic } from '../../../generator/diagnostics/print.js';
import type { Gate } from '../../../generator/diff/gate.js';
import { emitters } from '../../../generator/emit/index.js';
import { modulesOf } from '../../../generator/emit/modules.js';
import { createNumbering } from '../../../generator/lock/number-model.js';
import type { Model, ResourceModel } from '../../../generator/model/model.js';
import type { ResourceModule } from '../../../runtime/contract/index.js';
import type { Project } from '../project.js';

/** Prints one line about mistakes and progress. */
export type Print = (line: string) => void;

export interface EditedDefinitions {
  /**
   * Reads the folder, and compares it with the release. Unchanged resources keep their modules. If there are errors,
   * prints them and resolves to `undefined`. Rejects if the record or the allow file cannot be read.
   */
  read(): Promise<readonly ResourceModule[] | undefined>;
  /** Updates the generated code. */
  generate(): Promise<void>;
}

/** The folder and the folder of its code, both relative to the working directory, for messages. */
export type EditedFolders = Pick<Project, 'out' | 'emitters'> & {
  readonly schemas: string;
  /** Whether definitions may break the release. */
  readonly allowBreakingChanges: boolean;
};

export function editDefinitions(folders: EditedFolders, print: Print): EditedDefinitions {
  const { schemas, out, emitters: own, allowBreakingChanges } = folders;
  const number = createNumbering(schemas);
  const made = new WeakMap<ResourceModel, readonly ResourceModule[]>();
  let generator: Generator | undefined;
  let before: Definitions | undefined;
  let gate: Gate | undefined;
  const modules = (model: Model): readonly ResourceModule[] =>
    model.resources.flatMap((resource) => {
      const known = made.get(resource) ?? modulesOf({ ...model, resources: [resource] });
      made.set(resource, known);
      return known;
    });
  return {
    async read() {
      const loaded = loadDefinitions(schemas, before);
      const emptied = emptiedFile(loaded, before);
      if (emptied !== undefined) {
        print(`${join(schemas, emptied)} is empty; its definitions stay in use until the file is written or removed`);
        return undefined;
      }
      before = loaded;
      const numbered = hasErrors(loaded.diagnostics) ? undefined : number(loaded.model);
      const diagnostics = [...loaded.diagnostics, ...(numbered?.diagnostics ?? [])];
      const isSound = numbered && !hasErrors(diagnostics);
      const breaks = isSound ? ((await openGate({ schemas }))?.(loaded) ?? []) : [];
      const report = [...diagnostics, ...breaks];
      for (const line of framed(report, loaded)) print(line);
      if (isSound && (allowBreakingChanges || !hasErrors(breaks))) return modules(numbered.model);
      print(`${countDiagnostics(report)} in ${schemas}`);
      if (isSound) print('keep what is released, allow changes in lock/allow.yaml, or add --allow-breaking-changes');
      return undefined;
    },
    async generate() {
      gate = allowBreakingChanges ? undefined : await openGate({ schemas });
      generator ??= createGenerator({
        schemas,
        out,
        emitters: [...emitters, ...own],
        gate: (loaded) => gate?.(loaded) ?? [],
      });
      const start = performance.now();
      const { outcome, emitted } = generator.run();
      if (!outcome) return;
      const stale = outcome.differences.filter(({ kind }) => kind === 'stale').length;
      const written = outcome.differences.length - stale;
      if (written + stale === 0) return;
      const ms = Math.round(performance.now() - start);
      print(`${out}: ${plural(emitted, 'resource')} generated, ${written} written, ${stale} removed; ${ms} ms`);
    },
  };
}

/** Finds the first file that is empty now and was not before: editors empty files before they write them. */
function emptiedFile(now: Definitions, before: Definitions | undefined): string | undefined {
  const held = new Set(before?.state.folder.files.filter(({ text }) => text.trim() !== '').map(({ path }) => path));
  return now.state.folder.files.find(({ path, text }) => text.trim() === '' && held.has(path))?.path;
}

/** Prints each mistake with its lines of source. */
function framed(diagnostics: readonly Diagnostic[], { state }: Definitions): readonly string[] {
  const texts = new Map(state.folder.files.map(({ path, text }) => [path, text]));
  return diagnostics.map((diagnostic) => {
    const frame = codeFrame(texts.get(diagnostic.file) ?? '', diagnostic.line, diagnostic.column);
    return frame === '' ? printDiagnostic(diagnostic) : `${printDiagnostic(diagnostic)}\n${frame}`;
  });
}

/** Lines to show before the wrong line. */
const linesBefore = 2;
/** Characters to show of a line. */
const widest = 110;

/** Returns the lines with their numbers; empty if the text has no such line. Line and column count from 1. */
export function codeFrame(text: string, line: number, column: number): string {
  const lines = text.split(/\r\n|\r|\n/);
  const meant = lines[line - 1];
  if (meant === undefined || (meant === '' && lines.length === 1)) return '';
  const first = Math.max(0, line - 1 - linesBefore);
  const width = String(line).length;
  const shown = lines
    .slice(first, line)
    .map((content, index) => `  ${String(first + index + 1).padStart(width)} | ${printable(content)}`.trimEnd());
  const before = printable([...meant].slice(0, column - 1).join(''));
  return column > widest
    ? shown.join('\n')
    : [...shown, `  ${' '.repeat(width)} | ${' '.repeat(before.length)}^`].join('\n');
}

/** Replaces each tab by one blank, so that the mark is in the right place, and removes control characters. */
const printable = (text: string): string =>
  text
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, widest);
