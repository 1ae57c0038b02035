/** A snapshot of the heap: everything that is in memory, secrets too. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiResponse, StreamSink } from '../../runtime/server/index.js';

const pieceBytes = 256 * 1024;
/** A client that takes no piece for so long is cut off, milliseconds. */
const longestPieceMs = 60_000;

/**
 * Takes a snapshot, during which nothing else happens, and returns it as a body. It goes by a file, as V8 writes files
 * piece by piece and all else at once; the file has no name by the time that anything is sent, so that nothing of it
 * stays.
 */
export async function heapSnapshot(signal: AbortSignal, done: () => void): Promise<ApiResponse['body']> {
  const { writeHeapSnapshot } = await import('node:v8');
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-heap-'));
  let file: FileHandle;
  try {
    makeLineTable();
    file = await open(writeHeapSnapshot(join(folder, 'heap')), 'r');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const end = (): void => {
    done();
    file.close().catch(() => {});
  };
  return {
    ends: true,
    abandoned: end,
    stream(sink) {
      const stopping = new AbortController();
      void send(file, sink, AbortSignal.any([signal, stopping.signal])).finally(end);
      return () => stopping.abort();
    },
  };
}

/**
 * Has V8 make its table of the lines of the program, as it does for the trace of an error. A snapshot has the line of every
 * function, and without the table V8 reads the program from its beginning for each: 14 s of a processor rather than 2.
 */
const makeLineTable = (): string | undefined => new Error('for its trace').stack;

/** Sends a file at the pace of its client. Never rejects. */
async function send(file: FileHandle, sink: StreamSink, signal: AbortSignal): Promise<void> {
  const late = setTimeout(() => sink.destroy(), longestPieceMs);
  late.unref();
  try {
    while (!signal.aborted) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes);
      if (bytesRead === 0) return sink.end();
      sink.write(buffer.subarray(0, bytesRead));
      await sink.taken();
      late.refresh();
    }
    sink.destroy();
  } catch {
    sink.destroy();
  } finally {
    clearTimeout(late);
  }
}
