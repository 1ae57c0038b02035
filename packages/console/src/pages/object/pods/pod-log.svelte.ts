/** Follows the log of a container. */
import { Screen } from '../../../object/screen.js';
import type { Shown } from '../kind-client.js';
import { partPath, readPart } from './pod-part.js';

export interface LogOptions {
  readonly container: string;
  readonly tailLines: number;
  /** The greatest age of lines; 0 for any age. */
  readonly sinceSeconds: number;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
}

export class PodLog {
  lines: readonly string[] = $state.raw([]);
  state: 'closed' | 'open' | 'ended' = $state('closed');
  error: unknown = $state.raw();
  isCut = $state(false);

  /** Reads until the returned function is called. */
  open(shown: Shown, options: LogOptions): () => void {
    const reading = new AbortController();
    [this.lines, this.state, this.error, this.isCut] = [[], 'open', undefined, false];
    this.#read(shown, options, reading.signal).then(
      () => (this.state = 'ended'),
      (error: unknown) => {
        if (reading.signal.aborted) return;
        this.state = 'closed';
        this.error = error;
      },
    );
    return () => reading.abort();
  }

  async #read(shown: Shown, { sinceSeconds, ...options }: LogOptions, signal: AbortSignal): Promise<void> {
    const path = partPath(shown, 'log', { ...options, sinceSeconds: sinceSeconds || '' });
    const screen = new Screen();
    for await (const text of readPart(shown, path, signal)) {
      if (signal.aborted) return;
      screen.write(text);
      [this.lines, this.isCut] = [screen.lines, screen.isCut];
    }
  }
}
