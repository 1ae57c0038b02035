/** Gives a model its field numbers: the numbers in the lock, and new ones, which the lock then keeps. */
import { codes } from '../diagnostics/codes.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { LockedMessage, Model } from '../model/model.js';
import { type BrokenPromise, emptyLock, numberFields, type ProtobufLock, printLock } from './lock.js';
import { findLine } from './lock-file.js';
import { hasLockFolder, lockPath, readLockFile, writeLockText } from './lock-store.js';
import { type PlannedVersion, planModel } from './plan-model.js';

export interface NumberedModel {
  readonly model: Model;
  /** Errors in the lock, and changes that would break what it promises. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Writes the lock, and returns a function that restores the old one; absent if the lock is current, or if the
   * definitions have no folder `lock`.
   */
  readonly save?: () => () => void;
}

/** Makes a numbering. It remembers the resources that it has numbered, until the lock changes. */
export function createNumbering(schemas: string): (model: Model) => NumberedModel {
  let current: ProtobufLock = emptyLock;
  let text: string | undefined;
  let done = new WeakSet<PlannedVersion>();

  /** Reads the lock again if another process has written it. */
  const read = (): readonly Diagnostic[] => {
    const file = readLockFile(schemas);
    if (file.text === text && text !== undefined) return [];
    current = file.lock;
    text = file.text;
    done = new WeakSet();
    return file.problems.map(({ line, message }) => diagnose(line, 'KF5001', message, 'restore the file'));
  };

  return (model) => {
    if (!hasLockFolder(schemas)) return { model: { ...model, protobuf: numberAnew(model) }, diagnostics: [] };
    const problems = read();
    if (problems.length > 0) {
      text = undefined;
      return { model, diagnostics: problems };
    }
    const fresh = planModel(model).filter((version) => !done.has(version));
    const { lock, broken } = numberFields(
      current,
      fresh.flatMap(({ messages }) => messages),
    );
    if (broken.length > 0) return { model, diagnostics: broken.map((each) => diagnoseBroken(each, text ?? '')) };
    current = lock;
    for (const version of fresh) done.add(version);
    const numbered = { model: { ...model, protobuf: lock }, diagnostics: [] };
    const wanted = printLock(lock);
    if (wanted === text) return numbered;
    return {
      ...numbered,
      save: () => {
        const before = text ?? '';
        writeLockText(schemas, wanted);
        text = wanted;
        return () => {
          writeLockText(schemas, before);
          text = undefined;
        };
      },
    };
  };
}

const numberedAlone = new WeakMap<PlannedVersion, ProtobufLock>();

/** Numbers that only depend on the definitions as they are, for definitions without promises. */
export function numberAnew(model: Model): ProtobufLock {
  const numbers = new Map<string, LockedMessage>();
  for (const version of planModel(model)) {
    const alone = numberedAlone.get(version) ?? numberFields(emptyLock, version.messages).lock;
    numberedAlone.set(version, alone);
    for (const [id, message] of alone) numbers.set(id, message);
  }
  return numbers;
}

function diagnoseBroken({ message, field, number, was, becomes }: BrokenPromise, text: string): Diagnostic {
  return diagnose(
    findLine(text, message),
    'KF5002',
    `field ${field} of ${message} is ${was} with number ${number} for all clients, and cannot become ${becomes}`,
    'give the field that has the new type a new name',
  );
}

/** Returns the error of `--check` for a lock that lacks numbers. */
export function lockIsBehind(): Diagnostic {
  return diagnose(1, 'KF5003', 'the lock does not have the numbers of all fields', 'run kindforge generate');
}

function diagnose(line: number, code: 'KF5001' | 'KF5002' | 'KF5003', message: string, suggestion: string): Diagnostic {
  return { file: lockPath, line, column: 1, code, severity: codes[code].severity, message, suggestion };
}
