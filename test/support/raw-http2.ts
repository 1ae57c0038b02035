/** Sends raw HTTP/2 frames (RFC 9113) to a server, for requests that clients refuse to send. */
import { connect } from 'node:tls';

/** The names and values of a request's headers, pseudo-headers among them, in order. */
export type Headers2 = readonly (readonly [name: string, value: string])[];

/** The end of an exchange: an answer or a reset stream, and the text that came with it. */
export interface Exchanged {
  readonly ended: 'answered' | 'broken off';
  readonly text: string;
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const types = { data: 0, headers: 1, reset: 3, settings: 4, goAway: 7 } as const;
const flags = { endStream: 1, endHeaders: 4 } as const;

function frame(type: number, flag: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flag, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Encodes a length with a prefix of seven bits (RFC 7541, section 5.1). */
function lengthOf(bytes: number): number[] {
  if (bytes < 127) return [bytes];
  const octets = [127];
  let rest = bytes - 127;
  for (; rest >= 128; rest = Math.floor(rest / 128)) octets.push((rest % 128) + 128);
  return [...octets, rest];
}

/** Encodes a text without compression. */
const literal = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from(lengthOf(bytes.length)), bytes]);
};

/** Encodes headers without the dynamic table. */
const block = (headers: Headers2): Buffer =>
  Buffer.concat(headers.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));

/** Sends one request, with a body if given, and waits for the result. */
export function exchange2(url: string, headers: Headers2, body = ''): Promise<Exchanged> {
  const { port } = new URL(url);
  const stream = 1;
  const head = frame(types.headers, flags.endHeaders | (body === '' ? flags.endStream : 0), stream, block(headers));
  const sent = [Buffer.from(preface), frame(types.settings, 0, 0, Buffer.alloc(0)), head];
  if (body !== '') sent.push(frame(types.data, flags.endStream, stream, Buffer.from(body)));
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: Number(port), ALPNProtocols: ['h2'], rejectUnauthorized: false };
    const socket = connect(options, () => socket.write(Buffer.concat(sent)));
    let waiting = Buffer.alloc(0);
    let text = '';
    const end = (ended: Exchanged['ended']): void => {
      socket.destroy();
      resolve({ ended, text });
    };
    socket.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 9) {
        const length = waiting.readUIntBE(0, 3);
        if (waiting.length < 9 + length) return;
        const [type, flag] = [waiting.readUInt8(3), waiting.readUInt8(4)];
        if (type === types.data) text += waiting.subarray(9, 9 + length).toString();
        if (type === types.reset || type === types.goAway) return end('broken off');
        if ((type === types.data || type === types.headers) && (flag & flags.endStream) > 0) return end('answered');
        waiting = waiting.subarray(9 + length);
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => end('broken off'));
  });
}
