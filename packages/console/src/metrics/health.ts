/** Reads the checks of `/livez?verbose` and `/readyz?verbose`. */
export interface Check {
  readonly name: string;
  readonly isGood: boolean;
  /** The reason that the server gives for a failed check. */
  readonly text: string;
}

/** Returns the checks in the answer, failed ones first. */
export function checksOf(answer: string): readonly Check[] {
  const checks = answer.split('\n').flatMap((line): Check[] => {
    const [, sign = '', name = '', text = ''] = /^\[([+-])\](\S+) ?(.*)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, isGood: sign === '+', text: text.replace(/^failed: /, '') }];
  });
  return failingFirst(checks);
}

export interface Health {
  readonly isAlive: boolean;
  readonly isReady: boolean;
  /** Each check once, failed ones first. */
  readonly checks: readonly Check[];
}

/**
 * Asks the server for all checks, and for the reasons of failed ones. `read` reads a document. While a check fails, it
 * rejects: the message of the error is the answer. Rejects with other errors, such as errors of the connection.
 */
export async function readHealth(read: (path: string) => Promise<string>): Promise<Health> {
  const [live, ready] = await Promise.all([readEndpoint(read, 'livez'), readEndpoint(read, 'readyz')]);
  const named = [...ready, ...live.filter((check) => !check.isGood || !ready.some(({ name }) => name === check.name))];
  const checks = [...new Map(named.map((check) => [check.name, check])).values()];
  return { isAlive: areGood(live), isReady: areGood(ready), checks: failingFirst(checks) };
}

const areGood = (checks: readonly Check[]): boolean => checks.every(({ isGood }) => isGood);

async function readEndpoint(read: (path: string) => Promise<string>, endpoint: string): Promise<readonly Check[]> {
  const checks = await read(`/${endpoint}?verbose`).then(checksOf, (error: unknown) => {
    const failing = checksOf(messageOf(error));
    if (areGood(failing)) throw error;
    return failing;
  });
  // The answer has no reasons, but the answer about a single check has its reason.
  return Promise.all(
    checks.map(async (check) => {
      if (check.isGood) return check;
      const reason = await read(`/${endpoint}/${check.name}`).then(() => '', messageOf);
      return { ...check, text: reason.trim().replace(/^internal server error: /, '') || check.text };
    }),
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

const failingFirst = (checks: readonly Check[]): readonly Check[] =>
  checks.toSorted((a, b) => Number(a.isGood) - Number(b.isGood));
