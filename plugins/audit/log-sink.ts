/** Writes audit records to a file or to standard output, one per line. */
import type { AuditSink } from '../../runtime/contract/index.js';
import { bounded, type Delivery, inBatches, lossReporter, type OnLoss, type Truncation } from './delivery.js';
import { openRotatingFile, type Rotation } from './rotating-file.js';

export interface AuditLogOptions {
  /** A file, or `-` for standard output. */
  readonly path: string;
  readonly rotation: Rotation;
  readonly delivery: Delivery;
  /** By default, the log has whole records. */
  readonly truncation?: Truncation;
}

/** Opens a log. Throws if the file cannot be opened. */
export function defineLogSink({ path, rotation, delivery, truncation }: AuditLogOptions, onLoss: OnLoss): AuditSink {
  const lost = lossReporter(`audit log ${path}`, onLoss);
  const output = path === '-' ? standardOutput : openRotatingFile(path, rotation, (error) => lost(0, error));
  const append = (lines: readonly string[]): boolean => {
    try {
      output.append(lines.join(''));
      return true;
    } catch (error) {
      lost(lines.length, error);
      return false;
    }
  };
  const encodeRecord = bounded(truncation, (size) => lost(1, `a record of ${size} bytes is too large`));
  const named = { name: 'log', strict: delivery.mode === 'blocking-strict' };
  if (delivery.mode === 'batch') {
    const batches = inBatches(delivery.batch, (texts) => append(texts.map(toLine)), lost);
    return {
      ...named,
      write: (record) => add(encodeRecord(record), batches.add),
      close: () => batches.end().then(output.close),
    };
  }
  if (delivery.mode === 'blocking-strict') {
    return {
      ...named,
      write: (record) => add(encodeRecord(record), (text) => append([toLine(text)])),
      close: output.close,
    };
  }
  const turn = inTurn(append);
  return {
    ...named,
    write: (record) => add(encodeRecord(record), turn.add),
    async close() {
      turn.flush();
      await output.close();
    },
  };
}

const toLine = (text: string): string => `${text}\n`;

const add = (text: string | undefined, take: (text: string) => boolean): boolean => text !== undefined && take(text);

const standardOutput = {
  append: (text: string): void => void process.stdout.write(text),
  close: () => Promise.resolve(),
};

/**
 * Collects the lines of one turn of the event loop and writes them at its end. One system call per record would cost as
 * much as the rest of a small request.
 */
function inTurn(append: (lines: readonly string[]) => boolean): {
  readonly add: (text: string) => boolean;
  readonly flush: () => void;
} {
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const written = lines;
    lines = [];
    append(written);
  };
  return {
    add(text) {
      if (lines.push(toLine(text)) === 1) process.nextTick(flush);
      return true;
    },
    flush,
  };
}
