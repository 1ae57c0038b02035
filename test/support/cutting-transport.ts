/** A transport that breaks off its answers, each after some bytes. */
import { ConnectionError, type Transport } from '../../client/index.js';

export interface CuttingTransport extends Transport {
  /** How many answers broke off. */
  readonly cuts: number;
  /** Cuts no more. */
  calmDown(): void;
}

/**
 * Wraps a transport. `budget` returns the bytes after which the next answer breaks off; a shorter answer arrives whole.
 */
export function cuttingTransport(inner: Transport, budget: () => number): CuttingTransport {
  let cuts = 0;
  let isCalm = false;
  async function* cut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let left = budget();
    for await (const chunk of chunks) {
      if (isCalm || chunk.length < left) {
        left -= chunk.length;
        yield chunk;
      } else {
        cuts++;
        yield chunk.subarray(0, left);
        throw new ConnectionError('an answer broke off', 'by the test');
      }
    }
  }
  return {
    get cuts() {
      return cuts;
    },
    calmDown: () => {
      isCalm = true;
    },
    send: async (request) => {
      const response = await inner.send(request);
      return { ...response, chunks: () => cut(response.chunks()) };
    },
  };
}
