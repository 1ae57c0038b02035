/** Calls between two processes, over the channel that Node opens to a child. */

/** Functions that answer the calls of the other side, by name. Their results travel as structured clones. */
export type Answers = Readonly<Record<string, (argument: unknown) => unknown>>;

export interface Calls {
  /**
   * Calls the other side. Rejects with the other side's error, once the channel is closed, or if no answer comes within
   * the given milliseconds, because the other process is frozen or overloaded. Without them, waits for any time.
   */
  call(name: string, argument?: unknown, withinMs?: number): Promise<unknown>;
  /** Rejects all calls without an answer, and later ones. */
  end(): void;
}

/** One end of the channel. */
export interface End {
  /** Sends a message. Calls back, with the error if sending failed. */
  send(message: object, sent: (error: Error | null) => void): void;
  onMessage(hear: (message: unknown) => void): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

const ended = (): Error => new Error('the other process has ended');

/** Answers the calls of the other side, and returns the way to call it. Ignores other messages. */
export function openCalls(end: End, answers: Answers): Calls {
  const waiting = new Map<number, Waiting>();
  let isOpen = true;
  let last = 0;
  const tell = (message: object): void => end.send({ [mark]: message }, () => undefined);
  /** Answers a call. Never rejects. */
  const answer = async (id: number, name: string, argument: unknown): Promise<void> => {
    try {
      const act = answers[name];
      if (!act) throw new Error(`unknown call ${name}`);
      tell({ id, value: await act(argument) });
    } catch (error) {
      tell({ id, error: error instanceof Error ? error.message : String(error) });
    }
  };
  end.onMessage((message) => {
    const own = objectIn(objectIn(message)?.[mark]);
    if (!own || typeof own.id !== 'number') return;
    if (typeof own.call === 'string') {
      void answer(own.id, own.call, own.argument);
      return;
    }
    const caller = waiting.get(own.id);
    waiting.delete(own.id);
    if (typeof own.error === 'string') caller?.reject(new Error(own.error));
    else caller?.resolve(own.value);
  });
  return {
    call: (name, argument, withinMs) =>
      new Promise((resolve, reject) => {
        if (!isOpen) {
          reject(ended());
          return;
        }
        const id = ++last;
        waiting.set(id, { resolve, reject });
        if (withinMs !== undefined) {
          const late = (): void => {
            if (waiting.delete(id)) reject(new Error(`the other process has not answered within ${withinMs} ms`));
          };
          setTimeout(late, withinMs).unref();
        }
        end.send({ [mark]: { id, call: name, argument } }, (error) => {
          if (error && waiting.delete(id)) reject(ended());
        });
      }),
    end() {
      isOpen = false;
      for (const { reject } of waiting.values()) reject(ended());
      waiting.clear();
    },
  };
}

/** The member that marks these messages among others on the same channel. */
const mark = 'kindforge';

/** Returns an object of a message by its members, or `undefined` if it is not an object. */
export const objectIn = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null ? { ...value } : undefined;
