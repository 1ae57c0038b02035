/** Reports the progress of a start, if reading the stored data takes long. */
import type { LoadProgress, OnLoading } from '../runtime/contract/index.js';
import type { StartOptions } from './options.js';
import type { WaitingRoom } from './transport/waiting-room.js';

/** How long reading takes before progress is reported, in milliseconds. */
const quietMs = 500;

export interface Loading {
  readonly onLoading: OnLoading;
  /** Ends the reports. Call it when the store is open, or has failed to open. The server can listen afterwards. */
  end(): Promise<void>;
}

/**
 * Calls the option `onLoading`, and answers health checks and clients over plain HTTP if the port is fixed. TLS starts
 * later, because the certificates that a server makes depend on stored data.
 */
export function defineLoading({ onLoading, http = {} }: Pick<StartOptions, 'onLoading' | 'http'>): Loading {
  let began: number | undefined;
  let latest: LoadProgress = { records: 0 };
  let room: Promise<WaitingRoom | undefined> | undefined;
  const open = async (host: string, port: number): Promise<WaitingRoom> => {
    const { openWaitingRoom } = await import('./transport/waiting-room.js');
    return openWaitingRoom(host, port, () => latest);
  };
  return {
    onLoading: (progress) => {
      latest = progress;
      began ??= performance.now();
      if (performance.now() - began < quietMs) return;
      onLoading?.(progress);
      if (http === false) return;
      const { host = '127.0.0.1', port, fd } = http;
      if (typeof port === 'number' && fd === undefined) {
        // If the port is not available, the server reports it when it listens itself.
        room ??= open(host, port).catch(() => undefined);
      }
    },
    end: async () => (await room)?.close(),
  };
}
