/** Calls a key service (KMS v2) over its Unix socket. */
import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import type { KmsMethod } from './kms-messages.js';

/** Receives each call. `code` is the name of gRPC's code, as in `OK`. */
export type OnAsked = (method: string, seconds: number, code: string) => void;

export class KmsClient {
  readonly #client: Client;
  readonly #timeoutMs: number;
  readonly #onAsked: OnAsked;

  /** `endpoint` is as in `unix:///run/kms.sock`. `timeoutMs` is the limit of a call, including the connection. */
  constructor(endpoint: string, timeoutMs: number, onAsked: OnAsked) {
    this.#client = new Client(endpoint, credentials.createInsecure(), {
      'grpc.enable_channelz': 0,
      'grpc.initial_reconnect_backoff_ms': 100,
      'grpc.min_reconnect_backoff_ms': 100,
      'grpc.max_reconnect_backoff_ms': 1000,
    });
    this.#timeoutMs = timeoutMs;
    this.#onAsked = onAsked;
  }

  /**
   * Calls the service. Waits for a service that is not there yet, up to the time limit of the call. Rejects with gRPC's
   * error.
   */
  ask<Question, Answer>({ name, question, answer }: KmsMethod<Question, Answer>, asked: Question): Promise<Answer> {
    const began = performance.now();
    const options = { deadline: Date.now() + this.#timeoutMs };
    const path = `/v2.KeyManagementService/${name}`;
    const metadata = new Metadata({ waitForReady: true });
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, question.encode, answer.decode, asked, metadata, options, (error, found) => {
        this.#onAsked(path, (performance.now() - began) / 1000, status[error?.code ?? status.OK]);
        if (found) resolve(found);
        else reject(error);
      });
    });
  }

  close(): void {
    this.#client.close();
  }
}
