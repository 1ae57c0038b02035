/** Requests of test suites: over TLS with a client certificate, or without one and trusting any server. */

import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import type { JsonObject } from '../../../runtime/contract/index.js';

/** The credentials and trusted authorities of a client. A client without authorities trusts any server. */
export interface SuiteIdentity {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface SuiteAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: JsonObject;
}

/** Rejects if it cannot connect. */
export function ask(
  url: string,
  identity: SuiteIdentity = {},
  method = 'GET',
  body?: object,
  type = 'application/json',
): Promise<SuiteAnswer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': type };
    const options = { ...identity, method, headers, agent: false, rejectUnauthorized: identity.ca !== undefined };
    const send = url.startsWith('https:') ? request : plainRequest;
    const call = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, text, body: text.startsWith('{') ? JSON.parse(text) : {} });
      });
    });
    call.on('error', reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/**
 * Sends a request each tenth of a second until the answer is 200 or `ended` settles. Suites wait for both at the same
 * time.
 */
export async function untilOk(url: string, ended: Promise<unknown>): Promise<void> {
  let over = false;
  void ended.finally(() => {
    over = true;
  });
  while (!over) {
    const answer = await ask(url).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the process ended before ${url} answered 200`);
}
