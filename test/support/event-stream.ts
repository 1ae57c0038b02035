/** Reads Server-Sent Events (WHATWG HTML, section 9.2.6) as a browser does. */

/** An event as a page gets it. */
export interface ServerSentEvent {
  /** `message` if the event has no name of its own. */
  readonly type: string;
  readonly data: string;
  /** The id to continue from, as it was when the event was dispatched. */
  readonly lastEventId: string;
}

/** A parser. It takes text in pieces of any size. */
export interface EventStreamParser {
  readonly events: readonly ServerSentEvent[];
  /** Events without a name of their own. */
  readonly messages: readonly ServerSentEvent[];
  /** `Last-Event-ID` of a client that connects again; empty without an id. */
  readonly lastEventId: string;
  /** The first id of the stream; empty if it has sent none yet. */
  readonly firstEventId: string;
  /** Milliseconds to wait before connecting again; undefined if the stream did not send any. */
  readonly retry: number | undefined;
  push(text: string): void;
}

export function createEventStreamParser(lastEventId = ''): EventStreamParser {
  const events: ServerSentEvent[] = [];
  let [pending, type, data, id] = ['', '', '', lastEventId];
  let known = lastEventId;
  let first = '';
  let retry: number | undefined;
  const field = (line: string): void => {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') type = value;
    else if (name === 'data') data += `${value}\n`;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  };
  const dispatch = (): void => {
    known = id;
    if (id !== lastEventId) first ||= id;
    if (data !== '') events.push({ type: type || 'message', data: data.slice(0, -1), lastEventId: known });
    [type, data] = ['', ''];
  };
  return {
    events,
    get messages() {
      return events.filter(({ type }) => type === 'message');
    },
    get lastEventId() {
      return known;
    },
    get firstEventId() {
      return first;
    },
    get retry() {
      return retry;
    },
    push(text) {
      const parts = (pending + text).split('\n');
      pending = parts.pop() ?? '';
      for (const line of parts) line === '' ? dispatch() : field(line);
    },
  };
}
