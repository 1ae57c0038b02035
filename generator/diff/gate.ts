/** Compares definitions with the released ones, and reports breaks as mistakes. */
import { join, relative } from 'node:path';
import type { Definitions } from '../check/load-definitions.js';
import { codes } from '../diagnostics/codes.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { readLockFile } from '../lock/lock-store.js';
import { type AllowFile, applyAllow, type IdleEntry, today } from './allow-file.js';
import { diffSides } from './diff.js';
import type { Finding } from './finding.js';
import { idleWords } from './print/text.js';
import { effectWords, subjectOf } from './print/words.js';
import { releasedPath } from './released.js';
import { readPath } from './sides/read-side.js';
import type { Side } from './sides/side.js';

/** Finds breaks in definitions, as mistakes in them. */
export type Gate = (definitions: Definitions) => readonly Diagnostic[];

export interface GateOptions {
  /** Folder of the definitions. */
  readonly schemas: string;
  /** Whether it has a record of released definitions. Each call reads the record again. */
  readonly released: boolean;
  /** Another side to compare them with. */
  readonly against?: Side;
  readonly allow?: AllowFile;
}

type Code = 'KF5004' | 'KF5005' | 'KF5006' | 'KF5007' | 'KF5008';

/** Makes a gate. Does not throw, whatever the record and the allow file contain. */
export function createGate({ schemas, released, against, allow }: GateOptions): Gate {
  const allowPath = allow === undefined ? '' : relative(schemas, allow.path).replaceAll('\\', '/');
  return (definitions) => {
    const mistakes = (allow?.problems ?? []).map(({ line, column, message }) =>
      diagnostic('KF5006', { file: allowPath, line, column }, message),
    );
    const olds = [
      ...(released ? [readPath(join(schemas, releasedPath), definitions)] : []),
      ...(against === undefined ? [] : [against]),
    ];
    const broken = olds.flatMap((old) => brokenSide(old, schemas));
    if (mistakes.length + broken.length > 0) return [...mistakes.sort(byPlace), ...broken];
    const next = sideOf(schemas, definitions);
    const found = olds.flatMap((old) => diffSides(old, next).findings);
    const { findings, idle } = applyAllow(found, allow, today());
    return [...findings.flatMap(diagnose), ...idle.map((each) => diagnoseIdle(each, allowPath))];
  };
}

const byPlace = (a: Diagnostic, b: Diagnostic): number => a.line - b.line || a.column - b.column;

/** Returns the definitions as a side, with places relative to their folder, as in diagnostics. */
function sideOf(schemas: string, definitions: Definitions): Side {
  const { lock, text } = readLockFile(schemas);
  const promised = text === '' ? {} : { lock };
  return { name: schemas, definitions, ...promised, extent: 'folder', show: ({ path }) => path, isLocal: true };
}

/** Returns the first mistake of a side that cannot be compared. */
function brokenSide({ name, definitions, show, isLocal }: Side, schemas: string): readonly Diagnostic[] {
  const first = definitions.diagnostics.find(({ severity }) => severity === 'error');
  if (first === undefined) return [];
  const file = definitions.state.folder.files.find(({ path }) => path === first.file);
  const shown = file === undefined ? name : show(file);
  const place = { ...first, file: isLocal ? relative(schemas, shown).replaceAll('\\', '/') : shown };
  const advice = 'correct it there; kindforge release --force makes a new record';
  return [diagnostic('KF5008', place, `${first.message} (${first.code}), so nothing can be compared with it`, advice)];
}

const codeOf: Readonly<Record<Finding['severity'], 'KF5004' | 'KF5005' | undefined>> = {
  break: 'KF5004',
  undecided: 'KF5005',
  warning: 'KF5005',
  safe: undefined,
};

function diagnose(finding: Finding): readonly Diagnostic[] {
  const code = codeOf[finding.severity];
  if (code === undefined || finding.allowed !== undefined) return [];
  const { advice, reason, rule, witnesses } = finding;
  const place = finding.new ?? { file: '.', line: 1, column: 1 };
  const who = effectWords(finding);
  const what = code === 'KF5004' ? 'breaks' : 'affects';
  const why = reason === undefined ? `${what} ${who} (rule ${rule})` : `undecided: ${reason}`;
  const proof = witnesses.length === 0 ? undefined : 'kindforge diff shows an object';
  const suggestion = [advice, proof].filter((part) => part !== undefined).join('; ');
  return [diagnostic(code, place, `${subjectOf(finding)}: ${finding.message}: ${why}`, suggestion)];
}

function diagnoseIdle(idle: IdleEntry, file: string): Diagnostic {
  return diagnostic('KF5007', { file, line: idle.entry.line, column: 1 }, idleWords(idle));
}

function diagnostic(
  code: Code,
  { file, line, column }: Pick<Diagnostic, 'file' | 'line' | 'column'>,
  message: string,
  suggestion?: string,
): Diagnostic {
  const { severity } = codes[code];
  return { file, line, column, code, severity, message, ...(suggestion === undefined ? {} : { suggestion }) };
}
