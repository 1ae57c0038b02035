/** Calls a signer of tokens (`v1.ExternalJWTSigner`) over its Unix socket. */
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

const { root } = protobuf.parse(`
syntax = "proto3";
package v1;
message SignJWTRequest { string claims = 1; }
message SignJWTResponse { string header = 1; string signature = 2; }
message FetchKeysRequest {}
message FetchKeysResponse { repeated Key keys = 1; int64 refresh_hint_seconds = 3; }
message Key { string key_id = 1; bytes key = 2; bool exclude_from_oidc_discovery = 3; }
message MetadataRequest {}
message MetadataResponse { int64 max_token_expiration_seconds = 1; }
`);

/** The header and the signature of a token (RFC 7515), in base64url. */
export interface SignedParts {
  readonly header: string;
  readonly signature: string;
}

export interface FetchedKeys {
  readonly keys: readonly {
    readonly keyId: string;
    /** A SubjectPublicKeyInfo in DER (RFC 5280). */
    readonly key: Buffer;
    readonly excludeFromOidcDiscovery: boolean;
  }[];
  /** How long the keys are used before they are fetched again. */
  readonly refreshHintSeconds: number;
}

/** The calls of a signer. They reject with gRPC's error. */
export interface SignerClient {
  readonly sign: (claims: string) => Promise<SignedParts>;
  readonly fetchKeys: () => Promise<FetchedKeys>;
  readonly metadata: () => Promise<{ readonly maxTokenExpirationSeconds: number }>;
  readonly close: () => void;
}

/** Creates the client. `timeoutMs` limits each call, including the connection. */
export function createSignerClient(path: string, timeoutMs: number): SignerClient {
  const client = new Client(`unix://${path}`, credentials.createInsecure(), { 'grpc.enable_channelz': 0 });
  function call<T>(name: string, question: string, answer: string): (asked: object) => Promise<T> {
    const [sent, received] = [question, answer].map((type) => root.lookupType(`v1.${type}`));
    return (asked) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          `/v1.ExternalJWTSigner/${name}`,
          (message: object) => Buffer.from(sent?.encode(message).finish() ?? []),
          // The schema above declares this type.
          (bytes) => received?.toObject(received.decode(bytes), { defaults: true, longs: Number, bytes: Buffer }) as T,
          asked,
          new Metadata({ waitForReady: true }),
          { deadline: Date.now() + timeoutMs },
          (error, found) => (found ? resolve(found) : reject(error)),
        );
      });
  }
  const sign = call<SignedParts>('Sign', 'SignJWTRequest', 'SignJWTResponse');
  const fetchKeys = call<FetchedKeys>('FetchKeys', 'FetchKeysRequest', 'FetchKeysResponse');
  const metadata = call<{ readonly maxTokenExpirationSeconds: number }>(
    'Metadata',
    'MetadataRequest',
    'MetadataResponse',
  );
  return {
    sign: (claims) => sign({ claims }),
    fetchKeys: () => fetchKeys({}),
    metadata: () => metadata({}),
    close: () => client.close(),
  };
}
