/** Runs a command in a container over a WebSocket. */
import { ConnectionError } from 'kindforge/client';
import { type CommandEnd, channels, endOf, execProtocols, tokenProtocol, toMessage } from '../../../object/exec.js';
import { Screen } from '../../../object/screen.js';
import type { Shown } from '../kind-client.js';
import { partPath, readPart } from './pod-part.js';

export interface ExecOptions {
  readonly container: string;
  readonly command: readonly string[];
  /** Whether the command gets a terminal. A terminal repeats typed text, and accepts Ctrl+C. */
  readonly tty: boolean;
}

/** The size of the terminal for commands, in characters. */
const size = { Width: 120, Height: 40 };

const codes = { interrupt: '\u0003', endOfInput: '\u0004' } as const;

export class PodExec {
  lines: readonly string[] = $state.raw([]);
  state: 'closed' | 'opening' | 'open' | 'ended' = $state('closed');
  end: CommandEnd | undefined = $state.raw();
  error: unknown = $state.raw();
  #socket: WebSocket | undefined;
  #running = new AbortController();
  #hasTerminal = true;

  /** Runs a command, and leaves a running one. Never rejects: `error` has the reason. */
  async run(shown: Shown, options: ExecOptions): Promise<void> {
    this.close();
    [this.lines, this.end, this.error, this.state] = [[], undefined, undefined, 'opening'];
    const running = new AbortController();
    this.#running = running;
    this.#hasTerminal = options.tty;
    // A terminal has only one output.
    const path = partPath(shown, 'exec', { ...options, stdin: true, stdout: true, stderr: !options.tty });
    try {
      await this.#talk(location.origin.replace(/^http/, 'ws') + path, await protocolsFor(shown), running.signal);
    } catch {
      // Browsers do not report why a server refused a WebSocket, but a plain request gets the same answer.
      const error = await reasonFor(shown, path);
      if (!running.signal.aborted) [this.state, this.error] = ['closed', error];
    }
  }

  /** Sends a line to the command. */
  send(line: string): void {
    this.#write(`${line}${this.#hasTerminal ? '\r' : '\n'}`);
  }

  /** Stops the command, as Ctrl+C does. Leaves a command without a terminal. */
  interrupt(): void {
    if (this.#hasTerminal) this.#write(codes.interrupt);
    else this.close();
  }

  /** Ends the input, as Ctrl+D does. */
  endInput(): void {
    if (this.#hasTerminal) this.#write(codes.endOfInput);
    else if (this.#socket?.protocol === execProtocols[0])
      this.#socket.send(new Uint8Array([channels.close, channels.input]));
  }

  /** Leaves the command. */
  close(): void {
    this.#running.abort();
    this.#socket?.close();
    this.#socket = undefined;
    if (this.state !== 'closed') this.state = 'ended';
  }

  #write(text: string): void {
    if (this.state === 'open') this.#socket?.send(toMessage(channels.input, text));
  }

  /** Resolves when the command has ended, or was left. Rejects if the connection failed. */
  #talk(url: string, protocols: string[], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    const socket = new WebSocket(url, protocols);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const screen = new Screen();
    const decoders = [new TextDecoder(), new TextDecoder()] as const;
    let status = '';
    socket.onmessage = ({ data }) => {
      if (signal.aborted || !(data instanceof ArrayBuffer)) return;
      const [channel, bytes] = [new Uint8Array(data)[0], data.slice(1)];
      if (channel === channels.status) status += new TextDecoder().decode(bytes);
      else if (channel === channels.output || channel === channels.error) {
        screen.write(decoders[channel === channels.output ? 0 : 1].decode(bytes, { stream: true }));
        this.lines = screen.lines;
      }
    };
    return new Promise((resolve, reject) => {
      socket.onopen = () => {
        this.state = 'open';
        if (this.#hasTerminal) socket.send(toMessage(channels.size, JSON.stringify(size)));
      };
      socket.onclose = ({ code }) => {
        if (signal.aborted) return resolve();
        if (this.state === 'opening') return reject(new Error('refused'));
        [this.#socket, this.state] = [undefined, 'ended'];
        if (status !== '') this.end = endOf(status);
        else if (code !== 1000) this.error = new ConnectionError('the connection broke off', `code ${code}`);
        resolve();
      };
    });
  }
}

async function reasonFor(shown: Shown, path: string): Promise<unknown> {
  try {
    await readPart(shown, path, AbortSignal.timeout(10_000)).next();
    return new ConnectionError('the server opened no WebSocket', 'it gave no reason');
  } catch (error) {
    return error;
  }
}

async function protocolsFor({ session }: Shown): Promise<string[]> {
  const { token } = session.credentials;
  if (token === undefined) return [...execProtocols];
  const { group } = await session.client.kind('selfsubjectaccessreviews');
  return [...execProtocols, tokenProtocol(group, token)];
}
