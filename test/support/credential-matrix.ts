/**
 * The ways in which credentials can be wrong. Each method of authentication refuses such credentials, or cannot have
 * them.
 */
import { expect, it } from 'vitest';

/** All ways, in the order of tables. */
export const ways = [
  'expired',
  'not yet valid',
  'wrong key',
  'wrong audience',
  'wrong issuer',
  'malformed',
  'oversized',
  'revoked',
  'alg none',
  'key confusion',
] as const;

export type Way = (typeof ways)[number];

/** The reason that credentials of a method cannot be wrong in some way. */
export interface None {
  readonly none: string;
}

/** Credentials that are wrong in one way, or the reason that there are none. */
export type Cell<T> = T | None;

/** A method with its credentials of type T. */
export interface Method<T> {
  /** Makes good credentials and names their user. Called before `wrong`. */
  good(): Promise<readonly [credentials: T, user: string]>;
  /** Makes a cell for each way. */
  wrong(): Promise<Readonly<Record<Way, Cell<T>>>>;
}

/** Says that the method has no such credentials, and why. */
export const none = (why: string): None => ({ none: why });

const isNone = (cell: unknown): cell is None => typeof cell === 'object' && cell !== null && 'none' in cell;

/**
 * The answer to credentials: the name of the user that the server takes their owner for, the status code of a refusal,
 * or `closed` if the connection failed.
 */
export type UserOf<T> = (credentials: T) => Promise<string | number | 'closed'>;

/** Refusals: the user is unknown (401), the headers are too large, or the connection is refused. */
const refusals: ReadonlySet<string | number> = new Set([401, 431, 'closed']);

/** Tests that a method refuses the wrong credentials, and accepts good ones before and after. */
export function testMethod<T>(method: Method<T>, userOf: UserOf<T>): void {
  it('accepts good credentials, and refuses wrong ones', async () => {
    const [credentials, user] = await method.good();
    expect(await userOf(credentials)).toBe(user);
    const wrong = await method.wrong();
    const admitted: Partial<Record<Way, string | number>> = {};
    for (const way of ways) {
      const cell = wrong[way];
      if (isNone(cell)) {
        expect(cell.none, way).not.toBe('');
        continue;
      }
      const found = await userOf(cell);
      if (!refusals.has(found)) admitted[way] = found;
    }
    expect(admitted).toEqual({});
  });
}
