/** Lets others know how far a server is that reads what is stored, where that takes long. */
import type { LoadProgress, OnLoading } from '../runtime/contract/index.js';
import type { StartOptions } from './options.js';
import type { WaitingRoom } from './transport/waiting-room.js';

/** How long data is read before anybody is told, milliseconds. */
const quietMs = 500;

export interface Loading {
  readonly onLoading: OnLoading;
  /** To be called when the store is open, or cannot be opened; the server can listen then. */
  end(): Promise<void>;
}

/**
 * Tells the option `onLoading`, and has health checks and clients answered in plain HTTP, where the port is known. The
 * certificates that a server makes itself depend on what is stored, so that there is no TLS before.
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
        // The server says why the port cannot be had when it listens itself.
        room ??= open(host, port).catch(() => undefined);
      }
    },
    end: async () => (await room)?.close(),
  };
}
