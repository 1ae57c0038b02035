/** One connection to a server that answers changes with errors in German. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Session } from '../../../../../runtime/storage/postgres/session.js';
import { targetOf } from '../../../../../runtime/storage/postgres/target.js';

let server: Server;
let session: Session;
afterEach(async () => {
  await session.close();
  await new Promise((resolve) => server.close(resolve));
});

const int32 = (value: number): Buffer => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
const int16 = (value: number): Buffer => Buffer.from([value >>> 8, value]);
const text = (value: string): Buffer => Buffer.from(`${value}\0`);

/** Returns a message of PostgreSQL's protocol. */
function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

const READY = message('Z', Buffer.from('I'));
const COLUMN = [text('c'), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)];

function row(...values: readonly string[]): Buffer {
  const columns = message('T', int16(values.length), ...values.flatMap(() => COLUMN));
  const cells = values.flatMap((value) => [int32(value.length), Buffer.from(value)]);
  return Buffer.concat([columns, message('D', int16(values.length), ...cells), message('C', text('SELECT 1'))]);
}

const sent = (severity: string, code: string): Buffer =>
  message('E', text(`S${severity}`), text(`V${severity}`), text(`C${code}`), text('Mes geht nicht'), Buffer.from([0]));

/** Answers statements with values with an error, after which the connection may end. */
function serve(socket: Socket, error: Buffer, ends: boolean): void {
  let [received, isStarted] = [Buffer.alloc(0), false];
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const start = isStarted ? 1 : 0;
      if (received.length < start + 4 || received.length < start + received.readInt32BE(start)) return;
      const type = isStarted ? received.toString('latin1', 0, 1) : 'startup';
      const content = received.toString('utf8', start + 4, start + received.readInt32BE(start));
      received = received.subarray(start + received.readInt32BE(start));
      isStarted = true;
      if (type === 'startup') socket.write(Buffer.concat([message('R', int32(0)), READY]));
      if (type === 'Q') {
        const answer = content === '\0' ? message('I') : row('150000', 'off', 'read committed', '15.0');
        socket.write(Buffer.concat([answer, READY]));
      }
      if (type !== 'S') continue;
      if (ends) socket.end(error);
      else socket.write(Buffer.concat([error, READY]));
    }
  });
}

it.each([
  ['refuses a change', 'FEHLER', '42501', false, 'refused'],
  ['rolls a change back because of others', 'FEHLER', '55P03', false, 'unsent'],
  ['rolls a change back because of others, and ends', 'FEHLER', '55P03', true, 'unsent'],
  ['ends because its disk is full, maybe after the commit', 'PANIK', '53100', true, 'uncertain'],
  ['ends because its disk is damaged', 'PANIK', '58030', true, 'uncertain'],
  ['ends the connection because of a defect', 'FATAL', 'XX000', true, 'uncertain'],
])('knows the outcome if the server %s', async (_name, severity, code, ends, problem) => {
  server = createServer((socket) => serve(socket, sent(severity, code), ends)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = `postgres://test@127.0.0.1:${port}/test?sslmode=disable`;
  session = new Session(targetOf({ url, environment: {} }, false), undefined);
  const options = { operation: 'change', withinMs: 2_000, repeatable: false, reads: false, once: true };
  await expect(session.query('SELECT $1', ['value'], options)).rejects.toMatchObject({
    ...{ problem, message: expect.stringContaining(`PostgreSQL at 127.0.0.1:${port}: es geht nicht`) },
  });
});
