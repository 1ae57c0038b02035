/** Sends raw requests to a witnessed server, and fails if the server gave access without authorization. */
import { expect } from 'vitest';
import { exchange } from './raw-http.js';
import type { WitnessedApi } from './witnessed-api.js';

const base = '/apis/example.com/v1/namespaces';

/** The paths of objects that everyone may access, and of objects that nobody may access. */
export const paths = { base, open: `${base}/open/widgets`, closed: `${base}/closed/widgets` } as const;

/** The header of the last request on a connection. */
export const last = 'Connection: close';

/** A forbidden request, to hide in another request. */
export const hidden = `GET ${paths.closed}/a HTTP/1.1\r\nHost: localhost\r\n${last}\r\n\r\n`;

/** Prints a head with a line for each header, and the rest after it. */
export const message = (line: string, headers: readonly string[] = [], rest = ''): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${rest}`;

/** Sends a text, and resolves to the codes of all answers. */
export type CodesOf = (text: string) => Promise<readonly number[]>;

/** Returns a function that sends a text to a server and checks that the server gave no access without authorization. */
export const exchangeWith =
  (witness: WitnessedApi, url: string): CodesOf =>
  async (text) => {
    const before = witness.closed();
    const answer = await exchange(url, text);
    expect(witness.unauthorized(answer)).toEqual([]);
    expect(answer).not.toContain('mark:closed');
    expect(witness.closed()).toBe(before);
    expect(witness.api.defects).toEqual([]);
    return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
  };
