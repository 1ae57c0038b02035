/**
 * The protocol of commands in containers. The first byte of a WebSocket message is its channel (`v4` and
 * `v5.channel.k8s.io`).
 */
import { isMembers } from './paths.js';

/** The channels of messages. The error channel gets a Status at the end of the command. */
export const channels = { input: 0, output: 1, error: 2, status: 3, size: 4, close: 255 } as const;

/** The supported protocols, the best first. Only the first can close the input of a command. */
export const execProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const;

/**
 * Returns the subprotocol that carries a bearer token, because browsers send no headers with a WebSocket. `group` is
 * the group of access reviews: it decides the name of the protocol under each naming.
 */
export function tokenProtocol(group: string, token: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(token));
  const sealed = btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `base64url.bearer.${group}.${sealed}`;
}

/** Returns a message for a channel. */
export function toMessage(channel: number, text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  const message = new Uint8Array(bytes.length + 1);
  message[0] = channel;
  message.set(bytes, 1);
  return message;
}

/**
 * Returns the words of a command line. Words end at spaces, except within quotes or after backslashes, as in a shell.
 */
export function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [, single, double, escaped, plain] of line.matchAll(pieces)) {
    const piece = single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain;
    if (piece !== undefined) word = (word ?? '') + piece;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

/**
 * Matches text in single quotes, in double quotes, a character after a backslash, one character, or spaces. A quote
 * without its end is a character.
 */
const pieces = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|(\S)|\s+/gs;

/** The result of a command. */
export interface CommandEnd {
  /** Absent if the server does not report it. */
  readonly code: number | undefined;
  readonly text: string;
}

/** Reads the Status at the end of a command. */
export function endOf(text: string): CommandEnd {
  const status = parsed(text);
  if (!isMembers(status)) return { code: undefined, text };
  if (status.status === 'Success') return { code: 0, text: '' };
  const causes = isMembers(status.details) && Array.isArray(status.details.causes) ? status.details.causes : [];
  const cause = causes.find((one) => isMembers(one) && one.reason === 'ExitCode');
  const code = isMembers(cause) && /^\d{1,9}$/.test(String(cause.message)) ? Number(cause.message) : undefined;
  return { code, text: typeof status.message === 'string' ? status.message : text };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
