/**
 * A key service (KMS v2) for trials: `npx tsx examples/encryption/key-service.ts kms.sock keys.txt`. Each line of the
 * file has a key, as in `one 3q2+7w==`, of 32 bytes in base64. The first key encrypts, and all keys decrypt. The
 * service creates the file if it is missing. Real services keep their keys in hardware or at a provider.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Server, ServerCredentials, type sendUnaryData, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

const { root } = protobuf.parse(`
syntax = "proto3";
package v2;
service KeyManagementService {
  rpc Status(StatusRequest) returns (StatusResponse) {}
  rpc Decrypt(DecryptRequest) returns (DecryptResponse) {}
  rpc Encrypt(EncryptRequest) returns (EncryptResponse) {}
}
message StatusRequest {}
message StatusResponse { string version = 1; string healthz = 2; string key_id = 3; }
message DecryptRequest { bytes ciphertext = 1; string uid = 2; string key_id = 3; map<string, bytes> annotations = 4; }
message DecryptResponse { bytes plaintext = 1; }
message EncryptRequest { bytes plaintext = 1; string uid = 2; }
message EncryptResponse { bytes ciphertext = 1; string key_id = 2; map<string, bytes> annotations = 3; }
`);
root.resolveAll();
const service = root.lookupService('v2.KeyManagementService');

interface Request {
  readonly plaintext: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
}

/** The answers of a service. They may throw, or take long. */
export interface Answers {
  Status(): object | Promise<object>;
  Encrypt(request: Request): object | Promise<object>;
  Decrypt(request: Request): object | Promise<object>;
}

/** Answers with the keys of a file. Reads the file for each request. */
export function answersOf(file: string): Answers {
  const keys = () => {
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines
      .map((line) => line.split(' '))
      .map(([id = '', secret = '']) => ({ id, secret: Buffer.from(secret, 'base64') }));
  };
  const keyOf = (wanted: string) => {
    const key = keys().find(({ id }) => id === wanted);
    if (!key) throw new Error(`the key ${wanted} is missing`);
    return key;
  };
  const current = () => keyOf(keys()[0]?.id ?? '');
  return {
    Status: () => ({ version: 'v2', healthz: 'ok', keyId: current().id }),
    Encrypt({ plaintext }) {
      const { id, secret } = current();
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce);
      const ciphertext = Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
      return { ciphertext, keyId: id, annotations: {} };
    },
    Decrypt({ ciphertext, keyId }) {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(keyId).secret, ciphertext.subarray(0, 12));
      decipher.setAuthTag(ciphertext.subarray(-16));
      return { plaintext: Buffer.concat([decipher.update(ciphertext.subarray(12, -16)), decipher.final()]) };
    },
  };
}

/** Serves a key service on a Unix socket. Resolves to a function that stops it. */
export async function serveKeys(socket: string, answers: Answers): Promise<() => void> {
  const server = new Server();
  const methods = (['Status', 'Encrypt', 'Decrypt'] as const).map((name) => {
    const { resolvedRequestType: request, resolvedResponseType: response } = service.methods[name] ?? {};
    if (!request || !response) throw new Error(`the service has no ${name}`);
    const definition = {
      path: `/v2.KeyManagementService/${name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: (fields: object) => Buffer.from(request.encode(fields).finish()),
      requestDeserialize: (bytes: Buffer) => request.toObject(request.decode(bytes), { defaults: true }) as Request,
      responseSerialize: (fields: object) => Buffer.from(response.encode(fields).finish()),
      responseDeserialize: (bytes: Buffer) => response.decode(bytes),
    } as const;
    const handle = async ({ request }: { readonly request: Request }, answer: sendUnaryData<object>): Promise<void> => {
      try {
        answer(null, await answers[name](request));
      } catch (error) {
        answer({ code: status.INTERNAL, details: error instanceof Error ? error.message : String(error) });
      }
    };
    return { name, definition, handle };
  });
  server.addService(
    Object.fromEntries(methods.map(({ name, definition }) => [name, definition])),
    Object.fromEntries(methods.map(({ name, handle }) => [name, handle])),
  );
  rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), (error) =>
      error ? reject(error) : resolve(),
    );
  });
  return () => server.forceShutdown();
}

const [, program = '', socket, file] = process.argv;
if (program.endsWith('key-service.ts') && socket !== undefined && file !== undefined) {
  if (!existsSync(file)) writeFileSync(file, `one ${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  await serveKeys(socket, answersOf(file));
}
